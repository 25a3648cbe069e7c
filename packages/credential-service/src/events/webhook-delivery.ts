/**
 * Posts events to webhooks: in order, each at least once, several in one request. A receiver that does not take them is
 * asked again later and later, then its webhook is paused; one that is slow holds up nobody but itself.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { eventLimits as limits } from '@symbolon/core/limits/waiting';
import type { Log } from '@symbolon/host/telemetry/log';
import { isKeyStillInForce } from '../access/stream-reader.ts';
import type { EventParts } from './event-parts.ts';
import { readEvents } from './event-rows.ts';
import { postToWebhook } from './webhook-post.ts';
import {
  moveWebhook,
  postponeWebhook,
  releaseWebhook,
  takeDueWebhooks,
  type Webhook,
} from './webhook-rows.ts';

/** What is to be called again and again. It does not wait for slow receivers: what is under way goes on. */
export function createWebhookDelivery(parts: EventParts, log: Log): () => Promise<void> {
  const { database, clock, audit } = parts;
  const underWay = new Set<Promise<void>>();
  return async () => {
    const limit = limits.postsMax - underWay.size;
    if (limit <= 0) return;
    await audit.flush();
    const due = await takeDueWebhooks(database.kysely, { now: clock.nowMs(), limit });
    for (const webhook of due) {
      const posting = postAll(parts, webhook, log)
        .catch((err: unknown) => log.warn({ err }, 'events could not be posted; they will be'))
        .finally(() => underWay.delete(posting));
      underWay.add(posting);
    }
    const pause = new AbortController();
    const enough = sleep(limits.postIntervalMs, undefined, { ref: false, signal: pause.signal });
    await Promise.race([Promise.all(underWay), enough.catch(() => undefined)]);
    pause.abort();
  };
}

async function postAll(parts: EventParts, webhook: Webhook, log: Log): Promise<void> {
  let taken = webhook;
  for (let count = 1; count <= limits.postsInRowMax; count += 1) {
    const next = await postSome(parts, taken, { isLast: count === limits.postsInRowMax, log });
    if (!next) return;
    taken = next;
  }
}

/** One request; answers the webhook as it is then, if there may be more to post at once. */
async function postSome(
  parts: EventParts,
  taken: Webhook,
  { isLast, log }: { readonly isLast: boolean; readonly log: Log },
): Promise<Webhook | undefined> {
  const { database, clock } = parts;
  const { kysely } = database;
  if (!(await isKeyStillInForce(parts, taken.keyId)))
    return giveUp(parts, taken, { problem: 'the API key is not in force any more', log });
  const view = { ...taken, isAll: taken.isAll === 1 };
  const entries = await readEvents(kysely, view, { after: taken.cursor, limit: limits.batchMax });
  const to = entries.at(-1)?.sequence;
  if (to === undefined) {
    await releaseWebhook(kysely, taken, clock.nowMs());
    return undefined;
  }
  const post = { entries, attempt: taken.attempts + 1, isResent: false };
  const { problem } = await postToWebhook(parts, taken, post, log);
  if (problem !== null) return postpone(parts, taken, { problem, log });
  const now = clock.nowMs();
  const isMore = entries.length === limits.batchMax && !isLast;
  const nextAttemptAt = isMore ? now + limits.postLeaseMs : now;
  const isMoved = await moveWebhook(kysely, taken, { to, now, nextAttemptAt });
  return isMoved && isMore ? { ...taken, cursor: to, attempts: 0, failingSince: null } : undefined;
}

interface Trouble {
  readonly problem: string;
  readonly log: Log;
}

async function postpone(parts: EventParts, taken: Webhook, { problem, log }: Trouble): Promise<undefined> {
  const { database, clock } = parts;
  const now = clock.nowMs();
  const failingSince = taken.failingSince ?? now;
  if (now - failingSince >= limits.failingMsMax) return giveUp(parts, taken, { problem, log });
  const attempts = taken.attempts + 1;
  const nextAttemptAt = now + Math.min(limits.retryMs * 2 ** Math.min(attempts - 1, 30), limits.retryMsMax);
  await postponeWebhook(database.kysely, taken, { problem, now, attempts, failingSince, nextAttemptAt });
  log.debug({ webhook: taken.id, problem, attempts }, 'events were not taken and are posted again');
  return undefined;
}

async function giveUp(parts: EventParts, taken: Webhook, { problem, log }: Trouble): Promise<undefined> {
  const { database, clock, audit } = parts;
  const { id, keyId, name: subject, attempts } = taken;
  const now = clock.nowMs();
  const failed = {
    problem,
    now,
    attempts,
    failingSince: taken.failingSince ?? now,
    nextAttemptAt: undefined,
  };
  await database.transaction(async (queries) => {
    if (!(await postponeWebhook(queries, taken, failed))) return;
    await audit.record({ action: 'webhook.pause', subject, details: { keyId, count: attempts } }, queries);
  });
  log.warn({ webhook: id, problem, attempts }, 'a webhook is paused');
  return undefined;
}
