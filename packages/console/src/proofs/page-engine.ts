/**
 * Stands in for the SDK's engine in what is built for the page (`vite.config.mjs`): whatever of the SDK wants a proof gets
 * it from the worker, and the library is built once, for the worker.
 */
import type { ProofEngine } from '@symbolon/core/proofs/proof-engine';
import { workerEngine } from './worker-engine.ts';

const engineOfWorker = async (): Promise<ProofEngine> => workerEngine;

/** By the name under which the SDK asks for it. */
export { engineOfWorker as createDockEngine };
