/** Rows of the log of requests: the last calls of each API key. */
import { requestLogLimits as limits } from '@symbolon/core/limits/directory';
import { numberCursor, type Page, type PageRequest, pageLimit, pageOf } from '../database/paging.ts';
import type { Queries, RowOf } from '../database/schema.ts';
import { ahead, deleteBatch } from '../database/statements.ts';

export type LoggedRequest = RowOf<'requestLog'>;

/** Both databases bound the parameters of one statement. */
export async function addRequests(queries: Queries, rows: readonly LoggedRequest[]): Promise<void> {
  for (let start = 0; start < rows.length; start += limits.rowsPerInsert)
    await queries
      .insertInto('requestLog')
      .values(rows.slice(start, start + limits.rowsPerInsert))
      .execute();
}

/** Newest first. */
export async function pageRequests(
  queries: Queries,
  keyId: string,
  request: PageRequest,
): Promise<Page<LoggedRequest>> {
  const limit = pageLimit(request);
  const last = numberCursor(request);
  const own = queries.selectFrom('requestLog').selectAll().where('keyId', '=', keyId);
  const rows = await (last ? own.where(ahead(['at', 'id'], last)) : own)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return pageOf(rows, limit, ({ at, id }) => [at, id]);
}

/** Forgets the oldest calls of a key beyond those that are kept. */
export async function trimRequests(queries: Queries, keyId: string): Promise<void> {
  const oldestKept = await queries
    .selectFrom('requestLog')
    .select(['at', 'id'])
    .where('keyId', '=', keyId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .offset(limits.perKeyMax - 1)
    .limit(1)
    .executeTakeFirst();
  if (!oldestKept) return;
  await queries
    .deleteFrom('requestLog')
    .where('keyId', '=', keyId)
    .where(ahead(['at', 'id'], [oldestKept.at, oldestKept.id]))
    .execute();
}

/** Answers how many were forgotten. */
export const sweepRequests = (queries: Queries, now: number): Promise<number> =>
  deleteBatch(queries, 'requestLog', {
    key: 'id',
    first: 'at',
    where: (eb) => eb('at', '<=', now - limits.keptMs),
  });
