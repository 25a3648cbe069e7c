/**
 * The checksum every stored row carries: CRC-32 over the key's length, the key and the value, in four bytes
 * after the value. LevelDB reads its tables without checking their checksums, so this is what stands between
 * a flipped bit and a wrong balance.
 */
import { crc32 } from 'node:zlib';

const checksumBytes = 4;
/** Holds almost every row; a longer one gets bytes of its own. */
const roomBytes = 64 * 1024;

/**
 * Adds checksums to rows one after the other, each in the place of the one before: LevelDB copies what it is given, and
 * handing it small arrays of their own would cost more than all the rest of a write.
 */
export class RowChecksums {
  readonly #room = new Uint8Array(roomBytes);

  /** Both parts are valid until the next call. */
  add(key: Uint8Array, value: Uint8Array): { key: Uint8Array; value: Uint8Array } {
    const end = key.length + value.length;
    const row = end + checksumBytes <= roomBytes ? this.#room : new Uint8Array(end + checksumBytes);
    row.set(key);
    row.set(value, key.length);
    // The length as the starting value keeps a byte from moving between key and value unnoticed.
    const crc = crc32(row.subarray(0, end), key.length);
    row[end] = crc >>> 24;
    row[end + 1] = crc >>> 16;
    row[end + 2] = crc >>> 8;
    row[end + 3] = crc;
    return { key: row.subarray(0, key.length), value: row.subarray(key.length, end + checksumBytes) };
  }
}

/** The value inside, as a view of `stored`; undefined when the checksum is wrong. */
export function valueOfRow(key: Uint8Array, stored: Uint8Array): Uint8Array | undefined {
  const length = stored.length - checksumBytes;
  if (length < 0) return undefined;
  // A plain Uint8Array even where the bytes come as a Buffer: a Buffer's slice() would share memory.
  const value = new Uint8Array(stored.buffer, stored.byteOffset, length);
  const crc =
    (stored[length] << 24) | (stored[length + 1] << 16) | (stored[length + 2] << 8) | stored[length + 3];
  return crc >>> 0 === crc32(value, crc32(key, key.length)) ? value : undefined;
}
