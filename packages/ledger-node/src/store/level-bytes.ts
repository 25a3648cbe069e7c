/**
 * The byte-level vocabulary of LevelDB's files: CRC-32C as LevelDB stores it, variable-length integers, and a
 * reader that answers `undefined` past the end instead of throwing. Used only to check files before LevelDB,
 * which does not check them, opens them.
 */
import { crc32c as castagnoli } from '@node-rs/crc32';

/** CRC-32C of the bytes from `start` up to `end`. */
export const crc32c = (bytes: Uint8Array, start: number, end: number): number =>
  castagnoli(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start));

/** LevelDB stores a checksum rotated and shifted, so that data holding checksums stays checkable. */
export function maskCrc(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

export function readUint32(bytes: Uint8Array, at: number): number {
  return (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
}

/** Reads forward; every answer is undefined once something did not fit. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** How far it has read. */
  get at(): number {
    return this.#at;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** A variable-length integer; beyond 2^53 it loses low digits, which no file number or offset reaches. */
  varint(): number | undefined {
    let value = 0;
    for (let shift = 0; shift < 64; shift += 7) {
      if (this.done) return undefined;
      const byte = this.#bytes[this.#at++];
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    return undefined;
  }

  take(length: number): Uint8Array | undefined {
    if (length > this.#bytes.length - this.#at) return undefined;
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  /** Bytes preceded by their length. */
  slice(): Uint8Array | undefined {
    const length = this.varint();
    return length === undefined ? undefined : this.take(length);
  }
}
