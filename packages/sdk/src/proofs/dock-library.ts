/**
 * Loads the proof library on demand: its code and WebAssembly are 8 MB, which users of the ledger alone should not
 * pay for. There is one instance of it in each thread, so whoever breaks it breaks it for all.
 */
import { ProofEngineError } from '@symbolon/core/proofs/proof-engine';

export type DockModule = typeof import('@docknetwork/crypto-wasm-ts');
type CommitmentModule = typeof import('@docknetwork/crypto-wasm-ts/lib/ped-com.js');

export interface DockLibrary {
  readonly dock: DockModule;
  /** The key of commitments for statements about inequality, which the package's front does not export. */
  readonly commitmentKey: CommitmentModule['PederCommKey'];
  /** Set by the first trap: a panic inside leaves the instance's memory in any state, so it is never used again. */
  isBroken: boolean;
}

let loading: Promise<DockLibrary> | undefined;

async function load(): Promise<DockLibrary> {
  const [front, commitments] = await Promise.all([
    import('@docknetwork/crypto-wasm-ts'),
    import('@docknetwork/crypto-wasm-ts/lib/ped-com.js'),
  ]);
  await front.initializeWasm();
  return { dock: front, commitmentKey: commitments.PederCommKey, isBroken: false };
}

export function loadDockLibrary(): Promise<DockLibrary> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw new ProofEngineError('failed', 'the proof library cannot be loaded', { cause: error });
  });
  return loading;
}

/** A trap of the machine inside, as opposed to a refusal, which the library throws as text. */
const isTrap = (error: unknown): boolean => error instanceof Error && error.name === 'RuntimeError';

/** Runs one call into the library. Its refusals are `undefined`; a trap breaks the library for good. */
export function callLibrary<Result>(library: DockLibrary, call: () => Result): Result | undefined {
  if (library.isBroken) throw new ProofEngineError('failed', 'the proof library is broken');
  try {
    return call();
  } catch (error) {
    if (!isTrap(error)) return undefined;
    library.isBroken = true;
    throw new ProofEngineError('failed', 'the proof library failed', { cause: error });
  }
}
