/**
 * The proof engine of this tab: in a worker, which is started when the first proof is wanted and loads the library then.
 * Values go no further than to that worker, which is of this page.
 */
import { type ProofEngine, ProofEngineError } from '@symbolon/core/proofs/proof-engine';
import type { EngineCall, WorkerAnswer, WorkerQuestion } from './proof-messages.ts';

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const waiting = new Map<number, Waiting>();
let worker: Worker | undefined;
let lastId = 0;

function startWorker(): Worker {
  const started = new Worker(new URL('./proof-worker.ts', import.meta.url), { type: 'module' });
  started.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => {
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if ('value' in data) asked?.resolve(data.value);
    else asked?.reject(new ProofEngineError(data.code, data.message));
  };
  // A worker that cannot be loaded, or died, answers nobody: the next question starts another.
  started.onerror = () => {
    worker = undefined;
    started.terminate();
    for (const { reject } of waiting.values())
      reject(new ProofEngineError('failed', 'the worker of the proof engine could not be started'));
    waiting.clear();
  };
  return started;
}

const ask =
  (call: EngineCall) =>
  (...given: readonly unknown[]): Promise<never> =>
    new Promise<unknown>((resolve, reject) => {
      worker ??= startWorker();
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      const question: WorkerQuestion = { id: lastId, call, given };
      worker.postMessage(question);
    }) as Promise<never>;

/** Has the library there, for whoever wants proofs later without a connection. */
export const loadProofEngine: () => Promise<void> = ask('load');

/** One for all of the tab. */
export const workerEngine: ProofEngine = {
  publicKeyOf: ask('publicKeyOf'),
  sign: ask('sign'),
  verifySignature: ask('verifySignature'),
  commit: ask('commit'),
  derive: ask('derive'),
  verifyProof: ask('verifyProof'),
  derivePlain: ask('derivePlain'),
  verifyPlain: ask('verifyPlain'),
  makeRangeParameters: ask('makeRangeParameters'),
  close: async () => undefined,
};
