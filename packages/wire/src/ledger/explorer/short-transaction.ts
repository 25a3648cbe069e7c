/** A transaction as lists show it: who, what and how it ended, without a second question. Strangers' texts are cut. */
import { encodeHex } from '@symbolon/core/basics/bytes';
import { explorerQueryLimits as limits } from '@symbolon/core/limits/requests';
import type { AssetKey, Operation, Transaction, TransactionEnvStore } from '@symbolon/core/proto/ledger_pb';
import { type JsonObject, jsonInteger } from '../../json/json.ts';

export interface ShortView {
  readonly record: TransactionEnvStore;
  readonly transaction: Transaction;
  /** Its place among the records of its block. */
  readonly index: number;
  readonly bytes: number;
  /** Whether an operation went to an account with code. */
  callsContract(address: string): boolean;
}

export function shortTransaction(view: ShortView): JsonObject {
  const { record, transaction, index, bytes } = view;
  const { operations } = transaction;
  const trigger = record.transactionEnv?.trigger?.transaction;
  return {
    hash: encodeHex(record.hash),
    ledger_seq: jsonInteger(record.ledgerSeq),
    index,
    close_time: jsonInteger(record.closeTime),
    source_address: transaction.sourceAddress,
    nonce: jsonInteger(transaction.nonce),
    error_code: record.errorCode,
    actual_fee: jsonInteger(record.actualFee),
    tx_size: bytes,
    signature_count: record.transactionEnv?.signatures.length ?? 0,
    triggered_count: record.contractTxHashes.length,
    ...(trigger ? { triggered_by: encodeHex(trigger.hash) } : {}),
    operation_count: operations.length,
    operations: operations
      .slice(0, limits.shortOperationsMax)
      .map((operation) => shortOperation(operation, view)),
  };
}

function shortOperation(operation: Operation, view: ShortView): JsonObject {
  const short: JsonObject = { type: operation.type };
  let isCut = false;
  const put = (name: string, text: string | undefined): void => {
    if (!text) return;
    const cut = cutText(text, limits.shortTextCharsMax);
    isCut ||= cut.length < text.length;
    short[name] = cut;
  };
  const destination = destinationOf(operation);
  put('source_address', operation.sourceAddress);
  put('dest_address', destination);
  const { createAccount, issueAsset, payAsset, payCoin, setMetadata, log } = operation;
  const amount =
    payCoin?.amount ?? payAsset?.asset?.amount ?? issueAsset?.amount ?? createAccount?.initBalance;
  if (amount !== undefined) short.amount = jsonInteger(amount);
  const asset = payAsset?.asset?.key;
  if (asset) short.asset = assetToJson(asset);
  put('code', issueAsset?.code);
  put('key', setMetadata?.key);
  put('topic', log?.topic);
  put('input', payCoin?.input || payAsset?.input || createAccount?.initInput);
  if (setMetadata?.deleteFlag) short.is_deletion = true;
  if (createAccount?.contract?.payload) short.creates_contract = true;
  if ((payCoin || payAsset) && destination && view.callsContract(destination)) short.calls_contract = true;
  if (isCut) short.is_cut = true;
  return short;
}

/** Whom an operation is about, besides its source. */
export const destinationOf = ({ createAccount, payAsset, payCoin, upgradeContract }: Operation) =>
  createAccount?.destAddress || payAsset?.destAddress || payCoin?.destAddress || upgradeContract?.destAddress;

export const assetToJson = ({ code, issuer }: Pick<AssetKey, 'code' | 'issuer'>): JsonObject => ({
  code: cutText(code, limits.shortTextCharsMax),
  issuer: cutText(issuer, limits.shortTextCharsMax),
});

/** The beginning of a text; never half of a character that takes two units. */
export function cutText(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const last = text.charCodeAt(charsMax - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? charsMax - 1 : charsMax);
}
