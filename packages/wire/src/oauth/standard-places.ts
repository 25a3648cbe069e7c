/** What an issuer is called on the web. Wallets compare it byte for byte, so nobody else puts it together. */
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

export interface StandardPlaces {
  /** Credential issuer, OAuth issuer and `iss`, all in one. */
  issuer(did: string): string;
  webDid(did: string): string;
}

export const createStandardPlaces = (origin: string): StandardPlaces => ({
  issuer: (did) => `${origin}/oid4vci/${issuerSegment(did)}`,
  webDid: (did) => webDid(origin, ['oid4vci', issuerSegment(did)]),
});
