/**
 * The part of an Ed25519 verification that two libraries can do: that S is below L and that S·B - h·A, without the
 * cofactor, encodes to R. Both give the same answer to every signature of `ed25519-edge-cases.json`; a release of
 * either that does not may not be used.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { RecentMap } from '@symbolon/core/basics/recent-map';
import { signatureLimits } from '../limits/node-limits.ts';

/** Keys and signatures have their right lengths, and a key is the canonical encoding of something. */
export type CurveEquation = (publicKey: Uint8Array, signature: Uint8Array, message: Uint8Array) => boolean;

export const opensslEquation: CurveEquation = (publicKey, signature, message) =>
  verify(null, message, importKey(publicKey), signature);

const loadLibsodium = () => import('sodium-native');

/** Undefined on a system for which the library was not built: it asks for a newer C library than Node does. */
export async function libsodiumEquation(load = loadLibsodium): Promise<CurveEquation | undefined> {
  const loaded = await load().catch(() => undefined);
  if (loaded === undefined) return undefined;
  const { default: libsodium } = loaded;
  return (publicKey, signature, message) =>
    libsodium.crypto_sign_verify_detached(signature, message, publicKey);
}

/** Importing a key costs a quarter of verifying with it. */
const importedKeys = new RecentMap<string, KeyObject>(signatureLimits.cachedKeysMax);

function importKey(publicKey: Uint8Array): KeyObject {
  const x = Buffer.from(publicKey.buffer, publicKey.byteOffset, publicKey.length).toString('base64url');
  const known = importedKeys.get(x);
  if (known) return known;
  // Any 32 bytes can be imported; whether they are a point is asked when verifying.
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  importedKeys.set(x, key);
  return key;
}
