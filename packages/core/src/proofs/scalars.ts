/**
 * Bytes to scalars and back, as the draft's `hash_to_scalar`, `KeyGen` and mapping of messages do it. Nothing here
 * computes with points: what is secret is only ever hashed.
 */
import { expand_message_xmd } from '@noble/curves/abstract/hash-to-curve.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { assert } from '../basics/assert.ts';
import { concatBytes, emptyBytes } from '../basics/bytes.ts';
import { bbsLimits } from '../limits/documents.ts';
import type { BbsInterface, BbsMessage } from './proof-engine.ts';
import { scalarBytes } from './sizes.ts';
import { ciphersuiteId, groupOrder, interfaceIds, tag } from './suite.ts';

/** So many bytes that the remainder by the group order is as good as even. */
const expandedBytes = 48;

export const expandMessage = (message: Uint8Array, dst: Uint8Array): Uint8Array =>
  expand_message_xmd(message, dst, expandedBytes, sha256);

/** Big-endian, in exactly so many bytes. */
export function integerBytes(value: bigint | number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let rest = BigInt(value);
  for (let index = length - 1; index >= 0; index--) {
    bytes[index] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  assert(rest === 0n, `${length} bytes hold the number`);
  return bytes;
}

export function integerOf(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return value;
}

export const hashToScalar = (message: Uint8Array, dst: Uint8Array): bigint =>
  integerOf(expandMessage(message, dst)) % groupOrder;

/** The scalar of a secret key or of a signature; undefined when the bytes are not one, or are 0. */
export function parseScalar(bytes: Uint8Array): bigint | undefined {
  if (bytes.length !== scalarBytes) return undefined;
  const value = integerOf(bytes);
  return value > 0n && value < groupOrder ? value : undefined;
}

/** Whether the engine can sign this message: bytes of a bearable length or, where typed, an integer that fits. */
export function isMessage(kind: BbsInterface, message: BbsMessage): boolean {
  if ('bytes' in message) {
    return message.bytes instanceof Uint8Array && message.bytes.length <= bbsLimits.messageBytesMax;
  }
  const { integer } = message;
  return kind === 'typed' && typeof integer === 'bigint' && integer >= 0n && integer <= bbsLimits.integerMax;
}

export const messageTag = (kind: BbsInterface): Uint8Array =>
  tag(interfaceIds[kind], 'MAP_MSG_TO_SCALAR_AS_HASH_');

/** What is signed for a message: the hash of its bytes, or the integer itself, on which ranges can be proved. */
export function messageScalar(kind: BbsInterface, message: BbsMessage): bigint {
  assert(isMessage(kind, message), 'a message that can be signed');
  if ('integer' in message) return message.integer;
  return hashToScalar(message.bytes, messageTag(kind));
}

/**
 * The secret key of some secret material, always the same for the same input; undefined when the material is too
 * short or too long. The tag is the ciphersuite's, as the text of the draft says (its test vectors use the
 * interface's), because that is what `@digitalbazaar/bbs-signatures` does.
 */
export function generateSecretKey(
  material: Uint8Array,
  info: Uint8Array = emptyBytes,
): Uint8Array | undefined {
  const { keyMaterialBytesMin, keyMaterialBytesMax, keyInfoBytesMax } = bbsLimits;
  if (material.length < keyMaterialBytesMin || material.length > keyMaterialBytesMax) return undefined;
  if (info.length > keyInfoBytesMax) return undefined;
  const input = concatBytes(material, integerBytes(info.length, 2), info);
  const scalar = hashToScalar(input, tag(ciphersuiteId, 'KEYGEN_DST_'));
  input.fill(0);
  return scalar === 0n ? undefined : integerBytes(scalar, scalarBytes);
}
