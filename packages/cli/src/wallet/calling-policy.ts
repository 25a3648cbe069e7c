/**
 * Whom the wallet calls for an agent: the service its owner chose, and hosts its owner named. An agent reads texts by
 * strangers, so an address it gives may be theirs: it goes nowhere else, follows no redirect, carries no key, and a
 * name that the owner allowed must not stand for an address inside of the owner's network.
 */

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { hostOf, OutboundProblem, pinAddress } from '@symbolon/credential-service/outbound/outbound-address';
import { isReadOnTheWay } from '@symbolon/sdk/transport/plain-http';
import { InvalidArgumentError } from 'commander';
import { walletLimits } from '../limits/command-limits.ts';
import { readStream } from '../machine/files.ts';
import { CommandFailure, exitCodes, usageFailure } from '../terminal/failure.ts';

/** Origins that may be called; whether an address that is not public is meant. */
export type CallableOrigins = ReadonlyMap<string, { readonly allowPrivate: boolean }>;

/** `example.org`, `example.org:8443` or an origin; a bare host means https, and http means this machine alone. */
export function parseOrigin(text: string): string {
  const url = URL.parse(text.includes('://') ? text : `https://${text}`);
  const isPlain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === '';
  if (!isPlain || url.username !== '' || url.password !== '')
    throw new InvalidArgumentError(
      'It must be a host, or an address like https://example.org without a path.',
    );
  // Whoever reads a payment on its way can take what it buys, and whoever changes a price is paid instead.
  if (isReadOnTheWay(url.origin))
    throw new InvalidArgumentError(
      'It must be https, with certificates on: plain http is for addresses of this machine alone.',
    );
  return url.origin;
}

/** Who names an address of a private network, or runs a service there, means it. */
export function callableOrigins(serviceUrl: string, named: readonly string[]): CallableOrigins {
  const origins = named.map((origin): [string, { allowPrivate: boolean }] => {
    const host = hostOf(new URL(origin));
    return [origin, { allowPrivate: isIP(host) !== 0 || host === 'localhost' }];
  });
  return new Map([...origins, [new URL(serviceUrl).origin, { allowPrivate: true }]]);
}

export interface OutgoingCall {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface IncomingAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Throws `CommandFailure`: before anything is sent as `notSent`, after that as `noAnswer`. */
export async function callOut(origins: CallableOrigins, call: OutgoingCall): Promise<IncomingAnswer> {
  const url = URL.parse(call.url);
  const rule = url && url.username === '' && url.password === '' ? origins.get(url.origin) : undefined;
  if (!url || !rule) throw notCallable(url);
  const pinned = await pinAddress(url, rule.allowPrivate ? 'anywhere' : 'public').catch((error: unknown) => {
    const why = error instanceof OutboundProblem ? error.message : 'its name cannot be found';
    throw new CommandFailure(`Nothing was sent to ${url.host}.\nThe reason: ${why}.`, exitCodes.unreachable);
  });
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise<IncomingAnswer>((resolve, reject) => {
    const fail = () =>
      reject(
        new CommandFailure(
          `${url.host} gave no answer that can be read.\nIt may have taken what was sent.\nAsk it again later.`,
          exitCodes.unreachable,
        ),
      );
    const sent = send(url, {
      method: call.method,
      agent: false,
      headers: {
        ...call.headers,
        ...(call.body !== undefined && { 'content-length': String(Buffer.byteLength(call.body)) }),
        connection: 'close',
      },
      // The name was looked up and checked before; nobody asks for it again.
      lookup: (_host, options, done) =>
        options.all ? done(null, [pinned]) : done(null, pinned.address, pinned.family),
      signal: AbortSignal.timeout(walletLimits.answerTimeoutMs),
    });
    sent.on('error', fail);
    sent.on('response', (answer) => readAnswer(answer).then(resolve, fail));
    sent.end(call.body);
  });
}

async function readAnswer(answer: IncomingMessage): Promise<IncomingAnswer> {
  const text = await readStream(answer, walletLimits.answerBytesMax);
  if (text === undefined) throw new RangeError('the answer is too large');
  const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return { status: answer.statusCode ?? 0, headers: Object.fromEntries(headers), text };
}

function notCallable(url: URL | null): CommandFailure {
  const where = url && /^https?:$/.test(url.protocol) ? url.origin : 'this address';
  const advice = 'The owner allows a host by starting the wallet with --may-call <host>.';
  return usageFailure(`Nothing was sent.\nThe wallet may not call ${where}.\n${advice}`);
}
