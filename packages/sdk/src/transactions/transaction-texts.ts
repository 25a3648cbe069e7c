/**
 * What a text is that somebody pastes: a transaction in one of its forms, or something that belongs to one. Read here,
 * without a node, so that whoever is about to sign need not believe one. No text is repeated: it may be a key.
 */
import { fromBinary } from '@bufbuild/protobuf';
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex, parseBase64, parseHex } from '@symbolon/core/basics/bytes';
import { decodeOrNothing } from '@symbolon/core/basics/host-fault';
import { parseLedgerDid } from '@symbolon/core/did/did';
import {
  encodeTransaction,
  openTransaction,
  type SignedTransaction,
} from '@symbolon/core/ledger/terms/transaction';
import { transactionLimits } from '@symbolon/core/limits/consensus';
import { type Signature, type Transaction, TransactionEnvSchema } from '@symbolon/core/proto/ledger_pb';
import { isJsonObject, type JsonObject, type JsonValue, parseJsonOrNothing } from '@symbolon/wire/json/json';
import { isReadError } from '@symbolon/wire/json/message-json';
import { transactionFromRecord } from '@symbolon/wire/ledger/transaction-json';
import { readSubmit } from '@symbolon/wire/ledger/transaction-requests';
import { usualKeyFormat } from '../keys/usual-keys.ts';

/** In which form a transaction was given. */
export type TransactionForm = 'hex' | 'base64' | 'json' | 'item';

export type ReadText =
  | { readonly kind: 'transaction'; readonly form: TransactionForm; readonly signed: SignedTransaction }
  /** Of a transaction or of a block. */
  | { readonly kind: 'hash'; readonly hash: string }
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'publicKey'; readonly address: string }
  | { readonly kind: 'did'; readonly address: string }
  | { readonly kind: 'signature' }
  /** Nobody should paste one; nothing of it is kept. */
  | { readonly kind: 'privateKey' }
  /** `problem` is what is wrong with JSON that is meant to be a transaction. */
  | { readonly kind: 'unknown'; readonly problem?: string };

/** Hex takes two characters a byte; signatures and names take some more. */
const textCharsMax = 2 * transactionLimits.envelopeBytesMax + 262_144;

export function readTransactionText(given: string): ReadText {
  const text = given.trim();
  if (text === '' || text.length > textCharsMax) return { kind: 'unknown' };
  return readName(text) ?? readBytes(text) ?? readJson(text);
}

function readName(text: string): ReadText | undefined {
  const keys = usualKeyFormat;
  if (keys.isAddress(text)) return { kind: 'address', address: text };
  const signer = keys.signerOf(text);
  if (signer) return { kind: 'publicKey', address: signer.address };
  const didKey = parseLedgerDid(text, keys.profile);
  if (didKey) return { kind: 'did', address: keys.addressOf(didKey) };
  if (keys.parsePrivateKey(text)) return { kind: 'privateKey' };
  if (/^[0-9a-f]{64}$/i.test(text)) return { kind: 'hash', hash: text.toLowerCase() };
  return /^[0-9a-f]{128}$/i.test(text) ? { kind: 'signature' } : undefined;
}

function readBytes(text: string): ReadText | undefined {
  const compact = text.replaceAll(/\s/g, '');
  const isHex = /^([0-9a-f]{2})+$/i.test(compact);
  const bytes = isHex ? parseHex(compact.toLowerCase()) : parseBase64(compact);
  const signed = bytes && (openTransactionBlob(bytes) ?? openEnvelope(bytes));
  return signed && { kind: 'transaction', form: isHex ? 'hex' : 'base64', signed };
}

/** A blob of a transaction with signatures over it; undefined for what is none. */
export const openTransactionBlob = (
  blob: Uint8Array,
  signatures: readonly Signature[] = [],
): SignedTransaction | undefined => {
  const signed = openTransaction(blob, signatures, sha256);
  // Any few bytes decode to something; a transaction has a source.
  return signed && signed.transaction.sourceAddress !== '' ? signed : undefined;
};

/** What would be signed; undefined where it cannot be encoded so that it is read again. */
export const openMade = (transaction: Transaction): SignedTransaction | undefined =>
  decodeOrNothing(() => openTransactionBlob(encodeTransaction(transaction)));

function openEnvelope(bytes: Uint8Array): SignedTransaction | undefined {
  const envelope = decodeOrNothing(() => fromBinary(TransactionEnvSchema, bytes));
  return envelope && openTransactionBlob(envelope.transaction, envelope.signatures);
}

function readJson(text: string): ReadText {
  const value = parseJsonOrNothing(text);
  if (!isJsonObject(value)) return { kind: 'unknown' };
  if (typeof value.transaction_blob === 'string') return readItem(value);
  const inside = [value.transaction, value.transaction_json, value.transfer].find(isJsonObject) ?? value;
  const transaction = transactionFromRecord(inside);
  if (isReadError(transaction)) return { kind: 'unknown', problem: problemText(transaction) };
  const signed = openMade(transaction);
  return signed ? { kind: 'transaction', form: 'json', signed } : { kind: 'unknown' };
}

const problemText = ({ path, error }: { readonly path: string; readonly error: string }): string =>
  path === '' ? error : `${path}: ${error.replace(`${path}: `, '')}`;

function readItem(item: JsonObject): ReadText {
  const signed = openItem(item);
  return signed ? { kind: 'transaction', form: 'item', signed } : { kind: 'unknown' };
}

/** An item of `submitTransaction`, with signatures or without: the form in which transactions go from one machine to another. */
export function openItem(item: JsonValue | undefined): SignedTransaction | undefined {
  if (!isJsonObject(item) || typeof item.transaction_blob !== 'string') return undefined;
  if (!Array.isArray(item.signatures) || item.signatures.length === 0) {
    const blob = parseHex(item.transaction_blob);
    return blob && openTransactionBlob(blob);
  }
  const request = readSubmit({}, { items: [item] });
  const submission = 'items' in request ? request.items[0] : undefined;
  return submission?.kind === 'signed'
    ? openTransactionBlob(submission.blob, submission.signatures)
    : undefined;
}

/** The same item, for other machines; it holds no secret. */
export const transactionItem = ({
  blob,
  signatures,
}: Pick<SignedTransaction, 'blob' | 'signatures'>): JsonObject => ({
  transaction_blob: encodeHex(blob),
  signatures: signatures.map(({ publicKey, signData }) => ({
    public_key: publicKey,
    sign_data: encodeHex(signData),
  })),
});
