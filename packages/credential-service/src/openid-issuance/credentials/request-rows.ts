/** Requests for credentials: what was asked for with which keys, and what was answered. */
import type { Encrypted, Queries, RowOf } from '../../database/schema.ts';
import { addOnce, countRows, hasRow, rowBy } from '../../database/statements.ts';

export type CredentialRequestRow = RowOf<'openidRequests'>;

export type NewCredentialRequest = Pick<
  CredentialRequestRow,
  'id' | 'grantId' | 'vcId' | 'configurationId' | 'mark' | 'holderKeys' | 'notificationId'
> & { readonly now: number };

/** False where the same was asked for already. */
export const addCredentialRequest = (
  queries: Queries,
  { now, ...given }: NewCredentialRequest,
): Promise<boolean> => addOnce(queries, 'openidRequests', { ...given, createdAt: now, updatedAt: now });

export const findCredentialRequest = rowBy('openidRequests', 'id');
export const findNotified = rowBy('openidRequests', 'notificationId');

export async function findSameRequest(
  queries: Queries,
  { grantId, mark }: Pick<CredentialRequestRow, 'grantId' | 'mark'>,
): Promise<CredentialRequestRow | undefined> {
  return queries
    .selectFrom('openidRequests')
    .selectAll()
    .where('grantId', '=', grantId)
    .where('mark', '=', mark)
    .executeTakeFirst();
}

export const countRequests = (queries: Queries, grantId: string): Promise<number> =>
  countRows(queries.selectFrom('openidRequests').where('grantId', '=', grantId));

/** Written once: of several that make the credentials at the same time one is heard. */
export const keepAnswer = (
  queries: Queries,
  { id, answer, now }: { readonly id: string; readonly answer: Encrypted; readonly now: number },
): Promise<boolean> =>
  hasRow(
    queries
      .updateTable('openidRequests')
      .set({ answer, updatedAt: now })
      .where('id', '=', id)
      .where('answer', 'is', null)
      .returning('id'),
  );

/** Whether it is news. */
export const keepEvent = (
  queries: Queries,
  { id, event, now }: { readonly id: string; readonly event: string; readonly now: number },
): Promise<boolean> =>
  hasRow(
    queries
      .updateTable('openidRequests')
      .set({ event, updatedAt: now })
      .where('id', '=', id)
      .where((eb) => eb.or([eb('event', 'is', null), eb('event', '!=', event)]))
      .returning('id'),
  );
