/** What a page and the worker that computes proofs for it say to each other. */
import type { ProofEngine, ProofEngineError } from '@symbolon/core/proofs/proof-engine';

/** What the engine does; `load` does nothing but have it there. */
export type EngineCall = Exclude<keyof ProofEngine, 'close'> | 'load';

export interface WorkerQuestion {
  readonly id: number;
  readonly call: EngineCall;
  readonly given: readonly unknown[];
}

export type WorkerAnswer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly code: ProofEngineError['code']; readonly message: string };
