/**
 * The part of an Ed25519 verification that two libraries can do: that S is below L and that S·B - h·A, without the
 * cofactor, encodes to R. Both give the same answer to every signature of `ed25519-edge-cases.json`; a release of
 * either that does not may not be used.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { signatureLimits } from '@symbolon/core/limits';

/** Keys and signatures have their right lengths, and a key is the canonical encoding of something. */
export type CurveEquation = (publicKey: Uint8Array, signature: Uint8Array, message: Uint8Array) => boolean;

export const opensslEquation: CurveEquation = (publicKey, signature, message) =>
  verify(null, message, importedKeys.get(publicKey), signature);

const loadLibsodium = () => import('sodium-native');

/** Undefined on a system for which the library was not built: it asks for a newer C library than Node does. */
export async function libsodiumEquation(load = loadLibsodium): Promise<CurveEquation | undefined> {
  const loaded = await load().catch(() => undefined);
  if (loaded === undefined) return undefined;
  const { default: libsodium } = loaded;
  return (publicKey, signature, message) =>
    libsodium.crypto_sign_verify_detached(signature, message, publicKey);
}

/**
 * Imported public keys, because importing costs a quarter of verifying. Two generations: when the younger is
 * full it becomes the older, and what was not asked for since is forgotten. Nothing but time depends on it.
 */
class ImportedKeys {
  #younger = new Map<string, KeyObject>();
  #older = new Map<string, KeyObject>();

  get(publicKey: Uint8Array): KeyObject {
    const x = Buffer.from(publicKey.buffer, publicKey.byteOffset, publicKey.length).toString('base64url');
    const known = this.#younger.get(x);
    if (known !== undefined) return known;
    // Any 32 bytes can be imported; whether they are a point is asked when verifying.
    const key =
      this.#older.get(x) ?? createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    if (this.#younger.size >= signatureLimits.cachedKeysMax / 2) {
      this.#older = this.#younger;
      this.#younger = new Map();
    }
    this.#younger.set(x, key);
    return key;
  }
}

const importedKeys = new ImportedKeys();
