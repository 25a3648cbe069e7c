/** What is asked of the index. Every list is a range of rows, so a page costs what it shows, however long the list is. */
import { decodeUtf8, encodeHex } from '@symbolon/core/basics/bytes';
import type { LedgerRefusal } from '@symbolon/core/ledger/terms/codes';
import { refuse } from '@symbolon/core/ledger/terms/codes';
import { explorerQueryLimits as limits } from '@symbolon/core/limits/requests';
import type { RequestOf } from '@symbolon/wire/http/ledger-route';
import { type JsonObject, jsonInteger, stringifyJson } from '@symbolon/wire/json/json';
import {
  accountFactsToJson,
  cursorRefused,
  notIndexed,
  oneReply,
  pageReply,
  withMember,
} from '@symbolon/wire/ledger/explorer/replies';
import type { ListPlace } from '@symbolon/wire/ledger/explorer/requests';
import type { explorerRoutes } from '@symbolon/wire/ledger/explorer/routes';
import { accountMissing, ledgerMissing } from '@symbolon/wire/ledger/replies';
import type { Entry, KeyRange, Store, StoreReader } from '../store/store.ts';
import { parseFacts } from './account-book.ts';
import { rolesOf } from './block-entries.ts';
import { parsePlaceCursor, placeCursor } from './cursors.ts';
import { readReach } from './explorer-index.ts';
import {
  accountRow,
  accountRows,
  accountTransactionRows,
  blockHashRow,
  figuresRows,
  hashRows,
  type PlacedLetter,
  parseNumbers,
  placeAfter,
  placedRow,
  placedRows,
  placeOf,
  placeRow,
  positionBytes,
  positionOf,
} from './index-rows.ts';

/** The questions that the index answers; the overview is the node's own. */
export type IndexRouteName = Exclude<keyof typeof explorerRoutes, 'getExplorerOverview'>;
export type IndexRequest<Name extends IndexRouteName> = RequestOf<(typeof explorerRoutes)[Name]>;
type Answer = Promise<string | LedgerRefusal>;

/** One question: the rows of one moment, how far the index reached then, and how far the chain. */
interface Moment {
  readonly rows: StoreReader;
  readonly indexedSeq: bigint;
  readonly headSeq: bigint;
}

/** Longer than every address: no row is called so. */
const addressCharsMax = 64;
const seqBytes = 8;

const questions: {
  readonly [Name in IndexRouteName]: (moment: Moment, request: IndexRequest<Name>) => Answer;
} = {
  getTransactions: async (moment, { which, seq, ...page }) => {
    const letter = ({ signed: 'S', failed: 'F', all: 'T' } as const)[which];
    if (seq === undefined) {
      const range = (to: Uint8Array | undefined) => ({ ...placedRows(letter, { to }), reverse: true });
      return transactionPage(moment, { ...page, letter, list: `transactions ${which}`, range });
    }
    if (seq < 1n || seq > moment.headSeq) return ledgerMissing;
    if (seq > moment.indexedSeq) return refuse('notFound', 'the index has not reached this block yet');
    const range = (after: Uint8Array | undefined) =>
      placedRows(letter, { from: after ? placeAfter(after) : placeOf(seq, 0), to: placeOf(seq + 1n, 0) });
    return transactionPage(moment, { ...page, letter, list: `transactions ${which} ${seq}`, range });
  },

  getAccountTransactions: async (moment, { address, ...page }) => {
    const { rows } = moment;
    if (!isNameable(address)) return accountMissing;
    const list = `account ${address}`;
    const range = (to: Uint8Array | undefined) => ({
      ...accountTransactionRows(address, { to }),
      reverse: true,
    });
    const found = await readPage(rows, { ...page, list, range });
    if (!found) return cursorRefused;
    if (found.entries.length === 0 && !rows.get(accountRow(address))) return accountMissing;
    const places = found.entries.map(([key]) => positionOf(key));
    const texts = await readTexts(rows, 'T', places);
    const items = texts.map((text, index) => withMember(text, 'roles', rolesOf(found.entries[index][1][0])));
    return pageReply({ ...moment, name: 'transactions', items, nextCursor: found.nextCursor });
  },

  getTransactionEffects: async (moment, { hash }) => {
    const place = moment.rows.get(placeRow(hash));
    if (!place) return notIndexed;
    const [seq, , root] = parseNumbers(place, 3);
    const [text] = await readTexts(moment.rows, 'E', [placeOf(seq, Number(root))]);
    return oneReply(text, moment);
  },

  getAccounts: async (moment, { contractsOnly, ...page }) => {
    const { rows } = moment;
    const letter = contractsOnly ? 'C' : 'N';
    const range = (to: Uint8Array | undefined) => ({ ...placedRows(letter, { to }), reverse: true });
    const found = await readPage(rows, { ...page, list: `accounts ${letter}`, range });
    if (!found) return cursorRefused;
    const addresses = found.entries.map(([, value]) => decodeUtf8(value));
    const facts = await rows.getMany(addresses.map(accountRow));
    const items = addresses.map((address, index) =>
      stringifyJson(accountFactsToJson(parseFacts(address, present(facts[index])))),
    );
    return pageReply({ ...moment, name: 'accounts', items, nextCursor: found.nextCursor });
  },

  getLedgerFigures: async (moment, { from, to, ...page }) => {
    const last = to === undefined || to > moment.indexedSeq ? moment.indexedSeq : to;
    const list = `figures ${from} ${to ?? ''}`;
    const range = (before: Uint8Array | undefined) => {
      const end = before ? parseNumbers(before, 1)[0] - 1n : last;
      return { ...figuresRows(from > end ? end + 1n : from, end), reverse: true };
    };
    const found = await readPage(moment.rows, { ...page, list, range, placeBytes: seqBytes });
    if (!found) return cursorRefused;
    const items = found.entries.map(([, value]) => decodeUtf8(value));
    return pageReply({ ...moment, name: 'ledgers', items, nextCursor: found.nextCursor });
  },

  searchLedger: async (moment, { text }) => {
    const results = [
      ...findBlockNumber(moment, text),
      ...(await findHashes(moment, text.toLowerCase())),
      ...(await findAccounts(moment, text)),
    ];
    const items = results.slice(0, limits.searchResultsMax).map((result) => stringifyJson(result));
    return pageReply({ ...moment, name: 'results', items });
  },
};

/** Answers a question about what the index holds now. */
export async function answerFromIndex<Name extends IndexRouteName>(
  store: Store,
  name: Name,
  { request, headSeq }: { request: IndexRequest<Name>; headSeq: bigint },
): Answer {
  const view = store.view();
  try {
    const indexedSeq = readReach(view)?.totals.seq ?? 0n;
    return await questions[name]({ rows: view, indexedSeq, headSeq }, request);
  } finally {
    await view.close();
  }
}

interface PageOrder extends ListPlace {
  /** What the cursors of this list and of no other are made for. */
  readonly list: string;
  /** The rows behind a place, or from the beginning. */
  readonly range: (place: Uint8Array | undefined) => KeyRange;
  readonly placeBytes?: number;
}

interface FoundPage {
  readonly entries: readonly Entry[];
  readonly nextCursor: string | undefined;
}

/** Undefined for a cursor that is none of this list. */
async function readPage(
  rows: StoreReader,
  { cursor, limit, list, range, placeBytes = positionBytes }: PageOrder,
): Promise<FoundPage | undefined> {
  const place = cursor === undefined ? undefined : parsePlaceCursor(list, cursor, placeBytes);
  if (cursor !== undefined && !place) return undefined;
  const entries = await rows.scan({ ...range(place), limit: limit + 1 });
  if (entries.length <= limit) return { entries, nextCursor: undefined };
  entries.pop();
  const [lastKey] = entries[limit - 1];
  return { entries, nextCursor: placeCursor(list, lastKey.slice(-placeBytes)) };
}

async function transactionPage(moment: Moment, order: PageOrder & { letter: 'S' | 'F' | 'T' }): Answer {
  const found = await readPage(moment.rows, order);
  if (!found) return cursorRefused;
  const items =
    order.letter === 'T'
      ? found.entries.map(([, value]) => decodeUtf8(value))
      : await readTexts(
          moment.rows,
          'T',
          found.entries.map(([key]) => positionOf(key)),
        );
  return pageReply({ ...moment, name: 'transactions', items, nextCursor: found.nextCursor });
}

async function readTexts(
  rows: StoreReader,
  letter: PlacedLetter,
  places: readonly Uint8Array[],
): Promise<string[]> {
  const values = await rows.getMany(places.map((place) => placedRow(letter, place)));
  return values.map((value) => decodeUtf8(present(value)));
}

/** One write holds what names a row and the row. */
function present(value: Uint8Array | undefined): Uint8Array {
  if (!value) throw new Error('the index names a row that is not there');
  return value;
}

const isNameable = (text: string): boolean => text.length <= addressCharsMax && text.isWellFormed();

function findBlockNumber({ rows, indexedSeq }: Moment, text: string): JsonObject[] {
  if (!/^[0-9]{1,18}$/.test(text)) return [];
  const seq = BigInt(text);
  const hash = seq >= 1n && seq <= indexedSeq ? rows.get(blockHashRow(seq)) : undefined;
  return hash ? [{ kind: 'block', seq: jsonInteger(seq), hash: encodeHex(hash) }] : [];
}

async function findHashes({ rows }: Moment, digits: string): Promise<JsonObject[]> {
  const isBeginning = new RegExp(`^[0-9a-f]{${limits.searchCharsMin},64}$`).test(digits);
  if (!isBeginning) return [];
  const limit = limits.searchResultsMax;
  const blocks = await rows.scan({ ...hashRows('Y', digits), limit });
  const transactions = await rows.scan({ ...hashRows('X', digits), limit });
  const seqOf = (value: Uint8Array) => jsonInteger(parseNumbers(value, 1)[0]);
  const hashOf = (key: Uint8Array) => encodeHex(key.subarray(1));
  return [
    ...blocks.map(([key, value]) => ({ kind: 'block', seq: seqOf(value), hash: hashOf(key) })),
    ...transactions.map(([key, value]) => ({
      kind: 'transaction',
      hash: hashOf(key),
      ledger_seq: seqOf(value),
    })),
  ];
}

/** Addresses that somebody only named are none of an account. */
async function findAccounts({ rows }: Moment, beginning: string): Promise<JsonObject[]> {
  if (beginning.length < limits.searchCharsMin || !isNameable(beginning)) return [];
  const entries = await rows.scan({ ...accountRows(beginning), limit: limits.searchResultsMax });
  return entries.flatMap(([key, value]) => {
    const { address, createdSeq, isContract } = parseFacts(decodeUtf8(key.subarray(1)), value);
    return createdSeq === 0n ? [] : [{ kind: 'account', address, is_contract: isContract }];
  });
}
