/**
 * How many fields stand in the bytes of a message and of the messages in it, told without making objects of them: two
 * bytes make an object of a hundred, so whoever decodes the bytes of a stranger counts first.
 */
import type { DescMessage } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

const inner = new WeakMap<DescMessage, ReadonlyMap<number, DescMessage>>();

/** The fields of a message that are messages themselves. */
function messagesIn(schema: DescMessage): ReadonlyMap<number, DescMessage> {
  const known = inner.get(schema);
  if (known) return known;
  const found = new Map(
    schema.fields.flatMap(({ number, message }) => (message ? [[number, message] as const] : [])),
  );
  inner.set(schema, found);
  return found;
}

/** Stops at one more than `max`. Throws, as decoding does, where the bytes cannot be read. */
export function countFields(bytes: Uint8Array, schema: DescMessage, max: number): number {
  let count = 0;
  const countIn = (part: Uint8Array, of: DescMessage): void => {
    const messages = messagesIn(of);
    const reader = new BinaryReader(part);
    while (reader.pos < reader.len && count <= max) {
      const [field, wireType] = reader.tag();
      const message = wireType === WireType.LengthDelimited ? messages.get(field) : undefined;
      count++;
      if (message) countIn(reader.bytes(), message);
      else reader.skip(wireType, field);
    }
  };
  countIn(bytes, schema);
  return count;
}
