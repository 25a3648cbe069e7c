/**
 * Posts a signed text to a receiver that somebody else named: to an address that was checked, following no redirect, and
 * bounded in time and size.
 */
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { sessionLimits as limits } from '@symbolon/core/limits/waiting';
import {
  OutboundProblem,
  type OutboundReach,
  type PinnedAddress,
  pinAddress,
} from '../outbound/outbound-address.ts';

/** Where to, and what. */
export interface CallbackContent {
  readonly url: string;
  /** The very text that is sent and signed. */
  readonly body: string;
}

/** What the receiver answered, if it did, and why that does not count as taken; no problem where it does. */
export interface PostOutcome {
  readonly status?: number;
  readonly problem?: string;
}

export async function postCallback(
  { url: text, body }: CallbackContent,
  headers: Readonly<Record<string, string>>,
  reach: OutboundReach,
): Promise<PostOutcome> {
  try {
    const url = new URL(text);
    const pinned = await pinAddress(url, reach);
    const status = await send(url, pinned, { body, headers });
    return status >= 200 && status < 300
      ? { status }
      : { status, problem: `the receiver answered ${status}` };
  } catch (error) {
    if (error instanceof OutboundProblem) return { problem: error.message };
    // An error of the network: only its code is worth telling.
    const { code } = error as { readonly code?: unknown };
    const unreached = 'the receiver cannot be reached';
    return { problem: typeof code === 'string' ? `${unreached}: ${code}` : unreached };
  }
}

interface Sending {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

function send(url: URL, { address, family }: PinnedAddress, { body, headers }: Sending): Promise<number> {
  const isSecure = url.protocol === 'https:';
  const timeIsOver = AbortSignal.timeout(limits.deliveryTimeoutMs);
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
      signal: timeIsOver,
    });
    let isAnswering = false;
    sent.on('error', (error) => reject(timeIsOver.aborted ? lateProblem(isAnswering) : error));
    sent.on('response', (answer) => {
      isAnswering = true;
      readToEnd(answer, () => resolve(answer.statusCode ?? 0));
    });
    sent.end(body);
  });
}

function lateProblem(isAnswering: boolean): OutboundProblem {
  const within = `within ${limits.deliveryTimeoutMs / 1_000} s`;
  return new OutboundProblem(
    isAnswering
      ? `the receiver's answer is too long: it did not end ${within}`
      : `the receiver did not answer ${within}`,
  );
}

/** What the receiver says besides its status is of no interest: enough of it is the end. */
function readToEnd(answer: IncomingMessage, done: () => void): void {
  let bytes = 0;
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > limits.callbackAnswerBytesMax) answer.destroy();
  });
  answer.on('error', () => undefined);
  answer.on('close', done);
}
