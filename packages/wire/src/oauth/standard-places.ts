/**
 * Every address that the standards plane prints, from one origin: the identifiers of issuers, their documents at the root
 * of the host, status lists, types and contexts. Wallets compare them byte for byte, so nobody else puts them together.
 */
import { parseDid } from '@symbolon/core/did/did';
import { webDid } from '@symbolon/core/did/foreign-document';
import type { NetworkProfile } from '@symbolon/core/keys/profile';

const thisMachine = /^http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/;

/**
 * The origin, if OpenID takes it: https, or http on this machine, as a demo has it. An origin has no path, which the
 * documents at the root of the host need.
 */
export function standardsOrigin(publicUrl: string): string | undefined {
  const url = URL.parse(publicUrl);
  const isOrigin = url !== null && url.origin === publicUrl;
  return isOrigin && (url.protocol === 'https:' || thisMachine.test(publicUrl)) ? publicUrl : undefined;
}

/** The last part of an issuer's DID: what stands for it in paths. */
export const issuerSegment = (did: string): string => did.slice(did.lastIndexOf(':') + 1);

/** The DID behind a segment; undefined for what is none. */
export function issuerOfSegment(segment: string, profile: NetworkProfile): string | undefined {
  const did = `did:${profile.didMethod}:${segment}`;
  return typeof parseDid(did, profile) === 'object' ? did : undefined;
}

/** Documents that stand between host and path. */
export type WellKnownName = 'openid-credential-issuer' | 'oauth-authorization-server' | 'jwt-vc-issuer';

export interface StandardPlaces {
  readonly origin: string;
  /** Credential issuer, OAuth issuer and `iss`, all in one. */
  issuer(did: string): string;
  /** Below the issuer: `token`, `nonce`, `credential`. */
  issuerEndpoint(did: string, name: string): string;
  wellKnown(name: WellKnownName, did: string): string;
  webDid(did: string): string;
  /** Of OpenID4VP: `request`, `response`. */
  verifierEndpoint(name: 'request' | 'response', id: string): string;
  vcApi(did: string): string;
  statusList(did: string, list: string): string;
  /** Type metadata, JSON-LD context and vocabulary of a template, which is named by its hex. */
  type(template: string, version: string): string;
  context(template: string, version: string): string;
  vocabulary(template: string): string;
}

export function createStandardPlaces(origin: string): StandardPlaces {
  const issuer = (did: string): string => `${origin}/oid4vci/${issuerSegment(did)}`;
  const ofTemplate = (folder: string) => (template: string, version: string) =>
    `${origin}/${folder}/${issuerSegment(template)}/${version}`;
  return {
    origin,
    issuer,
    issuerEndpoint: (did, name) => `${issuer(did)}/${name}`,
    wellKnown: (name, did) => `${origin}/.well-known/${name}/oid4vci/${issuerSegment(did)}`,
    webDid: (did) => webDid(origin, ['oid4vci', issuerSegment(did)]),
    verifierEndpoint: (name, id) => `${origin}/oid4vp/${name}/${id}`,
    vcApi: (did) => `${origin}/vc-api/${issuerSegment(did)}`,
    statusList: (did, list) => `${origin}/status/${issuerSegment(did)}/${list}`,
    type: ofTemplate('types'),
    context: ofTemplate('contexts'),
    vocabulary: (template) => `${origin}/vocab/${issuerSegment(template)}#`,
  };
}
