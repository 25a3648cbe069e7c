/** A worker's place in a thread of this process. */
import { Worker } from 'node:worker_threads';
import { proofLimits } from '../limits/service-limits.ts';
import { replaceBytes } from './proof-job.ts';
import type { OpenPlace } from './proof-place.ts';

const program = new URL('./thread-program.ts', import.meta.url);

/**
 * A copy whose bytes lie in memory of their own, and that memory. A view posted as it is takes along everything
 * it is a view of, other people's secrets perhaps; memory that is handed over leaves no copy behind.
 */
export function copyForThread<Value>(value: Value): { readonly copy: Value; readonly memory: ArrayBuffer[] } {
  const memory: ArrayBuffer[] = [];
  const copy = replaceBytes(value, (bytes) => {
    const own = new Uint8Array(bytes);
    memory.push(own.buffer);
    return own;
  });
  return { copy: copy as Value, memory };
}

export const openThread: OpenPlace = (engineModule, { onOutcome, onEnd }) => {
  const worker = new Worker(program, {
    workerData: engineModule.href,
    execArgv: [],
    env: {},
    name: 'proofs',
    resourceLimits: { maxOldGenerationSizeMb: proofLimits.heapMegabytesMax },
  });
  worker.on('message', onOutcome);
  worker.on('error', onEnd);
  worker.on('exit', onEnd);
  return {
    send(task) {
      const { copy, memory } = copyForThread(task);
      worker.postMessage(copy, memory);
    },
    async end() {
      await worker.terminate();
    },
  };
};
