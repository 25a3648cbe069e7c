/** Waiting no longer than a time. */
import { setTimeout as sleep } from 'node:timers/promises';

/** What the work brings in time; nothing when it takes longer. It goes on then, and nobody hears how it ends. */
export async function within<Answer>(
  ms: number,
  work: Promise<Answer>,
): Promise<{ readonly answer: Answer } | undefined> {
  const timer = new AbortController();
  const late = sleep(ms, undefined, { signal: timer.signal }).catch(() => undefined);
  try {
    return await Promise.race([work.then((answer) => ({ answer })), late]);
  } finally {
    timer.abort();
  }
}
