/**
 * A signer whose key stays in a hardware token (PKCS#11): in form a `Signer` of the SDK, which itself knows no
 * hardware. The token is the caller's: opened before, closed after.
 */
import { createPublicKey, verify } from 'node:crypto';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { type NetworkProfile, zetrixProfile } from '@symbolon/core/keys/profile';
import { sha256 } from '../work/sha256.ts';
import type { HardwareToken } from './hardware-token.ts';
import { Pkcs11Error } from './pkcs11-error.ts';

export interface Pkcs11Signer {
  readonly address: string;
  /** Encoded, as signatures carry it. */
  readonly publicKey: string;
  sign(bytes: Uint8Array): Promise<Uint8Array>;
}

/** Which key of the token: by its id (hex), or by a label that only one Ed25519 key has. */
export type SigningKeyChoice = { readonly id: string } | { readonly label: string };

export interface Pkcs11SignerOptions {
  /** The network whose address form is meant; the default profile if left out. */
  readonly profile?: NetworkProfile;
}

export async function signerFromToken(
  token: Pick<HardwareToken, 'listKeys' | 'publicKey' | 'sign'>,
  choice: SigningKeyChoice,
  { profile = zetrixProfile }: Pkcs11SignerOptions = {},
): Promise<Pkcs11Signer> {
  const id = 'id' in choice ? choice.id : await idOfLabel(token, choice.label);
  const key = { kind: 'ed25519', id } as const;
  const raw = await token.publicKey(key);
  const keys = createKeyFormat(profile, sha256);
  const x = Buffer.from(raw).toString('base64url');
  const half = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return {
    address: keys.addressOf(raw),
    publicKey: keys.encodePublicKey(raw),
    async sign(bytes) {
      const signature = await token.sign(key, bytes);
      // A module that signs the digest instead, or with another key, is found out here and not on the ledger.
      if (verify(null, bytes, half, signature)) return signature;
      throw new Pkcs11Error(
        'answerMalformed',
        'The hardware module does not sign with the key that it shows.',
      );
    },
  };
}

async function idOfLabel(token: Pick<HardwareToken, 'listKeys'>, label: string): Promise<string> {
  const [key, ...others] = await token.listKeys({ kind: 'ed25519', label });
  if (!key) throw new Pkcs11Error('keyUnknown', `The token has no Ed25519 key with the label ${label}.`);
  if (others.length > 0) {
    throw new Pkcs11Error('keyAmbiguous', `Several keys have the label ${label}: name one by its id.`);
  }
  return key.id;
}
