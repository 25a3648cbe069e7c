/**
 * The explorer's answers. Items of a page come as JSON texts, which the index keeps as they are shown: a page is joined,
 * not made.
 */
import { encodeHex } from '@symbolon/core/basics/bytes';
import { refuse } from '@symbolon/core/ledger/terms/codes';
import { successEnvelope } from '../../http/envelope.ts';
import { type JsonObject, jsonInteger, stringifyJson } from '../../json/json.ts';

/** How far the index reaches, and how far the chain. */
export interface Reach {
  readonly indexedSeq: bigint;
  readonly headSeq: bigint;
}

const reachMembers = ({ indexedSeq, headSeq }: Reach): string =>
  `"indexed_seq":${indexedSeq},"head_seq":${headSeq}`;

export interface ItemPage extends Reach {
  readonly name: 'transactions' | 'accounts' | 'ledgers' | 'results';
  /** JSON texts. */
  readonly items: readonly string[];
  /** Undefined on the last page, and where there are no pages. */
  readonly nextCursor?: string | undefined;
}

export function pageReply({ name, items, nextCursor, ...reach }: ItemPage): string {
  const next = nextCursor === undefined ? 'null' : `"${nextCursor}"`;
  return `{"error_code":0,"error_desc":"","result":{"${name}":[${items.join(',')}],"next_cursor":${next},${reachMembers(reach)}}}`;
}

/** One thing that the index keeps as text, with more members behind it. */
export const oneReply = (text: string, reach: Reach): string =>
  `{"error_code":0,"error_desc":"","result":${text.slice(0, -1)},${reachMembers(reach)}}}`;

/** The same object with a member before its others. */
export const withMember = (text: string, name: string, value: readonly string[]): string =>
  `{"${name}":${stringifyJson([...value])},${text.slice(1)}`;

export const notIndexed = refuse('notFound', 'query result not exist');
export const cursorRefused = refuse('invalidParameter', 'cursor: is none that this list has given');

export interface AccountFacts {
  readonly address: string;
  readonly createdSeq: bigint;
  readonly isContract: boolean;
  readonly transactionCount: bigint;
}

export const accountFactsToJson = (facts: AccountFacts): JsonObject => ({
  address: facts.address,
  created_seq: jsonInteger(facts.createdSeq),
  is_contract: facts.isContract,
  transaction_count: jsonInteger(facts.transactionCount),
});

export interface BlockFigures {
  readonly seq: bigint;
  readonly hash: Uint8Array;
  readonly closeTime: bigint;
  readonly previousCloseTime: bigint;
  readonly transactions: number;
  readonly failed: number;
  readonly triggered: number;
  readonly operations: number;
  readonly fees: bigint;
  readonly bytes: number;
  readonly signers: number;
  readonly accountsCreated: number;
}

export const figuresToJson = (figures: BlockFigures): JsonObject => ({
  seq: jsonInteger(figures.seq),
  hash: encodeHex(figures.hash),
  close_time: jsonInteger(figures.closeTime),
  // The first block has no time, so the second has no distance from it.
  block_time:
    figures.previousCloseTime === 0n ? 0 : jsonInteger(figures.closeTime - figures.previousCloseTime),
  transaction_count: figures.transactions,
  failed_count: figures.failed,
  triggered_count: figures.triggered,
  operation_count: figures.operations,
  fees: jsonInteger(figures.fees),
  size: figures.bytes,
  signer_count: figures.signers,
  accounts_created: figures.accountsCreated,
});

/** What the index has counted up to where it reaches. */
export interface IndexTotals {
  readonly seq: bigint;
  readonly transactions: bigint;
  readonly failed: bigint;
  readonly triggered: bigint;
  readonly operations: bigint;
  readonly fees: bigint;
  readonly accounts: bigint;
  readonly contracts: bigint;
}

/** How many transactions waited in one second: when it ended, how many at most. */
export interface PendingSample {
  readonly timeMs: number;
  readonly waiting: number;
}

export interface OverviewView {
  readonly headSeq: bigint;
  readonly closeTime: bigint;
  readonly blockTime: bigint;
  readonly transactions: bigint;
  readonly accounts: bigint;
  readonly waiting: number;
  readonly lately: readonly PendingSample[];
  readonly validators: number;
  /** Undefined where the node keeps none, or has none yet. */
  readonly index: IndexTotals | undefined;
}

export function overviewReply(view: OverviewView): JsonObject {
  const { index } = view;
  return successEnvelope({
    head_seq: jsonInteger(view.headSeq),
    close_time: jsonInteger(view.closeTime),
    block_time: jsonInteger(view.blockTime),
    transaction_count: jsonInteger(view.transactions),
    account_count: jsonInteger(view.accounts),
    validator_count: view.validators,
    waiting_count: view.waiting,
    waiting_lately: view.lately.map(({ timeMs, waiting }) => ({ time: timeMs, waiting })),
    index: index
      ? {
          indexed_seq: jsonInteger(index.seq),
          transaction_count: jsonInteger(index.transactions),
          failed_count: jsonInteger(index.failed),
          triggered_count: jsonInteger(index.triggered),
          operation_count: jsonInteger(index.operations),
          fees: jsonInteger(index.fees),
          account_count: jsonInteger(index.accounts),
          contract_count: jsonInteger(index.contracts),
        }
      : null,
  });
}
