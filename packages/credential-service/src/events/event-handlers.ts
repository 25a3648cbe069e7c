/** Events over HTTP (`docs/events.md`): the stream, pages of the same, and webhooks. */
import { given } from '@symbolon/core/basics/plain-values';
import { Fault } from '@symbolon/core/faults/faults';
import { deliveryLimits } from '@symbolon/core/limits/directory';
import { eventLimits as limits } from '@symbolon/core/limits/waiting';
import { lastEventIdHeader, lastEventIdPointer, readLastEventId } from '@symbolon/wire/events/requests';
import type { EventHandlers } from '@symbolon/wire/events/routes';
import { malformedAt } from '@symbolon/wire/http/service-route';
import { createStreamReader } from '../access/stream-reader.ts';
import type { Queries } from '../database/schema.ts';
import { keyIdOf } from '../sessions/sessions.ts';
import { findDelivery, pageDeliveries } from './delivery-rows.ts';
import type { EventParts } from './event-parts.ts';
import { readEvents } from './event-rows.ts';
import { eventStream } from './event-stream.ts';
import { viewOf } from './event-view.ts';
import { toldEvent } from './told-event.ts';
import { postToWebhook } from './webhook-post.ts';
import { findWebhooks, removeWebhook, type Webhook } from './webhook-rows.ts';
import { renderDelivery, renderWebhook, setWebhook } from './webhooks.ts';

export function createEventHandlers(parts: EventParts): EventHandlers {
  const { database, audit, eventFeed, log } = parts;
  const { kysely } = database;
  const resends = createResends();

  /** What an older copy of this service has not seen yet would be passed over when it comes. */
  async function placeOf(after: number | undefined, pointer: string): Promise<number> {
    const { sequence } = await audit.head();
    if (after !== undefined && after > sequence)
      throw malformedAt(pointer, 'is ahead of every event: this service was restored, or is another one');
    return after ?? sequence;
  }

  return {
    async watchEvents({ after }, { caller, signal, header }) {
      const [keyId, view] = [keyIdOf(caller), viewOf(caller)];
      const last = readLastEventId(header(lastEventIdHeader));
      const place = await (last === undefined
        ? placeOf(after, '/query/after')
        : placeOf(last, lastEventIdPointer));
      const leave = eventFeed.enter(keyId, signal);
      const reader = createStreamReader(parts, { keyId, session: caller.session, signal });
      return {
        contentType: 'text/event-stream; charset=utf-8',
        chunks: eventStream(parts, { reader, view, after: place, leave }),
        headers: { 'x-accel-buffering': 'no' },
      };
    },

    async listEvents({ after, limit }, { caller }) {
      const view = viewOf(caller);
      const place = await placeOf(after, '/query/after');
      const entries = await readEvents(kysely, view, { after: place, limit });
      return { events: entries.map(toldEvent), lastId: String(entries.at(-1)?.sequence ?? place) };
    },

    async listWebhooks(_request, { caller }) {
      const found = await findWebhooks(kysely, keyIdOf(caller));
      return { webhooks: await Promise.all(found.map((row) => renderWebhook(parts, row))) };
    },

    async setWebhook(order, { caller }) {
      const [keyId, view] = [keyIdOf(caller), viewOf(caller)];
      const after = order.after === undefined ? undefined : await placeOf(order.after, '/after');
      return setWebhook(parts, { ...order, after, keyId, view, actor: caller });
    },

    async removeWebhook({ name }, { caller }) {
      const keyId = keyIdOf(caller);
      await database.transaction(async (queries) => {
        if (!(await removeWebhook(queries, { keyId, name }))) throw new Fault('webhookUnknown');
        await audit.record({ actor: caller, action: 'webhook.remove', subject: name }, queries);
      });
      return { name };
    },

    async listDeliveries({ name, cursor, itemsMax: limit }, { caller }) {
      const { id } = await requireWebhook(kysely, keyIdOf(caller), name);
      const { items, next } = await pageDeliveries(kysely, id, { limit, ...given({ cursor }) });
      return { deliveries: items.map(renderDelivery), ...(next !== undefined && { nextCursor: next }) };
    },

    async resendDelivery({ name, id }, { caller }) {
      const webhook = await requireWebhook(kysely, keyIdOf(caller), name);
      const before = await findDelivery(kysely, { webhookId: webhook.id, id });
      if (!before) throw new Fault('deliveryUnknown');
      return resends(webhook.id, async () => {
        const view = { ...webhook, isAll: webhook.isAll === 1 };
        const { firstId, lastId: upTo } = before;
        const entries = await readEvents(kysely, view, { after: firstId - 1, upTo, limit: limits.batchMax });
        await audit.record({ actor: caller, action: 'webhook.resend', subject: name });
        const post = { entries, attempt: before.attempt + 1, isResent: true };
        return renderDelivery(await postToWebhook(parts, webhook, post, log));
      });
    },
  };
}

async function requireWebhook(queries: Queries, keyId: string, name: string): Promise<Webhook> {
  const found = (await findWebhooks(queries, keyId)).find((one) => one.name === name);
  if (!found) throw new Fault('webhookUnknown');
  return found;
}

/** One post at a time to a webhook, and a few to all: whoever asks waits for the receiver. */
function createResends() {
  const underWay = new Set<string>();
  return async <Answer>(webhookId: string, post: () => Promise<Answer>): Promise<Answer> => {
    if (underWay.has(webhookId))
      throw new Fault('requestInProgress', {
        detail: 'A post to this webhook is being made again',
        retryAfterSeconds: 1,
      });
    if (underWay.size >= deliveryLimits.resendsMax) throw new Fault('overloaded', { retryAfterSeconds: 2 });
    underWay.add(webhookId);
    try {
      return await post();
    } finally {
      underWay.delete(webhookId);
    }
  };
}
