/** What `symbolon listen` does with callbacks: tells of them, and hands the good ones on as they came. */

import { once } from 'node:events';
import { sessionLimits } from '@symbolon/core/limits/waiting';
import type { ResultKeys } from '@symbolon/sdk/verification/signed-results';
import type { JsonObject } from '@symbolon/wire/json/json';
import { readSmallText } from '../../machine/files.ts';
import type { Connection, PartyWords } from '../../profile/connection.ts';
import { type ResultKeyWords, trustedResultKeys } from '../../profile/pinned-result-keys.ts';
import { CommandFailure, usageFailure } from '../../terminal/failure.ts';
import { printable, printJson, type Terminal, toned } from '../../terminal/terminal.ts';
import { type CaughtCallback, startCatcher } from './catcher.ts';

export interface ListenWords extends ResultKeyWords {
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
  const catcher = await startCatcher({
    port,
    secret,
    fetchKeys: keySource(connection, words, terminal),
    onCallback: async (caught) => {
      const forwarded = caught.problem === undefined ? await forward(caught, forwardTo) : undefined;
      tell({ caught, forwarded, isRepeat: isRepeat(seen, caught) }, words, terminal);
      return caught.problem === undefined ? (forwarded?.status ?? 200) : 400;
    },
  });
  try {
    if (json) printJson(terminal, { listening: catcher.url, forwardTo: forwardTo ?? null });
    else {
      terminal.print(`Ready. Callback address: ${catcher.url}`);
      terminal.remark(`Ask with it: symbolon request --ask NAME --callback ${catcher.url}`);
      if (forwardTo !== undefined) terminal.remark(`Callbacks are handed on to ${forwardTo}`);
      terminal.remark('Ctrl-C stops.');
    }
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    await catcher.close();
  }
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

/** The outcome may change between two of one session, but its id does not. */
function isRepeat(seen: Set<string>, { content, problem }: CaughtCallback): boolean {
  const { presentation_id: id } = content;
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
}

function tell(
  { caught, forwarded, isRepeat }: Told,
  words: PartyWords & ListenWords,
  terminal: Terminal,
): void {
  const { content, problem } = caught;
  const time = new Date().toISOString();
  if (words.json) return printJson(terminal, { time, ...jsonOf({ caught, forwarded, isRepeat }) });
  const clock = toned(terminal, 'quiet', time.slice(11, 19));
  if (problem !== undefined) {
    terminal.print(`${clock}  ${toned(terminal, 'bad', '✖ refused')}  ${problem} Nothing was handed on.`);
    return;
  }
  const { status, presentation_id: id, state_id: state } = content;
  const isVerified = content.verified === true;
  const outcome = toned(terminal, isVerified ? 'good' : 'bad', printable(String(status)));
  const again = isRepeat ? ' (again)' : '';
  // The service's own signature is on everybody's results; the shared secret is the verifier's alone.
  const signed = words.secretFile === undefined ? 'signed, not known to be yours' : 'signed for you';
  const told = `${clock}  ✔ ${signed}  ${outcome}  session ${printable(String(id))}${again}  state ${printable(String(state))}`;
  terminal.print(forwarded ? `${told}  → ${forwardedText(forwarded)}` : told);
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
