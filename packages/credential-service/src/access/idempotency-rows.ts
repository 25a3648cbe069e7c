/**
 * Rows of requests with an idempotency key. Each run has a claim of its own, so a late finisher cannot overwrite its
 * successor.
 */
import type { Encrypted, Queries, RowOf } from '../database/schema.ts';
import { deleteBatch, rowBy } from '../database/statements.ts';
import { isLeft } from '../database/workers.ts';
import { recordLimits } from '../limits/service-limits.ts';

type IdempotencyRow = RowOf<'idempotency'>;
type RunClaim = Pick<IdempotencyRow, 'id' | 'claim'>;

/** One statement: a new record, or one that has lapsed or whose run is lost; undefined where another run has it. */
export async function beginRun(
  queries: Queries,
  { now, ...run }: Pick<IdempotencyRow, 'id' | 'fingerprint' | 'worker' | 'claim'> & { readonly now: number },
): Promise<RunClaim | undefined> {
  const fresh: IdempotencyRow = {
    ...run,
    state: 'running',
    response: null,
    createdAt: now,
    expiresAt: now + recordLimits.idempotencyLifetimeMs,
  };
  return queries
    .insertInto('idempotency')
    .values(fresh)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(fresh)
        .where((eb) =>
          eb.or([
            eb('idempotency.expiresAt', '<=', now),
            eb.and([
              eb('idempotency.state', '=', 'running'),
              isLeft('idempotency'),
              eb('idempotency.fingerprint', '=', run.fingerprint),
            ]),
          ]),
        ),
    )
    .returning(['id', 'claim'])
    .executeTakeFirst();
}

export const findRun = rowBy('idempotency', 'id');

/** Without effect when another run has taken over meanwhile. */
export async function finishRun(
  queries: Queries,
  { id, claim }: RunClaim,
  response: Encrypted,
): Promise<void> {
  await queries
    .updateTable('idempotency')
    .set({ state: 'done', response })
    .where('id', '=', id)
    .where('claim', '=', claim)
    .where('state', '=', 'running')
    .execute();
}

export async function releaseRun(queries: Queries, { id, claim }: RunClaim): Promise<void> {
  await queries
    .deleteFrom('idempotency')
    .where('id', '=', id)
    .where('claim', '=', claim)
    .where('state', '=', 'running')
    .execute();
}

export const sweepIdempotency = (queries: Queries, now: number): Promise<number> =>
  deleteBatch(queries, 'idempotency', {
    key: 'id',
    first: 'expiresAt',
    where: (eb) => eb('expiresAt', '<=', now),
  });
