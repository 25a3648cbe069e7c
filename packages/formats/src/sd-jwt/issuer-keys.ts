/**
 * How the key of an issuer is found, and why it counts for that issuer: by a chain of certificates that the verifier
 * trusts and that names the issuer's host, by the DID that the issuer is or has allowed, or by the document at the
 * issuer's own host. What a token says of its own key (`jwk`) never counts.
 */
import { type Complaint, isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { parseExactBase64 } from '@symbolon/core/basics/bytes';
import type { SigningJwk } from '../jose/public-keys.ts';
import { joseLimits } from '../limits/format-limits.ts';
import { issuerMetadataUrl, keysNamed, publishedUrl, readIssuerMetadata } from './issuer-metadata.ts';
import type { FoundIssuerKeys, IssuerQuestion } from './verifying.ts';

/** The leaf of a chain that leads to an anchor of the verifier. */
export interface TrustedLeaf {
  readonly key: SigningJwk;
  readonly dnsNames: readonly string[];
  readonly uris: readonly string[];
}

export interface KeyDiscovery {
  /** The certificates as DER, leaf first. */
  readonly checkChain?: (chain: readonly Uint8Array[]) => Promise<TrustedLeaf | Complaint>;
  /** Keys of a DID that may make assertions; with the DID URL of one, that one alone. */
  readonly resolveDid?: (
    did: string,
    keyId: string | undefined,
  ) => Promise<readonly SigningJwk[] | Complaint>;
  /** Whether an issuer with an https identifier has said that a DID signs for it. */
  readonly isDidOf?: (did: string, issuer: string) => Promise<boolean>;
  /** The document at an https address: guarded against addresses that are not public, bounded, without redirects. */
  readonly fetchText?: (url: string) => Promise<string | Complaint>;
  /** Keys that the verifier was given for an issuer: then nobody is asked. */
  readonly givenKeys?: (issuer: string) => readonly SigningJwk[] | undefined;
}

const unknownKey: Complaint = { complaint: "the issuer's key is not known" };

export const findIssuerKeysBy =
  (discovery: KeyDiscovery) =>
  async ({ issuer, header }: IssuerQuestion): Promise<FoundIssuerKeys> => {
    const { kid, x5c } = header;
    if (kid !== undefined && (typeof kid !== 'string' || kid.length > joseLimits.keyIdCharsMax))
      return { complaint: 'the key is named by no text' };
    const given = issuer === undefined ? undefined : discovery.givenKeys?.(issuer);
    if (given) return { keys: given, foundBy: 'given' };
    if (x5c !== undefined) return byCertificate(x5c, issuer, discovery);
    if (issuer === undefined) return { complaint: 'nothing says who the issuer is' };
    if (issuer.startsWith('did:') || kid?.startsWith('did:')) return byDid(issuer, kid, discovery);
    return byMetadata(issuer, kid, discovery);
  };

async function byCertificate(
  x5c: unknown,
  issuer: string | undefined,
  { checkChain }: KeyDiscovery,
): Promise<FoundIssuerKeys> {
  const chain = readCertificates(x5c);
  if (isComplaint(chain)) return chain;
  if (!checkChain) return { complaint: 'certificates are not trusted here' };
  const leaf = await checkChain(chain.certificates);
  if (isComplaint(leaf)) return leaf;
  const host = issuer === undefined ? undefined : publishedUrl(issuer)?.hostname;
  const isNamed =
    issuer === undefined ||
    leaf.uris.includes(issuer) ||
    (host !== undefined && leaf.dnsNames.includes(host));
  return isNamed
    ? { keys: [leaf.key], foundBy: 'certificate' }
    : { complaint: 'the certificate does not name the issuer' };
}

/** Certificates as a header carries them: padded base64 of DER, leaf first. */
export function readCertificates(x5c: unknown): { readonly certificates: readonly Uint8Array[] } | Complaint {
  if (!Array.isArray(x5c) || x5c.length < 1 || x5c.length > joseLimits.certificatesMax)
    return { complaint: `the header has no chain of 1 to ${joseLimits.certificatesMax} certificates` };
  const certificates = x5c.flatMap((one) => {
    const isShort = typeof one === 'string' && one.length <= joseLimits.certificateCharsMax;
    const bytes = isShort ? parseExactBase64(one) : undefined;
    return bytes && bytes.length > 0 ? [bytes] : [];
  });
  return certificates.length === x5c.length
    ? { certificates }
    : { complaint: 'a certificate is not in base64' };
}

async function byDid(
  issuer: string,
  kid: string | undefined,
  { resolveDid, isDidOf }: KeyDiscovery,
): Promise<FoundIssuerKeys> {
  const did = (kid?.startsWith('did:') ? kid : issuer).split(/[#?/]/, 1)[0];
  if (did !== issuer && !(await isDidOf?.(did, issuer)))
    return { complaint: 'the key is of a DID that the issuer has not named' };
  // A key id that is relative to the DID is one of it too.
  const keyId = kid === undefined || kid.startsWith('did:') ? kid : `${did}#${kid.replace(/^#/, '')}`;
  const keys = await resolveDid?.(did, keyId === did ? undefined : keyId);
  if (!keys) return unknownKey;
  if (isComplaint(keys)) return keys as Complaint;
  const found = keys as readonly SigningJwk[];
  return found.length > 0 ? { keys: found, foundBy: 'did' } : unknownKey;
}

async function byMetadata(
  issuer: string,
  kid: string | undefined,
  { fetchText }: KeyDiscovery,
): Promise<FoundIssuerKeys> {
  const url = issuerMetadataUrl(issuer);
  if (url === undefined) return { complaint: 'the issuer is neither an https address nor a DID' };
  const text = await fetchText?.(url);
  if (text === undefined) return unknownKey;
  if (typeof text !== 'string')
    return { complaint: `the issuer's document cannot be had: ${text.complaint}` };
  const metadata = readIssuerMetadata(text, issuer);
  if (isComplaint(metadata)) return metadata;
  const keys = keysNamed(metadata, kid);
  return keys.length > 0 ? { keys, foundBy: 'metadata' } : unknownKey;
}
