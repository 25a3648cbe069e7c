/** Transactions in words: one sentence first, the reason before it where one failed, then the facts. */
import { readFailure } from '@symbolon/contract-kit/failure-description';
import { decodeUtf8, encodeHex } from '@symbolon/core/basics/bytes';
import { decodeOrNothing } from '@symbolon/core/basics/host-fault';
import { given } from '@symbolon/core/basics/plain-values';
import type { SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import { plainText } from '@symbolon/sdk/arguments/foreign-texts';
import type { ExecutedTransaction } from '@symbolon/sdk/ledger/receipts';
import { isShownAsHashed } from '@symbolon/sdk/transactions/signed-record';
import { describeTransaction, transactionOfRecord } from '@symbolon/sdk/transactions/transaction-sentence';
import { type JsonObject, stringifyJson } from '@symbolon/wire/json/json';
import { transactionToJson } from '@symbolon/wire/ledger/transaction-json';
import type { AccountNames } from '../../profile/account-names.ts';
import { keyFormat } from '../../profile/key-format.ts';
import { fieldLines, sentenceLines } from '../../terminal/layout.ts';
import { type Terminal, toned } from '../../terminal/terminal.ts';
import { bothUnits, timeOfMicros } from '../../transactions/sending.ts';

const reasonCharactersMax = 500;
const operationCharactersMax = 2_000;

export interface ExecutedFacts {
  readonly record: ExecutedTransaction;
  readonly names: AccountNames;
  /** The line of code that failed, as the contract has it today: the ledger records its number alone. */
  readonly failedLine?: string | undefined;
}

export const sentenceOf = (record: { readonly transaction?: unknown }, names: AccountNames): string => {
  const transaction = transactionOfRecord(record);
  return transaction
    ? describeTransaction(transaction, names)
    : 'A transaction that this version cannot read.';
};

/** Whoever reads what a transaction did is told where that is the node's word alone. */
export function remarkOnContent(record: Parameters<typeof isShownAsHashed>[0], { remark }: Terminal): void {
  if (isShownAsHashed(record)) return;
  remark(
    'WARNING: What the node shows is not what its hash stands for, or is in another encoding than usual.',
  );
  remark("What the transaction did is the node's word: ask another node with --ledger <address>.");
}

export function executedToJson({ record, names }: ExecutedFacts): JsonObject {
  return {
    transaction: record.hash,
    status: record.error_code === 0 ? 'executed' : 'failed',
    sentence: sentenceOf(record, names),
    isWhatWasSigned: isShownAsHashed(record),
    code: record.error_code,
    description: record.error_desc,
    block: record.ledger_seq,
    time: timeOfMicros(record.close_time),
    fee: record.actual_fee,
    ...failureToJson(record),
    record: record as JsonObject,
  };
}

/** What the record says of a contract that failed, in members of their own. */
function failureToJson({ error_code: code, error_desc: description }: ExecutedTransaction): JsonObject {
  const { contract, exception, line } = readFailure(code, description);
  return given({ contract, exception, line });
}

export function executedLines(facts: ExecutedFacts, terminal: Terminal): readonly string[] {
  const { record, names, failedLine } = facts;
  const { summary, contract, functions } = readFailure(record.error_code, record.error_desc);
  const hasFailed = record.error_code !== 0;
  const triggered = record.contract_tx_hashes?.length ?? 0;
  return [
    ...(hasFailed ? [toned(terminal, 'bad', `FAILED  ${plainText(summary, reasonCharactersMax)}`)] : []),
    ...(hasFailed ? ['It did nothing but cost its fee. This is what it was to do:'] : []),
    ...sentenceLines(terminal, toned(terminal, 'strong', sentenceOf(record, names))),
    ...fieldLines(terminal, {
      transaction: record.hash,
      block: record.ledger_seq,
      time: timeOfMicros(record.close_time),
      fee: bothUnits(BigInt(record.actual_fee)),
      'failed contract': contract && plainText(contract),
      'its code today': failedLine,
      'failed in':
        functions.length === 0
          ? undefined
          : functions.map(({ name, line }) => `${name}, line ${line}`).join('; called by '),
      triggered: triggered === 0 ? undefined : `${triggered} further transactions`,
      'caused by': record.trigger?.transaction.hash,
      ...termFields(transactionOfRecord(record)),
      'signed by': record.signatures?.map(({ public_key: key }) => signerOf(key)).join(', '),
    }),
  ];
}

export function signedToJson(signed: SignedTransaction, names: AccountNames): JsonObject {
  return {
    transaction: encodeHex(signed.hash),
    sentence: describeTransaction(signed.transaction, names),
    signedBy: signed.signatures.map(({ publicKey }) => signerOf(publicKey)),
    content: transactionToJson(signed.transaction),
  };
}

export function signedLines(
  signed: SignedTransaction,
  names: AccountNames,
  terminal: Terminal,
): readonly string[] {
  const { hash, transaction, signatures } = signed;
  const { feeLimit, chainId, ceilLedgerSeq } = transaction;
  return [
    ...sentenceLines(terminal, toned(terminal, 'strong', describeTransaction(transaction, names))),
    ...fieldLines(terminal, {
      transaction: encodeHex(hash),
      ...termFields(transaction),
      'fee limit': bothUnits(feeLimit),
      'gas price': transaction.gasPrice,
      chain: chainId,
      'not after': ceilLedgerSeq === 0n ? undefined : `block ${ceilLedgerSeq}`,
      'signed by':
        signatures.length === 0 ? 'nobody' : signatures.map((it) => signerOf(it.publicKey)).join(', '),
    }),
    ...operationLines(transaction),
  ];
}

/**
 * Every operation whole, as far as a person can read it: the sentence names the first few, and whoever signs signs all.
 */
function operationLines(transaction: Transaction): string[] {
  const { operations } = transactionToJson(transaction);
  return (Array.isArray(operations) ? operations : []).map((operation, index) => {
    const text = stringifyJson(operation);
    const rest = text.length - operationCharactersMax;
    const cut = rest > 0 ? ` and ${rest} characters more, which "tx decode --json" shows` : '';
    return `  operation ${index + 1}  ${plainText(text, operationCharactersMax)}${cut}`;
  });
}

const termFields = (transaction: Transaction | undefined) => ({
  from: transaction && plainText(transaction.sourceAddress),
  nonce: transaction?.nonce,
  operations: transaction?.operations.length,
  note: transaction && transaction.metadata.length > 0 ? noteText(transaction.metadata) : undefined,
});

/** A note is any bytes. */
const noteText = (bytes: Uint8Array): string =>
  decodeOrNothing(() => plainText(decodeUtf8(bytes))) ?? encodeHex(bytes.subarray(0, 30));

/** The address of a public key; keys of other networks sign for nobody here. */
const signerOf = (publicKey: string): string =>
  keyFormat.signerOf(publicKey)?.address ?? 'a key of another network';
