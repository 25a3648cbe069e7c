/** What the index knows of accounts: since when each exists, whether it is a contract, its number of transactions. */
import { RecentMap } from '@symbolon/core/basics/recent-map';
import type { AccountFacts } from '@symbolon/wire/ledger/explorer/replies';
import { explorerLimits } from '../limits/node-limits.ts';
import type { Row, StoreReader } from '../store/store.ts';
import { accountRow, encodeNumbers, parseNumbers } from './index-rows.ts';

type KnownFacts = Omit<AccountFacts, 'address'>;

/** An address that somebody named, and nothing else. Block 0 stands for never. */
const unknown: KnownFacts = { createdSeq: 0n, isContract: false, transactionCount: 0n };

export const encodeFacts = ({ createdSeq, isContract, transactionCount }: KnownFacts): Uint8Array =>
  encodeNumbers([createdSeq, isContract ? 1n : 0n, transactionCount]);

export function parseFacts(address: string, bytes: Uint8Array): AccountFacts {
  const [createdSeq, isContract, transactionCount] = parseNumbers(bytes, 3);
  return { address, createdSeq, isContract: isContract === 1n, transactionCount };
}

/** Changes of one block after the other; the rows of a block are taken when it is complete. */
export class AccountBook {
  readonly #store: Pick<StoreReader, 'get'>;
  readonly #known = new RecentMap<string, KnownFacts>(explorerLimits.accountFactsMax);
  readonly #changed = new Map<string, KnownFacts>();

  constructor(store: Pick<StoreReader, 'get'>) {
    this.#store = store;
  }

  count(address: string): void {
    const facts = this.#factsOf(address);
    this.#changed.set(address, { ...facts, transactionCount: facts.transactionCount + 1n });
  }

  born(address: string, createdSeq: bigint, isContract: boolean): void {
    this.#changed.set(address, { ...this.#factsOf(address), createdSeq, isContract });
  }

  *rows(): Iterable<Row> {
    for (const [address, facts] of this.#changed) yield [accountRow(address), encodeFacts(facts)];
  }

  /** To be called when the rows are stored. */
  advance(): void {
    for (const [address, facts] of this.#changed) this.#known.set(address, facts);
    this.#changed.clear();
  }

  #factsOf(address: string): KnownFacts {
    const known = this.#changed.get(address) ?? this.#known.get(address);
    if (known) return known;
    const bytes = this.#store.get(accountRow(address));
    return bytes ? parseFacts(address, bytes) : unknown;
  }
}
