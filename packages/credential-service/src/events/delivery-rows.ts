/** Rows of what was posted to webhooks: the last of each, whether the receiver took it or not. */
import { deliveryLimits } from '@symbolon/core/limits/directory';
import { numberCursor, type Page, type PageRequest, pageLimit, pageOf } from '../database/paging.ts';
import type { Queries, RowOf } from '../database/schema.ts';
import { ahead } from '../database/statements.ts';

export type WebhookDelivery = RowOf<'webhookDeliveries'>;

const ofWebhook = (queries: Queries, webhookId: string) =>
  queries
    .selectFrom('webhookDeliveries')
    .where('webhookId', '=', webhookId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc');

/** Remembers one, and forgets the oldest beyond those that are kept. */
export async function rememberDelivery(queries: Queries, row: WebhookDelivery): Promise<void> {
  await queries.insertInto('webhookDeliveries').values(row).execute();
  const oldestKept = await ofWebhook(queries, row.webhookId)
    .select(['at', 'id'])
    .offset(deliveryLimits.perWebhookMax - 1)
    .limit(1)
    .executeTakeFirst();
  if (!oldestKept) return;
  await queries
    .deleteFrom('webhookDeliveries')
    .where('webhookId', '=', row.webhookId)
    .where(ahead(['at', 'id'], [oldestKept.at, oldestKept.id]))
    .execute();
}

/** Newest first. */
export async function pageDeliveries(
  queries: Queries,
  webhookId: string,
  request: PageRequest,
): Promise<Page<WebhookDelivery>> {
  const limit = pageLimit(request);
  const last = numberCursor(request);
  const own = ofWebhook(queries, webhookId).selectAll();
  const rows = await (last ? own.where(ahead(['at', 'id'], last)) : own).limit(limit + 1).execute();
  return pageOf(rows, limit, ({ at, id }) => [at, id]);
}

export const findDelivery = (
  queries: Queries,
  { webhookId, id }: Pick<WebhookDelivery, 'webhookId' | 'id'>,
): Promise<WebhookDelivery | undefined> =>
  queries
    .selectFrom('webhookDeliveries')
    .selectAll()
    .where('id', '=', id)
    .where('webhookId', '=', webhookId)
    .executeTakeFirst();
