/**
 * Ways to spoil the bytes of a protobuf message. Some know nothing of the format (bits, pieces, endings), some know
 * just enough to reach deep into a decoder: they find a field, at any depth, and change its number, its length, its
 * value or its place.
 */
import type { Random } from '../crash/seeded-random.ts';

/** A field as it stands in the bytes: tag, length if it has one, content. */
interface Field {
  readonly start: number;
  readonly tagEnd: number;
  readonly contentStart: number;
  readonly end: number;
  readonly wireType: number;
}

const depthMax = 6;
const fieldsMax = 200;

/** The end of the varint at a place, or -1 where there is none. */
function varintEnd(bytes: Uint8Array, at: number, end: number): number {
  for (let index = at; index < end && index < at + 10; index++) {
    if ((bytes[index] as number) < 0x80) return index + 1;
  }
  return -1;
}

function smallVarint(bytes: Uint8Array, at: number): number {
  let value = 0;
  for (let index = at, scale = 1; index < bytes.length; index++, scale *= 128) {
    const byte = bytes[index] as number;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) break;
  }
  return value;
}

/** Every field in a stretch of bytes, and those inside of it where they look like a message; at most so many. */
function findFields(
  bytes: Uint8Array,
  found: Field[],
  at: { start: number; end: number; depth: number },
): boolean {
  for (let start = at.start; start < at.end && found.length < fieldsMax; ) {
    const tagEnd = varintEnd(bytes, start, at.end);
    if (tagEnd < 0) return false;
    const wireType = (bytes[start] as number) & 7;
    const valueEnd = varintEnd(bytes, tagEnd, at.end);
    if (valueEnd < 0 || (wireType !== 0 && wireType !== 2)) return false;
    const end = wireType === 0 ? valueEnd : valueEnd + smallVarint(bytes, tagEnd);
    if (end > at.end) return false;
    const contentStart = wireType === 0 ? tagEnd : valueEnd;
    found.push({ start, tagEnd, contentStart, end, wireType });
    if (wireType === 2 && at.depth < depthMax) {
      const before = found.length;
      if (!findFields(bytes, found, { start: contentStart, end, depth: at.depth + 1 })) found.length = before;
    }
    start = end;
  }
  return true;
}

/** The bytes with a stretch replaced. */
function replace(bytes: Uint8Array, start: number, end: number, by: ArrayLike<number>): Uint8Array {
  const changed = new Uint8Array(bytes.length - (end - start) + by.length);
  changed.set(bytes.subarray(0, start));
  changed.set(by, start);
  changed.set(bytes.subarray(end), start + by.length);
  return changed;
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  return [...bytes, rest];
}

/** Numbers at the edges of 32 and 64 bits, in forms that are right, too long and unfinished. */
const oddVarints: readonly (readonly number[])[] = [
  [0],
  [1],
  [0x7f],
  [0x80, 0x00],
  [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00],
  [0xff, 0xff, 0xff, 0xff, 0x07],
  [0xff, 0xff, 0xff, 0xff, 0x0f],
  [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
  [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
  [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
  [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
  [0x80],
];

/** Contents that are no text, or text with a meaning somewhere. */
const oddContents = [
  [],
  [0xff],
  [0xc0, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  ...['\0', '/', '((((', '1/0', '"', '__proto__', '\u{10ffff}', 'NaN', '9'.repeat(40), 'x'.repeat(5_000)].map(
    (text) => [...Buffer.from(text)],
  ),
];

type Mutation = (bytes: Uint8Array, random: Random, other: Uint8Array) => Uint8Array;

const pieces: readonly Mutation[] = [
  // Bits, one or a few.
  (bytes, random) => {
    const changed = bytes.slice();
    for (let flips = 1 + random.below(4); flips > 0 && changed.length > 0; flips--) {
      const at = random.below(changed.length);
      changed[at] = (changed[at] as number) ^ (1 << random.below(8));
    }
    return changed;
  },
  // The ending is lost.
  (bytes, random) => bytes.slice(0, random.below(bytes.length + 1)),
  // A piece of another blob, in the place of a piece of this one.
  (bytes, random, other) => {
    const start = random.below(bytes.length + 1);
    const end = start + random.below(Math.min(bytes.length - start, 40) + 1);
    const from = random.below(other.length + 1);
    return replace(bytes, start, end, other.subarray(from, from + random.below(60)));
  },
  // The head of one blob, the tail of another.
  (bytes, random, other) => {
    const tail = other.subarray(random.below(other.length + 1));
    return replace(bytes, random.below(bytes.length + 1), bytes.length, tail);
  },
  // Any bytes at all.
  (_bytes, random) => Uint8Array.from({ length: random.below(64) }, () => random.below(256)),
];

type FieldMutation = (bytes: Uint8Array, field: Field, random: Random) => Uint8Array;

const fieldPieces: readonly FieldMutation[] = [
  // Another number, another kind.
  (bytes, { start, tagEnd }, random) =>
    replace(bytes, start, tagEnd, varint(random.below(random.chance(0.1) ? 2 ** 32 : 160))),
  // Another length, near or far.
  (bytes, { tagEnd, contentStart, wireType, end }, random) => {
    if (wireType === 0) return replace(bytes, tagEnd, end, random.pick(oddVarints));
    const near = Math.max(0, end - contentStart - 4 + random.below(9));
    return replace(bytes, tagEnd, contentStart, random.chance(0.7) ? varint(near) : random.pick(oddVarints));
  },
  // Another content, its length put right.
  (bytes, { tagEnd, wireType, end }, random) => {
    if (wireType === 0) return replace(bytes, tagEnd, end, varint(random.below(2 ** 31)));
    const content = random.pick(oddContents);
    return replace(bytes, tagEnd, end, [...varint(content.length), ...content]);
  },
  // Gone, twice, or somewhere else.
  (bytes, { start, end }) => replace(bytes, start, end, []),
  (bytes, { start, end }) => replace(bytes, end, end, bytes.slice(start, end)),
  (bytes, { start, end }, random) => {
    const without = replace(bytes, start, end, []);
    const at = random.below(without.length + 1);
    return replace(without, at, at, bytes.slice(start, end));
  },
];

/** One to three changes of a blob of the corpus. */
export function mutate(corpus: readonly Uint8Array[], random: Random): Uint8Array {
  let bytes = random.pick(corpus);
  for (let changes = 1 + (random.below(8) >> 1 === 0 ? random.below(3) : 0); changes > 0; changes--) {
    const fields: Field[] = [];
    if (random.chance(0.6)) findFields(bytes, fields, { start: 0, end: bytes.length, depth: 0 });
    bytes =
      fields.length > 0
        ? random.pick(fieldPieces)(bytes, random.pick(fields), random)
        : random.pick(pieces)(bytes, random, random.pick(corpus));
  }
  return bytes;
}
