/**
 * Decodes one Snappy block, the compression LevelDB uses inside its tables: a length, then literals and copies
 * of what is already decoded. Only index blocks come this way, so clarity counts more than speed.
 */
import { ByteReader } from './level-bytes.ts';

const decodedBytesMax = 64 * 1024 * 1024;

/** Undefined when the block is malformed. */
export function decodeSnappy(block: Uint8Array): Uint8Array | undefined {
  const reader = new ByteReader(block);
  const length = reader.varint();
  if (length === undefined || length > decodedBytesMax) return undefined;
  const decoded = new Uint8Array(length);
  let at = 0;
  while (!reader.done) {
    const tag = reader.take(1)?.[0] ?? 0;
    const kind = tag & 3;
    if (kind === 0) {
      const literal = readLiteral(reader, tag);
      if (literal === undefined || at + literal.length > length) return undefined;
      decoded.set(literal, at);
      at += literal.length;
      continue;
    }
    const copied = kind === 1 ? ((tag >>> 2) & 7) + 4 : (tag >>> 2) + 1;
    const distance = readDistance(reader, tag);
    if (distance === undefined || distance === 0 || distance > at || at + copied > length) return undefined;
    // Byte by byte, because a copy may reach into what it is just writing.
    for (const end = at + copied; at < end; at++) decoded[at] = decoded[at - distance];
  }
  return at === length ? decoded : undefined;
}

function readLiteral(reader: ByteReader, tag: number): Uint8Array | undefined {
  const short = tag >>> 2;
  if (short < 60) return reader.take(short + 1);
  const length = littleEndian(reader.take(short - 59));
  return length === undefined ? undefined : reader.take(length + 1);
}

function readDistance(reader: ByteReader, tag: number): number | undefined {
  const kind = tag & 3;
  const low = littleEndian(reader.take(kind === 3 ? 4 : kind));
  if (low === undefined) return undefined;
  return kind === 1 ? (tag >>> 5) * 256 + low : low;
}

function littleEndian(bytes: Uint8Array | undefined): number | undefined {
  return bytes?.reduceRight((value, byte) => value * 256 + byte, 0);
}
