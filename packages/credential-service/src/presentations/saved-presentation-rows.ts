/** Presentations that are kept under an id for a while, so that a verifier can be handed the id alone. */

import type { Queries, RowOf, Sealed } from '../database/schema.ts';
import { recordLimits } from '../limits/service-limits.ts';

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
): Promise<Sealed | undefined> {
  const row = await queries
    .selectFrom('savedPresentations')
    .select('presentation')
    .where('id', '=', id)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  return row?.presentation;
}

export async function sweepSavedPresentations(queries: Queries, now: number): Promise<number> {
  const gone = await queries
    .deleteFrom('savedPresentations')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('savedPresentations')
        .select('id')
        .where('expiresAt', '<=', now)
        .orderBy('expiresAt')
        .limit(recordLimits.batchRowsMax),
    )
    .returning('id')
    .execute();
  return gone.length;
}
