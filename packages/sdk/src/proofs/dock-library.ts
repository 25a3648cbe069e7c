/**
 * Loads the proof library on demand: its code and WebAssembly are 8 MB, which users of the ledger alone should not
 * pay for. There is one instance of it in each thread, so whoever breaks it breaks it for all. It is the library's
 * own interface, functions over bytes: the classes that its makers publish around it bring a documentation tool along.
 */
import { ProofEngineError } from '@symbolon/core/proofs/proof-engine';

export type DockModule = typeof import('@docknetwork/crypto-wasm');

export interface DockLibrary {
  readonly dock: DockModule;
  /** Set by the first trap: a panic inside leaves the instance's memory in any state, so it is never used again. */
  isBroken: boolean;
}

let loading: Promise<DockLibrary> | undefined;

async function load(): Promise<DockLibrary> {
  // A package of CommonJS: to every bundler its default is the whole of it, its names are known to some only.
  const { default: dock } = await import('@docknetwork/crypto-wasm');
  await withBuffer(() => dock.initializeWasm());
  return { dock, isBroken: false };
}

/**
 * The library keeps its WebAssembly as base64, which it decodes with Node's `Buffer` and nothing else. Where there is
 * none it gets one that can do this, for as long as the decoding takes: it is done before `begin` returns, so that
 * nothing else on a page ever meets it and takes the page for Node.
 */
function withBuffer<Result>(begin: () => Result): Result {
  const host = globalThis as { Buffer?: unknown };
  if (host.Buffer !== undefined) return begin();
  host.Buffer = { from: bytesOfBase64 };
  try {
    return begin();
  } finally {
    delete host.Buffer;
  }
}

function bytesOfBase64(text: string): Uint8Array {
  const units = atob(text);
  const bytes = new Uint8Array(units.length);
  // Millions of bytes: a callback for each would take as long as all the rest of loading.
  for (let index = 0; index < bytes.length; index++) bytes[index] = units.charCodeAt(index);
  return bytes;
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
export function callLibrary<Result>(
  library: DockLibrary,
  call: (dock: DockModule) => Result,
): Result | undefined {
  if (library.isBroken) throw new ProofEngineError('failed', 'the proof library is broken');
  try {
    return call(library.dock);
  } catch (error) {
    if (!isTrap(error)) return undefined;
    library.isBroken = true;
    throw new ProofEngineError('failed', 'the proof library failed', { cause: error });
  }
}
