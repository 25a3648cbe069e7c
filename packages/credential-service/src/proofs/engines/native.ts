/** The compiled engine, for platforms that it was built for, as a proof worker makes it. */
export { createNativeEngine as createEngine } from '@symbolon/native-proofs/native-engine';
