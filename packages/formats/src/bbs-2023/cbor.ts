/**
 * The few forms of CBOR (RFC 8949) that proof values of bbs-2023 are written in, read strictly: shortest lengths only, no
 * member twice, nothing behind the end. One value so has one encoding, but for byte strings: published test vectors mark
 * them with tag 64, others do not, and both are read.
 */
import { concatBytes, decodeUtf8, encodeUtf8 } from '@symbolon/core/basics/bytes';

export type CborValue = number | string | Uint8Array | readonly CborValue[] | ReadonlyMap<number, number>;

const majorTypes = { integer: 0, bytes: 2, text: 3, array: 4, map: 5, tag: 6 } as const;

/** Bytes of type `uint8`, in the registry of tags. */
const byteArrayTag = 64;

function head(major: number, value: number): Uint8Array {
  if (value < 24) return Uint8Array.of((major << 5) | value);
  if (value < 0x100) return Uint8Array.of((major << 5) | 24, value);
  if (value < 0x10000) return Uint8Array.of((major << 5) | 25, value >> 8, value & 0xff);
  const bytes = new Uint8Array(5);
  bytes[0] = (major << 5) | 26;
  new DataView(bytes.buffer).setUint32(1, value);
  return bytes;
}

export function encodeCbor(value: CborValue): Uint8Array {
  if (typeof value === 'number') return head(majorTypes.integer, value);
  if (typeof value === 'string') {
    const bytes = encodeUtf8(value);
    return concatBytes(head(majorTypes.text, bytes.length), bytes);
  }
  if (value instanceof Uint8Array) return concatBytes(head(majorTypes.bytes, value.length), value);
  if (value instanceof Map) {
    const entries = [...value].toSorted(([left], [right]) => left - right);
    return concatBytes(head(majorTypes.map, entries.length), ...entries.flat().map((one) => encodeCbor(one)));
  }
  const items = value as readonly CborValue[];
  return concatBytes(head(majorTypes.array, items.length), ...items.map(encodeCbor));
}

/** The bytes are not CBOR of these forms. */
class CborError extends Error {
  override readonly name = 'CborError';
}

class CborReader {
  readonly #bytes: Uint8Array;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#offset === this.#bytes.length;
  }

  value(depthLeft: number): CborValue {
    const { major, argument } = this.#head();
    switch (major) {
      case majorTypes.integer:
        return argument;
      case majorTypes.bytes:
        return this.#take(argument).slice();
      case majorTypes.text:
        return decodeUtf8(this.#take(argument));
      case majorTypes.tag:
        return this.#tagged(argument);
      case majorTypes.array:
        return this.#items(argument, depthLeft);
      case majorTypes.map:
        return this.#map(argument);
      default:
        throw new CborError(`major type ${major}`);
    }
  }

  #tagged(tag: number): Uint8Array {
    const { major, argument } = this.#head();
    if (tag !== byteArrayTag || major !== majorTypes.bytes) throw new CborError(`tag ${tag}`);
    return this.#take(argument).slice();
  }

  #items(count: number, depthLeft: number): CborValue[] {
    if (depthLeft === 0) throw new CborError('nests too deep');
    this.#mustHold(count);
    return Array.from({ length: count }, () => this.value(depthLeft - 1));
  }

  #map(count: number): Map<number, number> {
    this.#mustHold(count);
    const map = new Map<number, number>();
    for (let entry = 0; entry < count; entry++) {
      const [key, value] = [this.value(0), this.value(0)];
      if (typeof key !== 'number' || typeof value !== 'number' || map.has(key))
        throw new CborError('a map that is not of different integers to integers');
      map.set(key, value);
    }
    return map;
  }

  #head(): { readonly major: number; readonly argument: number } {
    const [first = 0] = this.#take(1);
    const short = first & 0x1f;
    if (short < 24) return { major: first >> 5, argument: short };
    const width = short <= 26 ? 1 << (short - 24) : 0;
    if (width === 0) throw new CborError('a length of another form');
    const argument = this.#take(width).reduce((value, byte) => value * 256 + byte, 0);
    const least = width === 1 ? 24 : 256 ** (width / 2);
    if (argument < least) throw new CborError('a length that is not the shortest');
    return { major: first >> 5, argument };
  }

  /** Whether so many values can follow, a byte each at least: nobody makes room for what is not there. */
  #mustHold(count: number): void {
    if (count > this.#bytes.length - this.#offset) throw new CborError('a length beyond the end');
  }

  #take(length: number): Uint8Array {
    this.#mustHold(length);
    this.#offset += length;
    return this.#bytes.subarray(this.#offset - length, this.#offset);
  }
}

/** Of arrays in arrays: proof values have one inside another. */
const depthMax = 2;

/** The value of bytes; undefined for what is not exactly one value of these forms. */
export function decodeCbor(bytes: Uint8Array): CborValue | undefined {
  try {
    const reader = new CborReader(bytes);
    const value = reader.value(depthMax);
    return reader.isAtEnd ? value : undefined;
  } catch {
    return undefined;
  }
}
