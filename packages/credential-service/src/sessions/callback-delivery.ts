/**
 * Delivers callbacks out of the outbox: each attempt is signed for its own moment. Whatever is not a 2xx answer is tried
 * again later.
 */
import { sessionLimits as limits } from '@symbolon/core/limits/waiting';
import type { Log } from '@symbolon/host/telemetry/log';
import { signatureHeaders } from '@symbolon/wire/sessions/replies';
import { contexts } from '../vault/encryption-contexts.ts';
import { type CallbackContent, postCallback } from './callback-post.ts';
import { finishDelivery, postponeDelivery, takeDueDeliveries, type WaitingDelivery } from './outbox-rows.ts';
import type { SessionParts } from './session-parts.ts';

/** Everything that is due now. */
export async function deliverCallbacks(parts: SessionParts, log: Log): Promise<void> {
  const due = await takeDueDeliveries(parts.database.kysely, parts.clock.nowMs());
  await Promise.all(due.map((delivery) => attempt(parts, delivery, log)));
}

async function attempt(parts: SessionParts, delivery: WaitingDelivery, log: Log): Promise<void> {
  const { database, clock, vault, audit, resultSigner, callbackReach, sessionEvents } = parts;
  const { id, attempts, keyId, sessionId } = delivery;
  const content = await vault.decryptDocument<CallbackContent>(delivery.content, contexts.delivery(id));
  const signatures = await resultSigner.sign(content.body, keyId);
  const { problem } = await postCallback(content, signatureHeaders(signatures), callbackReach);
  const now = clock.nowMs();
  // Also of an attempt that was not taken: whoever answers badly may have read it.
  const outcome = problem === undefined ? 'done' : 'failed';
  const details = { count: attempts };
  const event = { action: 'verification.deliver', subject: sessionId, outcome, details } as const;
  const isLast = attempts >= limits.deliveryAttemptsMax;
  const pause = Math.min(limits.retryMs * 2 ** (attempts - 1), limits.retryMsMax);
  const nextAttemptAt = isLast ? undefined : now + pause;
  await database.transaction(async (queries) => {
    if (problem === undefined) await finishDelivery(queries, id, now);
    else await postponeDelivery(queries, { id, problem, now, nextAttemptAt });
    await audit.record({ actor: { keyId }, ...event }, queries);
  });
  sessionEvents.changed(sessionId);
  if (problem === undefined) return;
  if (isLast) log.warn({ sessionId, problem, attempts }, 'a callback was not taken and is given up');
  else log.debug({ sessionId, problem, attempts }, 'a callback was not taken and is tried again');
}
