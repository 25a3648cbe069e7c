/**
 * The engine of a proof worker, with a poison: an order with a certain nonce makes the library's WebAssembly trap inside,
 * as memory that a panic left behind would.
 */
import { loadDockLibrary } from '@symbolon/sdk/proofs/dock-library';

const library = await loadDockLibrary();
const { dock } = library;

/** The smallest module with a function that does nothing but trap. */
const trap = Uint8Array.from([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 0x74, 0, 0, 10, 5, 1, 3, 0, 0,
  0x0b,
]);
interface Machine {
  instantiate(module: Uint8Array): Promise<{ instance: { exports: { t(): void } } }>;
}
const { WebAssembly: machine } = globalThis as unknown as { WebAssembly: Machine };
const { instance } = await machine.instantiate(trap);

const verify: typeof dock.verifyCompositeProofG1WithDeconstructedProofSpec = (...args) => {
  const nonce = args[5];
  if (nonce?.[0] === 0xde && nonce[1] === 0xad) instance.exports.t();
  return dock.verifyCompositeProofG1WithDeconstructedProofSpec(...args);
};
Object.assign(library, { dock: { ...dock, verifyCompositeProofG1WithDeconstructedProofSpec: verify } });

export { createDockEngine as createEngine } from '@symbolon/sdk/proofs/dock-engine';
