/**
 * The fields of a protobuf message as they stand on the wire, read and written by hand: a test that listens to the
 * node should not depend on the node's own decoder, and one that writes nonsense needs to write any field it likes.
 */

export type FieldValue = bigint | Uint8Array;

/** The last value of every field; undefined when the bytes are no message of numbers and byte strings. */
export function readFields(bytes: Uint8Array): Map<number, FieldValue> | undefined {
  const fields = new Map<number, FieldValue>();
  let at = 0;
  const varint = (): bigint | undefined => {
    let value = 0n;
    for (let shift = 0n; shift < 70n && at < bytes.length; shift += 7n) {
      const byte = bytes[at++] as number;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    return undefined;
  };
  while (at < bytes.length) {
    const tag = varint();
    const value = varint();
    if (tag === undefined || value === undefined) return undefined;
    const [field, wireType] = [Number(tag >> 3n), tag & 7n];
    if (wireType === 0n) fields.set(field, value);
    else if (wireType === 2n && value <= BigInt(bytes.length - at)) {
      fields.set(field, bytes.subarray(at, at + Number(value)));
      at += Number(value);
    } else return undefined;
  }
  return fields;
}

export function writeVarint(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return [...bytes, Number(rest)];
}

export function writeFields(fields: Iterable<readonly [number, FieldValue]>): Uint8Array {
  const parts: number[] = [];
  for (const [field, value] of fields) {
    const isNumber = typeof value === 'bigint';
    parts.push(...writeVarint((BigInt(field) << 3n) | (isNumber ? 0n : 2n)));
    parts.push(...(isNumber ? writeVarint(value) : [...writeVarint(BigInt(value.length)), ...value]));
  }
  return Uint8Array.from(parts);
}
