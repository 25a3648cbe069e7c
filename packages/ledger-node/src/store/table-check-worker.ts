/** The thread of `table-check.ts`: a verdict for each table goes out; anything comes in, and it ends. */
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '@symbolon/core/basics/assert';
import { storeLimits } from '../limits/node-limits.ts';
import type { TableCheckOrder, TableVerdict } from './table-check.ts';
import { isWant, type TableToCheck, tableFileDamage } from './table-file.ts';

assert(parentPort !== null, 'runs as a worker');
const port = parentPort;
const { tables, restFactor } = workerData as TableCheckOrder;
const ending = new AbortController();
port.once('message', () => ending.abort());

// On Linux a priority is a thread's own; elsewhere it would be that of the whole process.
if (restFactor > 0 && process.platform === 'linux') setPriority(storeLimits.tableCheckPriority);

const rest = (ms: number): Promise<void> =>
  sleep(ms, undefined, { signal: ending.signal }).catch(() => undefined);

/** When there are no descriptors left, others close theirs. Undefined, too, when it is to end meanwhile. */
async function damageOf(table: Omit<TableToCheck, 'number'>): Promise<string | undefined> {
  while (!ending.signal.aborted)
    try {
      return tableFileDamage(table);
    } catch (error) {
      if (!isWant(error)) throw error;
      await rest(storeLimits.tableWantMs);
    }
}

for (const { number, ...table } of tables) {
  const began = performance.now();
  const damage = await damageOf(table);
  if (ending.signal.aborted) break;
  port.postMessage({ number, damage } satisfies TableVerdict);
  await rest((performance.now() - began) * restFactor);
}
port.close();
