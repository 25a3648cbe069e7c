/** Pages of transactions with what their sentences need: where the short form is cut, the whole one is read along. */
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { transactionOfRecord } from '@symbolon/sdk/transactions/transaction-sentence';
import { isCutShort, recordOfShort, type ShortTransaction } from './short-record.ts';

export interface ToldRow {
  readonly hash: string;
  readonly block: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly source: string;
  /** 0 for what did what it says. */
  readonly code: number;
  readonly fee: bigint;
  /** By contracts. */
  readonly triggered: number;
  readonly isTriggered: boolean;
  readonly roles: readonly string[];
  readonly transaction: Transaction | undefined;
}

/** Of one page; what is longer is told by its short form. */
const wholeBytesMax = 262_144;
const wholeMax = 100;

export async function toldRows(
  ledger: Pick<LedgerClient, 'multiQuery'>,
  shorts: readonly ShortTransaction[],
): Promise<readonly ToldRow[]> {
  const wholes = await readWholes(ledger, shorts);
  return shorts.map((short) => ({
    hash: short.hash,
    block: Number(short.ledger_seq),
    at: Number(short.close_time) / 1_000,
    source: short.source_address,
    code: short.error_code,
    fee: BigInt(short.actual_fee),
    triggered: short.triggered_count,
    isTriggered: short.triggered_by !== undefined,
    roles: short.roles ?? [],
    transaction: wholes.get(short.hash) ?? transactionOfRecord({ transaction: recordOfShort(short) }),
  }));
}

async function readWholes(
  ledger: Pick<LedgerClient, 'multiQuery'>,
  shorts: readonly ShortTransaction[],
): Promise<ReadonlyMap<string, Transaction>> {
  let bytes = 0;
  const wanted = shorts
    .filter(isCutShort)
    .filter(({ tx_size: size }) => {
      bytes += size;
      return bytes <= wholeBytesMax;
    })
    .slice(0, wholeMax);
  if (wanted.length === 0) return new Map();
  const items = wanted.map(({ hash }) => ({ url: `getTransactionHistory?hash=${hash}`, method: 'GET' }));
  const { results } = await ledger.multiQuery({ items });
  const found = new Map<string, Transaction>();
  for (const { result } of results ?? []) {
    const record = (result as { transactions?: readonly { hash?: unknown; transaction?: unknown }[] } | null)
      ?.transactions?.[0];
    const transaction = record && transactionOfRecord(record);
    if (transaction && typeof record.hash === 'string') found.set(record.hash, transaction);
  }
  return found;
}
