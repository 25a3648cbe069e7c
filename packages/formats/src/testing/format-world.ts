/** What tests of the formats share: an engine, keys, a loader, signers and a credential. */
import { createECDH, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { ProofEngine } from '@symbolon/core/proofs/proof-engine';
import { generateSecretKey } from '@symbolon/core/proofs/scalars';
import { createDockEngine } from '@symbolon/sdk/proofs/dock-engine';
import type { BbsSigner } from '../bbs-2023/bbs-2023.ts';
import type { SignatureChecks } from '../data-integrity/hash-suites.ts';
import type { BytesSigner } from '../data-integrity/signing.ts';
import { keyResolver } from '../data-integrity/verification-keys.ts';
import type { ProofTools } from '../data-integrity/verifying.ts';
import { contextUrls } from '../json-ld/contexts.ts';
import { didOfKey, methodOfKey } from '../json-ld/did-key.ts';
import { createDocumentLoader } from '../json-ld/document-loader.ts';

const pkcs8Start = Buffer.from('302e020100300506032b657004220420', 'hex');
const spkiStarts = {
  ed25519: Buffer.from('302a300506032b6570032100', 'hex'),
  p256: Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex'),
} as const;
const dsaEncoding = 'ieee-p1363';

const publicKeyOf = (kind: keyof typeof spkiStarts, publicKey: Uint8Array) =>
  createPublicKey({ key: Buffer.concat([spkiStarts[kind], publicKey]), format: 'der', type: 'spki' });

export const checks: SignatureChecks = {
  ed25519: ({ publicKey, message, signature }) =>
    verify(null, message, publicKeyOf('ed25519', publicKey), signature),
  p256: ({ publicKey, message, signature }) =>
    verify('sha256', message, { key: publicKeyOf('p256', publicKey), dsaEncoding }, signature),
};

export function ed25519Signer(seed: number): BytesSigner & { readonly did: string } {
  const der = Buffer.concat([pkcs8Start, Buffer.alloc(32, seed)]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const key = { keyType: 'ed25519', publicKey: new Uint8Array(spki.subarray(-32)) } as const;
  return {
    did: didOfKey(key),
    verificationMethod: methodOfKey(key),
    suite: 'eddsa-rdfc-2022',
    sign: async (message) => new Uint8Array(sign(null, message, privateKey)),
  };
}

export function p256Signer(seed: number): BytesSigner & { readonly did: string } {
  const secret = Buffer.alloc(32, seed);
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(secret);
  const point = pair.getPublicKey();
  const key = { keyType: 'p256', publicKey: new Uint8Array(pair.getPublicKey(null, 'compressed')) } as const;
  const part = (bytes: Buffer) => bytes.toString('base64url');
  const [x, y] = [part(point.subarray(1, 33)), part(point.subarray(33))];
  const jwk = { kty: 'EC', crv: 'P-256', x, y, d: part(secret) };
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
  return {
    did: didOfKey(key),
    verificationMethod: methodOfKey(key),
    suite: 'ecdsa-rdfc-2019',
    sign: async (message) => new Uint8Array(sign('sha256', message, { key: privateKey, dsaEncoding })),
  };
}

export async function bbsSigner(
  engine: ProofEngine,
  seed: number,
): Promise<BbsSigner & { readonly did: string; readonly secretKey: Uint8Array }> {
  const secretKey = generateSecretKey(new Uint8Array(32).fill(seed)) as Uint8Array;
  const publicKey = await engine.publicKeyOf(secretKey.slice());
  const key = { keyType: 'bls12381g2', publicKey } as const;
  return {
    did: didOfKey(key),
    verificationMethod: methodOfKey(key),
    publicKey,
    secretKey,
    sign: ({ header, messages }) =>
      engine.sign({
        interface: 'plain',
        publicKey,
        header,
        messages: messages.map((bytes) => ({ bytes })),
        secretKey: secretKey.slice(),
      }),
  };
}

export const nowMs = Date.parse('2026-06-01T00:00:00Z');

export interface FormatWorld extends ProofTools {
  readonly engine: ProofEngine;
}

export async function makeFormatWorld(): Promise<FormatWorld> {
  const engine = await createDockEngine();
  return { engine, load: createDocumentLoader(), resolveKey: keyResolver(), checks };
}

/** A credential of twelve attributes, without a proof. */
export const sampleCredential = (issuer: string) => ({
  '@context': [contextUrls.credentialsV2, contextUrls.examplesV2],
  type: ['VerifiableCredential', 'SampleCredential'],
  issuer,
  validFrom: '2026-01-01T00:00:00Z',
  credentialSubject: Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [`attribute${index}`, `value ${index}`]),
  ),
});
