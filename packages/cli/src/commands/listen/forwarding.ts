/**
 * What `symbolon listen` does with callbacks and with posts of events: tells of them, and hands the good ones on as they
 * came.
 */

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { sessionLimits } from '@symbolon/core/limits/waiting';
import type { ResultKeys } from '@symbolon/sdk/verification/signed-results';
import type { JsonObject } from '@symbolon/wire/json/json';
import { readSmallText } from '../../machine/files.ts';
import type { Connection, PartyWords } from '../../profile/connection.ts';
import { type ResultKeyWords, trustedResultKeys } from '../../profile/pinned-result-keys.ts';
import { CommandFailure, usageFailure } from '../../terminal/failure.ts';
import { printable, printJson, type Terminal, toned } from '../../terminal/terminal.ts';
import { type Catcher, type CaughtCallback, startCatcher } from './catcher.ts';
import { eventText, foreignProblem, postedEvents } from './posted-events.ts';

export interface ListenWords extends ResultKeyWords {
  readonly events?: boolean;
  readonly forwardTo?: string;
  readonly port: number;
  readonly secretFile?: string;
}

interface ListenOrder {
  readonly words: PartyWords & ListenWords;
  readonly terminal: Terminal;
  /** Ends it. */
  readonly signal: AbortSignal;
}

const secretBytesMax = 1_024;
const webhookNameBytes = 12;
/** Answered before the service gives up. */
const forwardMsMax = sessionLimits.deliveryTimeoutMs - 1_000;
/** A callback may come twice; so many are remembered to say so. */
const rememberedMax = 1_000;

export async function listen(
  connection: Connection,
  { words, terminal, signal }: ListenOrder,
): Promise<void> {
  const { port, forwardTo, secretFile, json } = words;
  const secret = secretFile === undefined ? undefined : await readSecret(secretFile);
  const seen = new Set<string>();
  // A name that no other webhook of the key has.
  const webhookName = words.events ? `listen-${randomBytes(webhookNameBytes).toString('hex')}` : undefined;
  const catcher = await startCatcher({
    port,
    secret,
    fetchKeys: keySource(connection, words, terminal),
    onCallback: async (arrived) => {
      // The shared secret is one key's alone, and says by itself whose it is.
      const foreign = secret === undefined ? foreignProblem(arrived.content, connection.apiKey) : undefined;
      const problem = arrived.problem ?? foreign;
      const caught = problem === undefined ? arrived : { ...arrived, problem };
      const forwarded = caught.problem === undefined ? await forward(caught, forwardTo) : undefined;
      const isOwn = secret !== undefined || postedEvents(caught.content) !== undefined;
      tell({ caught, forwarded, isOwn, isRepeat: isRepeat(seen, caught) }, words, terminal);
      return caught.problem === undefined ? (forwarded?.status ?? 200) : 400;
    },
  });
  const webhook = webhookName === undefined ? undefined : await watchEvents(connection, catcher, webhookName);
  try {
    if (json) printJson(terminal, { listening: catcher.url, forwardTo: forwardTo ?? null });
    else {
      terminal.print(`Ready. Callback address: ${catcher.url}`);
      terminal.remark(`Ask with it: symbolon request --ask NAME --callback ${catcher.url}`);
      if (webhook) terminal.remark('Events of the service are posted here, too.');
      if (forwardTo !== undefined) terminal.remark(`Callbacks are handed on to ${forwardTo}`);
      terminal.remark('Ctrl-C stops.');
    }
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    await webhook?.end();
    await catcher.close();
  }
}

/** A webhook of its own, which goes when the command does: a killed one leaves it, and the service pauses it in time. */
async function watchEvents(
  { service }: Connection,
  catcher: Catcher,
  name: string,
): Promise<{ end(): Promise<void> }> {
  try {
    await service.setWebhook({ name, callbackUrl: catcher.url });
  } catch (error) {
    await catcher.close();
    throw error;
  }
  // The service may be gone before.
  return { end: async () => void (await service.removeWebhook({ name }).catch(() => undefined)) };
}

/** The first time a change ends the command; later it is shown, and nothing that other keys sign is taken. */
function keySource(
  connection: Connection,
  words: ListenWords,
  terminal: Terminal,
): () => Promise<ResultKeys> {
  let known: ResultKeys | undefined;
  return async () => {
    try {
      known = await trustedResultKeys(connection, known ? {} : words, terminal);
    } catch (error) {
      if (!known || !(error instanceof CommandFailure)) throw error;
      terminal.remark(error.message);
    }
    return known;
  };
}

async function readSecret(file: string): Promise<string> {
  // Why it cannot be read does not matter, and what is in it is never repeated.
  const text = (await readSmallText(file, secretBytesMax).catch(() => undefined))?.trim();
  if (text) return text;
  throw usageFailure(
    `${file} holds no secret.\nIt must be the text that POST /v1/client/callback-secret answered, alone in the file.`,
  );
}

interface Forwarded {
  readonly status: number;
  readonly ms: number;
  readonly problem?: string;
}

/** The very text with the very headers; an answer that does not come is a 502, so that the service tries again. */
async function forward(
  { text, headers }: CaughtCallback,
  to: string | undefined,
): Promise<Forwarded | undefined> {
  if (to === undefined) return undefined;
  const startedAt = performance.now();
  const ms = () => Math.round(performance.now() - startedAt);
  try {
    const signal = AbortSignal.timeout(forwardMsMax);
    const answer = await fetch(to, { method: 'POST', headers, body: text, redirect: 'manual', signal });
    await answer.body?.cancel();
    return { status: answer.status, ms: ms() };
  } catch (error) {
    const isLate = (error as Error).name === 'TimeoutError';
    const problem = isLate ? `no answer within ${forwardMsMax / 1_000} s` : 'nobody listens there';
    return { status: 502, ms: ms(), problem };
  }
}

/** The outcome may change between two of one session, but its id does not; a post of events ends with the same one. */
function isRepeat(seen: Set<string>, { content, problem }: CaughtCallback): boolean {
  const last = postedEvents(content)?.events.at(-1);
  const id = last ? `event ${last.id}` : content.presentation_id;
  if (typeof id !== 'string' || problem !== undefined) return false;
  if (seen.has(id)) return true;
  if (seen.size >= rememberedMax) seen.delete(seen.values().next().value as string);
  seen.add(id);
  return false;
}

interface Told {
  readonly caught: CaughtCallback;
  readonly forwarded: Forwarded | undefined;
  readonly isRepeat: boolean;
  /** Whether it is known to be for whoever listens. */
  readonly isOwn: boolean;
}

function tell(
  { caught, forwarded, isRepeat, isOwn }: Told,
  words: PartyWords & ListenWords,
  terminal: Terminal,
): void {
  const { content, problem } = caught;
  const time = new Date().toISOString();
  if (words.json) return printJson(terminal, { time, ...jsonOf({ caught, forwarded, isRepeat, isOwn }) });
  const clock = toned(terminal, 'quiet', time.slice(11, 19));
  if (problem !== undefined) {
    terminal.print(`${clock}  ${toned(terminal, 'bad', '✖ refused')}  ${problem} Nothing was handed on.`);
    return;
  }
  const again = isRepeat ? ' (again)' : '';
  // The service's own signature is on everybody's results; the shared secret is the verifier's alone.
  const signed = isOwn ? 'signed for you' : 'signed, not known to be yours';
  const handedOn = forwarded ? `  → ${forwardedText(forwarded)}` : '';
  const posted = postedEvents(content);
  if (posted) {
    const many = `${posted.events.length} event${posted.events.length === 1 ? '' : 's'}`;
    terminal.print([
      `${clock}  ✔ ${signed}  ${many} of webhook ${printable(posted.webhook)}${again}${handedOn}`,
      ...posted.events.map((event) => `          ${eventText(event)}`),
    ]);
    return;
  }
  const { status, presentation_id: id, state_id: state } = content;
  const isVerified = content.verified === true;
  const outcome = toned(terminal, isVerified ? 'good' : 'bad', printable(String(status)));
  const told = `${clock}  ✔ ${signed}  ${outcome}  session ${printable(String(id))}${again}  state ${printable(String(state))}`;
  terminal.print(`${told}${handedOn}`);
}

const forwardedText = ({ status, ms, problem }: Forwarded): string =>
  problem === undefined ? `${status} in ${ms} ms` : `${problem}; the service will try again`;

function jsonOf({ caught, forwarded, isRepeat }: Told): JsonObject {
  const { content, problem } = caught;
  return {
    isGood: problem === undefined,
    ...(problem === undefined ? { callback: content, isRepeat } : { problem }),
    ...(forwarded && {
      forwarded: {
        status: forwarded.status,
        ms: forwarded.ms,
        ...(forwarded.problem !== undefined && { problem: forwarded.problem }),
      },
    }),
  };
}
