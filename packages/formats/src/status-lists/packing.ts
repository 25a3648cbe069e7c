/**
 * Packed bytes, by the streams that browsers and Node bring along. Unpacking stops at a bound: a small text can come to
 * gigabytes.
 */
import type { Complaint } from '@symbolon/core/attributes/attribute-formats';
import { concatBytes } from '@symbolon/core/basics/bytes';
import { isHostFault } from '@symbolon/core/basics/host-fault';

/** zlib (RFC 1950) is what Token Status Lists want, gzip (RFC 1952) what Bitstring ones do. */
export type Packing = 'zlib' | 'gzip';
const streamNames = { zlib: 'deflate', gzip: 'gzip' } as const;

const sourceOf = (bytes: Uint8Array): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(Uint8Array.from(bytes));
      controller.close();
    },
  });

/** Nothing where there are more bytes than that. Read piece by piece, because not every browser iterates over streams. */
async function readAll(
  stream: ReadableStream<Uint8Array>,
  bytesMax: number,
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return concatBytes(...parts);
    length += value.length;
    if (length > bytesMax) {
      await reader.cancel();
      return undefined;
    }
    parts.push(value);
  }
}

export async function pack(bytes: Uint8Array, packing: Packing): Promise<Uint8Array> {
  const packed = sourceOf(bytes).pipeThrough(new CompressionStream(streamNames[packing]));
  return (await readAll(packed, Number.POSITIVE_INFINITY)) as Uint8Array;
}

export async function unpack(
  bytes: Uint8Array,
  { packing, bytesMax }: { readonly packing: Packing; readonly bytesMax: number },
): Promise<{ readonly bytes: Uint8Array } | Complaint> {
  const unpacked = sourceOf(bytes).pipeThrough(new DecompressionStream(streamNames[packing]));
  try {
    const read = await readAll(unpacked, bytesMax);
    return read ? { bytes: read } : { complaint: 'the list is too long' };
  } catch (error) {
    // A stream says with a type error that bytes are not packed as they should be.
    if (isHostFault(error)) throw error;
    return { complaint: `the list is not packed by ${packing}` };
  }
}
