/**
 * `symbolon account history`: a node keeps no list of an account's transactions, so blocks are looked through from
 * the newest one down, as many as asked for; which ones they were is always said.
 */
import { addressesOf } from '@symbolon/ledger-node/socket/subscription';
import { unlessNotFound } from '@symbolon/sdk/errors/errors';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import type { ExecutedTransaction } from '@symbolon/sdk/ledger/receipts';
import { readPages } from '@symbolon/sdk/service/pages';
import { describeTransaction, transactionOfRecord } from '@symbolon/sdk/transactions/transaction-sentence';
import { type AccountNames, readAccountNames } from '../../profile/account-names.ts';
import { connect, type PartyWords } from '../../profile/connection.ts';
import { columns, sentenceLines, shortened } from '../../terminal/layout.ts';
import { showProgress } from '../../terminal/progress.ts';
import { printJson, type Terminal, toned } from '../../terminal/terminal.ts';
import { chainFacts, timeOfMicros } from '../../transactions/sending.ts';

interface HistoryWords extends PartyWords {
  readonly limit: number;
  readonly blocks: number;
}

/** What one request may ask for. */
const pageSize = 1_000;
/** A block has so many at most, those that contracts triggered included. */
const blockPagesMax = 100;

export async function showHistory(word: string, words: HistoryWords, terminal: Terminal): Promise<void> {
  const { ledger } = await connect(words, terminal);
  const names = await readAccountNames(words.profile);
  const address = names.addressOf(word);
  const { entries, newest, oldest } = await search(ledger, address, { ...words, names, terminal });
  if (words.json) {
    const listed = entries.map(({ hash, ...entry }) => ({ transaction: hash, ...entry }));
    return printJson(terminal, { address, transactions: listed, searched: { from: oldest, to: newest } });
  }
  tellEntries(entries, terminal);
  const found = entries.length === 1 ? '1 transaction' : `${entries.length} transactions`;
  const more = oldest > 1n ? ' --blocks <number> looks further back.' : '';
  const whole = terminal.width === undefined || entries.length === 0 ? '' : ' --wide shows hashes whole.';
  terminal.remark(sentenceLines(terminal, `${found} in blocks ${oldest} to ${newest}.${more}${whole}`));
}

/** One line each for programs; on a screen the sentence stands below, where it has room. */
function tellEntries(entries: readonly ReturnType<typeof entryOf>[], terminal: Terminal): void {
  const sentences = entries.map(({ code, sentence }) =>
    code === 0 ? sentence : `${toned(terminal, 'bad', `FAILED (${code})`)} ${sentence}`,
  );
  const places = entries.map(({ hash, block, time }) => [hash, `block ${block}`, time]);
  if (terminal.width === undefined) {
    if (entries.length > 0)
      terminal.print(
        columns(
          terminal,
          places.map((place, index) => [...place, sentences[index] ?? '']),
        ),
      );
    return;
  }
  const heads = columns(
    terminal,
    places.map(([hash = '', ...place]) => [shortened(hash), ...place]),
  );
  for (const [index, head] of heads.entries())
    terminal.print([head, ...sentenceLines(terminal, `    ${sentences[index]}`)]);
}

interface Search extends HistoryWords {
  readonly names: AccountNames;
  readonly terminal: Terminal;
}

async function search(client: LedgerClient, address: string, { limit, blocks, names, terminal }: Search) {
  const { height: newest } = await chainFacts(client);
  const last = newest > BigInt(blocks) ? newest - BigInt(blocks) + 1n : 1n;
  const progress = showProgress(terminal, { total: Number(newest - last) + 1, what: 'blocks' });
  const entries: ReturnType<typeof entryOf>[] = [];
  let oldest = newest;
  for (let block = newest; block >= last && entries.length < limit; block -= 1n) {
    oldest = block;
    const records = await recordsOf(client, block);
    for (const record of records.toReversed()) {
      const transaction = transactionOfRecord(record);
      if (!transaction || !addressesOf(transaction).has(address) || entries.length >= limit) continue;
      entries.push(entryOf(record, describeTransaction(transaction, names)));
    }
    if (terminal.isWatched && newest - block > 100n) progress.advance(Number(newest - block) + 1);
  }
  if (terminal.isWatched && newest - oldest > 100n) progress.end();
  return { entries, newest, oldest };
}

/** All executed transactions of a block, in their order. */
export async function recordsOf(
  client: Pick<LedgerClient, 'getTransactionHistory'>,
  block: bigint,
): Promise<ExecutedTransaction[]> {
  const records: ExecutedTransaction[] = [];
  const pages = readPages({
    ask: async () => {
      const order = { ledger_seq: block, start: records.length, limit: pageSize };
      const { transactions = [], total_count: total = 0 } =
        (await unlessNotFound(client.getTransactionHistory(order)))?.result ?? {};
      records.push(...transactions);
      return transactions.length === 0 || records.length >= total;
    },
    next: (isLast) => (isLast ? undefined : String(records.length)),
    pagesMax: blockPagesMax,
  });
  for await (const _page of pages);
  return records;
}

const entryOf = (record: ExecutedTransaction, sentence: string) => ({
  hash: record.hash,
  block: BigInt(record.ledger_seq),
  time: timeOfMicros(record.close_time),
  code: record.error_code,
  sentence,
});
