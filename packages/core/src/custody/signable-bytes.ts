/**
 * What bytes that somebody wants signed are to a ledger: a transaction, something that may pass for one elsewhere, or
 * plain data. A key in custody signs transactions under its policy and data as messages; whatever lies between is
 * signed under no name at all, because another decoder than ours might read an order to pay in it.
 */
import { fromBinary } from '@bufbuild/protobuf';
import { parseHex } from '../basics/bytes.ts';
import { decodeTransaction } from '../ledger/terms/transaction.ts';
import { type Transaction, TransactionSchema } from '../proto/ledger_pb.ts';
import { TransactionSchema as LegacyTransactionSchema } from '../proto/legacy_pb.ts';

export type SignableBytes =
  | { readonly kind: 'transaction'; readonly transaction: Transaction }
  /** No transaction to the letter, but a decoder that minds less would find a source or operations in it. */
  | { readonly kind: 'dubious' }
  | { readonly kind: 'data' };

export function classifyBytes(bytes: Uint8Array): SignableBytes {
  const transaction = decodeTransaction(bytes);
  const isEmpty = !transaction || (transaction.sourceAddress === '' && transaction.operations.length === 0);
  if (transaction && !isEmpty) return { kind: 'transaction', transaction };
  return { kind: mayPass(bytes) ? 'dubious' : 'data' };
}

/** Whether a text may be signed as a message: neither its bytes nor the bytes it spells in hex may pay anybody. */
export function isPlainMessage(text: string, bytes: Uint8Array): boolean {
  const spelled = text === '' ? undefined : parseHex(text.trim());
  return [bytes, spelled].every((form) => form === undefined || classifyBytes(form).kind === 'data');
}

function mayPass(bytes: Uint8Array): boolean {
  for (const schema of [TransactionSchema, LegacyTransactionSchema]) {
    try {
      const { sourceAddress, operations } = fromBinary<
        typeof TransactionSchema | typeof LegacyTransactionSchema
      >(schema, bytes);
      if (sourceAddress !== '' || operations.length > 0) return true;
    } catch {
      // Not even the shape of a message of this kind.
    }
  }
  return false;
}
