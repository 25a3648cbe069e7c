/**
 * Ed25519: the one verifier of the node. The pool's workers and every synchronous caller use this function, because
 * two verifiers that judge an odd signature differently would split the chain; what it says to such signatures is
 * fixed in `ed25519-edge-cases.json`.
 *
 * Where libraries and their releases differ, the rule stands here and is not left to them: points of small order,
 * under which one signature fits many messages, and keys in another than their canonical encoding are refused.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { assert } from '@symbolon/core/basics/assert';
import { type CurveEquation, libsodiumEquation, opensslEquation } from './curve-equation.ts';

export const publicKeyBytes = 32;
export const signatureBytes = 64;
export const seedBytes = 32;

export type Ed25519Verifier = (publicKey: Uint8Array, signature: Uint8Array, message: Uint8Array) => boolean;

/** The rules, over either library: false for anything that is not a valid signature, wrong lengths included. */
export const verifierOver =
  (holds: CurveEquation): Ed25519Verifier =>
  (publicKey, signature, message) => {
    if (publicKey.length !== publicKeyBytes || signature.length !== signatureBytes) return false;
    if (!isCanonical(publicKey) || hasSmallOrder(publicKey) || hasSmallOrder(signature)) return false;
    return holds(publicKey, signature, message);
  };

/** On x64 libsodium takes less than half of OpenSSL's time, on arm64 half as much again. */
const fasterEquation = process.arch === 'x64' ? await libsodiumEquation() : undefined;

/** Never throws. */
export const verifyLedgerSignature: Ed25519Verifier = verifierOver(fasterEquation ?? opensslEquation);

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

/** Whether y is reduced modulo p = 2^255 - 19. */
function isCanonical(point: Uint8Array): boolean {
  const top = publicKeyBytes - 1;
  if (point[0] < 0xed || (point[top] & 0x7f) !== 0x7f) return true;
  return point.subarray(1, top).some((byte) => byte !== 0xff);
}

/** Whether the first 32 bytes encode a point of small order. Every signature passes here twice. */
function hasSmallOrder(point: Uint8Array): boolean {
  for (const y of smallOrderYs) if (hasY(point, y)) return true;
  return false;
}

function hasY(point: Uint8Array, y: Uint8Array): boolean {
  const top = publicKeyBytes - 1;
  for (let index = 0; index < top; index++) if (point[index] !== y[index]) return false;
  return (point[top] & 0x7f) === y[top];
}

/** What precedes the seed of an Ed25519 key in PKCS#8 (RFC 8410). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

function importSeed(seed: Uint8Array): KeyObject {
  assert(seed.length === seedBytes, 'a seed of 32 bytes');
  return createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' });
}
