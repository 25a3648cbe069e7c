/**
 * How much stack the host has left for JavaScript and WebAssembly where this is called. V8 ends a thread's calls at a
 * limit of its own, which a flag or the maker of the thread sets: what contracts may take must fit below it, or what
 * becomes of them would depend on the machine.
 */

/** Arguments of one call of the probe. They lie on the stack whatever has become of the code around them. */
const argumentsPerCall = 1_000;
const argumentBytes = 8;
/** What a call takes besides its arguments, rather less than more. */
const callBytes = 64;

/** Bytes, to about one hundredth and rather less than there are. */
export function hostStackBytes(): number {
  const given = new Array<number>(argumentsPerCall).fill(0);
  let calls = 0;
  const probe = (..._: number[]): void => {
    calls += 1;
    probe(...given);
  };
  try {
    probe();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return calls * (argumentsPerCall * argumentBytes + callBytes);
}
