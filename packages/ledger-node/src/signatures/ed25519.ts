/**
 * Ed25519 through `node:crypto`: the one verifier of the node. The pool's workers and every synchronous caller
 * use this function, because two verifiers that judge an odd signature differently would split the chain; what
 * it says to such signatures is fixed in `ed25519-edge-cases.json`.
 *
 * Points of small order are refused here and not left to Node: releases of Node 24 differ in it, and under a key
 * of small order one signature fits many messages.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { assert } from '@symbolon/core/assert';
import { signatureLimits } from '@symbolon/core/limits';

export const publicKeyBytes = 32;
export const signatureBytes = 64;
export const seedBytes = 32;

/** False for anything that is not a valid signature, wrong lengths included. Never throws. */
export function verifyEd25519(publicKey: Uint8Array, signature: Uint8Array, message: Uint8Array): boolean {
  if (publicKey.length !== publicKeyBytes || signature.length !== signatureBytes) return false;
  if (hasSmallOrder(publicKey) || hasSmallOrder(signature)) return false;
  return verify(null, message, importedKeys.get(publicKey), signature);
}

export function signEd25519(seed: Uint8Array, message: Uint8Array): Uint8Array {
  return Uint8Array.from(sign(null, message, importSeed(seed)));
}

export function publicKeyOf(seed: Uint8Array): Uint8Array {
  const { x } = createPublicKey(importSeed(seed)).export({ format: 'jwk' });
  assert(x !== undefined, 'an exported Ed25519 key has its x');
  return Uint8Array.from(Buffer.from(x, 'base64url'));
}

/**
 * The y coordinates of all points whose order divides 8, little-endian: orders 4, 1, 2 and twice 8, then 0 and 1
 * in the form that is not reduced modulo p. Each stands for a point with either sign bit.
 */
const smallOrderYs = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
].map((y) => Buffer.from(y, 'hex'));

/** Whether the first 32 bytes encode a point of small order. */
function hasSmallOrder(point: Uint8Array): boolean {
  return smallOrderYs.some((y) =>
    y.every((byte, index) => byte === (index === publicKeyBytes - 1 ? point[index] & 0x7f : point[index])),
  );
}

/** What precedes the seed of an Ed25519 key in PKCS#8 (RFC 8410). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

function importSeed(seed: Uint8Array): KeyObject {
  assert(seed.length === seedBytes, 'a seed of 32 bytes');
  return createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' });
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
