/**
 * What an issuer publishes of its keys (`/.well-known/jwt-vc-issuer`): made, and read as somebody else's. The identifier
 * in the document is the issuer's own, letter for letter, or the document is about somebody else.
 */
import { type Complaint, isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { asObject } from '@symbolon/core/basics/plain-values';
import { readPublicJwk, type SigningJwk } from '../jose/public-keys.ts';
import { parseSignedObject } from '../jose/strict-json.ts';
import { joseLimits, publishedLimits } from '../limits/format-limits.ts';

export interface NamedJwk {
  readonly kid: string;
  readonly key: SigningJwk;
}

const wellKnown = '/.well-known/jwt-vc-issuer';

/** Where the document of an issuer is: the well-known part stands between host and path. Undefined for no https URL. */
export function issuerMetadataUrl(issuer: string): string | undefined {
  const url = publishedUrl(issuer);
  if (!url) return undefined;
  const path = url.pathname.replace(/\/$/, '');
  return `${url.origin}${wellKnown}${path}`;
}

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * An https address without anything that a server could read in two ways. Without TLS only this machine itself will do,
 * for demos; whether that is asked is decided by who fetches.
 */
export function publishedUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  const isPlain =
    url !== null &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && loopback.test(url.hostname))) &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === '' &&
    !/[\s?#]/.test(text);
  return isPlain ? url : undefined;
}

const algorithmsOfCurves = { 'P-256': 'ES256', Ed25519: 'EdDSA' } as const;

export const issuerMetadata = (issuer: string, keys: readonly NamedJwk[]): object => ({
  issuer,
  jwks: {
    keys: keys.map(({ kid, key }) => ({ ...key, kid, use: 'sig', alg: algorithmsOfCurves[key.crv] })),
  },
});

export interface IssuerMetadata {
  readonly issuer: string;
  /** Keys that can sign here; others in the document are left alone. */
  readonly keys: readonly { readonly kid?: string; readonly key: SigningJwk }[];
}

export function readIssuerMetadata(text: string, issuer: string): IssuerMetadata | Complaint {
  if (text.length > publishedLimits.issuerMetadataCharsMax)
    return { complaint: "the issuer's document is too long" };
  const document = parseSignedObject(text);
  if (!document) return { complaint: "the issuer's document is no plain JSON object" };
  if (document.issuer !== issuer) return { complaint: "the issuer's document is about another issuer" };
  if (document.jwks_uri !== undefined && document.jwks !== undefined)
    return { complaint: "the issuer's document has its keys in two places" };
  const keys = asObject(document.jwks)?.keys;
  if (!Array.isArray(keys))
    return { complaint: "the issuer's document has no keys in it (jwks_uri is not followed)" };
  if (keys.length > joseLimits.keysMax) return { complaint: "the issuer's document has too many keys" };
  return { issuer, keys: keys.flatMap(readNamed) };
}

function readNamed(jwk: unknown): readonly { readonly kid?: string; readonly key: SigningJwk }[] {
  const key = readPublicJwk(jwk);
  if (isComplaint(key)) return [];
  const kid = asObject(jwk)?.kid;
  return [{ ...(typeof kid === 'string' && { kid }), key }];
}

/** Keys that a token may have been signed by: the one it names, or all of them. */
export function keysNamed({ keys }: IssuerMetadata, kid: unknown): readonly SigningJwk[] {
  const named = kid === undefined ? keys : keys.filter((one) => one.kid === kid);
  return named.map(({ key }) => key);
}
