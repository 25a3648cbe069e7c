/** Waiting no longer than a time. */

/** What the work brings in time; nothing when it takes longer. It goes on then, and nobody hears how it ends. */
export async function within<Answer>(
  ms: number,
  work: Promise<Answer>,
): Promise<{ readonly answer: Answer } | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([work.then((answer) => ({ answer })), late]);
  } finally {
    clearTimeout(timer);
  }
}
