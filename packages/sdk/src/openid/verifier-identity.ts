/**
 * Who asks a wallet for something: found by the client id of a request, whose prefix says how it is verified (OpenID4VP
 * 1.0, section 5.9), and by the key that signed it. A name counts only where the answer goes to the host that it names.
 */
import { type Complaint, isComplaint } from '@symbolon/core/attributes/attribute-formats';
import type { Fields } from '@symbolon/core/basics/plain-values';
import { placeOfWebDid } from '@symbolon/core/did/foreign-document';
import { publicJwk } from '@symbolon/core/did/public-jwk';
import { didKeyOf } from '@symbolon/formats/data-integrity/verification-keys';
import { readPublicJwk, type SigningJwk } from '@symbolon/formats/jose/public-keys';
import { type ClientIdPrefix, certificateClientId } from '@symbolon/formats/oid4vp/request-objects';
import { readCertificates, type TrustedLeaf } from '@symbolon/formats/sd-jwt/issuer-keys';
import { SdkError } from '../errors/errors.ts';
import type { WalletFacts } from './wallet-facts.ts';

/** Who asks, as far as that is known. */
export interface KnownVerifier {
  /** The full client id, with its prefix. */
  readonly clientId: string;
  /** Where the answer goes, with the port if it has one. */
  readonly host: string;
  /**
   * Why whoever asks is that host: a certificate for it, or the DID at it. With `key` the same key asks each time, and says
   * nothing of who has it; with `nobody` the request is not signed.
   */
  readonly knownBy: 'certificate' | 'webDid' | 'key' | 'nobody';
  readonly did?: string;
}

/** Looks at a chain of certificates as DER, leaf first: whether it leads to somebody who is trusted. */
export type CheckVerifierChain = (
  chain: readonly Uint8Array[],
) => TrustedLeaf | Complaint | Promise<TrustedLeaf | Complaint>;

export interface VerifierQuestion {
  readonly prefix: Exclude<ClientIdPrefix, 'redirect_uri'>;
  /** What stands behind the prefix. */
  readonly name: string;
  readonly clientId: string;
  /** Of the signed request. */
  readonly header: Fields;
  readonly responseUri: URL;
}

export interface FoundVerifier {
  readonly key: SigningJwk;
  readonly verifier: KnownVerifier;
}

export interface VerifierFacts {
  readonly facts: Pick<WalletFacts, 'sha256' | 'keysOfDid'>;
  readonly checkChain: CheckVerifierChain | undefined;
}

/** The key that must have signed the request, and whose it is. */
export function findVerifier(
  question: VerifierQuestion,
  sources: VerifierFacts,
): Promise<FoundVerifier | Complaint> {
  return question.prefix === 'decentralized_identifier'
    ? byVerifierDid(question, sources)
    : byVerifierCertificate(question, sources);
}

async function byVerifierCertificate(
  { prefix, name, clientId, header, responseUri }: VerifierQuestion,
  { facts, checkChain }: VerifierFacts,
): Promise<FoundVerifier | Complaint> {
  if (!checkChain)
    throw new SdkError('openidRefused', 'the verifier shows a certificate, and none is trusted here', {
      hint: 'Nothing was sent. Say whose certificates count: the option checkCertificates.',
    });
  const chain = readCertificates(header.x5c);
  if (isComplaint(chain)) return chain;
  const leaf = await checkChain(chain.certificates);
  if (isComplaint(leaf)) return leaf;
  const [first = new Uint8Array(0)] = chain.certificates;
  const { host, hostname } = responseUri;
  if (prefix === 'x509_hash' && certificateClientId(first, facts.sha256) !== clientId)
    return { complaint: 'is signed by another certificate than it names' };
  if (prefix === 'x509_san_dns' && !leaf.dnsNames.includes(name))
    return { complaint: 'has a certificate for another host than it names' };
  if (!leaf.dnsNames.includes(hostname) || (prefix === 'x509_san_dns' && hostname !== name))
    return { complaint: 'wants its answer sent to a host that its certificate does not name' };
  return { key: leaf.key, verifier: { clientId, host, knownBy: 'certificate' } };
}

async function byVerifierDid(
  { name: did, clientId, header: { kid }, responseUri }: VerifierQuestion,
  { facts }: VerifierFacts,
): Promise<FoundVerifier | Complaint> {
  if (typeof kid !== 'string' || !kid.startsWith(`${did}#`))
    return { complaint: 'is not signed by a key of the DID that it names' };
  const key = await keyOfVerifierDid(did, kid, facts);
  if (isComplaint(key)) return key;
  const { host } = responseUri;
  const place = placeOfWebDid(did);
  if (place && place.host !== host)
    return { complaint: 'wants its answer sent to another host than that of its DID' };
  return { key, verifier: { clientId, host, knownBy: place ? 'webDid' : 'key', did } };
}

async function keyOfVerifierDid(
  did: string,
  kid: string,
  { keysOfDid }: Pick<WalletFacts, 'keysOfDid'>,
): Promise<SigningJwk | Complaint> {
  const own = did.startsWith('did:key:') ? didKeyOf(kid) : undefined;
  const found = own ?? (await keysOfDid(did))?.find(({ id }) => id === kid);
  if (!found || found.keyType === 'x25519' || found.keyType === 'bls12381g2')
    return { complaint: 'is signed by a key that cannot be found' };
  return readPublicJwk(publicJwk(found.keyType, found.publicKey));
}
