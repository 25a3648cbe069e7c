/**
 * What became of a submitted transaction, found by asking (`getTransactionHistory`, `getTransactionCache`). A receipt
 * is the node's word; what the state holds afterwards can be proven (`state-proofs.ts`).
 */

import type { JsonObject } from '@symbolon/wire/json/json';
import { assertMembers, type MembersOf } from '../arguments/exact-arguments.ts';
import { LedgerError, SdkError, unexpectedReply, unlessNotFound } from '../errors/errors.ts';
import { clientLimits } from '../limits/client-limits.ts';
import type { LedgerClient, LedgerReply } from './ledger-client.ts';

/** What became of a transaction that was executed. */
export interface Receipt {
  readonly hash: string;
  /** 0 when the transaction did what it says; any other code says why it did nothing but cost its fee. */
  readonly code: number;
  readonly description: string;
  readonly ledgerSeq: bigint;
  /** Microseconds since 1970. */
  readonly closeTimeMicros: bigint;
  readonly actualFee: bigint;
  /** The record as the node sent it. */
  readonly record: ExecutedTransaction;
}

type HistoryResult = NonNullable<LedgerReply<'getTransactionHistory'>['result']>;
/** A transaction with its outcome, as `getTransactionHistory` replies it. */
export type ExecutedTransaction = HistoryResult['transactions'][number];

/** The transaction was executed and failed: its fee is spent, its nonce used. */
export class TransactionFailed extends LedgerError {
  readonly receipt: Receipt;

  constructor(receipt: Receipt) {
    super(receipt.code, receipt.description, receipt.record as JsonObject, 'getTransactionHistory');
    this.receipt = receipt;
  }
}

/** Who is asked what became of a transaction. */
export type ReceiptSource = Pick<LedgerClient, 'getTransactionHistory' | 'getTransactionCache'>;

/** How long a receipt is waited for, and how often it is asked for. */
export interface WaitOptions {
  readonly timeoutMs?: number;
  readonly pollIntervalMs?: number;
}

export const waitMembers: MembersOf<WaitOptions> = { timeoutMs: true, pollIntervalMs: true };

/**
 * Resolves when the transaction is executed, with success or without. Rejects with `LedgerError` code 5 when it has
 * expired in the node's queue, and with `SdkError` `receiptTimedOut` when neither happened in time. A node that is
 * away for a moment is asked again.
 */
export async function waitForReceipt(
  client: ReceiptSource,
  transactionHash: string,
  options: WaitOptions = {},
): Promise<Receipt> {
  assertMembers(options, waitMembers, 'options of waiting');
  const { timeoutMs = clientLimits.receiptTimeoutMs, pollIntervalMs = clientLimits.pollIntervalMs } = options;
  const hash = transactionHash.toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(hash)) {
    const hint = 'A transaction hash is 64 hex digits.';
    throw new SdkError('invalidArgument', 'this is not a transaction hash', { hint });
  }
  const deadline = performance.now() + timeoutMs;
  let sighting: Sighting = 'noAnswer';
  for (;;) {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) throw receiptTimedOut(hash, timeoutMs, sighting);
    const found = await orAfter(leftMs, sightTransaction(client, hash));
    if (typeof found === 'object') return found;
    // A look cut off by the deadline says nothing new.
    sighting = found ?? sighting;
    await orAfter(Math.min(pollIntervalMs, Math.max(deadline - performance.now(), 0)));
  }
}

/** Where a transaction without receipt was last seen. */
export type Sighting = 'queued' | 'nowhere' | 'noAnswer';

/**
 * Asks once. One that a block takes between the two questions is seen nowhere: whoever makes something of that asks a
 * second time.
 */
export async function sightTransaction(client: ReceiptSource, hash: string): Promise<Receipt | Sighting> {
  try {
    const receipt = await findReceipt(client, hash);
    if (receipt) return receipt;
    return (await unlessNotFound(client.getTransactionCache({ hash }))) ? 'queued' : 'nowhere';
  } catch (error) {
    const isAway = error instanceof SdkError && (error.code === 'unreachable' || error.code === 'timedOut');
    if (isAway) return 'noAnswer';
    throw error;
  }
}

/** The receipt of an executed transaction, without waiting; undefined for one that the node has not executed. */
export async function findReceipt(
  client: Pick<ReceiptSource, 'getTransactionHistory'>,
  hash: string,
): Promise<Receipt | undefined> {
  const history = await unlessNotFound(client.getTransactionHistory({ hash }));
  if (!history) return undefined;
  const record = history.result?.transactions[0];
  if (record?.hash !== hash) throw unexpectedReply('getTransactionHistory', ['result.transactions[0].hash']);
  return {
    hash,
    code: record.error_code,
    description: record.error_desc,
    ledgerSeq: BigInt(record.ledger_seq),
    closeTimeMicros: BigInt(record.close_time),
    actualFee: BigInt(record.actual_fee),
    record,
  };
}

/**
 * The receipt of a transaction that somebody else has passed on: that it was executed is the ledger's to say. A service
 * that kept a revocation to itself and said that it was done would have the credential verify for good. Rejects with
 * `receiptTimedOut`, and with `TransactionFailed` for one that failed.
 */
export async function requireExecuted(
  ledger: ReceiptSource,
  transactionHash: string,
  wait?: WaitOptions,
): Promise<Receipt> {
  const receipt = await waitForReceipt(ledger, transactionHash, wait);
  if (receipt.code !== 0) throw new TransactionFailed(receipt);
  return receipt;
}

const sightingHints: Readonly<Record<Sighting, string>> = {
  queued: 'It waits in the queue: ask again. A gap before its nonce may keep it there.',
  nowhere: 'The node does not hold it: it was never submitted here, or was replaced or dropped.',
  noAnswer: 'The node did not answer: ask again when it is back.',
};

function receiptTimedOut(hash: string, timeoutMs: number, sighting: Sighting): SdkError {
  const message = `transaction ${hash} was not executed within ${timeoutMs} ms`;
  return new SdkError('receiptTimedOut', message, { hint: sightingHints[sighting], transactionHash: hash });
}

/** The promise's value, or undefined when the time is over first. */
async function orAfter<Value>(ms: number, promise?: Promise<Value>): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pause = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, Math.min(ms, clientLimits.timerMsMax), undefined);
  });
  try {
    return await (promise ? Promise.race([promise, pause]) : pause);
  } finally {
    clearTimeout(timer);
  }
}
