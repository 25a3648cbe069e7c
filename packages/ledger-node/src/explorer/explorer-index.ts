/**
 * The index over a chain's blocks. It is derived: one atomic write a block holds everything about it, the state it was
 * executed on and how far the index reaches, so a crash leaves the index of an earlier block, which goes on from there.
 */
import { concatBytes, emptyBytes } from '@symbolon/core/basics/bytes';
import type { LedgerRules } from '@symbolon/core/ledger/terms/chain-parameters';
import type { IndexTotals } from '@symbolon/wire/ledger/explorer/replies';
import { stateRowsOf } from '../chain/block-rows.ts';
import type { Store, StoreReader } from '../store/store.ts';
import { AccountBook } from './account-book.ts';
import { BlockEntries } from './block-entries.ts';
import type { FedBlock } from './fed-block.ts';
import { encodeNumbers, indexFormat, parseNumbers, reachRow } from './index-rows.ts';
import { ReplayDiffers, Replica } from './replica.ts';

/** How far the index reaches. */
export interface Reached {
  readonly totals: IndexTotals;
  readonly closeTime: bigint;
  /** Of the last block; empty where there is none. */
  readonly hash: Uint8Array;
}

const unbegun: Reached = {
  totals: {
    seq: 0n,
    transactions: 0n,
    failed: 0n,
    triggered: 0n,
    operations: 0n,
    fees: 0n,
    accounts: 0n,
    contracts: 0n,
  },
  closeTime: 0n,
  hash: emptyBytes,
};

const numbersOfReach = 10;

function encodeReach({ totals, closeTime, hash }: Reached): Uint8Array {
  const { seq, transactions, failed, triggered, operations, fees, accounts, contracts } = totals;
  const numbers = [
    BigInt(indexFormat),
    ...[seq, transactions, failed, triggered, operations, fees, accounts, contracts],
    closeTime,
  ];
  return concatBytes(encodeNumbers(numbers), hash);
}

/** Undefined where there is an index that another version has made. */
export function readReach(rows: Pick<StoreReader, 'get'>): Reached | undefined {
  const bytes = rows.get(reachRow);
  if (!bytes) return unbegun;
  const [format, ...numbers] = parseNumbers(bytes, numbersOfReach);
  if (format !== BigInt(indexFormat)) return undefined;
  const [seq, transactions, failed, triggered, operations, fees, accounts, contracts, closeTime] = numbers;
  return {
    totals: { seq, transactions, failed, triggered, operations, fees, accounts, contracts },
    closeTime,
    hash: bytes.slice(numbersOfReach * 8),
  };
}

export class ExplorerIndex {
  readonly #store: Store;
  readonly #rules: LedgerRules;
  readonly #replica: Replica;
  readonly #book: AccountBook;
  #reached: Reached;

  constructor(store: Store, rules: LedgerRules, reached: Reached = readReach(store) ?? unbegun) {
    this.#store = store;
    this.#rules = rules;
    this.#replica = new Replica(store, rules);
    this.#book = new AccountBook(store);
    this.#reached = reached;
  }

  get reached(): Reached {
    return this.#reached;
  }

  /** Adds the block that follows the last one. */
  async add(block: FedBlock, pause: () => Promise<void>): Promise<void> {
    const { header, records } = block;
    const { totals, closeTime } = this.#reached;
    if (header.seq !== totals.seq + 1n)
      throw new ReplayDiffers(`block ${header.seq} does not follow block ${totals.seq}`);
    const entries = new BlockEntries(header, this.#book, (text) => this.#rules.keys.isAddress(text));
    const onTransaction = (replayed: Parameters<BlockEntries['add']>[0]): void =>
      entries.add(replayed, records);
    const owned = await this.#replica.replay(block, { onTransaction, pause });
    entries.addAccounts(this.#replica.state, owned);
    const reached = { totals: entries.totals(totals), closeTime: header.closeTime, hash: header.hash };
    await this.#store.write([
      ...entries.rows(closeTime),
      ...stateRowsOf(owned),
      [reachRow, encodeReach(reached)],
    ]);
    this.#replica.advance(owned);
    this.#book.advance();
    this.#reached = reached;
  }
}
