/** Rows of API keys. What a key looks like and when it counts is said in `api-keys.ts`. */
import { ownKeyLimits } from '@symbolon/core/limits/directory';
import type { ExpressionBuilder } from 'kysely';
import { type Page, type PageRequest, pageInOrder } from '../database/paging.ts';
import type { NewRowOf, Queries, RowOf, ServiceSchema } from '../database/schema.ts';
import { addOnce, countRows, deleteBatch, hasRow, rowBy } from '../database/statements.ts';
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

/** Whose keys belong together: those of a DID, or those that come from one key which acts for nobody. */
export type KeyParty = { readonly did: string } | { readonly family: string };

export const partyOfKey = ({ id, did, family }: Pick<ApiKeyRow, 'id' | 'did' | 'family'>): KeyParty =>
  did === null ? { family: family ?? id } : { did };

const ofParty = (party: KeyParty) => (eb: ExpressionBuilder<ServiceSchema, 'apiKeys'>) =>
  'did' in party
    ? eb('did', '=', party.did)
    : eb.or([eb('family', '=', party.family), eb.and([eb('id', '=', party.family), eb('did', 'is', null)])]);

/** Oldest first. */
export async function pageKeysOfParty(
  queries: Queries,
  party: KeyParty,
  request: PageRequest,
): Promise<Page<ApiKeyRow>> {
  const rows = queries.selectFrom('apiKeys').selectAll().where(ofParty(party));
  return pageInOrder(rows, request, ['createdAt', 'id']);
}

export const countKeysOfParty = (queries: Queries, party: KeyParty): Promise<number> =>
  countRows(queries.selectFrom('apiKeys').where(ofParty(party)));

/** Whether another key of the operator's is in force. */
export const hasOtherAdminKey = (queries: Queries, id: string, now: number): Promise<boolean> =>
  hasRow(
    queries
      .selectFrom('apiKeys')
      .select('id')
      .where('id', '!=', id)
      .where('revokedAt', 'is', null)
      .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))
      .where('scopes', 'like', '%admin%')
      .limit(1),
  );

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

/** What has ended long ago is forgotten; the audit log tells of it. Answers how many. */
export const sweepApiKeys = (queries: Queries, now: number): Promise<number> =>
  deleteBatch(queries, 'apiKeys', {
    key: 'id',
    first: 'createdAt',
    where: (eb) =>
      eb.or([
        eb('revokedAt', '<=', now - ownKeyLimits.endedKeptMs),
        eb('expiresAt', '<=', now - ownKeyLimits.endedKeptMs),
      ]),
  });
