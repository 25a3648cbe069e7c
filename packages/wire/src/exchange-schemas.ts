/**
 * How requests of verification sessions and of extended presentations look on the wire (reference §1.5, §1.7): shapes
 * and bounds only. Members that no schema names are ignored, among them the issuer's keys that wallets send along: keys
 * are resolved on the ledger.
 */
import { credentialRequestLimits, exchangeLimits as limits } from '@symbolon/core/limits';
import * as z from 'zod';
import { derivation, text } from './credential-schemas.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { trustParameters } from './trust-parameters.ts';
import { refuseNearlyTrust, trustMembers } from './trust-requests.ts';

const maybe = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

const name = text(credentialRequestLimits.nameCharsMax);
const document = z.custom<JsonObject>((value) => isJsonObject(value as JsonValue), {
  error: (issue) => (issue.input === undefined ? 'is missing' : 'must be an object'),
});

const orderMembers = {
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
  ...trustMembers,
};
export const verificationOrder = z.looseObject(orderMembers).superRefine(refuseNearlyTrust);

export const sessionPath = z.object({ id: name });

const binding = z.object({ signBlob: name, publicKey: name });

export const sessionSubmission = z.object({
  presentation_id: name,
  vp_token: z.union([document, z.string().max(credentialRequestLimits.documentBytesMax)], {
    error: 'must be a presentation or a text',
  }),
  /** Only that it is there is asked: which credential answers what is found by looking at it. */
  presentation_submission: document,
  holder_binding: maybe(binding),
});

export const sessionAbort = z.object({
  presentation_id: name,
  state: text(limits.stateCharsMax),
  reason: maybe(text(limits.reasonCharsMax)),
});

export const extendedDerivation = derivation;

export const extendedSubmission = z.object({
  blobId: name,
  signedBlob: name,
  publicKey: name,
  /** Seconds that the presentation is kept under its id. */
  vpExpiry: maybe(z.union([z.number(), name], { error: 'must be a number of seconds' })),
  includeVp: maybe(z.union([z.boolean(), z.enum(['true', 'false'])], { error: 'must be true or false' })),
});

export const extendedDownload = z.object({ address: name });

const savedMembers = {
  id: name.describe('What /v1/vp/ext/submit answered'),
  challenge: text(credentialRequestLimits.noteCharsMax).optional(),
  domain: text(credentialRequestLimits.noteCharsMax).optional(),
  ...trustParameters,
};
export const savedChoice = z.looseObject(savedMembers).superRefine(refuseNearlyTrust);
