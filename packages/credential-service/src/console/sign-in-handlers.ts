/**
 * Signing in with a browser (`docs/console.md`): by a signature over a challenge, an API key, the password of an account
 * in custody, or as one of the people of a demo on this machine. What is answered beside the cookie is for the tab alone.
 */
import { didOfPublicKey } from '@symbolon/core/did/did';
import { Fault } from '@symbolon/core/faults/faults';
import { signInLimits } from '@symbolon/core/limits/console';
import {
  browserSessionCookie,
  markOfCookie,
  sessionCookies,
  setSessionCookie,
} from '@symbolon/host/service/browser-session-claim';
import { browserSessionHeader } from '@symbolon/wire/console/browser-session';
import type { SignInOrder } from '@symbolon/wire/console/requests';
import type { ConsoleHandlers } from '@symbolon/wire/console/routes';
import { apiScopes, type Call, malformedAt, type TextReply } from '@symbolon/wire/http/service-route';
import { type JsonObject, stringifyJson } from '@symbolon/wire/json/json';
import type { BrowserSessionFacts, NewBrowserSession } from '../access/browser-sessions.ts';
import { requirePresence } from '../access/presence.ts';
import { keyOfLedgerDid, requireSignature } from '../access/signatures.ts';
import type { ConsoleParts } from './console-parts.ts';
import { isOfOwnMachine } from './own-machine.ts';

type SignInHandlers = Pick<ConsoleHandlers, 'makeSignInChallenge' | 'signIn' | 'getSignedIn' | 'signOut'>;

/** Cookies of sessions that are over, of one browser, taken away at once. */
const clearedMax = 32;

export function createSignInHandlers(parts: ConsoleParts): SignInHandlers {
  const { browserSessions, signInChallenges, audit, settings } = parts;
  const isSecure = settings.publicUrl.startsWith('https:');

  /** A browser that signs in often would come to send more cookies than a header holds. */
  async function clearedCookies(header: string | undefined): Promise<string[]> {
    const names = [...sessionCookies(header, isSecure).keys()].slice(0, clearedMax);
    const marks = names.map(markOfCookie).filter((mark) => /^[0-9a-f]+$/.test(mark));
    const ended = new Set(await browserSessions.ended(marks));
    return names
      .filter((name) => ended.has(markOfCookie(name)))
      .map((name) => setSessionCookie(name, { isSecure }));
  }

  return {
    async makeSignInChallenge() {
      const { challenge, expiresAt } = await signInChallenges.make();
      const { publicUrl: audience } = settings;
      return { challenge, purpose: 'sign-in', audience, expiresAt: timeText(expiresAt) };
    },

    async signIn(order, call) {
      const shown = await whoSignsIn(parts, order, call);
      const { id, secret, facts } = await browserSessions.begin(shown, async (queries, bearer) => {
        // Strangers who act for nobody but themselves would fill the log.
        if (bearer.keyId !== undefined)
          await audit.record({ actor: bearer, action: 'signIn.begin', subject: bearer.keyId }, queries);
      });
      const seconds = signInLimits.sessionMs / 1_000;
      const given = setSessionCookie(browserSessionCookie(id, isSecure), { secret, seconds, isSecure });
      const cookies = [...(await clearedCookies(call.header('cookie'))), given];
      return withCookies({ session: id, ...renderFacts(facts) }, cookies);
    },

    async getSignedIn(_request, { caller }) {
      const facts = await browserSessions.find(sessionOf(caller));
      if (!facts) throw new Fault('notAuthenticated', { detail: 'the session has ended: sign in again' });
      return renderFacts(facts);
    },

    async signOut(_request, { caller, header }) {
      const session = sessionOf(caller);
      await browserSessions.end(session, async (queries) => {
        if (caller.keyId !== undefined)
          await audit.record({ actor: caller, action: 'signIn.end', subject: caller.keyId }, queries);
      });
      const name = browserSessionCookie(header(browserSessionHeader) ?? '', isSecure);
      return withCookies({ signedOut: true }, [setSessionCookie(name, { isSecure })]);
    },
  };
}

const timeText = (ms: number): string => new Date(ms).toISOString();

function sessionOf({ session }: Call['caller']): string {
  if (session !== undefined) return session;
  throw new Fault('notAuthenticated', { detail: 'an API key is shown, and no session' });
}

const withCookies = (body: JsonObject, cookies: string[]): TextReply => ({
  contentType: 'application/json; charset=utf-8',
  text: stringifyJson(body),
  headers: { 'set-cookie': cookies },
});

function renderFacts({ way, bearer, until }: BrowserSessionFacts) {
  const { did, keyId, scopes } = bearer;
  return {
    way,
    ...(did !== undefined && { did }),
    ...(keyId !== undefined && { keyId }),
    scopes: apiScopes.filter((scope) => scopes.has(scope)),
    idleSeconds: signInLimits.idleMs / 1_000,
    until: timeText(until),
  };
}

async function whoSignsIn(parts: ConsoleParts, order: SignInOrder, call: Call): Promise<NewBrowserSession> {
  switch (order.way) {
    case 'apiKey':
      return byApiKey(parts, order.apiKey);
    case 'custody':
      return byPassword(parts, order, call);
    case 'person':
      return byPerson(parts, order.person, call);
    case 'signature':
      return bySignature(parts, order);
  }
}

type OrderOf<Way extends SignInOrder['way']> = Extract<SignInOrder, { readonly way: Way }>;

async function bySignature(
  parts: ConsoleParts,
  { did, presence, signature }: OrderOf<'signature'>,
): Promise<NewBrowserSession> {
  const { keys, signInChallenges } = parts;
  const expectedKey = keyOfLedgerDid(did, keys);
  const { challenge } = presence;
  if (challenge === undefined || !(await signInChallenges.isGood(challenge)))
    throw new Fault('presenceRefused', {
      detail: 'The signed text has no challenge of this service that is good still: ask for a new one',
    });
  const message = requirePresence(parts, presence, { purpose: 'sign-in', subject: did, challenge });
  requireSignature({ messages: [message], signature, expectedKey }, keys);
  return { way: 'signature', did, challenge };
}

async function byApiKey({ apiKeys }: ConsoleParts, apiKey: string): Promise<NewBrowserSession> {
  const bearer = await apiKeys.authenticate(apiKey);
  if (bearer?.keyId === undefined)
    throw new Fault('notAuthenticated', { detail: 'the API key is not valid' });
  return { way: 'apiKey', bearer: { ...bearer, keyId: bearer.keyId } };
}

async function byPassword(
  { custody, keys, profile }: ConsoleParts,
  { address, password }: OrderOf<'custody'>,
  { caller }: Call,
): Promise<NewBrowserSession> {
  if (!custody) throw new Fault('routeUnknown', { detail: 'This service holds no keys for others' });
  if (!keys.isAddress(address)) throw malformedAt('/address', 'must be an address of this ledger');
  const publicKey = keys.parsePublicKey(await custody.ownKey({ address, password, from: caller.address }));
  if (!publicKey) throw new Fault('passwordWrong');
  return { way: 'custody', did: didOfPublicKey(publicKey, profile) };
}

/** Only a browser on the demo's own machine is let in without showing anything. */
function byPerson(parts: ConsoleParts, person: string, call: Call): NewBrowserSession {
  const people = isOfOwnMachine(call, parts) ? (parts.demo?.people() ?? []) : [];
  const figure = people.find((one) => one.person === person);
  if (figure) return { way: 'person', did: figure.did };
  const detail =
    people.length > 0 ? 'The demo has nobody of this name' : 'There are no people of a demo here';
  throw new Fault('routeUnknown', { detail });
}
