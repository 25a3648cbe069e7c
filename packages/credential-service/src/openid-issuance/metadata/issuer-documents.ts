/**
 * What an issuer publishes for wallets: its configurations, made of its templates, and its endpoints. Signed, the same
 * members are claims of a token.
 */
import type { Template } from '@symbolon/core/documents/model';
import { oid4vciLimits } from '@symbolon/formats/limits/oid4vci-limits';
import { assertionAlgorithms } from '@symbolon/formats/oid4vci/client-assertions';
import { codeChallengeMethod } from '@symbolon/formats/oid4vci/code-challenges';
import { dpopProofAlgorithms } from '@symbolon/formats/oid4vci/dpop-proofs';
import { messageAlgorithm, messageCiphers } from '@symbolon/formats/oid4vci/message-encryption';
import type { JsonObject } from '@symbolon/wire/json/json';
import { authorizationCodeGrant, preAuthorizedGrant } from '@symbolon/wire/offers/offer-link';
import { displayLocale } from '../parts/configuration-members.ts';
import { configurationId } from '../parts/configurations.ts';
import type { OfferedFormat } from '../parts/format-issuer.ts';
import { endpointOf, type OpenidIssuer } from '../parts/openid-parts.ts';
import type { RequestKey } from '../parts/openid-secrets.ts';

export interface PublishedIssuer {
  readonly issuer: OpenidIssuer;
  readonly templates: readonly Template[];
  /** What people call it, where it has said. */
  readonly displayName: string | undefined;
}

export function credentialIssuerMetadata(
  { issuer, templates, displayName, requestKey }: PublishedIssuer & { readonly requestKey: RequestKey },
  formats: readonly OfferedFormat[],
): JsonObject {
  return {
    credential_issuer: issuer.identifier,
    credential_endpoint: endpointOf(issuer, 'credential'),
    nonce_endpoint: endpointOf(issuer, 'nonce'),
    deferred_credential_endpoint: endpointOf(issuer, 'deferred'),
    notification_endpoint: endpointOf(issuer, 'notification'),
    ...messageEncryption(requestKey),
    batch_credential_issuance: { batch_size: oid4vciLimits.batchMax },
    ...(displayName !== undefined && { display: [{ name: displayName, locale: displayLocale }] }),
    credential_configurations_supported: Object.fromEntries(configurationsIn(issuer, templates, formats)),
    symbolon: { issuer_did: issuer.did },
  };
}

/** What can be had of templates, by name. */
const configurationsIn = (
  issuer: OpenidIssuer,
  templates: readonly Template[],
  formats: readonly OfferedFormat[],
): readonly (readonly [id: string, configuration: JsonObject])[] =>
  templates.flatMap((template) =>
    formats.flatMap((format) => {
      const configuration = format.configurationOf(template, issuer);
      return configuration ? [[configurationId(template, format.suffix), configuration] as const] : [];
    }),
  );

/** Offered, and never demanded. */
const messageEncryption = ({ kid, publicKey }: RequestKey): JsonObject => ({
  credential_request_encryption: {
    jwks: { keys: [{ ...publicKey, kid, alg: messageAlgorithm, use: 'enc' }] },
    enc_values_supported: [...messageCiphers],
    encryption_required: false,
  },
  credential_response_encryption: {
    alg_values_supported: [messageAlgorithm],
    enc_values_supported: [...messageCiphers],
    encryption_required: false,
  },
});

/** With the templates of which people can have credentials by logging in, if they can. */
export const authorizationServerMetadata = (
  { issuer, templates }: PublishedIssuer,
  formats: readonly OfferedFormat[],
  loginTemplateIds?: readonly string[],
): JsonObject => ({
  issuer: issuer.identifier,
  token_endpoint: endpointOf(issuer, 'token'),
  jwks_uri: endpointOf(issuer, 'jwks'),
  response_types_supported: loginTemplateIds ? ['code'] : [],
  grant_types_supported: [preAuthorizedGrant, ...(loginTemplateIds ? [authorizationCodeGrant] : [])],
  ...(loginTemplateIds && {
    ...codeFlowMembers(issuer),
    scopes_supported: configurationsIn(
      issuer,
      templates.filter(({ id }) => loginTemplateIds.includes(id)),
      formats,
    ).flatMap(([, { scope }]) => (scope === undefined ? [] : [scope])),
  }),
  'pre-authorized_grant_anonymous_access_supported': true,
  token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
  token_endpoint_auth_signing_alg_values_supported: [...assertionAlgorithms],
  dpop_signing_alg_values_supported: [...dpopProofAlgorithms],
  authorization_details_types_supported: ['openid_credential'],
});

const codeFlowMembers = (issuer: OpenidIssuer): JsonObject => ({
  authorization_endpoint: endpointOf(issuer, 'authorize'),
  pushed_authorization_request_endpoint: endpointOf(issuer, 'par'),
  require_pushed_authorization_requests: true,
  code_challenge_methods_supported: [codeChallengeMethod],
  response_modes_supported: ['query'],
  authorization_response_iss_parameter_supported: true,
});

export const signedMetadataType = 'openidvci-issuer-metadata+jwt';

/** The claims of the signed form. */
export const signedMetadataClaims = (
  metadata: JsonObject,
  issuer: OpenidIssuer,
  now: number,
): JsonObject => ({
  ...metadata,
  iss: issuer.identifier,
  sub: issuer.identifier,
  iat: Math.floor(now / 1_000),
});
