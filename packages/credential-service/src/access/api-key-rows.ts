/** Rows of API keys. What a key looks like and when it counts is `access/`'s business. */
import { recordLimits } from '@symbolon/core/limits/limits';
import { numberCursor, type Page, type PageRequest, pageLimit, pageOf } from '../database/paging.ts';
import type { NewRowOf, Queries, RowOf } from '../database/schema.ts';

export type ApiKeyRow = RowOf<'apiKeys'>;

/** False when the id is taken. */
export async function addApiKey(queries: Queries, row: NewRowOf<'apiKeys'>): Promise<boolean> {
  const added = await queries
    .insertInto('apiKeys')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return added !== undefined;
}

export async function findApiKey(queries: Queries, id: string): Promise<ApiKeyRow | undefined> {
  return queries.selectFrom('apiKeys').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Every key that is not revoked: no more than `recordLimits.apiKeysMax`. */
export async function listApiKeysInForce(queries: Queries): Promise<ApiKeyRow[]> {
  return queries
    .selectFrom('apiKeys')
    .selectAll()
    .where('revokedAt', 'is', null)
    .limit(recordLimits.apiKeysMax)
    .execute();
}

/** Oldest first. */
export async function pageApiKeys(queries: Queries, request: PageRequest): Promise<Page<ApiKeyRow>> {
  const limit = pageLimit(request);
  const after = numberCursor(request);
  let query = queries.selectFrom('apiKeys').selectAll();
  if (after)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('createdAt', 'id'), '>', tuple(after[0], after[1])),
    );
  const rows = await query
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit + 1)
    .execute();
  return pageOf(rows, limit, (row) => [row.createdAt, row.id]);
}

/** False when there is no such key, or it is revoked already. */
export async function markApiKeyRevoked(queries: Queries, id: string, now: number): Promise<boolean> {
  const row = await queries
    .updateTable('apiKeys')
    .set({ revokedAt: now })
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Written at most once in a while, however busy a key is. */
export async function markApiKeyUsed(queries: Queries, id: string, now: number): Promise<void> {
  await queries
    .updateTable('apiKeys')
    .set({ lastUsedAt: now })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<=', now - recordLimits.apiKeyUseIntervalMs)]),
    )
    .execute();
}

export async function countApiKeys(queries: Queries): Promise<number> {
  const { count } = await queries
    .selectFrom('apiKeys')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
