/** How requests about offers look on the wire. */
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import { offerLimits as limits } from '@symbolon/core/limits/waiting';
import * as z from 'zod';
import { signedText } from '../credentials/presence-requests.ts';
import { metadata, paging } from '../credentials/schemas.ts';
import { listParameters } from '../http/list-parameters.ts';
import { maybe, missingOr, name, strict, text, truth } from '../http/schema-parts.ts';
import { listedTemplateId } from '../trust/requests.ts';

/** What can become of an offer. */
export const offerStates = [
  'open',
  'accepted',
  'issued',
  'rejected',
  'withdrawn',
  'expired',
  'locked',
] as const;
export type OfferState = (typeof offerStates)[number];

const lifetime = `must be a whole number from ${limits.secondsMin} to ${limits.secondsMax}`;

export const offerOrder = strict({
  templateId: name,
  metadata,
  reference: maybe(text(limits.referenceCharsMax)).describe(
    'Whom it is for, in your own words, such as an e-mail address; no two offers of a template that are open or wait to be issued have the same',
  ),
  expiresInSeconds: maybe(
    z.int({ error: lifetime }).min(limits.secondsMin, lifetime).max(limits.secondsMax, lifetime),
  ).describe(`How long it can be accepted; ${limits.secondsDefault} seconds, if absent`),
  txCode: maybe(truth).describe(
    'Whether a code of six digits is needed too, which you tell the holder on another way than the link; renewed, an offer keeps that need unless this is false',
  ),
  renew: maybe(truth).describe(
    'Whether an open offer with this reference is replaced: it keeps its id, and its link before ends',
  ),
  waivePrice: maybe(truth).describe('Whether it is given away although the template has a price'),
});

export const offerWithdrawal = strict({ offerId: name });

const preAuthorizedCode = {
  'pre-authorized_code': text(credentialRequestLimits.nameCharsMax).describe('The code in the link'),
  tx_code: maybe(
    z.string({ error: missingOr('must be text') }).regex(/^[0-9]{1,12}$/, 'must be digits'),
  ).describe('The code that came on another way, where the offer needs one'),
};

export const offerQuestion = strict(preAuthorizedCode);

export const offerAcceptance = strict({
  ...preAuthorizedCode,
  holderPublicKey: name,
  signData: name,
  signedText: signedText.describe(
    'Text of presence for offer-acceptance: its subject is offerId, its challenge sha256: and the hash of the canonical JSON of templateId and metadata',
  ),
});

export const offerFilter = z.object({
  state: z
    .enum(offerStates, { error: 'must be open, accepted, issued, rejected, withdrawn, expired or locked' })
    .optional()
    .describe('Only offers that stand here'),
  templateId: listedTemplateId.optional().describe('Only offers of this template'),
  order: listParameters.order,
  ...paging,
});
