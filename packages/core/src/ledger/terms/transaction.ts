/**
 * Signed transactions as bytes (docs/ledger.md, "Bytes"): decoding a blob of either layout, the hash, the envelope and
 * its size. The received bytes are what is hashed, verified and stored, never a re-encoding.
 */
import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { type Sha256, utf8Length } from '../../basics/bytes.ts';
import { decodeOrNothing } from '../../basics/host-fault.ts';
import { transactionLimits } from '../../limits/consensus.ts';
import {
  type Operation,
  OperationSchema,
  SetThresholdSchema,
  type Signature,
  type Transaction,
  type TransactionEnv,
  TransactionEnvSchema,
  TransactionSchema,
} from '../../proto/ledger_pb.ts';
import {
  type Operation as LegacyOperation,
  type Transaction as LegacyTransaction,
  TransactionSchema as LegacyTransactionSchema,
} from '../../proto/legacy_pb.ts';
import { countFields } from './field-count.ts';
import { stateKeys } from './state.ts';

/** A transaction as it was handed in: the blob, what it says, and who claims to have signed it. */
export interface SignedTransaction {
  readonly blob: Uint8Array;
  readonly hash: Uint8Array;
  readonly transaction: Transaction;
  readonly signatures: readonly Signature[];
  /** The length of its envelope: what its byte fee is computed from. */
  readonly envelopeBytes: number;
}

/** Binds a decoded blob and its signatures together; undefined when the blob is not a transaction. */
export function openTransaction(
  blob: Uint8Array,
  signatures: readonly Signature[],
  sha256: Sha256,
): SignedTransaction | undefined {
  const transaction = decodeTransaction(blob);
  if (!transaction) return undefined;
  return {
    blob,
    hash: sha256(blob),
    transaction,
    signatures,
    envelopeBytes: envelopeBytes(blob, signatures),
  };
}

/** A transaction that nobody has signed yet; undefined when it cannot be encoded so that it is read again. */
export const openUnsigned = (
  terms: MessageInitShape<typeof TransactionSchema>,
  sha256: Sha256,
): SignedTransaction | undefined =>
  openTransaction(encodeTransaction(create(TransactionSchema, terms)), [], sha256);

/** A transaction that a contract makes. Its texts were checked one by one, so that what is encoded is read the same. */
export function openTriggered(transaction: Transaction, sha256: Sha256): SignedTransaction {
  const blob = encodeTransaction(transaction);
  return { blob, hash: sha256(blob), transaction, signatures: [], envelopeBytes: envelopeBytes(blob, []) };
}

/** The same transaction in an envelope with these signatures. */
export const withSignatures = (
  signed: SignedTransaction,
  signatures: readonly Signature[],
): SignedTransaction => ({
  ...signed,
  signatures,
  envelopeBytes: envelopeBytes(signed.blob, signatures),
});

export const encodeTransaction = (transaction: Transaction): Uint8Array =>
  toBinary(TransactionSchema, transaction);

/** Either layout; undefined for anything malformed, an unknown field included. */
export function decodeTransaction(blob: Uint8Array): Transaction | undefined {
  // The decoder throws on truncated, overlong and wrongly typed input; all of it is "not a transaction".
  return decodeOrNothing(() => {
    const isLegacy = isLegacyLayout(blob);
    if (fieldsOf(blob, isLegacy) > transactionLimits.fieldsMax) return undefined;
    if (isLegacy) {
      const legacy = fromBinary(LegacyTransactionSchema, blob);
      return hasUnknownField(legacy) ? undefined : modernize(legacy);
    }
    const transaction = fromBinary(TransactionSchema, blob);
    return hasUnknownField(transaction) ? undefined : transaction;
  });
}

const fieldsOf = (blob: Uint8Array, isLegacy: boolean): number =>
  countFields(blob, isLegacy ? LegacyTransactionSchema : TransactionSchema, transactionLimits.fieldsMax);

/** Of a transaction that was read, so that a block can be kept to what its readers can read in time. */
export const countTransactionFields = ({ blob }: Pick<SignedTransaction, 'blob'>): number =>
  fieldsOf(blob, isLegacyLayout(blob));

export function envelopeOf(signed: Pick<SignedTransaction, 'blob' | 'signatures'>): TransactionEnv {
  return create(TransactionEnvSchema, { transaction: signed.blob, signatures: [...signed.signatures] });
}

/**
 * The state keys of the accounts that a transaction names: what executing it will read, as far as can be told before.
 */
export const accountKeysOf = ({ sourceAddress, operations }: Transaction): string[] =>
  [sourceAddress, ...operations.flatMap(accountsNamedBy)].filter(Boolean).map(stateKeys.account);

const accountsNamedBy = ({ sourceAddress, createAccount, payAsset, payCoin }: Operation): string[] => [
  sourceAddress,
  createAccount?.destAddress ?? '',
  payAsset?.destAddress ?? '',
  payCoin?.destAddress ?? '',
];

/** The length of the envelope's encoding, computed without encoding it, because every submission asks for it. */
function envelopeBytes(blob: Uint8Array, signatures: readonly Signature[]): number {
  let bytes = fieldBytes(blob.length);
  for (const { publicKey, signData } of signatures) {
    const length = fieldBytes(utf8Length(publicKey)) + fieldBytes(signData.length);
    // In a list even an empty one stands.
    bytes += 1 + varintBytes(length) + length;
  }
  return bytes;
}

/** A field's tag, length and content; an empty field is left out. */
const fieldBytes = (length: number): number => (length === 0 ? 0 : 1 + varintBytes(length) + length);

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes++;
  return bytes;
}

/**
 * A transaction needs an operation, so the wire types of fields 4 and 7 tell the layouts apart: operations
 * are 4 in ours and 7 in the older one, where 4 is a number.
 */
function isLegacyLayout(blob: Uint8Array): boolean {
  const reader = new BinaryReader(blob);
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === 4) return wireType === WireType.Varint;
    if (field === 7) return wireType === WireType.LengthDelimited;
    reader.skip(wireType, field);
  }
  return false;
}

function modernize(legacy: LegacyTransaction): Transaction {
  const { $typeName: _, operations, ...fields } = legacy;
  return create(TransactionSchema, { ...fields, operations: operations.map(modernizeOperation) });
}

function modernizeOperation(legacy: LegacyOperation) {
  const { $typeName: _, setThreshold, ...fields } = legacy;
  return create(OperationSchema, {
    ...fields,
    setThreshold: setThreshold && create(SetThresholdSchema, { ...setThreshold, $typeName: undefined }),
  });
}

/** Unknown fields would be signed but understood by nobody, so a blob that has any is refused. */
function hasUnknownField(message: object): boolean {
  for (const name of Object.keys(message)) {
    if (name === '$unknown') return true;
    const value = (message as Record<string, unknown>)[name];
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) continue;
    if (Array.isArray(value) ? value.some(isMessageWithUnknownField) : hasUnknownField(value)) return true;
  }
  return false;
}

const isMessageWithUnknownField = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && hasUnknownField(value);
