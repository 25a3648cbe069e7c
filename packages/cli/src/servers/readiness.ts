/** What a node or a service says of its own readiness, for the commands that tell it. */
import { unanswered } from './no-answer.ts';

const shownCharsMax = 1_000;
const patienceMs = 5_000;

export interface ReadinessAnswer {
  readonly status: number;
  readonly text: string;
}

export async function askReadiness(address: URL, what: 'node' | 'service'): Promise<ReadinessAnswer> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(patienceMs) });
    return { status: response.status, text: (await response.text()).slice(0, shownCharsMax) };
  } catch (error) {
    throw await unanswered(error, { what, address });
  }
}
