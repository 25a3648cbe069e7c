/**
 * Pages of rows by cursor: a cursor names the last row seen by the values it is sorted by, so rows that come and go
 * meanwhile neither repeat nor hide others. It is opaque to callers and checked when it comes back: it may be anything.
 */
import { base64urlnopad } from '@scure/base';
import { decodeUtf8, encodeUtf8 } from '@symbolon/core/basics/bytes';
import { Fault } from '@symbolon/core/faults/faults';
import { isStorable } from '@symbolon/wire/json/storable-text';
import { type SelectQueryBuilder, sql } from 'kysely';
import { recordLimits } from '../limits/service-limits.ts';
import type { ServiceSchema } from './schema.ts';
import { before, behind } from './statements.ts';

export interface PageRequest {
  readonly limit?: number;
  /** `next` of the page before. */
  readonly cursor?: string;
  /** Oldest first, if absent. */
  readonly isNewestFirst?: boolean;
}

/** Rows that were made at the first time or later, and before the second; milliseconds since 1970. */
export interface MadeBetween {
  readonly from?: number;
  readonly before?: number;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Absent on the last page. */
  readonly next?: string;
}

/** A sort position: a time or sequence, or a text, and the row's own id. */
export type Position<Key extends string | number> = readonly [key: Key, id: string];

export function pageLimit({ limit }: PageRequest): number {
  if (limit === undefined) return recordLimits.pageRowsDefault;
  if (!Number.isSafeInteger(limit) || limit < 1) throw malformedPage('limit', 'is a positive whole number');
  return Math.min(limit, recordLimits.pageRowsMax);
}

export const encodeCursor = (position: Position<string | number>): string =>
  base64urlnopad.encode(encodeUtf8(JSON.stringify(position)));

export const numberCursor = (request: PageRequest): Position<number> | undefined =>
  readCursor(request, (key) => Number.isSafeInteger(key)) as Position<number> | undefined;

export const textCursor = (request: PageRequest): Position<string> | undefined =>
  readCursor(request, isPlainText) as Position<string> | undefined;

/** No row ever gave a cursor with a text that no database keeps. */
const isPlainText = (value: unknown): boolean => typeof value === 'string' && isStorable(value);

function readCursor({ cursor }: PageRequest, isKey: (key: unknown) => boolean): unknown {
  if (cursor === undefined) return undefined;
  const position = cursor.length <= recordLimits.cursorCharsMax ? parseCursor(cursor) : undefined;
  if (Array.isArray(position) && position.length === 2 && isKey(position[0]) && isPlainText(position[1]))
    return position;
  throw malformedPage('cursor', 'is not one that this service gave');
}

function parseCursor(cursor: string): unknown {
  try {
    return JSON.parse(decodeUtf8(base64urlnopad.decode(cursor)));
  } catch {
    return undefined;
  }
}

function malformedPage(name: string, detail: string): Fault {
  return new Fault('requestMalformed', {
    detail: `${name} ${detail}`,
    errors: [{ pointer: `/query/${name}`, detail }],
  });
}

/** A page from up to one row more than it holds: the extra row only tells that there is more. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  positionOf: (row: Row) => Position<string | number>,
): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return rows.length > limit && last !== undefined
    ? { items, next: encodeCursor(positionOf(last)) }
    : { items };
}

/** All rows of a listing, a page at a time; an empty page is the last. */
export async function* allPages<Row>(
  read: (last: Row | undefined, offset: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let offset = 0;
  for (let page = await read(undefined, 0); page.length > 0; page = await read(page.at(-1), offset)) {
    yield page;
    offset += page.length;
  }
}

/** Rows in the order of a column and, among equals, of their id. */
export async function pageInOrder<Table extends keyof ServiceSchema, Row>(
  rows: SelectQueryBuilder<ServiceSchema, Table, Row>,
  request: PageRequest,
  [key, id]: readonly [key: keyof Row & string, id: keyof Row & string],
  readCursor: (request: PageRequest) => Position<string | number> | undefined = numberCursor,
): Promise<Page<Row>> {
  const limit = pageLimit(request);
  const after = readCursor(request);
  const [past, direction] = request.isNewestFirst ? ([before, 'desc'] as const) : ([behind, 'asc'] as const);
  const found = await (after ? rows.where(past([key, id], after)) : rows)
    .orderBy(sql.ref(key), direction)
    .orderBy(sql.ref(id), direction)
    .limit(limit + 1)
    .execute();
  return pageOf(found as Row[], limit, (row) => [row[key], row[id]] as Position<string | number>);
}
