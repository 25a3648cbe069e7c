/**
 * Callbacks on their way: written in the transaction that ends a session, tried until the receiver takes them or they
 * have been tried often enough. Taking one for an attempt moves its next attempt behind a lease, so that no two
 * replicas send it at the same time and one whose sender died is sent again.
 */
import { sessionLimits } from '@symbolon/core/limits/waiting';
import type { Encrypted, Queries, RowOf } from '../database/schema.ts';
import { deleteBatch, rowBy } from '../database/statements.ts';

export type Delivery = RowOf<'outbox'>;
export type WaitingDelivery = Delivery & { readonly content: Encrypted };

type NewDelivery = Pick<WaitingDelivery, 'id' | 'sessionId' | 'keyId' | 'content'> & { readonly now: number };

export async function addDelivery(queries: Queries, { now, ...delivery }: NewDelivery): Promise<void> {
  await queries
    .insertInto('outbox')
    .values({
      ...delivery,
      state: 'waiting',
      attempts: 0,
      nextAttemptAt: now,
      createdAt: now,
      updatedAt: now,
    })
    .execute();
}

/** Of a session, which has one at most. */
export const findDeliveryOf = rowBy('outbox', 'sessionId');

/** Some that are due, for whoever asks first. */
export async function takeDueDeliveries(queries: Queries, now: number): Promise<readonly WaitingDelivery[]> {
  const rows = await queries
    .updateTable('outbox')
    .set((eb) => ({
      attempts: eb('attempts', '+', 1),
      nextAttemptAt: now + sessionLimits.deliveryLeaseMs,
      updatedAt: now,
    }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('outbox')
        .select('id')
        .where('state', '=', 'waiting')
        .where('nextAttemptAt', '<=', now)
        .orderBy('nextAttemptAt')
        .limit(sessionLimits.deliveriesMax),
    )
    .where('state', '=', 'waiting')
    .where('nextAttemptAt', '<=', now)
    .returningAll()
    .execute();
  return rows as WaitingDelivery[];
}

export async function finishDelivery(queries: Queries, id: string, now: number): Promise<void> {
  await queries
    .updateTable('outbox')
    .set({ state: 'delivered', content: null, problem: null, updatedAt: now })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute();
}

interface FailedAttempt {
  readonly id: string;
  readonly problem: string;
  readonly now: number;
  /** Undefined when it was tried often enough. */
  readonly nextAttemptAt: number | undefined;
}

export async function postponeDelivery(
  queries: Queries,
  { id, problem, now, nextAttemptAt }: FailedAttempt,
): Promise<void> {
  const end = { state: 'abandoned', content: null } as const;
  await queries
    .updateTable('outbox')
    .set({ problem, updatedAt: now, ...(nextAttemptAt === undefined ? end : { nextAttemptAt }) })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute();
}

export const sweepDeliveries = (queries: Queries, now: number): Promise<number> =>
  deleteBatch(queries, 'outbox', {
    key: 'id',
    first: 'updatedAt',
    where: (eb) =>
      eb.and([
        eb('state', 'in', ['delivered', 'abandoned']),
        eb('updatedAt', '<=', now - sessionLimits.sessionKeptMs),
      ]),
  });
