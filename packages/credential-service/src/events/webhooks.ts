/** Webhooks as their owners set and see them. */
import { randomUUID } from 'node:crypto';
import { Fault } from '@symbolon/core/faults/faults';
import { eventLimits as limits } from '@symbolon/core/limits/waiting';
import type { deliveryReply, WebhookOrder, webhookReply } from '@symbolon/wire/events/requests';
import type { z } from 'zod';
import type { Actor } from '../audit/audit-entry.ts';
import { checkCallbackUrl } from '../sessions/callback-address.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import type { WebhookDelivery } from './delivery-rows.ts';
import type { EventParts } from './event-parts.ts';
import type { EventView } from './event-view.ts';
import { addWebhook, countWebhooks, findWebhooks, replaceWebhook, type Webhook } from './webhook-rows.ts';

type WebhookReply = z.input<typeof webhookReply>;

const timeText = (ms: number): string => new Date(ms).toISOString();

/** The rest of the address may hold a password. */
export async function renderWebhook(
  { vault }: Pick<EventParts, 'vault'>,
  row: Webhook,
): Promise<WebhookReply> {
  const { name, keyId, state, cursor, attempts, problem, nextAttemptAt, deliveredAt } = row;
  const address = await vault.decryptText(row.address, contexts.webhookAddress(row.id));
  return {
    name,
    keyId,
    receiver: new URL(address).origin,
    state,
    lastId: String(cursor),
    attempts,
    ...(problem !== null && { problem }),
    ...(state === 'active' && attempts > 0 && { nextAttemptAt: timeText(nextAttemptAt) }),
    ...(deliveredAt !== null && { deliveredAt: timeText(deliveredAt) }),
  };
}

export const renderDelivery = (delivery: WebhookDelivery): z.input<typeof deliveryReply> => ({
  id: delivery.id,
  time: timeText(delivery.at),
  isTaken: delivery.problem === null,
  isResent: delivery.isResent === 1,
  attempt: delivery.attempt,
  firstId: String(delivery.firstId),
  lastId: String(delivery.lastId),
  events: delivery.events,
  ...(delivery.status !== null && { status: delivery.status }),
  ...(delivery.problem !== null && { problem: delivery.problem }),
  ms: delivery.ms,
});

interface SettingWebhook extends Omit<WebhookOrder, 'after'> {
  readonly keyId: string;
  readonly view: EventView;
  readonly actor: Actor;
  readonly after: number | undefined;
}

/** A new one begins with what comes, or behind an event; one that is there goes on from where it is. */
export async function setWebhook(
  parts: EventParts,
  { name, callbackUrl, after, keyId, view, actor }: SettingWebhook,
): Promise<WebhookReply> {
  const { database, vault, audit, clock, callbackReach } = parts;
  checkCallbackUrl(callbackUrl, callbackReach);
  const { sequence } = await audit.head();
  const known = (await findWebhooks(database.kysely, keyId)).find((one) => one.name === name);
  const id = known?.id ?? randomUUID();
  const address = await vault.encryptText(callbackUrl, contexts.webhookAddress(id));
  const row = await database.transaction(async (queries) => {
    const own = await findWebhooks(queries, keyId);
    const before = own.find((one) => one.id === id);
    const now = clock.nowMs();
    const place = { cursor: after ?? before?.cursor ?? sequence, nextAttemptAt: now, updatedAt: now };
    if (before) await replaceWebhook(queries, { id, address, ...place });
    else {
      // Another request of the same name was faster.
      if (own.some((one) => one.name === name)) throw new Fault('requestInProgress');
      if (own.length >= limits.webhooksPerKeyMax || (await countWebhooks(queries)) >= limits.webhooksMax)
        throw new Fault('webhooksFull');
      const owners = { ...view, isAll: Number(view.isAll) };
      const fresh = { state: 'active', attempts: 0, createdAt: now } as const;
      await addWebhook(queries, { id, keyId, name, address, ...owners, ...place, ...fresh });
    }
    await audit.record({ actor, action: 'webhook.set', subject: name }, queries);
    const set = (await findWebhooks(queries, keyId)).find((one) => one.id === id);
    if (!set) throw new Fault('webhookUnknown');
    return set;
  });
  return renderWebhook(parts, row);
}
