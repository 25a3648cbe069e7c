/**
 * What an issuer publishes for wallets: its configurations, made of its templates, and its endpoints. Signed, the same
 * members are claims of a token.
 */
import type { Template } from '@symbolon/core/documents/model';
import { oid4vciLimits } from '@symbolon/formats/limits/oid4vci-limits';
import { dpopProofAlgorithms } from '@symbolon/formats/oid4vci/dpop-proofs';
import type { JsonObject } from '@symbolon/wire/json/json';
import { preAuthorizedGrant } from '@symbolon/wire/offers/offer-link';
import { configurationId } from '../parts/configurations.ts';
import type { FormatIssuer } from '../parts/format-issuer.ts';
import { endpointOf, type OpenidIssuer } from '../parts/openid-parts.ts';

export interface PublishedIssuer {
  readonly issuer: OpenidIssuer;
  readonly templates: readonly Template[];
  /** What people call it, where it has said. */
  readonly displayName: string | undefined;
}

/** Names have no language of their own: this one is said of them. */
export const displayLocale = 'en';

export function credentialIssuerMetadata(
  { issuer, templates, displayName }: PublishedIssuer,
  formats: readonly FormatIssuer[],
): JsonObject {
  const configurations = templates.flatMap((template) =>
    formats.flatMap((format) => {
      const configuration = format.configurationOf(template, issuer);
      return configuration ? [[configurationId(template, format.suffix), configuration] as const] : [];
    }),
  );
  return {
    credential_issuer: issuer.identifier,
    credential_endpoint: endpointOf(issuer, 'credential'),
    nonce_endpoint: endpointOf(issuer, 'nonce'),
    deferred_credential_endpoint: endpointOf(issuer, 'deferred'),
    notification_endpoint: endpointOf(issuer, 'notification'),
    batch_credential_issuance: { batch_size: oid4vciLimits.batchMax },
    ...(displayName !== undefined && { display: [{ name: displayName, locale: displayLocale }] }),
    credential_configurations_supported: Object.fromEntries(configurations),
    symbolon: { issuer_did: issuer.did },
  };
}

export const authorizationServerMetadata = (issuer: OpenidIssuer): JsonObject => ({
  issuer: issuer.identifier,
  token_endpoint: endpointOf(issuer, 'token'),
  jwks_uri: endpointOf(issuer, 'jwks'),
  response_types_supported: [],
  grant_types_supported: [preAuthorizedGrant],
  'pre-authorized_grant_anonymous_access_supported': true,
  token_endpoint_auth_methods_supported: ['none'],
  dpop_signing_alg_values_supported: [...dpopProofAlgorithms],
  authorization_details_types_supported: ['openid_credential'],
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
