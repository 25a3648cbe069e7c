/** A broken invariant is a bug: it ends the process and is never turned into an answer. */
export class BrokenInvariant extends Error {
  override name = 'BrokenInvariant';
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new BrokenInvariant(message);
}
