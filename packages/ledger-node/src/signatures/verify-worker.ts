/** The thread of a SignaturePool: a batch comes in, its verdicts go out, in order; nothing comes in, and it ends. */
import { parentPort } from 'node:worker_threads';
import { assert } from '@symbolon/core/basics/assert';
import { verifyBatch } from './signature-batch.ts';

assert(parentPort !== null, 'runs as a worker');
const port = parentPort;

port.on('message', (batch: ArrayBuffer | null) => {
  if (batch === null) return port.close();
  const verdicts = verifyBatch(batch);
  port.postMessage(verdicts, [verdicts.buffer]);
});
