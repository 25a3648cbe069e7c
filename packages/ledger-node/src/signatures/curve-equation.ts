/**
 * The part of an Ed25519 verification that two libraries can do: that S is below L and that S·B - h·A, without the
 * cofactor, encodes to R. Both give the same answer to every signature of `ed25519-edge-cases.json`; a release of
 * either that does not may not be used.
 */
import { verify } from 'node:crypto';
import { createKeyImporter } from '@symbolon/host/work/imported-keys';
import { signatureLimits } from '../limits/node-limits.ts';

/** Keys and signatures have their right lengths, and a key is the canonical encoding of something. */
export type CurveEquation = (publicKey: Uint8Array, signature: Uint8Array, message: Uint8Array) => boolean;

const importKey = createKeyImporter(signatureLimits.cachedKeysMax);

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
