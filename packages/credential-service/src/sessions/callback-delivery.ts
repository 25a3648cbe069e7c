/**
 * Delivers callbacks out of the outbox: each attempt is signed for its own moment, goes to an address that was checked,
 * follows no redirect, and is bounded in time and size. Whatever is not a 2xx answer is tried again later.
 */
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { sessionLimits as limits } from '@symbolon/core/limits/waiting';
import type { Log } from '@symbolon/host/telemetry/log';
import { signatureHeaders } from '@symbolon/wire/sessions/replies';
import { contexts } from '../vault/encryption-contexts.ts';
import { CallbackProblem, type CallbackReach, type PinnedAddress, pinAddress } from './callback-address.ts';
import { finishDelivery, postponeDelivery, takeDueDeliveries, type WaitingDelivery } from './outbox-rows.ts';
import type { SessionParts } from './session-parts.ts';

/** What the outbox holds encrypted. */
export interface CallbackContent {
  readonly url: string;
  /** The very text that is sent and signed. */
  readonly body: string;
}

/** Everything that is due now. */
export async function deliverCallbacks(parts: SessionParts, log: Log): Promise<void> {
  const due = await takeDueDeliveries(parts.database.kysely, parts.clock.nowMs());
  await Promise.all(due.map((delivery) => attempt(parts, delivery, log)));
}

async function attempt(parts: SessionParts, delivery: WaitingDelivery, log: Log): Promise<void> {
  const { database, clock, vault, audit, resultSigner, callbackReach } = parts;
  const { id, attempts, keyId, sessionId } = delivery;
  const content = await vault.decryptDocument<CallbackContent>(delivery.content, contexts.delivery(id));
  const signatures = await resultSigner.sign(content.body, keyId);
  const problem = await post(content, signatureHeaders(signatures), callbackReach);
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
  if (problem === undefined) return;
  if (isLast) log.warn({ sessionId, problem, attempts }, 'a callback was not taken and is given up');
  else log.debug({ sessionId, problem, attempts }, 'a callback was not taken and is tried again');
}

/** Undefined if it was taken, else why not. */
async function post(
  { url: text, body }: CallbackContent,
  headers: Readonly<Record<string, string>>,
  reach: CallbackReach,
): Promise<string | undefined> {
  try {
    const url = new URL(text);
    const pinned = await pinAddress(url, reach);
    const status = await send(url, pinned, { body, headers });
    return status >= 200 && status < 300 ? undefined : `the receiver answered ${status}`;
  } catch (error) {
    if (error instanceof CallbackProblem) return error.message;
    // An error of the network: only its code is worth telling.
    const { code } = error as { readonly code?: unknown };
    return typeof code === 'string'
      ? `the receiver cannot be reached: ${code}`
      : 'the receiver cannot be reached';
  }
}

interface Sending {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

function send(url: URL, { address, family }: PinnedAddress, { body, headers }: Sending): Promise<number> {
  const isSecure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = (isSecure ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      agent: false,
      headers: {
        ...headers,
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(body)),
        connection: 'close',
      },
      // The name was looked up and checked before; nobody asks for it again.
      lookup: (_host, options, done) =>
        options.all ? done(null, [{ address, family }]) : done(null, address, family),
      signal: AbortSignal.timeout(limits.deliveryTimeoutMs),
    });
    sent.on('error', reject);
    sent.on('response', (answer) => readToEnd(answer, () => resolve(answer.statusCode ?? 0)));
    sent.end(body);
  });
}

/** What the receiver says is of no interest, as long as it ends. */
function readToEnd(answer: IncomingMessage, done: () => void): void {
  let bytes = 0;
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > limits.callbackAnswerBytesMax) answer.destroy();
  });
  answer.on('error', () => undefined);
  answer.on('close', done);
}
