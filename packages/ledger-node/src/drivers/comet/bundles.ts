/**
 * Several transactions in one message between validators: what CometBFT does with a message, it does once for all of them.
 * A bundle is a list of envelopes and never stands in a block; to a program that knows none it is bytes that cannot be
 * read, because an envelope has no such field.
 */
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { decodeOrNothing } from '@symbolon/core/basics/host-fault';
import { cometLimits } from '../../limits/node-limits.ts';

/** No field of an envelope, so that neither is ever taken for the other. */
const listedField = 15;

export function encodeBundle(transactions: readonly Uint8Array[]): Uint8Array {
  const writer = new BinaryWriter();
  for (const bytes of transactions) writer.tag(listedField, WireType.LengthDelimited).bytes(bytes);
  return writer.finish();
}

/** The transactions of a bundle, each in memory of its own; undefined for other bytes, and for more than there may be. */
export function openBundle(bytes: Uint8Array): Uint8Array[] | undefined {
  if (bytes.length > cometLimits.bundleBytesMax) return undefined;
  return decodeOrNothing(() => {
    const reader = new BinaryReader(bytes);
    const transactions: Uint8Array[] = [];
    while (reader.pos < reader.len) {
      const [field, wireType] = reader.tag();
      if (field !== listedField || wireType !== WireType.LengthDelimited) return undefined;
      if (transactions.length === cometLimits.bundleTransactionsMax) return undefined;
      // One that waits long must not hold the memory of those that it came with.
      transactions.push(Uint8Array.from(reader.bytes()));
    }
    return transactions.length > 1 ? transactions : undefined;
  });
}
