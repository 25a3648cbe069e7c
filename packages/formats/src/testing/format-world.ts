/** What tests of the formats share: an engine, keys, a loader, signers and a credential. */
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import { generateSecretKey } from '@symbolon/core/proofs/scalars';
import type { ProofEngine } from '@symbolon/core/proofs/proof-engine';
import { createDockEngine } from '@symbolon/sdk/proofs/dock-engine';
import type { BbsSigner } from '../bbs-2023/bbs-2023.ts';
import type { Ed25519Check } from '../data-integrity/hash-suites.ts';
import type { BytesSigner } from '../data-integrity/signing.ts';
import { keyResolver } from '../data-integrity/verification-keys.ts';
import type { ProofTools } from '../data-integrity/verifying.ts';
import { didOfKey, methodOfKey } from '../json-ld/did-key.ts';
import { contextUrls } from '../json-ld/contexts.ts';
import { createDocumentLoader } from '../json-ld/document-loader.ts';

const pkcs8Start = Buffer.from('302e020100300506032b657004220420', 'hex');
const spkiStart = Buffer.from('302a300506032b6570032100', 'hex');

export const ed25519: Ed25519Check = ({ publicKey, message, signature }) => {
  const key = createPublicKey({ key: Buffer.concat([spkiStart, publicKey]), format: 'der', type: 'spki' });
  return verify(null, message, key, signature);
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
  const secretKey = new Uint8Array(32).fill(seed);
  const key = { keyType: 'p256', publicKey: p256.getPublicKey(secretKey, true) } as const;
  return {
    did: didOfKey(key),
    verificationMethod: methodOfKey(key),
    suite: 'ecdsa-rdfc-2019',
    sign: async (message) => p256.sign(message, secretKey, { lowS: false }),
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
  return { engine, load: createDocumentLoader(), resolveKey: keyResolver(), ed25519 };
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
