/**
 * Reads tables through in threads of their own, each one table after the other. In the background a thread takes its
 * time: it has a low priority where threads have one, and rests after each table, so that whoever has work to do is
 * not disturbed.
 */
import { availableParallelism } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { storeLimits } from '../limits/node-limits.ts';
import { type TableToCheck, tableFileDamage } from './table-file.ts';

export interface TableVerdict {
  readonly number: number;
  /** What is wrong with the table; undefined when it is sound. */
  readonly damage: string | undefined;
}

export interface TableCheckOrder {
  readonly tables: readonly TableToCheck[];
  /** How long it rests after a table, for each millisecond that it took. */
  readonly restFactor: number;
}

export interface TableCheck {
  /** Resolves when every table was read, or when it was told to end; rejects when the thread died. */
  readonly ended: Promise<void>;
  /** Ends it after the table that it is at. */
  end(): Promise<void>;
}

export function startTableCheck(
  order: TableCheckOrder,
  onVerdict: (verdict: TableVerdict) => void,
): TableCheck {
  const worker = new Worker(new URL('./table-check-worker.ts', import.meta.url), {
    execArgv: [],
    name: 'tables',
    workerData: order,
  });
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  worker.on('message', onVerdict);
  worker.once('error', reject);
  worker.once('exit', (code) =>
    code === 0 ? resolve() : reject(new Error(`the thread that checks tables ended with code ${code}`)),
  );
  return {
    ended,
    end: () => {
      // Never from outside: it may be loading native code.
      worker.postMessage(null);
      return ended;
    },
  };
}

/** A table that is damaged, if one is; as many threads look as the bytes are worth and the machine has. */
export async function findDamage(
  tables: readonly TableToCheck[],
  threads: number = threadsFor(tables),
): Promise<TableVerdict | undefined> {
  if (threads < 2) return findDamageHere(tables);
  let found: TableVerdict | undefined;
  const checks = Array.from({ length: threads }, (_, thread) => {
    const share = tables.filter((_, index) => index % threads === thread);
    return startTableCheck({ tables: share, restFactor: 0 }, (verdict) => {
      if (verdict.damage === undefined || found) return;
      found = verdict;
      for (const check of checks) void check.end();
    });
  });
  await Promise.all(checks.map(({ ended }) => ended));
  return found;
}

async function findDamageHere(tables: readonly TableToCheck[]): Promise<TableVerdict | undefined> {
  for (const { number, ...table } of tables) {
    const damage = tableFileDamage(table);
    if (damage !== undefined) return { number, damage };
    await nextTurn();
  }
  return undefined;
}

function threadsFor(tables: readonly TableToCheck[]): number {
  const bytes = tables.reduce((sum, table) => sum + (table.bytes ?? 0), 0);
  const worth = Math.floor(bytes / storeLimits.tableCheckThreadBytes);
  return Math.min(worth, availableParallelism(), storeLimits.tableCheckThreadsMax);
}
