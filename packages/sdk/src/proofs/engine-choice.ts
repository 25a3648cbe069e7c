/**
 * Which engine computes proofs where nobody brings one: here, and nowhere else, it is chosen. The library of the engine
 * is large, so it is loaded when the first engine is made. The service has the same engine on threads of its own.
 */
import type { ProofEngine } from '@symbolon/core/proofs/proof-engine';
import type { DockEngine } from './dock-engine.ts';

export const createProofEngine = async (): Promise<DockEngine> =>
  (await import('./dock-engine.ts')).createDockEngine();

/** Works with the engine that was given, or else with one that lives as long as the work. */
export async function withProofEngine<Engine extends Partial<ProofEngine>, Answer>(
  given: Engine | undefined,
  work: (engine: Engine | ProofEngine) => Promise<Answer>,
): Promise<Answer> {
  if (given) return work(given);
  const engine = await createProofEngine();
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}
