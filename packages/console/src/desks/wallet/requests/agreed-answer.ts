/**
 * What an owner agrees to is what they saw. Tabs of a browser share one wallet, and what one of them proves may make what
 * another is about to prove tell a value: so one answer at a time is made, and it is looked once more before.
 */
import type { ActivityEntry } from '../activity/activity-log.ts';
import type { AnswerPart, AnswerPlan } from './answer-plan.ts';

/** Another answer than the one that was agreed to: nothing was sent. */
export class AnswerChanged extends Error {
  override readonly name = 'AnswerChanged';
}

/** What the owner saw when they agreed, and how it is reckoned anew. */
export interface Agreement {
  readonly parts: readonly AnswerPart[];
  readonly entries: readonly ActivityEntry[];
  readonly planAgain: (entries: readonly ActivityEntry[]) => AnswerPlan;
}

/** Throws where an answer would be, or has become, another one. */
export function assertAgreed(request: string, agreed: Agreement, now: readonly ActivityEntry[]): void {
  const plan = agreed.planAgain(now);
  const isSame = plan.kind === 'answer' && told(plan.parts) === told(agreed.parts);
  if (!isSame || answersTo(request, now) !== answersTo(request, agreed.entries)) throw new AnswerChanged();
}

/** Everything of it that leaves, and of what its owner is warned. */
const told = (parts: readonly AnswerPart[]): string =>
  JSON.stringify(
    parts.map(({ queryId, card, reveal, ranges, telling }) => [
      queryId,
      card.vcId,
      reveal,
      ranges.map(({ attribute, min, max }) => [attribute, String(min), String(max)]),
      telling,
    ]),
  );

const answersTo = (request: string, entries: readonly ActivityEntry[]): number =>
  entries.filter((entry) => entry.kind === 'shared' && entry.request === request).length;

/** One at a time for a wallet, in all tabs. A browser without locks has no tabs that could be told of each other either. */
export const oneAtATime = <Done>(did: string, work: () => Promise<Done>): Promise<Done> =>
  navigator.locks ? navigator.locks.request(`symbolon-answer-${did}`, work) : work();
