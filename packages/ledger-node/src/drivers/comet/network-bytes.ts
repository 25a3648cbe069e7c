/**
 * Transactions as validators hand them to each other: the serialized envelope, in its one encoding. Other bytes of the
 * same content are refused, so that nobody can send one transaction around in many spellings.
 */
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { encodeHex, equalBytes } from '@symbolon/core/basics/bytes';
import { decodeOrNothing } from '@symbolon/core/basics/host-fault';
import type { VerifiedTransaction } from '@symbolon/core/ledger/execution/apply-transaction';
import { envelopeOf, openTransaction, type SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import { TransactionEnvSchema } from '@symbolon/core/proto/ledger_pb';
import { sha256 } from '@symbolon/host/work/sha256';
import type { QueuedTransaction } from '../../queue/admission.ts';

/** What CometBFT adds to each transaction of a block: a tag and its length. */
export const framedBytes = (length: number): number => length + 1 + Math.ceil((32 - Math.clz32(length)) / 7);

const encoded = new WeakMap<VerifiedTransaction, Uint8Array>();

/** Of a queued transaction, computed once. */
export function networkBytes({ verified }: QueuedTransaction): Uint8Array {
  const known = encoded.get(verified);
  if (known) return known;
  const bytes = toBinary(TransactionEnvSchema, envelopeOf(verified.signed));
  encoded.set(verified, bytes);
  return bytes;
}

/** The transaction that these bytes are; undefined for any others. */
export function openNetworkBytes(bytes: Uint8Array): SignedTransaction | undefined {
  const envelope = decodeOrNothing(() => fromBinary(TransactionEnvSchema, bytes));
  if (!envelope || envelope.trigger || envelope.$unknown) return undefined;
  const { transaction, signatures } = envelope;
  if (!equalBytes(toBinary(TransactionEnvSchema, envelope), bytes)) return undefined;
  if (signatures.some(({ $unknown }) => $unknown)) return undefined;
  return openTransaction(transaction, signatures, sha256);
}

/** How the queue names the transaction of an envelope, without reading it through. */
export function queueName(bytes: Uint8Array): string | undefined {
  const envelope = decodeOrNothing(() => fromBinary(TransactionEnvSchema, bytes));
  return envelope && encodeHex(sha256(envelope.transaction));
}
