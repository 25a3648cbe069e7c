/** The engine on WebAssembly, which runs on every machine, as a proof worker makes it. */
export { createDockEngine as createEngine } from '@symbolon/sdk/proofs/dock-engine';
