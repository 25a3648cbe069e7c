/**
 * An act whose answer may get lost: what was asked for may be done all the same. So nobody is told that it failed before
 * it was looked at how things stand; where they stand as wanted, that is the answer. Such an act may be repeated, because
 * it is done once at most: a repetition that is told "already so" looks again.
 */
import { SdkError } from '@symbolon/sdk/errors/errors';
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import { failureWords } from '../../../api/failure.ts';
import type { FailureWords } from '../../../parts/states/error-state.tsx';
import type { DeskWords } from '../../../words/desk-words.ts';

/** Nobody knows yet whether it was done. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

export interface Attempt<Done> {
  readonly act: () => Promise<Done>;
  /** What came of it, if things stand as wanted; undefined if they do not, or not yet. */
  readonly look: () => Promise<Done | undefined>;
  /** What the attempt before this one ended with. */
  readonly before: unknown;
}

/** What was handed in is executed in one of the next blocks. */
const looksMax = 4;
const pauseMs = 1_000;

export async function answerOrLook<Done>(
  { act, look, before }: Attempt<Done>,
  pause: () => Promise<void> = () => new Promise((done) => setTimeout(done, pauseMs)),
): Promise<Done> {
  try {
    return await act();
  } catch (error) {
    const isLost = isAnswerLost(error);
    const isAlreadySo = error instanceof ServiceError && error.status === 409;
    if (!isLost && !(isAlreadySo && before instanceof OutcomeUnknown)) throw error;
    const found = await lookForAWhile(look, pause);
    if (found !== undefined) return found;
    throw isLost ? new OutcomeUnknown('no answer tells whether it was done', { cause: error }) : error;
  }
}

async function lookForAWhile<Done>(
  look: () => Promise<Done | undefined>,
  pause: () => Promise<void>,
): Promise<Done | undefined> {
  try {
    for (let looks = 1; ; looks += 1) {
      const found = await look();
      if (found !== undefined || looks === looksMax) return found;
      await pause();
    }
  } catch {
    // Whoever does not answer the act does not answer this either: what is to be told is the act's failure.
    return undefined;
  }
}

const lostCodes: ReadonlySet<string> = new Set([
  'unreachable',
  'timedOut',
  'notJson',
  'httpStatus',
  'responseTooLarge',
  'unexpectedReply',
  'outcomeUnknown',
  'receiptTimedOut',
]);

function isAnswerLost(error: unknown): boolean {
  if (error instanceof ServiceError) return error.code === 'ledgerUnconfirmed' || error.status >= 500;
  return error instanceof SdkError && lostCodes.has(error.code);
}

export function actFailureWords(error: unknown, words: DeskWords<'issue'>): FailureWords {
  if (!(error instanceof OutcomeUnknown)) return failureWords(error, words);
  const { advice: _, operator: __, command: ___, ...names } = failureWords(error.cause, words);
  return { ...names, title: words.issueInbox.lost.title, text: words.issueInbox.lost.text };
}
