/**
 * Whose certificates count for verifiers that ask this wallet. What is told of such a verifier is the name of its host, and
 * for that the authorities count that browsers trust; beside them those of a file that the owner names.
 */
import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { decodeOrNothing } from '@symbolon/core/basics/host-fault';
import { checkCertificateChain } from '@symbolon/credential-service/jose/certificate-chain';
import type { CheckVerifierChain } from '@symbolon/sdk/openid/verifier-identity';
import { walletLimits } from '../limits/command-limits.ts';
import { readSmallText } from '../machine/files.ts';
import { usageFailure } from '../terminal/failure.ts';

const pemBlock = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

export async function verifierCertificates(file: string | undefined): Promise<CheckVerifierChain> {
  const named = file === undefined ? [] : await readAuthorities(file);
  let anchors: readonly Uint8Array[] | undefined;
  return (chain) => {
    anchors ??= [...named, ...rootCertificates.flatMap((pem) => derOf(pem) ?? [])];
    return checkCertificateChain(chain, { anchors, now: Date.now() });
  };
}

const derOf = (pem: string): Uint8Array | undefined =>
  decodeOrNothing(() => new Uint8Array(new X509Certificate(pem).raw));

async function readAuthorities(file: string): Promise<readonly Uint8Array[]> {
  const text = (await readSmallText(file, walletLimits.authoritiesBytesMax)) ?? '';
  const blocks = text.match(pemBlock) ?? [];
  const read = blocks.flatMap((block) => derOf(block) ?? []);
  if (blocks.length > 0 && read.length === blocks.length) return read;
  throw usageFailure(
    'The request was not looked at.\nThe file of --ca has no certificates that can be read.\nGive them as PEM: -----BEGIN CERTIFICATE-----',
  );
}
