/** Rows of keys that the service signs with for issuers. A key's id names it for good; adding it again changes nothing. */
import type { Queries, RowOf } from '../database/schema.ts';
import { addOnce, hasRow, rowBy } from '../database/statements.ts';
import { issuerKeyLimits } from '../limits/service-limits.ts';

export type DelegatedKeyRow = RowOf<'delegatedKeys'>;

export async function addDelegatedKey(
  queries: Queries,
  row: Omit<DelegatedKeyRow, 'endedAt'>,
): Promise<void> {
  await addOnce(queries, 'delegatedKeys', { ...row, endedAt: null });
}

export const findDelegatedKey = rowBy('delegatedKeys', 'id');

/** Newest first, those that have ended included. */
export const listDelegatedKeys = (
  queries: Queries,
  { issuer, kind }: Pick<DelegatedKeyRow, 'issuer' | 'kind'>,
): Promise<readonly DelegatedKeyRow[]> =>
  queries
    .selectFrom('delegatedKeys')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('kind', '=', kind)
    .orderBy('number', 'desc')
    .limit(issuerKeyLimits.keysMax)
    .execute();

/** For good: its secret is gone. False where there is none that has not ended. */
export const endDelegatedKey = (queries: Queries, id: string, at: number): Promise<boolean> =>
  hasRow(
    queries
      .updateTable('delegatedKeys')
      .set({ secret: null, endedAt: at })
      .where('id', '=', id)
      .where('endedAt', 'is', null)
      .returning('id'),
  );
