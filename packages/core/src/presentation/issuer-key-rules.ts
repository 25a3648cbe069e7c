/**
 * Whether an issuer's key may be relied upon for a credential: what counts is the moment at which the ledger recorded
 * it. The same for whole credentials and for what is derived from them.
 */
import { unixMsOf } from '../basics/calendar.ts';
import type { IssuerKey, StatusFact } from './presentation-facts.ts';

/** Why not; undefined if it may. Without a moment on the ledger `now` is the moment. */
export function issuerKeyComplaint(
  key: IssuerKey,
  fact: StatusFact | undefined,
  now: number,
): string | undefined {
  const moment = fact?.issuedAt === undefined ? now : unixMsOf(fact.issuedAt);
  // Written so that a time that is no number fails.
  const isSince = (time: string): boolean => moment !== undefined && moment >= (unixMsOf(time) ?? Number.NaN);
  const isBefore = (time: string): boolean => moment !== undefined && moment < (unixMsOf(time) ?? Number.NaN);
  const isValid =
    moment !== undefined &&
    (key.validFrom === undefined || isSince(key.validFrom)) &&
    (key.validUntil === undefined || isBefore(key.validUntil));
  if (!isValid) return "the issuer's key was not valid when the credential was issued";
  if (key.compromisedSince === undefined) return undefined;
  if (!fact?.terms?.commitment)
    return "the issuer's key is compromised, and the ledger does not bind the contents";
  return isBefore(key.compromisedSince)
    ? undefined
    : "the issuer's key was compromised when the credential was issued";
}
