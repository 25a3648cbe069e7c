/** What an operator sets of X.509: the certificate by which the service asks wallets, and anchors of foreign issuers. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { decodeOrNothing } from '@symbolon/core/basics/host-fault';
import type { JwsSigner } from '@symbolon/formats/jose/compact-jws';
import { namesOf } from '../../jose/certificate-chain.ts';
import { nodeSigner } from '../../jose/node-signatures.ts';
import { certificateLimits } from '../../limits/service-limits.ts';
import type { ServiceConfig } from '../../parts/service-config.ts';

export interface RequestCertificate {
  /** DER of the leaf, by whose hash wallets know it. */
  readonly leaf: Uint8Array;
  readonly dnsNames: readonly string[];
  /** Names the chain in its header. */
  readonly signer: JwsSigner;
}

/** The operator has to put it right. */
export class CertificateProblem extends Error {
  override readonly name = 'CertificateProblem';
}

const pemBlock = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

function readCertificates(pem: string, setting: string): X509Certificate[] {
  const blocks = pem.match(pemBlock) ?? [];
  const read = blocks.map((block) => decodeOrNothing(() => new X509Certificate(block)));
  const good = read.filter((one) => one !== undefined);
  if (good.length < read.length || good.length > certificateLimits.anchorsMax)
    throw new CertificateProblem(`The setting ${setting} has a certificate that cannot be read.`);
  return good;
}

export function openRequestCertificate({
  requestCertificate: given,
}: Pick<ServiceConfig['openid'], 'requestCertificate'>): RequestCertificate | undefined {
  if (!given) return undefined;
  const setting = 'openid.requestCertificate';
  const certificates = readCertificates(given.chain, `${setting}.chain`);
  const [leaf] = certificates;
  const key = decodeOrNothing(() => createPrivateKey(given.key));
  if (!leaf || !key || !isP256(key) || !leaf.checkPrivateKey(key))
    throw new CertificateProblem(`The setting ${setting} needs a certificate of a P-256 key, and that key.`);
  // Wallets have the root, and one that comes along would not be believed for that.
  const chain = certificates.filter((one, place) => place === 0 || !one.checkIssued(one));
  const x5c = chain.map(({ raw }) => raw.toString('base64'));
  return {
    leaf: new Uint8Array(leaf.raw),
    dnsNames: namesOf(leaf.subjectAltName).dnsNames,
    signer: nodeSigner('ES256', key, { x5c }),
  };
}

const isP256 = (key: KeyObject): boolean => key.asymmetricKeyDetails?.namedCurve === 'prime256v1';

/** As DER. */
export const readAnchors = ({ trustAnchors }: Pick<ServiceConfig['openid'], 'trustAnchors'>): Uint8Array[] =>
  readCertificates(trustAnchors, 'openid.trustAnchors').map(({ raw }) => new Uint8Array(raw));
