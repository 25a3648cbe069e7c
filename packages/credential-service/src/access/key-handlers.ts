/**
 * API keys over HTTP: a key sees and makes keys of its own party, and ends those that may do no more than itself. What it
 * makes acts for the same DID, has some of its scopes and ends no later. An operator's key sees and ends any.
 */
import { given } from '@symbolon/core/basics/plain-values';
import { Fault } from '@symbolon/core/faults/faults';
import { ownKeyLimits } from '@symbolon/core/limits/directory';
import type { DeveloperHandlers } from '@symbolon/wire/developer/routes';
import type { Caller } from '@symbolon/wire/http/service-route';
import { allRoutes } from '@symbolon/wire/openapi/all-routes';
import type { Queries } from '../database/schema.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import {
  type ApiKeyRow,
  countKeysOfParty,
  findApiKey,
  hasOtherAdminKey,
  type KeyParty,
  markApiKeyRevoked,
  partyOfKey,
} from './api-key-rows.ts';
import { type ApiKeyFacts, type ApiKeys, isKeyInForce, scopesOfKey } from './api-keys.ts';
import type { RequestLog } from './request-log.ts';

export interface KeyParts extends Pick<ServiceParts, 'database' | 'clock' | 'audit'> {
  readonly apiKeys: ApiKeys;
  readonly requestLog: RequestLog;
}

const timeText = (ms: number): string => new Date(ms).toISOString();

const renderKey = (facts: ApiKeyFacts, { keyId }: Caller) => ({
  id: facts.id,
  label: facts.label,
  scopes: [...facts.scopes],
  isOwn: facts.id === keyId,
  createdAt: timeText(facts.createdAt),
  ...(facts.did !== undefined && { did: facts.did }),
  ...(facts.expiresAt !== undefined && { expiresAt: timeText(facts.expiresAt) }),
  ...(facts.revokedAt !== undefined && { endedAt: timeText(facts.revokedAt) }),
  ...(facts.lastUsedAt !== undefined && { lastUsedAt: timeText(facts.lastUsedAt) }),
  ...(facts.madeBy !== undefined && { madeBy: facts.madeBy }),
});

const isOperator = ({ scopes }: Caller): boolean => scopes.has('admin');

export function createKeyHandlers(parts: KeyParts): DeveloperHandlers {
  const { database, clock, audit, apiKeys, requestLog } = parts;
  const { kysely } = database;

  return {
    async listApiKeys({ cursor, itemsMax: limit }, { caller }) {
      const page = { limit, ...given({ cursor }) };
      const { items, next } = isOperator(caller)
        ? await apiKeys.list(page)
        : await apiKeys.listOf(await partyOf(kysely, caller), page);
      const keys = items.map((facts) => renderKey(facts, caller));
      return { keys, ...(next !== undefined && { nextCursor: next }) };
    },

    async makeApiKey({ label, scopes, validSeconds }, { caller }) {
      const excess = scopes.filter((scope) => !caller.scopes.has(scope));
      if (excess.length > 0)
        throw new Fault('notAllowed', {
          detail: `the API key lacks ${excess.join(', ')}, so it can make no key that has it`,
        });
      const own = await ownRow(kysely, caller);
      const party = await partyOf(kysely, caller);
      if ((await countKeysOfParty(kysely, party)) >= ownKeyLimits.keysPerPartyMax)
        throw new Fault('apiKeysFull');
      const wanted = validSeconds === undefined ? undefined : clock.nowMs() + validSeconds * 1_000;
      const { token, facts } = await apiKeys.create({
        label,
        scopes,
        ...('did' in party ? party : { family: party.family }),
        ...given({ expiresAt: earlier(wanted, own?.expiresAt ?? undefined), madeBy: own?.id }),
      });
      await audit.record({ actor: caller, action: 'apiKey.create', subject: facts.id });
      return { ...renderKey(facts, caller), apiKey: token };
    },

    async endApiKey({ id }, { caller }) {
      const key = await requireVisible(kysely, id, caller);
      if (!isOperator(caller) && !scopesOfKey(key).every((scope) => caller.scopes.has(scope)))
        throw new Fault('notAllowed', { detail: 'that API key may do more than the one that would end it' });
      const isAdmins = scopesOfKey(key).includes('admin') && isKeyInForce(key, clock.nowMs());
      await database.transaction(async (queries) => {
        // Of two that end each other at once, the later must see that the other is gone.
        if (isAdmins && !(await hasOtherAdminKey(queries, id, clock.nowMs())))
          throw new Fault('lastAdminKey');
        if (!(await markApiKeyRevoked(queries, id, clock.nowMs()))) throw new Fault('apiKeyUnknown');
        await audit.record({ actor: caller, action: 'apiKey.revoke', subject: id }, queries);
      });
      apiKeys.forget();
      return { id };
    },

    async listRequests({ key, cursor, itemsMax: limit }, { caller }) {
      const keyId = key ?? caller.keyId;
      if (keyId === undefined) throw new Fault('apiKeyUnknown');
      if (keyId !== caller.keyId) await requireVisible(kysely, keyId, caller);
      const { items, next } = await requestLog.list(keyId, { limit, ...given({ cursor }) });
      const requests = items.map(({ at, method, operation, status, code, ms, requestId }) => ({
        time: timeText(at),
        method,
        operation,
        ...given({ path: pathOf(operation) }),
        status,
        code,
        ms,
        requestId,
      }));
      return { requests, ...(next !== undefined && { nextCursor: next }) };
    },
  };
}

const pathOf = (operation: string): string | undefined =>
  Object.hasOwn(allRoutes, operation) ? allRoutes[operation as keyof typeof allRoutes].path : undefined;

const earlier = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);

const ownRow = async (queries: Queries, { keyId }: Caller): Promise<ApiKeyRow | undefined> =>
  keyId === undefined ? undefined : findApiKey(queries, keyId);

async function partyOf(queries: Queries, caller: Caller): Promise<KeyParty> {
  if (caller.did !== undefined) return { did: caller.did };
  const own = await ownRow(queries, caller);
  if (!own) throw new Fault('notAuthenticated');
  return partyOfKey(own);
}

/** A key of another party is refused like one that never was. */
async function requireVisible(queries: Queries, id: string, caller: Caller): Promise<ApiKeyRow> {
  const key = await findApiKey(queries, id);
  if (!key) throw new Fault('apiKeyUnknown');
  if (isOperator(caller)) return key;
  const [own, its] = [await partyOf(queries, caller), partyOfKey(key)];
  const isSame =
    'did' in own ? 'did' in its && own.did === its.did : 'family' in its && own.family === its.family;
  if (!isSame) throw new Fault('apiKeyUnknown');
  return key;
}
