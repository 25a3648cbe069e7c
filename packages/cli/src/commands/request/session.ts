/**
 * A verification session from the verifier's side: opened, shown, followed. The last event carries a result that the
 * service has signed; it counts only if that signature is good.
 */
import { randomUUID } from 'node:crypto';
import { given } from '@symbolon/core/basics/plain-values';
import { sessionLimits } from '@symbolon/core/limits/waiting';
import type { CredentialReply } from '@symbolon/sdk/service/credential-client';
import { openSignedResult, type ResultExpectation } from '@symbolon/sdk/verification/signed-results';
import type { JsonObject } from '@symbolon/wire/json/json';
import encodeQR from 'qr';
import type { Acting } from '../../credentials/party-commands.ts';
import { type FoundTemplate, lookUpTemplate } from '../../credentials/template-lookup.ts';
import { type TrustWords, trustOf } from '../../credentials/trust-options.ts';
import {
  fieldOriginLines,
  fieldSeenText,
  originLines,
  seenText,
  verdictLines,
  withAges,
} from '../../credentials/verdict-lines.ts';
import type { Connection, PartyWords } from '../../profile/connection.ts';
import {
  assertResultKeys,
  type ResultKeyWords,
  trustedResultKeys,
} from '../../profile/pinned-result-keys.ts';
import { CommandFailure, exitCodes, unsuccessful, usageFailure } from '../../terminal/failure.ts';
import { ifInterrupted } from '../../terminal/interruption.ts';
import { printFields } from '../../terminal/layout.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { printable, printJson, type Terminal, toned } from '../../terminal/terminal.ts';
import { askedNames, type QueryWords, queryOf } from './query.ts';

export interface RequestWords extends QueryWords, TrustWords, ResultKeyWords {
  readonly template?: string;
  readonly qr?: boolean;
  readonly wait?: boolean;
  readonly callback?: string;
  readonly purpose?: string;
  readonly minutes?: number;
  /** Asks any wallet of OpenID4VP (`openid-session.ts`). */
  readonly openid?: boolean;
}

/** As dates of birth are written. */
export const dayAsked = (): string => new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);

type Session = CredentialReply<'requestVerification'>;
type SessionEvent = CredentialReply<'watchVerification'>;

/** `open`: nobody waited for the end. */
export async function request(
  connection: Connection,
  words: PartyWords & RequestWords,
  terminal: Terminal,
): Promise<'open' | 'verified' | 'notVerified'> {
  const { template, callback, minutes, purpose } = words;
  const keys = await keysOfResult(connection, words, terminal);
  const meant = template === undefined ? undefined : await lookUpTemplate(connection, template);
  if (meant) assertAttributes(words, meant);
  const asked = {
    requirements: queryOf(words, meant?.templateId, dayAsked()),
    // New each time: the result names the request by its hash, so that no older one is taken for this one's.
    stateId: randomUUID(),
    ...(await trustOf(words)),
    ...given({ callbackUrl: callback, expirationMinutes: minutes, purpose }),
  };
  const session = await connection.service.requestVerification(asked);
  tellSession(session, words, terminal);
  if (!words.wait) return 'open';
  const { presentationId, expiresAt } = session;
  const expected = { keys, presentationId, request: asked as JsonObject };
  return followSession({ connection, words, terminal }, { expiresAt, expected });
}

/** Waits for the end of a session, and says what it is. */
export async function followSession(
  { connection, words, terminal }: Acting<RequestWords>,
  { expiresAt, expected }: { readonly expiresAt: string; readonly expected: ResultExpectation },
): Promise<'verified' | 'notVerified'> {
  ifInterrupted([
    `Interrupted. The request stays open until ${expiresAt}, and a wallet can still answer it.`,
    'Its answer is not told here any more; ask again, or have it sent with --callback.',
  ]);
  const event = await lastEvent(connection, expected.presentationId, words, terminal);
  return tellResult({ ...expected, event }, words, terminal);
}

/** Before anybody is asked: a service whose keys are others gets no session. */
export async function keysOfResult(
  connection: Connection,
  words: PartyWords & RequestWords,
  terminal: Terminal,
): Promise<ResultExpectation['keys']> {
  if (words.acceptNewKeys && !words.wait)
    throw usageFailure(
      'Nobody was asked.\n--accept-new-keys is about the result, which only --wait waits for.\nAdd --wait, or leave it out.',
    );
  if (words.wait && connection.isSealed)
    throw usageFailure(
      'Nobody was asked.\nWhat becomes of a request is told in a stream, and no stream is served sealed.\nHave the result posted to you with --callback, or say --no-sealed.',
    );
  if (words.wait) return trustedResultKeys(connection, words, terminal);
  await assertResultKeys(connection);
  return { keys: [] };
}

/** No wallet could answer: its credentials of this template have no such attribute. */
export function assertAttributes(words: QueryWords, template: FoundTemplate): void {
  const known = template.credentialFormat.map(({ key }) => key);
  const unknown = askedNames(words).find((name) => !known.includes(name));
  if (unknown === undefined) return assertBirths(words, template);
  throw usageFailure(
    `The template "${printable(template.templateName)}" has no attribute ${printable(unknown)}.\nNo wallet could answer.\nIt has ${known.map(printable).join(', ')}.`,
    { code: 'attributeUnknown' },
  );
}

/** Nor has anybody an age by what is no date. */
function assertBirths({ age = [] }: QueryWords, { credentialFormat }: FoundTemplate): void {
  const wrong = age.find(({ attribute }) =>
    credentialFormat.some(({ key, format }) => key === attribute && format !== 'date'),
  );
  if (wrong)
    throw usageFailure(
      `${printable(wrong.attribute)} is no date of birth.\nAn age is proved by an attribute whose format is date.\nAsk for its value with --ask, or for a range with --range.`,
      { code: 'attributeUnknown' },
    );
}

function tellSession(
  session: Session,
  { qr, json, wait }: PartyWords & RequestWords,
  terminal: Terminal,
): void {
  const { presentationId, deepLinkUrl, requestUri, nonce, expiresAt, qrCodeData } = session;
  if (json) return printJson(terminal, { ...session });
  if (qr) terminal.print(encodeQR(qrCodeData, 'ascii', { border: 2 }).trimEnd().split('\n'));
  printFields(terminal, 'Open this link in a wallet.', {
    link: deepLinkUrl,
    request: requestUri,
    session: presentationId,
    challenge: nonce,
    'valid until': expiresAt,
  });
  terminal.remark([
    'Answer it with your own wallet, in another terminal:',
    `  symbolon wallet answer ${shellWord(presentationId)}`,
  ]);
  if (!wait) terminal.remark('Add --wait to follow what becomes of it.');
}

const waitingWords: Readonly<Record<string, string>> = {
  CREATED: 'Waiting for a wallet …',
  FETCHED: 'A wallet has fetched the request …',
};

/** What is under way when the time of a session is over is still decided. */
const endingMs = sessionLimits.answerLeaseMs;

async function lastEvent(
  { service }: Connection,
  id: string,
  { json, minutes = sessionLimits.sessionMinutesDefault }: PartyWords & RequestWords,
  terminal: Terminal,
): Promise<SessionEvent> {
  let last: SessionEvent | undefined;
  const signal = AbortSignal.timeout(minutes * 60_000 + endingMs);
  try {
    for await (const event of service.watchVerification({ id }, { signal })) {
      last = event;
      const words = waitingWords[event.status];
      if (words !== undefined && !json) terminal.remark(words);
    }
  } catch (error) {
    // A service that says nothing for longer than a session lives has nothing to say.
    if (!signal.aborted) throw error;
  }
  if (last?.result_signature !== undefined) return last;
  const why = signal.aborted
    ? 'Its time is over, and the service told none.'
    : 'The service closed the stream early.';
  throw new CommandFailure(`The session ended without a result.\n${why}\nAsk again.`, exitCodes.failed);
}

/** What is said of a session that ended without an answer. */
const endings: Readonly<Record<string, string>> = {
  ABORTED: 'It was ended without an answer: declined, or cancelled.',
  EXPIRED: 'No wallet answered in time. Ask again, with more --minutes.',
};

async function tellResult(
  { event, ...expected }: ResultExpectation & { readonly event: SessionEvent },
  { json, age = [] }: PartyWords & RequestWords,
  terminal: Terminal,
): Promise<'verified' | 'notVerified'> {
  const { signed_result: text = '', timestamp = '', result_signature: signature = '' } = event;
  const signed = { text, timestamp, signature };
  const result = await openSignedResult(signed, expected);
  const { errors = [], status } = event;
  const { verified: isVerified, credentials, fieldCredentials } = result;
  if (json) {
    const told = { ...result, errors: [...errors] } as unknown as JsonObject;
    const problem = !isVerified && unsuccessful('NOT VERIFIED', exitCodes.notVerified);
    printJson(terminal, { result: told, ...problem });
    return isVerified ? 'verified' : 'notVerified';
  }
  if (isVerified) {
    const seen = withAges(credentials, {
      attributes: age.map(({ attribute }) => attribute),
      today: dayAsked(),
    });
    const texts = [
      ...(fieldCredentials ? [fieldSeenText(fieldCredentials)] : []),
      ...(fieldCredentials && seen.length === 0 ? [] : [seenText(seen)]),
    ];
    const verdict = `${toned(terminal, 'good', 'VERIFIED')}   saw: ${texts.join(', ')}`;
    const origins = [...originLines(seen), ...fieldOriginLines(fieldCredentials ?? [])];
    terminal.print(verdictLines(terminal, [verdict, ...origins]));
  } else {
    const why = endings[status] ?? errors.map(printable).join('; ');
    terminal.print(verdictLines(terminal, [`${toned(terminal, 'bad', 'NOT VERIFIED')}   ${why}`]));
  }
  return isVerified ? 'verified' : 'notVerified';
}
