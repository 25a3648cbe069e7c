/**
 * Chains of X.509 certificates beside a token (`x5c`), held against the anchors that a verifier trusts. Names of the leaf
 * are read strictly: one that Node had to quote is none.
 */
import { X509Certificate } from 'node:crypto';
import { type Complaint, isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { decodeOrNothing } from '@symbolon/core/basics/host-fault';
import { readPublicJwk } from '@symbolon/formats/jose/public-keys';
import type { TrustedLeaf } from '@symbolon/formats/sd-jwt/issuer-keys';

export interface ChainFacts {
  /** DER. A leaf that is trusted by itself may stand here too. */
  readonly anchors: readonly Uint8Array[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The certificates as DER, leaf first; the anchor itself may be there or not. */
export function checkCertificateChain(
  chain: readonly Uint8Array[],
  { anchors, now }: ChainFacts,
): TrustedLeaf | Complaint {
  const read = chain.map(readCertificate);
  const certificates = read.filter((one) => one !== undefined);
  const [leaf] = certificates;
  if (!leaf || certificates.length < read.length) return { complaint: 'a certificate cannot be read' };
  const trusted = anchors.map(readCertificate).filter((one) => one !== undefined);
  const refusal = chainComplaint(certificates, trusted, now);
  return refusal ?? trustedLeaf(leaf);
}

const readCertificate = (der: Uint8Array): X509Certificate | undefined =>
  decodeOrNothing(() => new X509Certificate(der));

const isSame = (left: X509Certificate, right: X509Certificate): boolean => left.raw.equals(right.raw);

function chainComplaint(
  certificates: readonly X509Certificate[],
  anchors: readonly X509Certificate[],
  now: number,
): Complaint | undefined {
  for (const [place, certificate] of certificates.entries()) {
    if (!isInTime(certificate, now)) return { complaint: 'a certificate is not valid now' };
    if (anchors.some((anchor) => isSame(anchor, certificate))) return undefined;
    const next = certificates[place + 1];
    if (next) {
      if (!isIssuedBy(certificate, next)) return { complaint: 'a certificate is not of the one behind it' };
      continue;
    }
    const anchor = anchors.find((one) => isIssuedBy(certificate, one));
    if (!anchor) return { complaint: 'the certificates lead to nobody who is trusted' };
    if (!isInTime(anchor, now)) return { complaint: 'a certificate is not valid now' };
  }
  return undefined;
}

const isInTime = ({ validFromDate, validToDate }: X509Certificate, now: number): boolean =>
  validFromDate.getTime() <= now && now <= validToDate.getTime();

/** Names, right to sign certificates, and signature. */
const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);

function trustedLeaf(leaf: X509Certificate): TrustedLeaf | Complaint {
  const jwk = decodeOrNothing(() => leaf.publicKey.export({ format: 'jwk' }));
  const key = readPublicJwk(jwk);
  if (isComplaint(key)) return { complaint: `the certificate’s key cannot be used: ${key.complaint}` };
  return { key, ...namesOf(leaf.subjectAltName) };
}

/** Node writes `DNS:a.example, URI:https://…` and quotes whatever holds a comma or a quote. */
export function namesOf(text: string | undefined): Pick<TrustedLeaf, 'dnsNames' | 'uris'> {
  const names = text === undefined || text.includes('"') ? [] : text.split(', ');
  const ofKind = (kind: string): string[] =>
    names.filter((name) => name.startsWith(kind)).map((name) => name.slice(kind.length));
  return { dnsNames: ofKind('DNS:').filter((name) => !name.includes('*')), uris: ofKind('URI:') };
}
