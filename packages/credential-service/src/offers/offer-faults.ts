/** How whoever has the code of an offer, or has made it, is told that it is not open. */
import { Fault } from '@symbolon/core/faults/faults';
import type { OfferState } from '@symbolon/wire/offers/schemas';

const closedWords: Readonly<Record<Exclude<OfferState, 'open'>, string>> = {
  accepted: 'The offer was accepted',
  issued: 'The offer was accepted, and its credential is issued',
  rejected: 'The offer was accepted, and the issuer has turned that down',
  withdrawn: 'The issuer has withdrawn the offer',
  expired: 'The time to accept the offer is over',
  locked: 'The offer is locked after too many wrong transaction codes',
};

/** Of one that was open again in the moment in which it was looked at, nothing more is said. */
export const offerClosed = (state: OfferState): Fault =>
  new Fault('offerClosed', {
    ...(state !== 'open' && { detail: closedWords[state] }),
    facts: { state },
  });
