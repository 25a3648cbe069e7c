/**
 * Our own credentials (`symbolon-bbs-2026`) in answers by OpenID4VP: planned by the rules of our own sessions, ranges
 * included. Whoever keeps the credential makes the presentation, with the holder's own key.
 */
import type { Complaint } from '@symbolon/core/attributes/attribute-formats';
import { subjectValue } from '@symbolon/core/credential/credential-messages';
import type { RangeClaim, UnsignedCredential } from '@symbolon/core/documents/model';
import type { rangeFormat, WantedCredential } from '@symbolon/formats/oid4vp/presentation-query';
import { sessionQueryOf } from '@symbolon/formats/oid4vp/query-answering';
import { claimChoices } from '@symbolon/formats/oid4vp/query-matching';
import { fittingOptions, planNeeds } from '../orders/disclosure-plan.ts';
import type { HeldDisclosure } from './held-disclosures.ts';

/** What is shown of one of our own credentials, and what for. */
export interface OwnShowing {
  readonly reveal: readonly string[];
  readonly ranges: readonly RangeClaim[];
  /** Of these the ranges are so narrow that they tell the value. */
  readonly telling: readonly string[];
  readonly challenge: string;
  readonly domain: string;
}

/** One of our own credentials, and who can show it. */
export interface HeldOwnCredential {
  readonly format: typeof rangeFormat;
  readonly document: UnsignedCredential;
  /** A presentation of this credential alone, signed by its holder. */
  readonly present: (showing: OwnShowing) => Promise<object>;
}

const everything = { has: () => true };

/** What one of our own would show; why it does not answer, where it does not. */
export function ownDisclosure(
  { format, document, present }: HeldOwnCredential,
  wanted: WantedCredential,
  now: number,
): HeldDisclosure | Complaint {
  const template = document.credentialSchema.id.toLowerCase();
  if (format !== wanted.format || !wanted.kinds.flat().some((one) => one.toLowerCase() === template))
    return { complaint: 'it is of another type' };
  if (wanted.authorities) return { complaint: 'who vouches for its issuer is not known here' };
  if (Date.parse(document.validUntil) <= now) return { complaint: 'it has expired' };
  const planned = claimChoices(wanted).flatMap((claims) => {
    const query = sessionQueryOf(wanted, claims);
    const needs = planNeeds(query, [document], everything);
    return needs.flatMap((need) => fittingOptions(query, need, [document]));
  });
  const [first] = planned;
  if (!first) return { complaint: 'it does not have what is asked for' };
  const { reveal, ranges, telling } = first;
  return {
    shows: Object.fromEntries(
      reveal.map((key) => [key, subjectValue(document.credentialSubject, key)] as const),
    ),
    ...{ proves: ranges, telling, isWhole: false },
    make: ({ nonce, audience }) => present({ reveal, ranges, telling, challenge: nonce, domain: audience }),
  };
}
