/** How requests of OpenID4VP look on the wire: a verifier's strict ones, and those of wallets, which may hold anything. */
import { trustLimits } from '@symbolon/core/limits/documents';
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import { sessionLimits as limits } from '@symbolon/core/limits/waiting';
import * as z from 'zod';
import { document, list, maybe, missingOr, name, strict, text } from '../http/schema-parts.ts';
import { verificationOrder } from '../sessions/schemas.ts';

const { nameCharsMax, documentBytesMax } = credentialRequestLimits;

export const openidResponseModes = ['direct_post', 'direct_post.jwt'] as const;
export const openidClientIdPrefixes = [
  'x509_hash',
  'x509_san_dns',
  'decentralized_identifier',
  'redirect_uri',
] as const;
const requestUriMethods = ['get', 'post'] as const;

const oneOf = <Word extends string>(words: readonly [Word, ...Word[]]) =>
  maybe(z.enum(words, { error: missingOr(`must be ${words.join(' or ')}`) }));

/** Who signs credentials without being on the ledger: as they call themselves there, letter for letter. */
const foreignIssuer = strict({
  issuer: text(nameCharsMax).regex(/^(https:\/\/|did:)\S+$/, 'must be an https address or a DID'),
  keys: maybe(list(document, trustLimits.issuersMax)).describe(
    'Public keys (JWK) by which it signs; where they are given, no others count',
  ),
});

const { requirements: _, ...sessionMembers } = verificationOrder.shape;

export const openidVerificationOrder = strict({
  dcqlQuery: document.describe('What is asked for: a DCQL query of OpenID4VP 1.0'),
  responseMode: oneOf(openidResponseModes).describe('direct_post.jwt, if absent: answers are encrypted'),
  clientIdPrefix: oneOf(openidClientIdPrefixes).describe(
    'How wallets know who asks; by the certificate of the operator, if there is one, else by a DID',
  ),
  requestUriMethod: oneOf(requestUriMethods).describe(
    'Whether wallets that can may fetch the request with a nonce of their own; get, if absent',
  ),
  redirectUri: maybe(
    text(limits.callbackUrlCharsMax).regex(
      /^https:\/\/[^#\s]+$/,
      'must be an https address without a fragment',
    ),
  ).describe(
    'Where the wallet sends its browser afterwards, with a response_code without which the result is not told',
  ),
  transactionData: maybe(list(document, nameCharsMax)).describe(
    'What the holder is to agree to with a credential of the format dc+sd-jwt',
  ),
  foreignIssuers: maybe(list(foreignIssuer, trustLimits.issuersMax)).describe(
    'Issuers that are trusted although the ledger does not know them',
  ),
  ...sessionMembers,
});

export const openidSessionPath = z.object({ id: name });
export const responseCodeQuery = z.object({
  response_code: text(nameCharsMax).optional().describe('Needed where the request has a redirectUri'),
});

const parameter = text(documentBytesMax).optional();

/** Of forms; whatever else stands in them is not looked at. */
export const requestForm = z.object({
  wallet_nonce: text(nameCharsMax).optional(),
  wallet_metadata: parameter,
});
export const responseForm = z.object({
  response: parameter,
  vp_token: parameter,
  state: text(nameCharsMax).optional(),
  error: text(nameCharsMax).optional(),
});
