/** Access tokens by their hashes, one for each offer that was redeemed. */
import type { Queries, RowOf } from '../../database/schema.ts';
import { addOnce, deleteBatch, hasRow, rowBy } from '../../database/statements.ts';

export type Grant = RowOf<'openidGrants'>;

export type NewGrant = Omit<Grant, 'answeredAt' | 'revokedAt' | 'createdAt'> & { readonly now: number };

/** False where the offer was redeemed already. */
export const addGrant = (queries: Queries, { now, ...given }: NewGrant): Promise<boolean> =>
  addOnce(queries, 'openidGrants', { ...given, createdAt: now });

export const findGrantOfOffer = rowBy('openidGrants', 'offerId');
export const findGrantByToken = rowBy('openidGrants', 'tokenHash');

/** The wallet has its token: the code is spent. */
export async function markGrantAnswered(queries: Queries, id: string, now: number): Promise<void> {
  await queries
    .updateTable('openidGrants')
    .set({ answeredAt: now })
    .where('id', '=', id)
    .where('answeredAt', 'is', null)
    .execute();
}

/** Good for nothing from now on. Whether it was good for something before. */
export const revokeGrant = (queries: Queries, id: string, now: number): Promise<boolean> =>
  hasRow(
    queries
      .updateTable('openidGrants')
      .set({ revokedAt: now })
      .where('id', '=', id)
      .where('revokedAt', 'is', null)
      .returning('id'),
  );

/** It is good until what was asked for can come, and never shorter than it was. */
export async function extendGrant(queries: Queries, id: string, expiresAt: number): Promise<void> {
  await queries
    .updateTable('openidGrants')
    .set({ expiresAt })
    .where('id', '=', id)
    .where('expiresAt', '<', expiresAt)
    .execute();
}

/** With what was asked for with them. Answers how many. */
export const sweepGrants = (queries: Queries, now: number): Promise<number> =>
  deleteBatch(queries, 'openidGrants', {
    key: 'id',
    first: 'expiresAt',
    where: (eb) => eb('expiresAt', '<=', now),
  });
