/**
 * API keys of the service: made, listed, revoked, and checked for every call that carries one. Each has scopes, acts
 * for one DID or none, and may end. All keys in force are kept in memory for a few seconds, so that a good key needs
 * no look-up and works however many wrong ones come. Only the right key is answered from memory; everything else goes
 * the same way, so neither answer nor time tells whether an id exists.
 */
import { escapeUnsafe, isBlank } from '@symbolon/core/basics/plain-text';
import { Fault } from '@symbolon/core/faults/faults';
import { ownKeyLimits } from '@symbolon/core/limits/directory';
import type { DatabaseSignals } from '@symbolon/host/database/common/database';
import type { KeyEffort } from '@symbolon/host/service/service-access';
import type { Clock } from '@symbolon/host/work/clock';
import { sha256Hex } from '@symbolon/host/work/sha256';
import { type ApiKeyToken, formatApiKey, parseApiKey } from '@symbolon/wire/http/api-key-form';
import { type ApiScope, apiScopes, type Caller } from '@symbolon/wire/http/service-route';
import type { Page, PageRequest } from '../database/paging.ts';
import type { Queries } from '../database/schema.ts';
import { recordLimits } from '../limits/service-limits.ts';
import {
  type ApiKeyRow,
  addApiKey,
  countApiKeys,
  findApiKey,
  type KeyParty,
  listApiKeysInForce,
  markApiKeyRevoked,
  markApiKeyUsed,
  pageApiKeys,
  pageKeysOfParty,
} from './api-key-rows.ts';
import { isSecretOf, makeApiKeyId, makeApiKeySecret } from './api-key-token.ts';

export interface NewApiKey {
  /** For people, to tell keys apart. */
  readonly label: string;
  readonly scopes: readonly ApiScope[];
  readonly did?: string;
  readonly expiresAt?: number;
  /** The key that makes it, and where it acts for nobody the one that all of these come from. */
  readonly madeBy?: string;
  readonly family?: string;
}

export interface ApiKeyFacts extends NewApiKey {
  readonly id: string;
  readonly createdAt: number;
  readonly revokedAt?: number;
  readonly lastUsedAt?: number;
}

/** Who a key makes its bearer; where the call comes from, the shell adds. */
export type KeyBearer = Omit<Caller, 'address'>;

export interface ApiKeys {
  /** The only time that the key itself is seen. */
  create(key: NewApiKey): Promise<{ readonly token: string; readonly facts: ApiKeyFacts }>;
  list(request?: PageRequest): Promise<Page<ApiKeyFacts>>;
  listOf(party: KeyParty, request?: PageRequest): Promise<Page<ApiKeyFacts>>;
  /** False when there is no such key or it is revoked already. */
  revoke(id: string): Promise<boolean>;
  /** Has the keys in force read again: whoever has changed one in a transaction says so when it is done. */
  forget(): void;
  /**
   * Undefined for everything that is no key in force. `known` looks nothing up: another process's key of the last few
   * seconds is unknown then. Throws `overloaded` when too many are being looked up.
   */
  authenticate(token: string, effort?: KeyEffort): Promise<KeyBearer | undefined>;
  /** Whom a key makes, by its id; undefined where it is not in force. */
  bearerOf(id: string): Promise<KeyBearer | undefined>;
  /**
   * What all keys in force that act for a DID may together, under the id of the oldest; undefined where there is none.
   */
  actingFor(did: string): Promise<KeyBearer | undefined>;
}

const idAttemptsMax = 5;

const changed = 'apiKeys';

export function createApiKeys(queries: Queries, clock: Clock, signals?: DatabaseSignals): ApiKeys {
  const known = knownKeys(queries, clock);
  let lookups = 0;
  signals?.listen((said) => {
    if (said === changed) known.expire();
  });
  /** Here at once, and at other replicas in a moment. */
  const forget = (): void => {
    known.expire();
    signals?.say(changed);
  };

  async function bearerOfUsed(row: ApiKeyRow): Promise<KeyBearer> {
    const now = clock.nowMs();
    if (row.lastUsedAt === null || row.lastUsedAt <= now - recordLimits.apiKeyUseIntervalMs) {
      row.lastUsedAt = now;
      await markApiKeyUsed(queries, row.id, now);
    }
    return bearerOf(row);
  }

  /** Whatever was not recognised takes the same way, whether its id exists or not. */
  async function lookUp({ id, secret }: ApiKeyToken): Promise<ApiKeyRow | undefined> {
    if (lookups >= recordLimits.apiKeyLookupsMax) throw new Fault('overloaded', { retryAfterSeconds: 1 });
    lookups += 1;
    try {
      const row = await findApiKey(queries, id);
      if (!isKeyOf(secret, row, clock.nowMs())) return undefined;
      known.expire();
      return row;
    } finally {
      lookups -= 1;
    }
  }

  return {
    async create(key) {
      const made = await createKey(queries, key, clock.nowMs());
      forget();
      return made;
    },
    async list(request = {}) {
      const page = await pageApiKeys(queries, request);
      return { ...page, items: page.items.map(factsOf) };
    },
    async listOf(party, request = {}) {
      const page = await pageKeysOfParty(queries, party, request);
      return { ...page, items: page.items.map(factsOf) };
    },
    async revoke(id) {
      const isRevoked = await markApiKeyRevoked(queries, id, clock.nowMs());
      forget();
      return isRevoked;
    },
    forget,
    async authenticate(token, effort = 'thorough') {
      // What does not look like a key is none: that is decided without asking the database.
      const parsed = parseApiKey(token);
      if (!parsed) return undefined;
      const row = (await known.rows()).get(parsed.id);
      if (isKeyOf(parsed.secret, row, clock.nowMs())) return bearerOfUsed(row);
      const found = effort === 'thorough' ? await lookUp(parsed) : undefined;
      return found && bearerOfUsed(found);
    },
    async bearerOf(id) {
      // One that was made at another replica just now is looked up.
      const row = (await known.rows()).get(id) ?? (await findApiKey(queries, id));
      return row && isKeyInForce(row, clock.nowMs()) ? bearerOfUsed(row) : undefined;
    },
    async actingFor(did) {
      const now = clock.nowMs();
      const own = [...(await known.rows()).values()]
        .filter((row) => row.did === did && isKeyInForce(row, now))
        .toSorted((left, right) => left.createdAt - right.createdAt || (left.id < right.id ? -1 : 1));
      const [oldest] = own;
      return oldest && { keyId: oldest.id, did, scopes: new Set(own.flatMap(scopesOfKey)) };
    },
  };
}

interface KnownKeys {
  rows(): Promise<ReadonlyMap<string, ApiKeyRow>>;
  /** Has them read again before they are next used. */
  expire(): void;
}

/** All keys in force, as they were a few seconds ago at most: one query, however many calls come. */
function knownKeys(queries: Queries, clock: Clock): KnownKeys {
  let rows: ReadonlyMap<string, ApiKeyRow> = new Map();
  let readAt = Number.NEGATIVE_INFINITY;
  let changes = 0;
  let reading: Promise<void> | undefined;

  const isFresh = (now: number): boolean => now >= readAt && now < readAt + recordLimits.apiKeyRememberedMs;
  async function read(): Promise<void> {
    const [changesBefore, now] = [changes, clock.nowMs()];
    const found = await listApiKeysInForce(queries);
    // What was read while a key was revoked may still hold it.
    if (changes !== changesBefore) return;
    rows = new Map(found.map((row) => [row.id, row]));
    readAt = now;
  }

  return {
    async rows() {
      while (!isFresh(clock.nowMs())) {
        reading ??= read().finally(() => {
          reading = undefined;
        });
        await reading;
      }
      return rows;
    },
    expire() {
      changes += 1;
      readAt = Number.NEGATIVE_INFINITY;
    },
  };
}

function isKeyOf(secret: string, row: ApiKeyRow | undefined, now: number): row is ApiKeyRow {
  const isRight = isSecretOf(secret, row?.secretHash);
  return isRight && row !== undefined && isKeyInForce(row, now);
}

async function createKey(queries: Queries, key: NewApiKey, now: number) {
  const problem = problemOf(key, now);
  if (problem) throw new Fault('requestMalformed', { detail: problem });
  if ((await countApiKeys(queries)) >= recordLimits.apiKeysMax)
    throw new Fault('tooManyRequests', { detail: 'this service has as many API keys as it may have' });
  const secret = makeApiKeySecret();
  for (let attempt = 0; attempt < idAttemptsMax; attempt++) {
    const row: ApiKeyRow = {
      id: makeApiKeyId(),
      secretHash: sha256Hex(secret),
      label: key.label,
      did: key.did ?? null,
      scopes: [...new Set(key.scopes)].join(' '),
      createdAt: now,
      expiresAt: key.expiresAt ?? null,
      revokedAt: null,
      lastUsedAt: null,
      madeBy: key.madeBy ?? null,
      family: key.family ?? null,
    };
    if (await addApiKey(queries, row)) {
      return { token: formatApiKey({ id: row.id, secret }), facts: factsOf(row) };
    }
  }
  throw new Error('no free id for an API key was found');
}

function problemOf({ label, scopes, did, expiresAt }: NewApiKey, now: number): string | undefined {
  const { labelCharsMax } = ownKeyLimits;
  if (isBlank(label) || label.length > labelCharsMax || !isPlain(label))
    return `label has 1 to ${labelCharsMax} printable characters`;
  if (scopes.length === 0 || !scopes.every((scope) => apiScopes.includes(scope)))
    return `scopes are some of ${apiScopes.join(', ')}`;
  if (did !== undefined && !/^did:[a-z0-9]{1,32}:[A-Za-z0-9._:%-]{1,256}$/.test(did))
    return 'did is not a DID';
  if (expiresAt !== undefined && !(Number.isSafeInteger(expiresAt) && expiresAt > now))
    return 'expiresAt is in the future';
  return undefined;
}

const isPlain = (text: string): boolean => text.isWellFormed() && escapeUnsafe(text) === text;

export const isKeyInForce = ({ revokedAt, expiresAt }: ApiKeyRow, now: number): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now);

/** A scope that this program does not know is worth nothing. */
export const scopesOfKey = ({ scopes }: ApiKeyRow): ApiScope[] => {
  const names = new Set(scopes.split(' '));
  return apiScopes.filter((scope) => names.has(scope));
};

const bearerOf = (row: ApiKeyRow): KeyBearer => ({
  keyId: row.id,
  ...(row.did === null ? {} : { did: row.did }),
  scopes: new Set(scopesOfKey(row)),
});

const factsOf = (row: ApiKeyRow): ApiKeyFacts => ({
  id: row.id,
  label: row.label,
  scopes: scopesOfKey(row),
  ...(row.did === null ? {} : { did: row.did }),
  createdAt: row.createdAt,
  ...(row.expiresAt === null ? {} : { expiresAt: row.expiresAt }),
  ...(row.revokedAt === null ? {} : { revokedAt: row.revokedAt }),
  ...(row.lastUsedAt === null ? {} : { lastUsedAt: row.lastUsedAt }),
  ...(row.madeBy === null ? {} : { madeBy: row.madeBy }),
});
