/** The bytes of a transaction by what they say: each field of its message with its tag, in hex. Pure. */
import { encodeHex } from '@symbolon/core/basics/bytes';

export type BlobPartName = 'source' | 'nonce' | 'fee' | 'operation' | 'other';

export interface BlobPart {
  readonly name: BlobPartName;
  readonly hex: string;
}

/** Numbers of the fields of the message `Transaction`. */
const names: Readonly<Record<number, BlobPartName>> = {
  1: 'source',
  2: 'nonce',
  4: 'operation',
  6: 'fee',
  7: 'fee',
};

/** All of it is one part where it is of another layout. */
export function blobParts(blob: Uint8Array): readonly BlobPart[] {
  const parts: BlobPart[] = [];
  let at = 0;
  while (at < blob.length) {
    const tag = varint(blob, at);
    const value = tag && varint(blob, tag.next);
    const kind = tag && tag.value & 7;
    if (!tag || !value || (kind !== 0 && kind !== 2)) return [{ name: 'other', hex: encodeHex(blob) }];
    const end = kind === 2 ? value.next + value.value : value.next;
    if (end > blob.length) return [{ name: 'other', hex: encodeHex(blob) }];
    parts.push({ name: names[tag.value >> 3] ?? 'other', hex: encodeHex(blob.subarray(at, end)) });
    at = end;
  }
  return parts;
}

/** Lengths are small; of large numbers only where they end matters. */
function varint(bytes: Uint8Array, start: number): { value: number; next: number } | undefined {
  let value = 0;
  for (let at = start; at < bytes.length && at < start + 10; at += 1) {
    const byte = bytes[at] as number;
    value += (byte & 127) * 2 ** (7 * (at - start));
    if (byte < 128) return { value, next: at + 1 };
  }
  return undefined;
}
