/** How flows and verifications use a proof engine: the caller's, or one that is loaded for a single call. */
import { type ProofEngine, ProofEngineError } from '@symbolon/core/proofs/proof-engine';

/** The library of the engine is large, so it is loaded when the first proof is made or checked. */
export async function withEngine<Engine extends Partial<ProofEngine>, Result>(
  given: Engine | undefined,
  use: (engine: Engine | ProofEngine) => Promise<Result>,
): Promise<Result> {
  if (given) return use(given);
  const { createDockEngine } = await import('./dock-engine.ts');
  const engine = await createDockEngine();
  try {
    return await use(engine);
  } finally {
    await engine.close();
  }
}

/** What an engine does not take for a signature or a proof is none. */
export async function isAccepted(check: () => Promise<boolean>): Promise<boolean> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof ProofEngineError && error.code === 'invalidInput') return false;
    throw error;
  }
}
