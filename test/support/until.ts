/** Waiting for what a node does in its own time: asked again and again, never longer than a test can bear. */
import { setTimeout as delay } from 'node:timers/promises';

const patienceMs = 60_000;
const pauseMs = 10;

/** The first answer that is neither undefined nor false; a test that waits in vain fails and says for what. */
export async function until<Answer>(
  what: string,
  ask: () => Answer | undefined | false | Promise<Answer | undefined | false>,
): Promise<Answer> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await delay(pauseMs);
  }
}
