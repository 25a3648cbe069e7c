/**
 * The process that the tests start and kill: it loads the node's code, says so, and on the first message serves a
 * real node from a folder. It dies where it is told to, ends with its parent, and reports when its chain stops.
 */
import { createLog } from '@symbolon/host/telemetry/log';
import { createMetrics } from '@symbolon/host/telemetry/metrics';
import { nodeConfigSchema } from '@symbolon/ledger-node/node/node-config';
import { openNodeFolder } from '@symbolon/ledger-node/node/node-folder';
import { serveNode } from '@symbolon/ledger-node/operation/serve-node';
import type { CrashPoint } from '@symbolon/ledger-node/store/level-store';

export interface NodeOrder {
  readonly folder: string;
  /** Settings of the node beside the tests' usual ones. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Where to die: at the n-th time that this step of a write is reached. */
  readonly crash?: { readonly point: CrashPoint; readonly count: number };
}

/** What the process is asked: to serve a node, once, and how much memory it needs, any number of times. */
export type NodeRequest = ({ readonly kind: 'serve' } & NodeOrder) | { readonly kind: 'measure' };

export type NodeReport =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'measured'; readonly heapBytes: number }
  | { readonly kind: 'up'; readonly httpUrl: string; readonly socketUrl: string }
  | { readonly kind: 'failed'; readonly name: string; readonly message: string };

/** Free ports, short blocks, and one thread less to start and to kill. */
const usualSettings = { port: 0, socketPort: 0, blockIntervalMs: 10, signatureWorkers: 1 };

const report = (message: NodeReport): void => {
  process.send?.(message);
};

const reportFailure = (error: unknown): void => {
  const { name, message } = error as Error;
  report({ kind: 'failed', name, message });
};

/** A counter that ends the process as a power cut would, once it has counted far enough. */
function crashPointOf(crash: NodeOrder['crash']): (name: CrashPoint) => void {
  let reached = 0;
  return (name) => {
    if (name !== crash?.point) return;
    reached += 1;
    if (reached === crash.count) process.kill(process.pid, 'SIGKILL');
  };
}

async function serve({ folder, config, crash }: NodeOrder): Promise<void> {
  try {
    const served = await serveNode(await openNodeFolder(folder), {
      config: nodeConfigSchema.parse({ ...usualSettings, ...config }),
      log: createLog({ level: 'error' }),
      metrics: createMetrics(),
      crashPoint: crashPointOf(crash),
    });
    report({ kind: 'up', httpUrl: served.httpUrl, socketUrl: served.socketUrl });
    reportFailure(await served.failed);
  } catch (error) {
    reportFailure(error);
    process.disconnect();
  }
}

/** What is still in use, after a collection where the process was started with `--expose-gc`. */
function measure(): void {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  report({ kind: 'measured', heapBytes: heapUsed + external });
}

process.once('disconnect', () => process.exit(0));
process.on('message', (request: NodeRequest) => {
  if (request.kind === 'measure') measure();
  else void serve(request);
});
report({ kind: 'loaded' });
