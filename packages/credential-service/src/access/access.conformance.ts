/**
 * What API keys do on every database. Run like `store/store.conformance.ts`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import { formatApiKey, parseApiKey } from '@symbolon/wire/http/api-key-form';
import { createAuditLog } from '../audit/audit-log.ts';
import {
  freshClock,
  issuer,
  type MakeRecords,
  present,
  start,
  twentyTimes,
} from '../database/testing/records.ts';
import { recordLimits } from '../limits/service-limits.ts';
import { makeApiKeyId, makeApiKeySecret } from './api-key-token.ts';
import { createApiKeys, type NewApiKey } from './api-keys.ts';
import { createKeyHandlers } from './key-handlers.ts';
import { createRequestLog } from './request-log.ts';

const issuing: NewApiKey = { label: 'Issuer', scopes: ['templates', 'issue'], did: issuer };

export function registerAccessConformance(name: string, make: MakeRecords): void {
  test(`${name}: a key makes its bearer, and its secret is nowhere`, async (context) => {
    const { kysely } = await make(context);
    const keys = createApiKeys(kysely, freshClock());
    const { token, facts } = await keys.create({ ...issuing, scopes: ['issue', 'templates', 'issue'] });
    assert.match(token, /^sym_[a-z2-7]{8}_[A-Za-z0-9_-]{43}$/);
    const bearer = await keys.authenticate(token);
    assert.deepEqual(bearer, { keyId: facts.id, did: issuer, scopes: new Set(['templates', 'issue']) });
    const row = await kysely.selectFrom('apiKeys').selectAll().executeTakeFirstOrThrow();
    assert.ok(!JSON.stringify(row).includes(present(parseApiKey(token)).secret));
    const { token: plain } = await keys.create({ label: 'x', scopes: ['verify'] });
    assert.ok(!('did' in present(await keys.authenticate(plain))));
  });

  test(`${name}: what is no key in force is nobody`, async (context) => {
    const { kysely } = await make(context);
    const keys = createApiKeys(kysely, freshClock());
    const { token, facts } = await keys.create(issuing);
    const other = await keys.create(issuing);
    const secret = present(parseApiKey(token)).secret;
    const wrong = [
      '',
      'sym_',
      token.toUpperCase(),
      `${token}A`,
      ` ${token}`,
      token.slice(0, -1),
      formatApiKey({ id: facts.id, secret: makeApiKeySecret() }),
      formatApiKey({ id: makeApiKeyId(), secret }),
      formatApiKey({ id: other.facts.id, secret }),
      `sym_${facts.id}_${secret}\n`,
      `sym_' or 1=1_${secret}`,
    ];
    for (const text of wrong) assert.equal(await keys.authenticate(text), undefined, text);
    assert.ok(await keys.authenticate(token));
  });

  test(`${name}: a revoked key ends at once here and within seconds elsewhere`, async (context) => {
    const { kysely } = await make(context);
    const clock = freshClock();
    const [here, elsewhere] = [createApiKeys(kysely, clock), createApiKeys(kysely, clock)];
    const { token, facts } = await here.create(issuing);
    assert.ok((await here.authenticate(token)) && (await elsewhere.authenticate(token)));
    const revoked = await twentyTimes(() => here.revoke(facts.id));
    assert.equal(revoked.filter(Boolean).length, 1);
    assert.equal(await here.authenticate(token), undefined);
    clock.advanceMs(recordLimits.apiKeyRememberedMs);
    assert.equal(await elsewhere.authenticate(token), undefined);
    assert.equal(await here.revoke('aaaaaaaa'), false);
    assert.equal((await here.list()).items[0].revokedAt, start);
  });

  test(`${name}: a key ends when it says, remembered or not`, async (context) => {
    const { kysely } = await make(context);
    const clock = freshClock();
    const keys = createApiKeys(kysely, clock);
    const { token } = await keys.create({ ...issuing, expiresAt: start + 1_000 });
    clock.advanceMs(999);
    assert.ok(await keys.authenticate(token));
    clock.advanceMs(1);
    assert.equal(await keys.authenticate(token), undefined);
  });

  test(`${name}: the last use is written down, not at every use`, async (context) => {
    const { kysely } = await make(context);
    const clock = freshClock();
    const keys = createApiKeys(kysely, clock);
    const { token } = await keys.create(issuing);
    const lastUsed = async () => (await keys.list()).items[0].lastUsedAt;
    assert.equal(await lastUsed(), undefined);
    await twentyTimes(() => keys.authenticate(token));
    assert.equal(await lastUsed(), start);
    clock.advanceMs(recordLimits.apiKeyRememberedMs);
    await keys.authenticate(token);
    assert.equal(await lastUsed(), start);
    clock.advanceMs(recordLimits.apiKeyUseIntervalMs);
    await keys.authenticate(token);
    assert.equal(await lastUsed(), clock.nowMs());
  });

  test(`${name}: a flood of unknown keys is bounded, and the known one still works`, async (context) => {
    const { kysely } = await make(context);
    const keys = createApiKeys(kysely, freshClock());
    const { token } = await keys.create(issuing);
    await keys.authenticate(token);
    const flood = Array.from({ length: 3 * recordLimits.apiKeyLookupsMax }, () =>
      keys.authenticate(formatApiKey({ id: makeApiKeyId(), secret: makeApiKeySecret() })),
    );
    assert.ok(await keys.authenticate(token));
    const results = await Promise.allSettled(flood);
    const answered = results.filter(({ status }) => status === 'fulfilled');
    assert.equal(answered.length, recordLimits.apiKeyLookupsMax);
    for (const result of results)
      if (result.status === 'rejected') assert.equal((result.reason as Fault).code, 'overloaded');
    assert.ok(await keys.authenticate(token));
  });

  test(`${name}: a key that nobody has used yet works in the middle of a flood`, async (context) => {
    const { kysely } = await make(context);
    const clock = freshClock();
    const { token } = await createApiKeys(kysely, clock).create(issuing);
    const keys = createApiKeys(kysely, clock);
    const flood = Array.from({ length: 3 * recordLimits.apiKeyLookupsMax }, () =>
      keys.authenticate(formatApiKey({ id: makeApiKeyId(), secret: makeApiKeySecret() })),
    );
    const good = keys.authenticate(token);
    await Promise.allSettled(flood);
    assert.ok(await good);
  });

  test(`${name}: without a look-up only what is known counts, and that within seconds`, async (context) => {
    const { kysely } = await make(context);
    const clock = freshClock();
    const [here, elsewhere] = [createApiKeys(kysely, clock), createApiKeys(kysely, clock)];
    const first = await elsewhere.create(issuing);
    assert.ok(await here.authenticate(first.token, 'known'));
    const later = await elsewhere.create(issuing);
    assert.equal(await here.authenticate(later.token, 'known'), undefined);
    clock.advanceMs(recordLimits.apiKeyRememberedMs);
    assert.ok(await here.authenticate(later.token, 'known'));
    const own = await here.create(issuing);
    assert.ok(await here.authenticate(own.token, 'known'));
    await here.revoke(own.facts.id);
    for (const effort of ['known', 'thorough'] as const)
      assert.equal(await here.authenticate(own.token, effort), undefined);
  });

  test(`${name}: of keys of the operator that end each other at once one is left`, async (context) => {
    const database = await make(context);
    const clock = freshClock();
    const apiKeys = createApiKeys(database.kysely, clock);
    const parts = { database, clock, apiKeys, audit: createAuditLog(database, clock) };
    const requestLog = createRequestLog(database.kysely, clock);
    const { endApiKey } = createKeyHandlers({ ...parts, requestLog });
    const caller = { scopes: new Set(['admin'] as const), address: '127.0.0.1' };
    const call = { caller, requestId: 'r', header: () => undefined, headerNames: [] };
    const made = await twentyTimes(() => apiKeys.create({ label: 'Operator', scopes: ['admin'] }));
    const ends = await twentyTimes((at) =>
      endApiKey({ id: present(made[at]).facts.id }, call).then(
        () => 'ended',
        ({ code }: Fault) => code,
      ),
    );
    assert.deepEqual(
      ends.filter((end) => end !== 'ended'),
      ['lastAdminKey'],
    );
    const left = (await apiKeys.list()).items.filter(({ revokedAt }) => revokedAt === undefined);
    assert.equal(left.length, 1);
  });

  test(`${name}: keys that make no sense are not made`, async (context) => {
    const { kysely } = await make(context);
    const keys = createApiKeys(kysely, freshClock());
    const bad: Partial<NewApiKey>[] = [
      { label: ' ' },
      { label: 'x'.repeat(129) },
      { label: 'a\nb' },
      { scopes: [] },
      { scopes: ['root' as never] },
      { did: 'not a did' },
      { expiresAt: start },
      { expiresAt: Number.NaN },
    ];
    for (const part of bad) await assert.rejects(keys.create({ ...issuing, ...part }), Fault);
    assert.equal((await keys.list()).items.length, 0);
  });
}
