/**
 * Whether the pages of a SQLite file fit together, found out on a thread and a connection of its own, so that nobody
 * waits for it: a large file takes minutes.
 */
import { DatabaseSync } from 'node:sqlite';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { databaseLimits } from '../../limits/server-limits.ts';

export interface SqliteCheck {
  /** Nothing when the file is sound, else what is wrong with it. Never rejects: who cannot look says so. */
  readonly verdict: Promise<string | undefined>;
  /** Ends it early; the verdict is then never told. */
  end(): Promise<void>;
}

interface Verdict {
  readonly damage?: string;
}

export function checkSqlite(file: string): SqliteCheck {
  const worker = new Worker(new URL(import.meta.url), { workerData: { checkedFile: file } });
  worker.unref();
  const verdict = new Promise<string | undefined>((resolve) => {
    worker.once('message', ({ damage }: Verdict) => resolve(damage));
    worker.once('error', (error) => resolve(`it cannot be checked: ${(error as Error).message}`));
  });
  return {
    verdict,
    async end() {
      await worker.terminate();
    },
  };
}

function damageOf(file: string): string | undefined {
  try {
    const connection = new DatabaseSync(file, { readOnly: true, timeout: databaseLimits.busyTimeoutMs });
    try {
      const [first] = connection.prepare('pragma quick_check(1)').all();
      const words = String(first?.quick_check);
      return words === 'ok' ? undefined : words;
    } finally {
      connection.close();
    }
  } catch (error) {
    return (error as Error).message;
  }
}

const { checkedFile } = (workerData ?? {}) as { checkedFile?: string };
if (!isMainThread && checkedFile !== undefined)
  parentPort?.postMessage({ damage: damageOf(checkedFile) } satisfies Verdict);
