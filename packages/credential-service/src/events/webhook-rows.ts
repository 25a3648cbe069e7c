/**
 * Webhooks and how far each has come. Taking one for an attempt moves its next attempt behind a lease, so that no two
 * replicas post at the same time, and one whose sender died is posted to again; its cursor moves when the receiver has
 * taken what lies before it.
 */
import { eventLimits as limits } from '@symbolon/core/limits/waiting';
import type { ExpressionBuilder } from 'kysely';
import type { NewRowOf, Queries, RowOf, ServiceSchema } from '../database/schema.ts';
import { countRows, deleteBatch, hasRow } from '../database/statements.ts';

export type Webhook = RowOf<'webhooks'>;

/** Oldest first. */
export async function findWebhooks(queries: Queries, keyId: string): Promise<readonly Webhook[]> {
  return queries
    .selectFrom('webhooks')
    .selectAll()
    .where('keyId', '=', keyId)
    .orderBy('createdAt')
    .orderBy('name')
    .execute();
}

export const countWebhooks = (queries: Queries): Promise<number> => countRows(queries.selectFrom('webhooks'));

export async function addWebhook(queries: Queries, row: NewRowOf<'webhooks'>): Promise<void> {
  await queries.insertInto('webhooks').values(row).execute();
}

/** Another address, perhaps another place; whatever kept it is forgotten. */
export async function replaceWebhook(
  queries: Queries,
  { id, ...change }: Pick<Webhook, 'id' | 'address' | 'cursor' | 'nextAttemptAt' | 'updatedAt'>,
): Promise<void> {
  await queries
    .updateTable('webhooks')
    .set({ ...change, state: 'active', attempts: 0, failingSince: null, problem: null })
    .where('id', '=', id)
    .execute();
}

export const removeWebhook = (
  queries: Queries,
  { keyId, name }: Pick<Webhook, 'keyId' | 'name'>,
): Promise<boolean> =>
  hasRow(queries.deleteFrom('webhooks').where('keyId', '=', keyId).where('name', '=', name).returning('id'));

type WebhookTerms = ExpressionBuilder<ServiceSchema, 'webhooks'>;

/** Whether an event of its key lies behind its cursor: each kind is one look into an index. */
function hasNews(eb: WebhookTerms) {
  const behindCursor = eb
    .selectFrom('auditEntries')
    .select('sequence')
    .where('owner', 'is not', null)
    .whereRef('sequence', '>', 'webhooks.cursor');
  const of = (column: 'issuerOwner' | 'verifierOwner') =>
    eb.exists(behindCursor.whereRef('owner', '=', `webhooks.${column}`));
  return eb.or([
    eb.and([eb('isAll', '=', 1), eb.exists(behindCursor)]),
    of('issuerOwner'),
    of('verifierOwner'),
  ]);
}

const isDue = (now: number) => (eb: WebhookTerms) =>
  eb.and([eb('state', '=', 'active'), eb('nextAttemptAt', '<=', now), hasNews(eb)]);

/** Some that there is something for, for whoever asks first. */
export async function takeDueWebhooks(
  queries: Queries,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<readonly Webhook[]> {
  return queries
    .updateTable('webhooks')
    .set({ nextAttemptAt: now + limits.postLeaseMs, updatedAt: now })
    .where('id', 'in', (eb) =>
      eb.selectFrom('webhooks').select('id').where(isDue(now)).orderBy('nextAttemptAt').limit(limit),
    )
    .where('state', '=', 'active')
    .where('nextAttemptAt', '<=', now)
    .returningAll()
    .execute();
}

/** A row as it was taken: one that was set anew meanwhile is another. */
type TakenWebhook = Pick<Webhook, 'id' | 'cursor' | 'address'>;

const stillTaken = (queries: Queries, { id, cursor, address }: TakenWebhook) =>
  queries
    .updateTable('webhooks')
    .where('id', '=', id)
    .where('cursor', '=', cursor)
    .where('address', '=', address)
    .where('state', '=', 'active');

/** The receiver has taken everything up to here; false when somebody has set the webhook anew meanwhile. */
export const moveWebhook = (
  queries: Queries,
  taken: TakenWebhook,
  { to, now, nextAttemptAt }: { readonly to: number; readonly now: number; readonly nextAttemptAt: number },
): Promise<boolean> =>
  hasRow(
    stillTaken(queries, taken)
      .set({
        cursor: to,
        attempts: 0,
        failingSince: null,
        problem: null,
        deliveredAt: now,
        nextAttemptAt,
        updatedAt: now,
      })
      .returning('id'),
  );

/** Gives it back: there was nothing to post. */
export async function releaseWebhook(queries: Queries, taken: TakenWebhook, now: number): Promise<void> {
  await stillTaken(queries, taken).set({ nextAttemptAt: now }).execute();
}

export interface FailedPost {
  readonly problem: string;
  readonly now: number;
  readonly attempts: number;
  readonly failingSince: number;
  /** Undefined when it is paused. */
  readonly nextAttemptAt: number | undefined;
}

export const postponeWebhook = (
  queries: Queries,
  taken: TakenWebhook,
  { now, nextAttemptAt, ...failed }: FailedPost,
): Promise<boolean> =>
  hasRow(
    stillTaken(queries, taken)
      .set({
        ...failed,
        updatedAt: now,
        ...(nextAttemptAt === undefined ? { state: 'paused' } : { nextAttemptAt }),
      })
      .returning('id'),
  );

/** What nobody has resumed for long is forgotten. Answers how many. */
export const sweepWebhooks = (queries: Queries, now: number): Promise<number> =>
  deleteBatch(queries, 'webhooks', {
    key: 'id',
    first: 'updatedAt',
    where: (eb) => eb.and([eb('state', '=', 'paused'), eb('updatedAt', '<=', now - limits.pausedKeptMs)]),
  });
