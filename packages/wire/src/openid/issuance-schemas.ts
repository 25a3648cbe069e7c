/** How requests of OpenID4VCI look on the wire: an issuer's strict ones, and those of wallets, which may hold anything. */
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import * as z from 'zod';
import { metadata, paging } from '../credentials/schemas.ts';
import { listParameters } from '../http/list-parameters.ts';
import { maybe, missingOr, name, strict, text, truth } from '../http/schema-parts.ts';

const { nameCharsMax, documentBytesMax } = credentialRequestLimits;

/** Formats that whoever has the link may take: of `ldp_vc` the cryptosuites. */
export const fieldFormats = ['dc+sd-jwt', 'bbs-2023', 'eddsa-rdfc-2022'] as const;
export type FieldFormat = (typeof fieldFormats)[number];
/** Names of formats in an order. Our own stands alone, with its holder. */
const orderedFormats = [...fieldFormats, 'symbolon-bbs-2026'] as const;
export type OrderedFormat = (typeof orderedFormats)[number];
export const usualFormats: readonly OrderedFormat[] = ['dc+sd-jwt'];

const dateLike = z.union([name, z.number()], { error: missingOr('must be a date or an instant') });
const seconds = z
  .int({ error: missingOr('must be a whole number of seconds') })
  .min(60, 'must be 60 at least');

export const openidOfferOrder = strict({
  templateId: name,
  metadata,
  validFrom: maybe(dateLike),
  validUntil: dateLike,
  formats: maybe(
    z.array(z.enum(orderedFormats, { error: `must be ${orderedFormats.join(' or ')}` })).min(1),
  ).describe(
    'Formats that a wallet may choose from: dc+sd-jwt, and ldp_vc as bbs-2023 or eddsa-rdfc-2022; dc+sd-jwt, if absent. Or symbolon-bbs-2026 alone, with holder',
  ),
  holder: maybe(name).describe(
    'DID on the ledger of whom a credential in symbolon-bbs-2026 is for, wanted there and nowhere else: only the key of that DID takes it',
  ),
  txCode: maybe(truth).describe(
    'Whether a code of six digits is needed too, which you tell the holder on another way than the link; yes, unless this is false',
  ),
  login: maybe(truth).describe(
    'Whether whoever takes it logs in at your page first, in the place of a code: it names no code, and no txCode goes with it',
  ),
  expiresInSeconds: maybe(seconds).describe(
    'How long the link is good: ten minutes at most without txCode and login, seven days with one; ten minutes, if absent',
  ),
  reference: maybe(text(256)).describe('Whom it is for, in your own words'),
});

export const openidOfferSignature = strict({ offerId: name, signData: name });
export const openidOfferRejection = strict({ offerId: name, reason: maybe(text(500)) });
export const openidOfferPath = z.object({ offerId: name });
export const openidOfferFilter = z.object({ order: listParameters.order, ...paging });

export const issuerPath = z.object({ issuer: text(64).regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits') });
export const referencePath = issuerPath.extend({
  reference: text(64).regex(/^[A-Za-z0-9_-]{43}$/, 'is no reference of an offer'),
});

const parameter = text(documentBytesMax).optional();

/** Of a form; whatever else stands in it is not looked at. */
export const tokenForm = z.object({
  grant_type: text(nameCharsMax),
  'pre-authorized_code': parameter,
  tx_code: parameter,
  code: parameter,
  code_verifier: parameter,
  redirect_uri: parameter,
  authorization_details: parameter,
  client_id: parameter,
  client_assertion: parameter,
  client_assertion_type: parameter,
});

/** What kind of answer only its wallet can read; read by whoever encrypts it. */
const encryptionWish = z
  .unknown()
  .optional()
  .describe(
    'How the answer is to be encrypted: jwk of P-256 with alg ECDH-ES, and enc. The request has to be encrypted, too',
  );

export const credentialOrder = z.object({
  credential_configuration_id: z.string().max(nameCharsMax).optional(),
  credential_identifier: z.string().max(nameCharsMax).optional(),
  proofs: z.record(z.string(), z.unknown()).optional(),
  credential_response_encryption: encryptionWish,
});

export const deferredOrder = z.object({
  transaction_id: text(nameCharsMax),
  credential_response_encryption: encryptionWish,
});

const jwe = z.string().describe('The same object in a compact JWE for a key of the metadata');
export const credentialOrderOrJwe = z.union([credentialOrder, jwe]);
export const deferredOrderOrJwe = z.union([deferredOrder, jwe]);

export const notificationOrder = z.object({
  notification_id: text(nameCharsMax),
  event: text(nameCharsMax),
  event_description: z.string().max(1_024).optional(),
});
