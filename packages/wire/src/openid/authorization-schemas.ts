/** How requests of the authorization code flow look on the wire: an issuer's strict ones, and those of wallets. */
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import * as z from 'zod';
import { metadata } from '../credentials/schemas.ts';
import { list, maybe, missingOr, name, strict, text } from '../http/schema-parts.ts';
import { issuerPath, tokenForm } from './issuance-schemas.ts';

const { documentBytesMax } = credentialRequestLimits;

const loginLimits = { urlCharsMax: 1_024, templatesMax: 50 };
/** Of what a wallet wants back, word for word. */
const stateCharsMax = 1_024;

export const openidLoginOrder = strict({
  loginUrl: text(loginLimits.urlCharsMax),
  templateIds: list(name, loginLimits.templatesMax),
});

const reference = text(64).regex(/^[A-Za-z0-9_-]{43}$/, 'is no reference of an authorization');
export const authorizationQuestion = strict({ reference });

export const authorizationDecisions = ['grant', 'deny'] as const;

const dateLike = z.union([name, z.number()], { error: missingOr('must be a date or an instant') });

export const authorizationDecision = strict({
  reference,
  decision: z.enum(authorizationDecisions, {
    error: missingOr(`must be ${authorizationDecisions.join(' or ')}`),
  }),
  metadata: maybe(metadata).describe(
    'Values for the credential, by attribute; absent where you deny, and where an offer has them already',
  ),
  validFrom: maybe(dateLike),
  validUntil: maybe(dateLike).describe('Wanted beside metadata'),
});

const parameter = text(documentBytesMax).optional();

/** Of a form; whatever else stands in it is not looked at. */
export const pushedForm = z.object({
  response_type: text(documentBytesMax),
  response_mode: parameter,
  redirect_uri: text(documentBytesMax),
  scope: parameter,
  code_challenge: parameter,
  code_challenge_method: parameter,
  state: text(stateCharsMax).optional(),
  issuer_state: parameter,
  dpop_jkt: parameter,
  request: parameter,
  request_uri: parameter,
  ...tokenForm.pick({
    authorization_details: true,
    client_id: true,
    client_assertion: true,
    client_assertion_type: true,
  }).shape,
});

export const authorizeQuery = z.object({
  client_id: text(documentBytesMax).optional(),
  request_uri: text(documentBytesMax).optional(),
});

export const continuePath = issuerPath.extend({
  ticket: text(64).regex(/^[A-Za-z0-9_-]{43}$/, 'is no ticket of an authorization'),
});
