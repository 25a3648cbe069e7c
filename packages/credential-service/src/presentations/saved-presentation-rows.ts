/** Presentations that are kept under an id for a while, so that a verifier can be handed the id alone. */
import type { Encrypted, Queries, RowOf } from '../database/schema.ts';
import { deleteBatch } from '../database/statements.ts';

export async function addSavedPresentation(
  queries: Queries,
  row: RowOf<'savedPresentations'>,
): Promise<void> {
  await queries.insertInto('savedPresentations').values(row).execute();
}

/** Undefined where there is none any more. */
export async function findSavedPresentation(
  queries: Queries,
  id: string,
  now: number,
): Promise<Encrypted | undefined> {
  const row = await queries
    .selectFrom('savedPresentations')
    .select('presentation')
    .where('id', '=', id)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  return row?.presentation;
}

export const sweepSavedPresentations = (queries: Queries, now: number): Promise<number> =>
  deleteBatch(queries, 'savedPresentations', {
    key: 'id',
    first: 'expiresAt',
    where: (eb) => eb('expiresAt', '<=', now),
  });
