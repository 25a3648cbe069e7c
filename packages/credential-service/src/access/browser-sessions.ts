/**
 * Sessions of browsers: begun when somebody has shown who they are, checked for every call, ended by who they are of, by
 * rest, by age, and with the API keys that they stand on. A session may do what the API keys in force may that act for
 * its DID; one that was begun with an API key, what that key may. Id and secret are new at every sign-in and only hashes of them
 * are kept: the id is known to the tab alone, the secret to the cookie alone, and neither is good without the other.
 */
import { randomBytes } from 'node:crypto';
import { Fault } from '@symbolon/core/faults/faults';
import { signInLimits } from '@symbolon/core/limits/console';
import type { DatabaseSignals } from '@symbolon/host/database/common/database';
import type { ShownSession } from '@symbolon/host/service/browser-session-claim';
import type { KeyEffort } from '@symbolon/host/service/service-access';
import type { Clock } from '@symbolon/host/work/clock';
import { sha256Hex } from '@symbolon/host/work/sha256';
import type { SignInWay } from '@symbolon/wire/console/replies';
import type { Queries, ServiceDatabase } from '../database/schema.ts';
import { browserSessionLimits as limits } from '../limits/service-limits.ts';
import { isSecretOf } from './api-key-token.ts';
import type { ApiKeys, KeyBearer } from './api-keys.ts';
import {
  addBrowserSession,
  type BrowserSessionRow,
  countKeylessSessions,
  endOldestSessions,
  findBrowserSession,
  findMarkedSessions,
  markSessionEnded,
  markSessionUsed,
} from './browser-session-rows.ts';
import { createSessionEnds } from './session-ends.ts';

/** Who has shown what. */
export type NewBrowserSession =
  | { readonly way: 'apiKey'; readonly bearer: KeyBearer & { readonly keyId: string } }
  | { readonly way: Exclude<SignInWay, 'apiKey'>; readonly did: string; readonly challenge?: string };

export interface BrowserSessionFacts {
  readonly way: SignInWay;
  readonly bearer: KeyBearer;
  /** When it ends in any case. */
  readonly until: number;
}

export interface BrowserSessions {
  /**
   * The only time that id and secret are seen. `record` is done in the same transaction. Throws `presenceRefused` for a
   * challenge that was used, `tooManyRequests`.
   */
  begin(
    order: NewBrowserSession,
    record?: (queries: Queries, bearer: KeyBearer) => Promise<void>,
  ): Promise<ShownSession & { readonly facts: BrowserSessionFacts }>;
  /** Undefined for everything that is no session in force. `known` looks up only what was good here before. */
  authenticate(shown: ShownSession, effort: KeyEffort): Promise<KeyBearer | undefined>;
  /** By the name under which it is kept; undefined where it is not in force. */
  find(session: string): Promise<BrowserSessionFacts | undefined>;
  /** False where it has ended already; else `record` is done in the same transaction, and what goes on for it is told. */
  end(session: string, record?: (queries: Queries) => Promise<void>): Promise<boolean>;
  /** Aborted when the session ends at this process; `signal` says when nobody listens any more. */
  endOf(session: string, signal: AbortSignal): AbortSignal;
  /** Those of these marks, each the beginning of a name, of which nothing is in force. */
  ended(marks: readonly string[]): Promise<readonly string[]>;
}

export function createBrowserSessions({
  database,
  clock,
  apiKeys,
}: {
  readonly database: ServiceDatabase & { readonly signals?: DatabaseSignals | undefined };
  readonly clock: Clock;
  readonly apiKeys: Pick<ApiKeys, 'bearerOf' | 'actingFor'>;
}): BrowserSessions {
  const { kysely } = database;
  const known = createKnownSessions();
  const ends = createSessionEnds(database.signals);
  let lookups = 0;

  const bearerNow = async ({ way, keyId, did }: BrowserSessionRow): Promise<KeyBearer | undefined> => {
    if (way === 'apiKey') return keyId === null ? undefined : apiKeys.bearerOf(keyId);
    if (did === null) return undefined;
    const bearer = await apiKeys.actingFor(did);
    // Who came with an API key came as somebody: without any they are asked again who they are.
    return bearer ?? (keyId === null ? { did, scopes: new Set() } : undefined);
  };

  /** Whatever is not known to have been good takes the same way, whether its id exists or not. */
  async function lookUp(shown: ShownSession, isKnown: boolean): Promise<BrowserSessionRow | undefined> {
    if (!isKnown && lookups >= limits.lookupsMax) throw new Fault('overloaded', { retryAfterSeconds: 1 });
    lookups += 1;
    try {
      const row = await findBrowserSession(kysely, sha256Hex(shown.id));
      return isSecretOf(shown.secret, row?.secretHash) ? row : undefined;
    } finally {
      lookups -= 1;
    }
  }

  return {
    async begin(order, record) {
      const now = clock.nowMs();
      const bearer = await bearerOfNew(order, apiKeys);
      const made = {
        id: randomBytes(limits.challengeBytes).toString('base64url'),
        secret: randomBytes(32).toString('base64url'),
      };
      const row: BrowserSessionRow = {
        id: sha256Hex(made.id),
        secretHash: sha256Hex(made.secret),
        way: order.way,
        party: bearer.did ?? `key ${bearer.keyId}`,
        did: bearer.did ?? null,
        keyId: bearer.keyId ?? null,
        challenge: order.way === 'apiKey' ? null : (order.challenge ?? null),
        createdAt: now,
        usedAt: now,
        endedAt: null,
      };
      const tooOld = await database.transaction(async (queries) => {
        if (row.keyId === null) await refuseTooMany(queries, now);
        if (!(await addBrowserSession(queries, row)))
          throw new Fault('presenceRefused', { detail: 'The challenge was used before: ask for a new one' });
        await record?.(queries, bearer);
        return endOldestSessions(queries, { party: row.party, now });
      });
      for (const session of tooOld) ends.tell(session);
      known.add(made);
      return { ...made, facts: factsOf(row, bearer) };
    },

    async authenticate(shown, effort) {
      const isKnown = known.has(shown);
      if (!isKnown && effort === 'known') return undefined;
      const row = await lookUp(shown, isKnown);
      const now = clock.nowMs();
      const bearer = row && isInForce(row, now) ? await bearerNow(row) : undefined;
      if (!row || !bearer) {
        known.forget(shown);
        return undefined;
      }
      known.add(shown);
      if (row.usedAt <= now - limits.useIntervalMs) await markSessionUsed(kysely, row.id, now);
      return { ...bearer, session: row.id };
    },

    async find(session) {
      const row = await findBrowserSession(kysely, session);
      const bearer = row && isInForce(row, clock.nowMs()) ? await bearerNow(row) : undefined;
      return row && bearer && factsOf(row, bearer);
    },

    async end(session, record) {
      const isEnded = await database.transaction(async (queries) => {
        if (!(await markSessionEnded(queries, session, clock.nowMs()))) return false;
        await record?.(queries);
        return true;
      });
      ends.tell(session);
      return isEnded;
    },

    endOf: ends.signalOf,

    async ended(marks) {
      const now = clock.nowMs();
      const live = (await findMarkedSessions(kysely, marks)).filter((row) => isInForce(row, now));
      return marks.filter((mark) => !live.some(({ id }) => id.startsWith(mark)));
    },
  };
}

async function bearerOfNew(
  order: NewBrowserSession,
  apiKeys: Pick<ApiKeys, 'actingFor'>,
): Promise<KeyBearer> {
  if (order.way === 'apiKey') return order.bearer;
  return (await apiKeys.actingFor(order.did)) ?? { did: order.did, scopes: new Set() };
}

async function refuseTooMany(queries: Queries, now: number): Promise<void> {
  if ((await countKeylessSessions(queries, now - signInLimits.idleMs)) < limits.keylessMax) return;
  const detail = 'As many people are signed in as may be';
  throw new Fault('tooManyRequests', { detail, retryAfterSeconds: 60 });
}

const isInForce = ({ createdAt, usedAt, endedAt }: BrowserSessionRow, now: number): boolean =>
  endedAt === null && now < createdAt + signInLimits.sessionMs && now < usedAt + signInLimits.idleMs;

const factsOf = ({ way, createdAt }: BrowserSessionRow, bearer: KeyBearer): BrowserSessionFacts => ({
  way,
  bearer,
  until: createdAt + signInLimits.sessionMs,
});

/** Hashes of sessions that were good here, so that a flood of wrong ones keeps nobody out; the oldest are forgotten. */
function createKnownSessions() {
  const marks = new Set<string>();
  const markOf = ({ id, secret }: ShownSession): string => sha256Hex(`${id} ${secret}`);
  return {
    has: (shown: ShownSession): boolean => marks.has(markOf(shown)),
    forget: (shown: ShownSession): boolean => marks.delete(markOf(shown)),
    add(shown: ShownSession): void {
      const mark = markOf(shown);
      marks.delete(mark);
      marks.add(mark);
      const [oldest] = marks;
      if (marks.size > limits.knownMax && oldest !== undefined) marks.delete(oldest);
    },
  };
}
