/**
 * BBS keys as text: `z` and base58, as clients of the family and W3C's Multikey write them. Multikey puts a number
 * for the kind of key first; the family leaves it out, and so does what is written here. Both are read.
 */
import { base58 } from '@scure/base';
import { assert } from '../basics/assert.ts';
import { parseScalar } from './scalars.ts';
import { publicKeyBytes, secretKeyBytes } from './suite.ts';

/** Varints of the multicodec table: a BLS12-381 G2 public key, and its secret. */
const publicKeyCode = Uint8Array.of(0xeb, 0x01);
const secretKeyCode = Uint8Array.of(0x8a, 0x26);

/** Longer than any key: base58 takes time that grows with the square of the length. */
const charsMax = 160;

function parseKey(text: string, code: Uint8Array, length: number): Uint8Array | undefined {
  if (!text.startsWith('z') || text.length > charsMax) return undefined;
  let bytes: Uint8Array;
  try {
    bytes = base58.decode(text.slice(1));
  } catch {
    return undefined;
  }
  if (bytes.length === length) return bytes;
  const hasCode = bytes.length === code.length + length && code.every((byte, index) => bytes[index] === byte);
  return hasCode ? bytes.slice(code.length) : undefined;
}

export function encodePublicKey(publicKey: Uint8Array): string {
  assert(publicKey.length === publicKeyBytes, 'a BBS public key');
  return `z${base58.encode(publicKey)}`;
}

/** The 96 bytes of either form; whether they are a point is for the proof engine to find out. */
export const parsePublicKey = (text: string): Uint8Array | undefined =>
  parseKey(text, publicKeyCode, publicKeyBytes);

export function encodeSecretKey(secretKey: Uint8Array): string {
  assert(secretKey.length === secretKeyBytes, 'a BBS secret key');
  return `z${base58.encode(secretKey)}`;
}

export function parseSecretKey(text: string): Uint8Array | undefined {
  const bytes = parseKey(text, secretKeyCode, secretKeyBytes);
  return bytes === undefined || parseScalar(bytes) === undefined ? undefined : bytes;
}
