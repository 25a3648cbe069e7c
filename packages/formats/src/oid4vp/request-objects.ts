/**
 * What a verifier sends a wallet (OpenID4VP 1.0, section 5): who it is, by one of the prefixes of client ids, and the
 * parameters of the request, as claims of a signed request object or, of an unsigned request, in its address.
 */
import { encodeBase64Url, type Sha256 } from '@symbolon/core/basics/bytes';
import { rangeFormat } from './presentation-query.ts';
import { type ResponseJwk, responseEncryptions } from './response-encryption.ts';

export const requestObjectType = 'oauth-authz-req+jwt';
export const requestObjectMedia = 'application/oauth-authz-req+jwt';
/** A wallet that is not known before is meant by this. */
export const anyWallet = 'https://self-issued.me/v2';

export const clientIdPrefixes = [
  'x509_hash',
  'x509_san_dns',
  'decentralized_identifier',
  'redirect_uri',
] as const;
export type ClientIdPrefix = (typeof clientIdPrefixes)[number];
export const clientIdOf = (prefix: ClientIdPrefix, name: string): string => `${prefix}:${name}`;

/** By the leaf certificate, as DER. */
export const certificateClientId = (leaf: Uint8Array, sha256: Sha256): string =>
  clientIdOf('x509_hash', encodeBase64Url(sha256(leaf)));

export const responseModes = ['direct_post', 'direct_post.jwt'] as const;
export type ResponseMode = (typeof responseModes)[number];

export interface RequestTerms {
  readonly clientId: string;
  readonly responseUri: string;
  readonly responseMode: ResponseMode;
  readonly nonce: string;
  readonly state: string;
  /** The query as it was given. */
  readonly query: object;
  readonly formats: readonly string[];
  /** Each as its holder hashes it. */
  readonly transactionData?: readonly string[];
  /** What answers are encrypted for. */
  readonly encryptionKey?: ResponseJwk;
  /** Why it is asked, in the verifier's words: a member of our own, which wallets that do not know it pass over. */
  readonly purpose?: string;
}

const signatures = ['ES256', 'EdDSA', 'Ed25519'];

const formatTerms: Readonly<Record<string, object>> = {
  'dc+sd-jwt': { 'sd-jwt_alg_values': signatures, 'kb-jwt_alg_values': signatures },
  ldp_vc: {
    proof_type_values: ['DataIntegrityProof'],
    cryptosuite_values: ['bbs-2023', 'eddsa-rdfc-2022', 'ecdsa-rdfc-2019'],
  },
  [rangeFormat]: {},
};

const clientMetadata = ({ formats, encryptionKey }: RequestTerms): object => ({
  vp_formats_supported: Object.fromEntries([...new Set(formats)].map((name) => [name, formatTerms[name]])),
  ...(encryptionKey && {
    jwks: { keys: [encryptionKey] },
    encrypted_response_enc_values_supported: responseEncryptions,
  }),
});

const parametersOf = (terms: RequestTerms) => ({
  client_id: terms.clientId,
  response_type: 'vp_token',
  response_mode: terms.responseMode,
  response_uri: terms.responseUri,
  nonce: terms.nonce,
  state: terms.state,
  dcql_query: terms.query,
  client_metadata: clientMetadata(terms),
  ...(terms.transactionData && { transaction_data: terms.transactionData }),
  ...(terms.purpose !== undefined && { purpose: terms.purpose }),
});

export interface RequestMoment {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly expiresAt: number;
  /** What a wallet that asked by POST wants to have back. */
  readonly walletNonce?: string;
}

/** The claims of a signed request object. */
export const requestClaims = (
  terms: RequestTerms,
  { now, expiresAt, walletNonce }: RequestMoment,
): object => ({
  ...parametersOf(terms),
  aud: anyWallet,
  iat: Math.floor(now / 1_000),
  exp: Math.floor(expiresAt / 1_000),
  ...(walletNonce !== undefined && { wallet_nonce: walletNonce }),
});

const scheme = 'openid4vp://';

const linkOf = (parameters: Readonly<Record<string, string>>): string =>
  `${scheme}?${new URLSearchParams(parameters).toString()}`;

/** For a QR code or a click: where the wallet gets the signed request. */
export const requestLink = (order: {
  readonly clientId: string;
  readonly requestUri: string;
  readonly isByPost: boolean;
}): string =>
  linkOf({
    client_id: order.clientId,
    request_uri: order.requestUri,
    ...(order.isByPost && { request_uri_method: 'post' }),
  });

/** A request that nobody signs, with all that is in it. */
export function unsignedLink(terms: RequestTerms): string {
  const parameters = Object.entries(parametersOf(terms)).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return linkOf(Object.fromEntries(parameters));
}
