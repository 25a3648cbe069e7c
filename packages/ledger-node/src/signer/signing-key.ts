/** The key of a validator: in a file, or in a hardware token that it never leaves. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { SetupError } from '@symbolon/core/faults/operator-errors';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { profiles } from '@symbolon/core/keys/profile';
import { keyFileLimits } from '@symbolon/core/limits/documents';
import { readSecretFile, SecretFileError } from '@symbolon/host/config/secret-file';
import type { HardwareToken, TokenSettings } from '@symbolon/host/pkcs11/hardware-token';
import { sha256 } from '@symbolon/host/work/sha256';
import { publicKeyOf, signEd25519 } from '../signatures/ed25519.ts';

export interface VoteKey {
  /** Raw Ed25519. */
  readonly publicKey: Uint8Array;
  sign(bytes: Uint8Array): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** The key is not there, or is not to be used. */
export class SigningKeyUnusable extends SetupError {
  override name = 'SigningKeyUnusable';
}

export const validatorKeyFormat = createKeyFormat(profiles.zetrix, sha256);

export const publicKeyObject = (publicKey: Uint8Array): KeyObject => {
  const x = Buffer.from(publicKey).toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
};

/** Of a file with a private key in the spelling of the network, for its owner alone. */
export async function seedFromFile(file: string): Promise<Uint8Array> {
  const order = { holds: "a validator's key", bytesMax: keyFileLimits.fileCharsMax };
  const text = await readSecretFile(file, order).catch((error: unknown) => {
    if (!(error instanceof SecretFileError)) throw error;
    throw new SigningKeyUnusable(error.message, { cause: error });
  });
  const seed = validatorKeyFormat.parsePrivateKey(text.trim());
  if (!seed) throw new SigningKeyUnusable(`${file} does not hold a private key.`);
  return seed;
}

export async function keyFromFile(file: string): Promise<VoteKey> {
  const seed = await seedFromFile(file);
  return {
    publicKey: publicKeyOf(seed),
    sign: async (bytes) => signEd25519(seed, bytes),
    close: async () => void seed.fill(0),
  };
}

export interface TokenKeySettings extends TokenSettings {
  /** CKA_ID, in hex. */
  readonly keyId: string;
}

export async function keyFromToken({ keyId, ...settings }: TokenKeySettings): Promise<VoteKey> {
  return await withToken(settings, async (token) => {
    const { signerFromToken } = await import('@symbolon/host/pkcs11/pkcs11-signer');
    const { sign } = await signerFromToken(token, { id: keyId });
    const publicKey = await token.publicKey({ kind: 'ed25519', id: keyId });
    return { publicKey, sign, close: () => token.close() };
  });
}

/** The one Ed25519 key with this label, which is made if there is none; one that could be taken out is refused. */
export async function findOrMakeKey(
  settings: TokenSettings,
  label: string,
): Promise<{ readonly id: string; readonly publicKey: Uint8Array; readonly isNew: boolean }> {
  return await withToken(settings, async (token) => {
    const [found, ...others] = await token.listKeys({ kind: 'ed25519', label });
    if (others.length > 0)
      throw new SigningKeyUnusable(
        `Several keys of the token have the label "${label}". Give the validator's key a label of its own.`,
      );
    const key = found ?? (await token.generateEd25519Key({ label }));
    const { isSensitive, isExtractable } = await token.protectionOf(key);
    if (isSensitive !== true || isExtractable !== false)
      throw new SigningKeyUnusable(
        `The key with the label "${label}" can be taken out of the token.\nName another label: a key is made there that stays in.`,
      );
    const publicKey = await token.publicKey(key);
    await token.close();
    return { id: key.id, publicKey, isNew: found === undefined };
  });
}

/** What fails closes the token. */
async function withToken<Result>(
  settings: TokenSettings,
  work: (token: HardwareToken) => Promise<Result>,
): Promise<Result> {
  // Only who has a hardware module needs what it takes to call one.
  const [{ HardwareToken }, { Pkcs11Error }] = await Promise.all([
    import('@symbolon/host/pkcs11/hardware-token'),
    import('@symbolon/host/pkcs11/pkcs11-error'),
  ]);
  let token: HardwareToken | undefined;
  try {
    token = await HardwareToken.open(settings);
    return await work(token);
  } catch (error) {
    await token?.close();
    if (!(error instanceof Pkcs11Error)) throw error;
    throw new SigningKeyUnusable(`The validator's key cannot be reached. ${error.message}`, { cause: error });
  }
}
