/** What the explorer's routes are asked, read from parameters. Pure: a function answers a request or a refusal. */
import { type LedgerRefusal, refuse } from '@symbolon/core/ledger/terms/codes';
import { explorerQueryLimits as limits } from '@symbolon/core/limits/requests';
import { invalid, isRefusal } from '../../http/envelope.ts';
import { readHash } from '../../http/hash-text.ts';
import type { ExplorerQuery } from './parameters.ts';

/** Where a list goes on, and with how many. The cursor is opaque here: whoever made it checks it. */
export interface ListPlace {
  readonly cursor: string | undefined;
  readonly limit: number;
}

function readListPlace({ cursor, limit }: ExplorerQuery<'accountList'>): ListPlace | LedgerRefusal {
  if (cursor !== undefined && cursor.length > limits.cursorCharsMax)
    return invalid('cursor: is none that this list has given');
  if (limit === undefined) return { cursor, limit: limits.pageItemsDefault };
  const isWithin = limit >= 1n && limit <= BigInt(limits.pageItemsMax);
  return isWithin
    ? { cursor, limit: Number(limit) }
    : invalid(`limit: must be from 1 to ${limits.pageItemsMax}`);
}

export const readOverview = (): Record<string, never> => ({});

export function readAccountTransactions(query: ExplorerQuery<'accountTransactions'>) {
  const { address } = query;
  if (address === undefined) return refuse('notFound', 'address is missing');
  const page = readListPlace(query);
  return isRefusal(page) ? page : { address, ...page };
}

export function readAccountList(query: ExplorerQuery<'accountList'>) {
  const page = readListPlace(query);
  return isRefusal(page) ? page : { ...page, contractsOnly: query.contracts === true };
}

export function readTransactionList(query: ExplorerQuery<'transactionList'>) {
  const page = readListPlace(query);
  if (isRefusal(page)) return page;
  const { failed = false, triggered = false, ledger_seq: seq } = query;
  if (failed && triggered) return invalid('triggered: what contracts trigger is not there if it fails');
  if (failed && seq !== undefined) return invalid('failed: does not go with ledger_seq');
  return { ...page, which: failed ? 'failed' : triggered ? 'all' : 'signed', seq } as const;
}

export function readFigures(query: ExplorerQuery<'ledgerFigures'>) {
  const page = readListPlace(query);
  if (isRefusal(page)) return page;
  const { from_seq: from = 1n, to_seq: to } = query;
  if (to !== undefined && to < from) return invalid('to_seq: is before from_seq');
  return { ...page, from: from < 1n ? 1n : from, to };
}

export function readEffects({ hash: text }: ExplorerQuery<'effects'>) {
  const hash = readHash(text);
  if (isRefusal(hash)) return hash;
  return hash ? { hash } : refuse('invalidParameter', 'hash is missing');
}

export function readSearch({ q = '' }: ExplorerQuery<'search'>) {
  const text = q.trim();
  if (text.length > limits.searchCharsMax) return invalid(`q: at most ${limits.searchCharsMax} characters`);
  const isNumber = /^[0-9]+$/.test(text);
  return isNumber || text.length >= limits.searchCharsMin
    ? { text }
    : invalid(`q: a block number, or at least ${limits.searchCharsMin} characters of a hash or an address`);
}
