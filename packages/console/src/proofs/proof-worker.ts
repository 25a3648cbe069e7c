/** The worker that computes proofs, so that the page stays responsive. It holds no key of anybody: a proof needs none. */
import { type ProofEngine, ProofEngineError } from '@symbolon/core/proofs/proof-engine';
import { createProofEngine } from '@symbolon/sdk/proofs/engine-choice';
import type { WorkerAnswer, WorkerQuestion } from './proof-messages.ts';

let engine: Promise<ProofEngine> | undefined;

/** One for all questions; one that could not be loaded is tried again. */
function loadedEngine(): Promise<ProofEngine> {
  engine ??= createProofEngine().catch((error: unknown) => {
    engine = undefined;
    throw error;
  });
  return engine;
}

async function answerTo({ id, call, given }: WorkerQuestion): Promise<WorkerAnswer> {
  try {
    const loaded = await loadedEngine();
    if (call === 'load') return { id, value: undefined };
    const work = loaded[call] as (...orders: readonly unknown[]) => Promise<unknown>;
    return { id, value: await work.apply(loaded, [...given]) };
  } catch (error) {
    const code = error instanceof ProofEngineError ? error.code : 'failed';
    return { id, code, message: error instanceof Error ? error.message : 'the proof engine failed' };
  }
}

addEventListener('message', async ({ data }: MessageEvent<WorkerQuestion>) =>
  postMessage(await answerTo(data)),
);
