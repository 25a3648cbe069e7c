/**
 * Work whose answer is kept: done when it is first asked for. A failure is not kept, so the next caller tries again.
 */
export function remembered<Answer>(work: () => Promise<Answer>): () => Promise<Answer> {
  let known: Promise<Answer> | undefined;
  return () => {
    known ??= work().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}
