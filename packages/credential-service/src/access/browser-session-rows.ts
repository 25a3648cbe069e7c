/** Rows of the sessions of browsers. When one counts is said in `browser-sessions.ts`. */
import { signInLimits } from '@symbolon/core/limits/console';
import type { NewRowOf, Queries, RowOf } from '../database/schema.ts';
import { addOnce, countRows, deleteBatch, hasRow, rowBy } from '../database/statements.ts';
import { browserSessionLimits as limits } from '../limits/service-limits.ts';

export type BrowserSessionRow = RowOf<'browserSessions'>;

/** False when its challenge was used before. */
export const addBrowserSession = (queries: Queries, row: NewRowOf<'browserSessions'>): Promise<boolean> =>
  addOnce(queries, 'browserSessions', row);

export const findBrowserSession = rowBy('browserSessions', 'id');

/** Of people without an API key, used since then. */
export const countKeylessSessions = (queries: Queries, since: number): Promise<number> =>
  countRows(
    queries
      .selectFrom('browserSessions')
      .where('keyId', 'is', null)
      .where('endedAt', 'is', null)
      .where('usedAt', '>', since),
  );

/** Ends all of a party but the newest; answers which. */
export async function endOldestSessions(
  queries: Queries,
  { party, now }: { readonly party: string; readonly now: number },
): Promise<readonly string[]> {
  const oldest = await queries
    .selectFrom('browserSessions')
    .select('id')
    .where('party', '=', party)
    .where('endedAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .offset(limits.perPartyMax)
    .limit(limits.perPartyMax)
    .execute();
  const ids = oldest.map(({ id }) => id);
  if (ids.length > 0)
    await queries.updateTable('browserSessions').set({ endedAt: now }).where('id', 'in', ids).execute();
  return ids;
}

/** False when there is no such session, or it has ended already. */
export const markSessionEnded = (queries: Queries, id: string, now: number): Promise<boolean> =>
  hasRow(
    queries
      .updateTable('browserSessions')
      .set({ endedAt: now })
      .where('id', '=', id)
      .where('endedAt', 'is', null)
      .returning('id'),
  );

/** Written at most once in a while, however busy a session is. */
export async function markSessionUsed(queries: Queries, id: string, now: number): Promise<void> {
  await queries
    .updateTable('browserSessions')
    .set({ usedAt: now })
    .where('id', '=', id)
    .where('usedAt', '<=', now - limits.useIntervalMs)
    .execute();
}

/** Those whose name begins with one of these marks. */
export async function findMarkedSessions(
  queries: Queries,
  marks: readonly string[],
): Promise<BrowserSessionRow[]> {
  if (marks.length === 0) return [];
  return queries
    .selectFrom('browserSessions')
    .selectAll()
    .where((eb) =>
      // Names are hex, so what begins with a mark is between it and the mark with a later letter behind.
      eb.or(marks.map((mark) => eb.and([eb('id', '>=', mark), eb('id', '<', `${mark}g`)]))),
    )
    .execute();
}

export const sweepBrowserSessions = (queries: Queries, now: number): Promise<number> =>
  deleteBatch(queries, 'browserSessions', {
    key: 'id',
    first: 'usedAt',
    where: (eb) => eb('usedAt', '<=', now - signInLimits.idleMs - limits.keptMs),
  });
