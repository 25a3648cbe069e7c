/** What a contract did while it ran: the transactions that it triggered, as the ledger has them, events apart. */
import type { ContractEvent } from '@symbolon/contract-kit/receipt';
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import { plainText } from '@symbolon/sdk/arguments/foreign-texts';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { type ExecutedTransaction, findReceipt } from '@symbolon/sdk/ledger/receipts';
import { describeTransaction, transactionOfRecord } from '@symbolon/sdk/transactions/transaction-sentence';
import { consequenceLimits } from '../limits/command-limits.ts';
import type { AccountNames } from '../profile/account-names.ts';

export interface Consequences {
  /** What was said with `Chain.tlog`, in order. */
  readonly events: readonly ContractEvent[];
  /** Everything else: stores, payments, calls. */
  readonly deeds: readonly Transaction[];
  /** How many more there are that were not looked up. */
  readonly left: number;
}

export async function findConsequences(
  client: LedgerClient,
  { contract_tx_hashes: hashes = [] }: Pick<ExecutedTransaction, 'contract_tx_hashes'>,
): Promise<Consequences> {
  const { triggeredShownMax, atOnce } = consequenceLimits;
  const shown = hashes.slice(0, triggeredShownMax);
  const found: (Transaction | undefined)[] = [];
  for (let at = 0; at < shown.length; at += atOnce)
    found.push(...(await Promise.all(shown.slice(at, at + atOnce).map((hash) => triggered(client, hash)))));
  const known = found.filter((transaction) => transaction !== undefined);
  const events = known.flatMap(({ sourceAddress: contract, operations }) =>
    operations.flatMap(({ log }) => (log ? [{ contract, topic: log.topic, values: log.datas }] : [])),
  );
  const deeds = known.filter(({ operations }) => operations.some(({ log }) => !log));
  return { events, deeds, left: hashes.length - known.length };
}

async function triggered(client: LedgerClient, hash: string): Promise<Transaction | undefined> {
  // The call is done; a node that cannot tell more about it does not undo that.
  const receipt = await findReceipt(client, hash).catch(() => undefined);
  return receipt && transactionOfRecord(receipt.record);
}

/** For people: one field each. */
export function consequenceFields(
  { events, deeds, left }: Consequences,
  names: AccountNames,
): Record<string, string> {
  return {
    ...numbered('event', events.map(eventText)),
    ...numbered(
      'did',
      deeds.map((deed) => describeTransaction(deed, names)),
    ),
    ...(left > 0 && { further: `${left} transactions, which tx show tells` }),
  };
}

const eventText = ({ topic, values }: ContractEvent): string =>
  [plainText(topic), ...values.map((value) => plainText(value))].join('  ');

const numbered = (name: string, texts: readonly string[]): Record<string, string> =>
  Object.fromEntries(texts.map((text, index) => [texts.length === 1 ? name : `${name} ${index + 1}`, text]));
