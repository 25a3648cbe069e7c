/**
 * The checksum every stored row carries: CRC-32 over the key's length, the key and the value, in four bytes
 * after the value. LevelDB reads its tables without checking their checksums, so this is what stands between
 * a flipped bit and a wrong balance.
 */
import { crc32 } from 'node:zlib';

const sealBytes = 4;

function checksum(key: Uint8Array, value: Uint8Array): number {
  // The length as the starting value keeps a byte from moving between key and value unnoticed.
  return crc32(value, crc32(key, key.length));
}

export function sealRow(key: Uint8Array, value: Uint8Array): Uint8Array {
  const sealed = new Uint8Array(value.length + sealBytes);
  sealed.set(value);
  const crc = checksum(key, value);
  sealed[value.length] = crc >>> 24;
  sealed[value.length + 1] = crc >>> 16;
  sealed[value.length + 2] = crc >>> 8;
  sealed[value.length + 3] = crc;
  return sealed;
}

/** The value inside, as a view of `sealed`; undefined when the seal is broken. */
export function unsealRow(key: Uint8Array, sealed: Uint8Array): Uint8Array | undefined {
  const length = sealed.length - sealBytes;
  if (length < 0) return undefined;
  // A plain Uint8Array even where the bytes come as a Buffer: a Buffer's slice() would share memory.
  const value = new Uint8Array(sealed.buffer, sealed.byteOffset, length);
  const crc =
    (sealed[length] << 24) | (sealed[length + 1] << 16) | (sealed[length + 2] << 8) | sealed[length + 3];
  return crc >>> 0 === checksum(key, value) ? value : undefined;
}
