/** Rows of API keys. What a key looks like and when it counts is said in `api-keys.ts`. */
import { type Page, type PageRequest, pageInOrder } from '../database/paging.ts';
import type { NewRowOf, Queries, RowOf } from '../database/schema.ts';
import { addOnce, countRows, hasRow, rowBy } from '../database/statements.ts';
import { recordLimits } from '../limits/service-limits.ts';

export type ApiKeyRow = RowOf<'apiKeys'>;

/** False when the id is taken. */
export const addApiKey = (queries: Queries, row: NewRowOf<'apiKeys'>): Promise<boolean> =>
  addOnce(queries, 'apiKeys', row);

export const findApiKey = rowBy('apiKeys', 'id');

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
  return pageInOrder(queries.selectFrom('apiKeys').selectAll(), request, ['createdAt', 'id']);
}

/** False when there is no such key, or it is revoked already. */
export async function markApiKeyRevoked(queries: Queries, id: string, now: number): Promise<boolean> {
  const live = queries.updateTable('apiKeys').where('id', '=', id).where('revokedAt', 'is', null);
  return hasRow(live.set({ revokedAt: now }).returning('id'));
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

export const countApiKeys = (queries: Queries): Promise<number> => countRows(queries.selectFrom('apiKeys'));
