/**
 * The people of the demo. Their keys are made from texts that stand here for everybody to read: whoever uses them
 * shares them with the whole world, so they are good for a machine of one's own and for nothing else.
 */
import { hash } from 'node:crypto';
import { assert } from '@symbolon/core/basics/assert';
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import { didOfPublicKey } from '@symbolon/core/did/did';
import type { KeyFormat } from '@symbolon/core/keys/keys';
import { generateSecretKey } from '@symbolon/core/proofs/scalars';
import { type Signer, signerFromSeed } from '@symbolon/sdk/index';
import type { ApiScope } from '@symbolon/wire/http/service-route';

export const demoRoles = ['issuer', 'holder', 'holder2', 'verifier'] as const;
export type DemoRole = (typeof demoRoles)[number];

/** Nobody is called so. */
export const demoNames: Readonly<Record<DemoRole, string>> = {
  issuer: 'University of Example',
  holder: 'Mira Example',
  holder2: 'Oren Example',
  verifier: 'Example Bank',
};

export const demoScopes: Readonly<Record<DemoRole, readonly ApiScope[]>> = {
  issuer: ['templates', 'issue', 'revoke', 'bbs', 'present', 'verify'],
  holder: ['present', 'verify'],
  holder2: ['present', 'verify'],
  verifier: ['verify'],
};

/** PUBLICLY KNOWN, like all that follows from it. */
const seedOf = (name: string): Uint8Array =>
  hash('sha256', `symbolon demo ${name}: a publicly known key`, 'buffer');

/** Owns the demo's token and takes no other part. */
export const demoTokenOwner = (keys: KeyFormat): Promise<Signer> =>
  signerFromSeed(seedOf('token owner'), { profile: keys.profile });

export async function demoPerson(role: DemoRole, keys: KeyFormat) {
  const seed = seedOf(role);
  const signer = await signerFromSeed(seed, { profile: keys.profile });
  const raw = keys.parsePublicKey(signer.publicKey);
  assert(raw, 'a signer has a public key of its network');
  return {
    role,
    name: demoNames[role],
    did: didOfPublicKey(raw, keys.profile),
    address: signer.address,
    publicKey: signer.publicKey,
    privateKey: keys.encodePrivateKey(seed),
    signer,
  };
}
export type DemoPerson = Awaited<ReturnType<typeof demoPerson>>;

/** Of the secret key that follows; computing it would make the first start wait for a proof thread. */
export const demoBbsPublicKey =
  'zq9665BfwNCrAvyPpUUTmLVQKKRhTDCvDBWUWUJqL3mdSx446cU6EwShqX6JH6hsNypNqs9bmVCUAVmJb2LAaoKAjZoYoepyV3HCrk3Q1DayPNnZpxHZjP2HbFNZkES46pLH';

/** The secret key with which the demo's issuer signs credentials. */
export function demoBbsSecretKey(): Uint8Array {
  const secretKey = generateSecretKey(seedOf('issuer bbs'), encodeUtf8('symbolon/demo'));
  assert(secretKey, 'a hash is long enough for a key');
  return secretKey;
}
