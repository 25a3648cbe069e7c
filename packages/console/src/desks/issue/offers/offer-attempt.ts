/**
 * An offer that is asked for is made once, however often its answer gets lost: a repetition has the key of the first time,
 * and is told the same link. While nobody knows what became of it, its key is kept beside the draft. Whoever asks for
 * something else then, has the earlier one withdrawn first: nobody was ever told its link.
 */
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import type { CredentialReply } from '@symbolon/sdk/service/credential-client';
import type { Clients } from '../../../api/clients.ts';
import type { FailureWords } from '../../../parts/states/error-state.tsx';
import type { DeskWords } from '../../../words/desk-words.ts';
import { actFailureWords, answerOrLook, OutcomeUnknown } from '../acting/lost-answer.ts';
import type { OfferOrder } from './offer-draft.ts';

export interface OfferAttempt {
  readonly key: string;
  readonly order: OfferOrder;
}

export interface OfferAsking {
  readonly service: Pick<Clients['service'], 'makeOffer' | 'withdrawOffer'>;
  /** Of which nobody knows what became of it. */
  readonly unknown: OfferAttempt | undefined;
  readonly keep: (attempt: OfferAttempt) => void;
  readonly forget: () => void;
  /** Between two looks after an answer that was lost. */
  readonly pause?: () => Promise<void>;
}

export async function askForOffer(
  asking: OfferAsking,
  order: OfferOrder,
): Promise<CredentialReply<'makeOffer'>> {
  const { unknown } = asking;
  const isSame = unknown !== undefined && JSON.stringify(unknown.order) === JSON.stringify(order);
  if (unknown && !isSame) await withdrawEarlier(asking, unknown);
  return ask(asking, isSame ? unknown : { key: crypto.randomUUID(), order }, isSame);
}

async function ask(
  { service, keep, forget, pause }: OfferAsking,
  attempt: OfferAttempt,
  isRepeated: boolean,
): Promise<CredentialReply<'makeOffer'>> {
  keep(attempt);
  const make = () => service.makeOffer(attempt.order, { idempotencyKey: attempt.key });
  try {
    const offer = await answerOrLook({ act: make, look: make, before: undefined }, pause);
    forget();
    return offer;
  } catch (error) {
    if (isNotMade(error) || (!isRepeated && !(error instanceof OutcomeUnknown))) forget();
    throw error;
  }
}

/** What it was is found out by asking the same again; what could not be asked for is not there. */
async function withdrawEarlier(asking: OfferAsking, attempt: OfferAttempt): Promise<void> {
  try {
    const { offerId } = await ask(asking, attempt, true);
    // Known by its id from here on, and kept still: should this be lost, it is found and withdrawn again.
    asking.keep(attempt);
    await asking.service.withdrawOffer({ offerId });
  } catch (error) {
    if (!isNotMade(error) && !isClosed(error)) throw error;
  }
  asking.forget();
}

/** What was done under a key is answered as it was: who is refused for what was asked has had nothing made. */
const isNotMade = (error: unknown): boolean =>
  error instanceof ServiceError &&
  [400, 404, 409, 422].includes(error.status) &&
  error.code !== 'requestInProgress';

const isClosed = (error: unknown): boolean => error instanceof ServiceError && error.code === 'offerClosed';

export function offerFailureWords(error: unknown, words: DeskWords<'issue'>): FailureWords {
  const told = actFailureWords(error, words);
  return error instanceof OutcomeUnknown ? { ...told, text: words.offers.lostText } : told;
}
