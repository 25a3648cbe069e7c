/** One post of events to a webhook, signed, and remembered with what its receiver answered. */
import { randomUUID } from 'node:crypto';
import type { Log } from '@symbolon/host/telemetry/log';
import { renderWebhookPost } from '@symbolon/wire/events/service-events';
import { signatureHeaders } from '@symbolon/wire/sessions/replies';
import type { AuditEntry } from '../audit/audit-entry.ts';
import { postCallback } from '../sessions/callback-post.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import { rememberDelivery, type WebhookDelivery } from './delivery-rows.ts';
import type { EventParts } from './event-parts.ts';
import { toldEvent } from './told-event.ts';
import type { Webhook } from './webhook-rows.ts';

export interface WebhookPost {
  readonly entries: readonly AuditEntry[];
  readonly attempt: number;
  readonly isResent: boolean;
}

/** What became of it; that it cannot be remembered changes nothing for the receiver, who has it. */
export async function postToWebhook(
  parts: Pick<EventParts, 'database' | 'clock' | 'vault' | 'resultSigner' | 'callbackReach'>,
  webhook: Webhook,
  { entries, attempt, isResent }: WebhookPost,
  log: Pick<Log, 'warn'>,
): Promise<WebhookDelivery> {
  const { database, clock, vault, resultSigner, callbackReach } = parts;
  const { id: webhookId, name, keyId, address } = webhook;
  const url = await vault.decryptText(address, contexts.webhookAddress(webhookId));
  const body = renderWebhookPost({ webhook: name, keyId }, entries.map(toldEvent));
  const signatures = await resultSigner.sign(body, keyId);
  const startedAt = performance.now();
  const { status, problem } = await postCallback({ url, body }, signatureHeaders(signatures), callbackReach);
  const delivery: WebhookDelivery = {
    id: randomUUID(),
    webhookId,
    at: clock.nowMs(),
    firstId: entries[0]?.sequence ?? 0,
    lastId: entries.at(-1)?.sequence ?? 0,
    events: entries.length,
    attempt,
    isResent: Number(isResent),
    status: status ?? null,
    problem: problem ?? null,
    ms: Math.round(performance.now() - startedAt),
  };
  await database
    .transaction((queries) => rememberDelivery(queries, delivery))
    .catch((err: unknown) => log.warn({ err, webhook: webhookId }, 'a post to a webhook is not remembered'));
  return delivery;
}
