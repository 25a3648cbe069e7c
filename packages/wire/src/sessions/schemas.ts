/**
 * How requests of verification sessions look on the wire: shapes and bounds only. Where a verifier states conditions, a
 * member that is not known is refused; what a wallet sends beside its answer is ignored, among it the issuer's keys:
 * keys are resolved on the ledger.
 */
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import { sessionLimits as limits } from '@symbolon/core/limits/waiting';
import { verificationStates } from '@symbolon/core/presentation/verification-states';
import * as z from 'zod';
import { signedText } from '../credentials/presence-requests.ts';
import { paging } from '../credentials/schemas.ts';
import { document, maybe, name, plainLine, strict, text } from '../http/schema-parts.ts';
import { trustMembers } from '../trust/requests.ts';

export const verificationOrder = strict({
  /** DCQL, whose own rules check it later. */
  requirements: document,
  callbackUrl: maybe(text(limits.callbackUrlCharsMax)),
  stateId: maybe(text(limits.stateCharsMax)),
  expirationMinutes: maybe(
    z
      .int({ error: 'must be a whole number of minutes' })
      .min(1, 'must be at least 1')
      .max(limits.sessionMinutesMax, `must be at most ${limits.sessionMinutesMax}`),
  ),
  purpose: maybe(plainLine(limits.purposeCharsMax)).describe(
    'Why you ask, in a sentence that the holder reads before deciding',
  ),
  ...trustMembers,
});

export const sessionFilter = z.object({
  status: z
    .enum(verificationStates, {
      error: 'must be CREATED, FETCHED, VERIFIED, FAILED, ABORTED or EXPIRED',
    })
    .optional()
    .describe('Only sessions that stand here'),
  ...paging,
});

export const streamChoice = z.object({
  callback: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .optional()
    .describe(
      'true: the stream goes on behind the result, with an event named callback for each attempt to deliver the callback, until it is taken or given up',
    ),
});

export const sessionPath = z.object({ id: name });

const binding = z.object({ signBlob: name, publicKey: name, signedText });

export const sessionAnswer = z.object({
  presentation_id: name,
  vp_token: z.union([document, z.string().max(credentialRequestLimits.documentBytesMax)], {
    error: 'must be a presentation or a text',
  }),
  /** Must be there, and is not read: the credentials themselves show what they answer. */
  presentation_submission: document,
  holder_binding: maybe(binding),
});

export const sessionAbort = strict({
  presentation_id: name,
  state: text(limits.stateCharsMax),
  reason: maybe(text(limits.reasonCharsMax)),
});
