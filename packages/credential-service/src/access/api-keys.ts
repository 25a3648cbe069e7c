/**
 * API keys of the service: made, listed, revoked, and checked for every call that carries one. Each has scopes, acts
 * for one DID or none, and may end. A check is remembered for a few seconds by the hash of the whole key: only the
 * right key is answered from memory, so neither answer nor time tells whether an id exists.
 */
import { createHash } from 'node:crypto';
import { Fault } from '@symbolon/core/faults';
import { recordLimits } from '@symbolon/core/limits';
import type { Clock } from '@symbolon/host/clock';
import { type ApiScope, apiScopes, type Caller } from '@symbolon/wire/service-route';
import {
  type ApiKeyRow,
  addApiKey,
  countApiKeys,
  findApiKey,
  markApiKeyRevoked,
  markApiKeyUsed,
  pageApiKeys,
} from '../store/api-keys.ts';
import type { Page, PageRequest } from '../store/paging.ts';
import type { Queries } from '../store/schema.ts';
import {
  formatApiKey,
  hashSecret,
  isSecretOf,
  makeApiKeyId,
  makeApiKeySecret,
  parseApiKey,
} from './api-key-token.ts';

export interface NewApiKey {
  /** For people, to tell keys apart. */
  readonly label: string;
  readonly scopes: readonly ApiScope[];
  readonly did?: string;
  readonly expiresAt?: number;
}

export interface ApiKeyFacts {
  readonly id: string;
  readonly label: string;
  readonly scopes: readonly ApiScope[];
  readonly did?: string;
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly revokedAt?: number;
  readonly lastUsedAt?: number;
}

/** Who a key makes its bearer; where the call comes from, the shell adds. */
export type KeyBearer = Omit<Caller, 'address'>;

export interface ApiKeys {
  /** The only time that the key itself is seen. */
  create(key: NewApiKey): Promise<{ readonly token: string; readonly facts: ApiKeyFacts }>;
  list(request?: PageRequest): Promise<Page<ApiKeyFacts>>;
  /** False when there is no such key or it is revoked already. */
  revoke(id: string): Promise<boolean>;
  /** Undefined for everything that is no key in force. Throws `overloaded` when too many are being looked up. */
  authenticate(token: string): Promise<KeyBearer | undefined>;
}

interface Remembered {
  readonly id: string;
  readonly bearer: KeyBearer;
  readonly until: number;
}

const idAttemptsMax = 5;

export function createApiKeys(queries: Queries, clock: Clock): ApiKeys {
  const remembered = new Map<string, Remembered>();
  const underWay = new Map<string, Promise<KeyBearer | undefined>>();
  let revocations = 0;

  async function lookUp(token: string, mark: string): Promise<KeyBearer | undefined> {
    const parsed = parseApiKey(token);
    if (!parsed) return undefined;
    const revocationsBefore = revocations;
    const row = await findApiKey(queries, parsed.id);
    const isRight = isSecretOf(parsed.secret, row?.secretHash);
    const now = clock.nowMs();
    if (!isRight || !row || !isInForce(row, now)) return undefined;
    if (row.lastUsedAt === null || row.lastUsedAt <= now - recordLimits.apiKeyUseIntervalMs)
      await markApiKeyUsed(queries, row.id, now);
    const bearer = bearerOf(row);
    // A key that was revoked while it was looked up must not be remembered as good.
    if (revocations === revocationsBefore)
      remember(mark, { id: row.id, bearer, until: rememberedUntil(row, now) });
    return bearer;
  }

  function remember(mark: string, entry: Remembered): void {
    remembered.delete(mark);
    remembered.set(mark, entry);
    const [oldest] = remembered.keys();
    if (remembered.size > recordLimits.apiKeysRememberedMax && oldest !== undefined)
      remembered.delete(oldest);
  }

  return {
    create: (key) => createKey(queries, key, clock.nowMs()),
    async list(request = {}) {
      const page = await pageApiKeys(queries, request);
      return { ...page, items: page.items.map(factsOf) };
    },
    async revoke(id) {
      const isRevoked = await markApiKeyRevoked(queries, id, clock.nowMs());
      revocations += 1;
      for (const [mark, entry] of remembered) if (entry.id === id) remembered.delete(mark);
      return isRevoked;
    },
    async authenticate(token) {
      if (!parseApiKey(token)) return undefined;
      const mark = createHash('sha256').update(token).digest('base64');
      const known = remembered.get(mark);
      if (known && known.until > clock.nowMs()) return known.bearer;
      remembered.delete(mark);
      const pending = underWay.get(mark);
      if (pending) return pending;
      if (underWay.size >= recordLimits.apiKeyLookupsMax)
        throw new Fault('overloaded', { retryAfterSeconds: 1 });
      const lookup = lookUp(token, mark).finally(() => underWay.delete(mark));
      underWay.set(mark, lookup);
      return lookup;
    },
  };
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
      secretHash: hashSecret(secret),
      label: key.label,
      did: key.did ?? null,
      scopes: [...new Set(key.scopes)].join(' '),
      createdAt: now,
      expiresAt: key.expiresAt ?? null,
      revokedAt: null,
      lastUsedAt: null,
    };
    if (await addApiKey(queries, row)) {
      return { token: formatApiKey({ id: row.id, secret }), facts: factsOf(row) };
    }
  }
  throw new Error('no free id for an API key was found');
}

function problemOf({ label, scopes, did, expiresAt }: NewApiKey, now: number): string | undefined {
  const { apiKeyLabelCharsMax } = recordLimits;
  if (label.trim() === '' || label.length > apiKeyLabelCharsMax || !isPlain(label))
    return `label has 1 to ${apiKeyLabelCharsMax} printable characters`;
  if (scopes.length === 0 || !scopes.every((scope) => apiScopes.includes(scope)))
    return `scopes are some of ${apiScopes.join(', ')}`;
  if (did !== undefined && !/^did:[a-z0-9]{1,32}:[A-Za-z0-9._:%-]{1,256}$/.test(did))
    return 'did is not a DID';
  if (expiresAt !== undefined && !(Number.isSafeInteger(expiresAt) && expiresAt > now))
    return 'expiresAt is in the future';
  return undefined;
}

const isPlain = (text: string): boolean => text.isWellFormed() && !/\p{Cc}/u.test(text);

const isInForce = ({ revokedAt, expiresAt }: ApiKeyRow, now: number): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now);

const rememberedUntil = ({ expiresAt }: ApiKeyRow, now: number): number =>
  Math.min(now + recordLimits.apiKeyRememberedMs, expiresAt ?? Number.POSITIVE_INFINITY);

/** A scope that this program does not know is worth nothing. */
const scopesOf = ({ scopes }: ApiKeyRow): ApiScope[] => {
  const names = new Set(scopes.split(' '));
  return apiScopes.filter((scope) => names.has(scope));
};

const bearerOf = (row: ApiKeyRow): KeyBearer => ({
  keyId: row.id,
  ...(row.did === null ? {} : { did: row.did }),
  scopes: new Set(scopesOf(row)),
});

const factsOf = (row: ApiKeyRow): ApiKeyFacts => ({
  id: row.id,
  label: row.label,
  scopes: scopesOf(row),
  ...(row.did === null ? {} : { did: row.did }),
  createdAt: row.createdAt,
  ...(row.expiresAt === null ? {} : { expiresAt: row.expiresAt }),
  ...(row.revokedAt === null ? {} : { revokedAt: row.revokedAt }),
  ...(row.lastUsedAt === null ? {} : { lastUsedAt: row.lastUsedAt }),
});
