/** Keys of the demo. They are printed in public documentation: whoever uses them shares them with everybody. */

/** The seed of the demo's genesis account: thirty-one zero bytes and a one. */
export function demoGenesisSeed(): Uint8Array {
  const seed = new Uint8Array(32);
  seed[31] = 1;
  return seed;
}

export const demoWarning = [
  'WARNING: all these private keys are PUBLICLY KNOWN. For this machine only;',
  '`symbolon node init` makes a chain of your own.',
] as const;
