/**
 * Transactions as validators hand them to each other: the serialized envelope, in its one encoding. Other bytes of the
 * same content are refused, so that nobody can send one transaction around in many spellings.
 */
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { encodeHex, equalBytes } from '@symbolon/core/basics/bytes';
import { decodeOrNothing } from '@symbolon/core/basics/host-fault';
import type { VerifiedTransaction } from '@symbolon/core/ledger/execution/apply-transaction';
import { countFields } from '@symbolon/core/ledger/terms/field-count';
import { envelopeOf, openTransaction, type SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import { transactionLimits } from '@symbolon/core/limits/consensus';
import { type Signature, TransactionEnvSchema } from '@symbolon/core/proto/ledger_pb';
import { sha256 } from '@symbolon/host/work/sha256';
import type { QueuedTransaction } from '../../queue/admission.ts';
import type { WaitingQueue } from '../../queue/waiting-queue.ts';

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

/** Of one that came in these bytes with these very signatures: they need not be made again. */
export function noteNetworkBytes({ verified }: QueuedTransaction, bytes: Uint8Array): void {
  encoded.set(verified, bytes);
}

/** The transaction that these bytes are; undefined for any others, and for more than a transaction may be. */
export function openNetworkBytes(bytes: Uint8Array): SignedTransaction | undefined {
  const { envelopeBytesMax, fieldsMax } = transactionLimits;
  if (bytes.length > envelopeBytesMax) return undefined;
  const fields = decodeOrNothing(() => countFields(bytes, TransactionEnvSchema, fieldsMax));
  if (fields === undefined || fields > fieldsMax) return undefined;
  const plain = decodeOrNothing(() => readPlainEnvelope(bytes));
  if (plain) {
    const signed = openWithSigners(plain.blob, plain.signatures);
    // Its parts in their order and in no byte more than they need: the one encoding.
    if (signed?.envelopeBytes === bytes.length) return signed;
  }
  return openAnyEnvelope(bytes);
}

/** By decoding and encoding it again. */
export function openAnyEnvelope(bytes: Uint8Array): SignedTransaction | undefined {
  const envelope = decodeOrNothing(() => fromBinary(TransactionEnvSchema, bytes));
  if (!envelope || envelope.trigger || envelope.$unknown) return undefined;
  const { transaction, signatures } = envelope;
  if (!equalBytes(toBinary(TransactionEnvSchema, envelope), bytes)) return undefined;
  if (signatures.some(({ $unknown }) => $unknown)) return undefined;
  return openWithSigners(transaction, signatures);
}

/** More signatures than a transaction may have are not verified, whoever hands them in. */
const openWithSigners = (
  blob: Uint8Array,
  signatures: readonly Signature[],
): SignedTransaction | undefined =>
  signatures.length > transactionLimits.signaturesMax ? undefined : openTransaction(blob, signatures, sha256);

interface PlainEnvelope {
  readonly blob: Uint8Array;
  readonly signatures: readonly Signature[];
}

/**
 * An envelope as almost all are: the transaction, then signatures by keys in plain letters. Undefined, or an error of the
 * reader, says that another look is needed, not that it is wrong.
 */
function readPlainEnvelope(bytes: Uint8Array): PlainEnvelope | undefined {
  const reader = new BinaryReader(bytes);
  if (!isField(reader, 1)) return undefined;
  const blob = reader.bytes();
  const signatures: Signature[] = [];
  while (reader.pos < reader.len) {
    if (!isField(reader, 2)) return undefined;
    const signature = readPlainSignature(reader.bytes());
    if (!signature) return undefined;
    signatures.push(signature);
  }
  return { blob, signatures };
}

function readPlainSignature(bytes: Uint8Array): Signature | undefined {
  const reader = new BinaryReader(bytes);
  if (!isField(reader, 1)) return undefined;
  const key = reader.bytes();
  for (const byte of key) if (byte >= 0x80) return undefined;
  if (!isField(reader, 2)) return undefined;
  const signData = reader.bytes();
  if (reader.pos !== reader.len) return undefined;
  const publicKey = Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1');
  return { $typeName: 'symbolon.ledger.v1.Signature', publicKey, signData };
}

function isField(reader: BinaryReader, number: number): boolean {
  const [field, wireType] = reader.tag();
  return field === number && wireType === WireType.LengthDelimited;
}

/** How the queue names the transaction of an envelope that begins with it, without reading it through. */
export function queueName(bytes: Uint8Array): string | undefined {
  return decodeOrNothing(() => {
    const reader = new BinaryReader(bytes);
    return isField(reader, 1) ? encodeHex(sha256(reader.bytes())) : undefined;
  });
}

/** The queued transaction that these are the very bytes of. */
export function findQueued(
  bytes: Uint8Array,
  queue: Pick<WaitingQueue<QueuedTransaction>, 'get'>,
  name = queueName(bytes),
): QueuedTransaction | undefined {
  const waiting = name === undefined ? undefined : queue.get(name);
  return waiting && equalBytes(networkBytes(waiting), bytes) ? waiting : undefined;
}
