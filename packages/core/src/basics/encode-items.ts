/**
 * Many messages of a kind, each as bytes: views of one encoding of them all, because memory of its own costs a small
 * message several times what encoding it does. A view keeps the whole encoding alive, so this is for bytes that are
 * soon written and forgotten.
 */
import { type DescMessage, type MessageShape, toBinary } from '@bufbuild/protobuf';
import { BinaryReader } from '@bufbuild/protobuf/wire';

/** The items of a message that has no other field. */
export function encodeItems<List extends DescMessage>(
  schema: List,
  list: MessageShape<List> & { readonly items: readonly unknown[] },
): Uint8Array[] {
  const reader = new BinaryReader(toBinary(schema, list));
  return list.items.map(() => {
    reader.tag();
    return reader.bytes();
  });
}
