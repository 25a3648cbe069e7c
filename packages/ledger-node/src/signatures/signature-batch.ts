/**
 * Many signatures in one block of bytes, because what costs between threads is the message, not its length: `count
 * (4)`, the length of each message (4 each), then `public key ‖ signature ‖ message` for each.
 */
import { assert } from '@symbolon/core/basics/assert';
import { publicKeyBytes, signatureBytes, verifyLedgerSignature } from './ed25519.ts';

export interface SignedMessage {
  readonly publicKey: Uint8Array;
  readonly signature: Uint8Array;
  readonly message: Uint8Array;
}

const fixedBytes = publicKeyBytes + signatureBytes;

/** Keys and signatures must have their right lengths. */
export function packBatch(items: readonly SignedMessage[]): ArrayBuffer {
  const messageBytes = items.reduce((sum, { message }) => sum + message.length, 0);
  const batch = new ArrayBuffer(4 + items.length * (4 + fixedBytes) + messageBytes);
  const lengths = new DataView(batch);
  const bytes = new Uint8Array(batch);
  lengths.setUint32(0, items.length);
  let at = 4 + items.length * 4;
  for (const [index, { publicKey, signature, message }] of items.entries()) {
    assert(publicKey.length === publicKeyBytes && signature.length === signatureBytes, 'a whole signature');
    lengths.setUint32(4 + index * 4, message.length);
    bytes.set(publicKey, at);
    bytes.set(signature, at + publicKeyBytes);
    bytes.set(message, at + fixedBytes);
    at += fixedBytes + message.length;
  }
  return batch;
}

/** One byte for each signature of the batch: 1 when it is valid. */
export function verifyBatch(batch: ArrayBuffer): Uint8Array<ArrayBuffer> {
  const lengths = new DataView(batch);
  const bytes = new Uint8Array(batch);
  const verdicts = new Uint8Array(lengths.getUint32(0));
  let at = 4 + verdicts.length * 4;
  for (let index = 0; index < verdicts.length; index++) {
    const messageAt = at + fixedBytes;
    const end = messageAt + lengths.getUint32(4 + index * 4);
    const publicKey = bytes.subarray(at, at + publicKeyBytes);
    const signature = bytes.subarray(at + publicKeyBytes, messageAt);
    verdicts[index] = verifyLedgerSignature(publicKey, signature, bytes.subarray(messageAt, end)) ? 1 : 0;
    at = end;
  }
  return verdicts;
}
