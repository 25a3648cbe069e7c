/**
 * What the service says to its console alone: where it is, who may sit here, who does. A service without these routes is
 * a good service: then nobody signs in, and the console shows what is public.
 */
import { decodeUtf8 } from '@symbolon/core/basics/bytes';
import { SdkError } from '@symbolon/sdk/errors/errors';
import { readRefusal, ServiceError } from '@symbolon/sdk/errors/service-error';
import { createHttpExchange, type Fetch } from '@symbolon/sdk/transport/http-exchange';
import type { ApiScope } from '@symbolon/wire/http/service-route';
import { isJsonObject, type JsonObject, parseJsonOrNothing, stringifyJson } from '@symbolon/wire/json/json';

/** Somebody of the demo, whose keys everybody knows. */
export interface ShownPerson {
  /** Role in the demo, by which they are signed in. */
  readonly person: string;
  readonly name: string;
  readonly did: string;
  readonly address: string;
  readonly scopes: readonly ApiScope[];
}

export interface ConsoleConfig {
  readonly name: string;
  readonly version: string;
  readonly isDemo: boolean;
  readonly people: readonly ShownPerson[];
}

export interface SignedIn {
  readonly did: string | undefined;
  readonly scopes: readonly ApiScope[];
}

export interface ConsoleCalls {
  /** Undefined where the service has no such routes. */
  readonly config: () => Promise<ConsoleConfig | undefined>;
  /** Undefined where this tab has no session, or it ended. */
  readonly signedIn: () => Promise<SignedIn | undefined>;
  /** Gives the id of the new session. */
  readonly signInAs: (person: string) => Promise<string>;
  readonly signOut: () => Promise<void>;
}

export function createConsoleCalls(origin: string, fetch: Fetch): ConsoleCalls {
  const { send } = createHttpExchange(origin, 'service', { fetch });
  const call = async (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: JsonObject,
  ): Promise<JsonObject> => {
    const answer = await send({
      method,
      pathWithQuery: path,
      place: `${method} ${path}`,
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
      carries: 'plain',
      ...(body && { bodyText: stringifyJson(body) }),
    });
    const value = parseJsonOrNothing(decodeUtf8(answer.bytes));
    const { status } = answer;
    if (status >= 200 && status < 300 && isJsonObject(value)) return value;
    const refusal = isJsonObject(value)
      ? readRefusal(value, { status, requestId: answer.headers['x-request-id'] })
      : undefined;
    if (refusal) throw new ServiceError(refusal);
    throw new SdkError('httpStatus', `${path} was answered with status ${status}`, {
      hint: 'Something else than a credential service seems to answer at this address.',
    });
  };
  /** What is refused for want of a route or of a session is no failure: there is none. */
  const orNothing = async <Value>(work: Promise<Value>, statuses: readonly number[]) =>
    work.catch((error: unknown) => {
      if (error instanceof ServiceError && statuses.includes(error.status)) return undefined;
      throw error;
    });

  return {
    config: () => orNothing(call('GET', '/console/config').then(readConfig), [404]),
    signedIn: () => orNothing(call('GET', '/console/session').then(readSignedIn), [401, 404]),
    async signInAs(person) {
      const { session } = await call('POST', '/console/session', { person });
      if (typeof session !== 'string') throw unreadable();
      return session;
    },
    async signOut() {
      await call('DELETE', '/console/session');
    },
  };
}

const unreadable = (): SdkError =>
  new SdkError('unexpectedReply', 'the reply to the console is not what a service replies', {
    hint: 'Load the page again: service and console may be of different versions.',
  });

function readConfig({ name, version, isDemo, people = [] }: JsonObject): ConsoleConfig {
  if (typeof name !== 'string' || typeof version !== 'string' || typeof isDemo !== 'boolean')
    throw unreadable();
  if (!Array.isArray(people)) throw unreadable();
  return { name, version, isDemo, people: people.map(readPerson) };
}

/** Their private keys are left where they are: whoever needs one asks for it. */
function readPerson(given: unknown): ShownPerson {
  if (!isJsonObject(given as JsonObject)) throw unreadable();
  const { person, name, did, address, scopes } = given as JsonObject;
  const texts = [person, name, did, address];
  if (!texts.every((text) => typeof text === 'string')) throw unreadable();
  const [role, called, identifier, account] = texts as string[];
  return {
    person: role as string,
    name: called as string,
    did: identifier as string,
    address: account as string,
    scopes: readScopes(scopes),
  };
}

const readScopes = (scopes: unknown): readonly ApiScope[] =>
  Array.isArray(scopes) ? (scopes.filter((scope) => typeof scope === 'string') as ApiScope[]) : [];

const readSignedIn = ({ did, scopes }: JsonObject): SignedIn => ({
  did: typeof did === 'string' ? did : undefined,
  scopes: readScopes(scopes),
});
