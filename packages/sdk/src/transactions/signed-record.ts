/**
 * What a node says became of a transaction, against the bytes that were signed. A node may show anything under a hash;
 * whether and when the transaction was executed stays its word (`receipts.ts`).
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { type NetworkProfile, zetrixProfile } from '@symbolon/core/keys/profile';
import { encodeTransaction, type SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import type { JsonValue } from '@symbolon/wire/json/json';
import { isReadError } from '@symbolon/wire/json/message-json';
import { transactionFromRecord, transactionToJson } from '@symbolon/wire/ledger/transaction-json';
import { differingMembers } from '../comparison/order-comparison.ts';
import { SdkError } from '../errors/errors.ts';
import { logMember } from '../ledger/did-history.ts';
import type { Receipt } from '../ledger/receipts.ts';
import { transactionOfRecord } from './transaction-sentence.ts';

/** Throws `notAsOrdered` where the record under the transaction's hash cannot be its record. */
export function assertAsSigned(
  { record, hash, actualFee }: Receipt,
  { transaction }: SignedTransaction,
): void {
  const shown = transactionOfRecord(record);
  const rootMember = shown ? '' : wrongInRecord(record);
  const compared = { rootMember, derivedFrom: { 'operations[0].set_metadata.value.version': logMember } };
  const members = differingMembers(
    transactionToJson(transaction),
    shown && transactionToJson(shown),
    compared,
  );
  if (members.length > 0) throw notAsSigned(hash, members);
  if (actualFee < 0n || actualFee > transaction.feeLimit) throw notAsSigned(hash, ['actual_fee']);
}

/** Where a record stops being one of a transaction. */
function wrongInRecord(record: { readonly transaction?: unknown }): string {
  const read = transactionFromRecord(record.transaction as JsonValue | undefined);
  return isReadError(read) && read.path !== '' ? `transaction.${read.path}` : 'transaction';
}

function notAsSigned(transactionHash: string, members: readonly string[]): SdkError {
  const message = `what the node shows as transaction ${transactionHash} is not what was signed`;
  const hint = 'What was signed was sent, and nothing else. Ask another node what became of this hash.';
  return new SdkError('notAsOrdered', message, { hint, transactionHash, members });
}

/**
 * Whether what a node shows makes up the hash it is shown under. No also for transactions in an older or another
 * encoding than ours, of which only the bytes could tell.
 */
export function isShownAsHashed(record: { readonly hash: string; readonly transaction?: unknown }): boolean {
  const transaction = transactionOfRecord(record);
  return transaction !== undefined && encodeHex(sha256(encodeTransaction(transaction))) === record.hash;
}

/**
 * The address of the contract that an operation of this transaction creates: it follows from source, nonce and place.
 */
export function createdContract(
  { sourceAddress, nonce, operations }: Transaction,
  operationIndex = 0,
  profile: NetworkProfile = zetrixProfile,
): string {
  if (operations[operationIndex]?.createAccount?.contract?.payload)
    return createKeyFormat(profile, sha256).addressOfText(`${sourceAddress}-${nonce}-${operationIndex}`);
  const hint = 'Name the place of the operation that creates it, from 0.';
  throw new SdkError('invalidArgument', 'this operation creates no contract', { hint });
}
