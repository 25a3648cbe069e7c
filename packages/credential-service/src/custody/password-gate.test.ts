import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { defaultPolicy } from '@symbolon/core/custody/custody-policy';
import { Fault, type FaultName } from '@symbolon/core/faults/faults';
import { custodyLimits } from '@symbolon/core/limits/custody';
import { createRateLimiter } from '@symbolon/host/http/rate-limit';
import { createAuditLog } from '../audit/audit-log.ts';
import { freshClock, freshVault, sqliteRecords, start } from '../database/testing/records.ts';
import { custodyWorkLimits } from '../limits/service-limits.ts';
import { newCustodyCounts } from './custody-parts.ts';
import { addCustodyAccount, readAttempts, sweepCustody, writePolicy } from './custody-rows.ts';
import { createPasswordGate } from './password-gate.ts';
import { createPasswords, type Passwords } from './passwords.ts';

const address = 'account';
const password = 'right password';
const from = '192.0.2.1';
const { freeFailures, lockMs } = custodyLimits;

async function makeGate(context: TestContext, { perMinute = 1_000_000, passwords = quickPasswords() } = {}) {
  const database = await sqliteRecords(context);
  const [clock, vault, counts] = [freshClock(), freshVault(), newCustodyCounts()];
  const audit = createAuditLog(database, clock);
  const wrongPasswords = createRateLimiter({ perMinute, burst: perMinute }, { nowMs: () => clock.nowMs() });
  const gate = createPasswordGate({ database, vault, audit, clock, passwords, wrongPasswords, counts });
  await addCustodyAccount(database.kysely, {
    address,
    publicKey: 'key',
    backend: 'vault',
    keyId: address,
    secret: null,
    password: await gate.encrypt(address, await gate.hash(password, from)),
    note: null,
    policy: writePolicy(defaultPolicy),
    activation: 'none',
    activationTx: null,
    createdAt: start,
    updatedAt: start,
  });
  const knock = (given: string, of = address) =>
    gate.enter({ address: of, password: given, from }).then(
      () => 'in' as const,
      (error: unknown): FaultName => (error instanceof Fault ? error.code : assert.fail(String(error))),
    );
  return { database, clock, counts, audit, knock };
}

const quickPasswords = (): Passwords => createPasswords({ cost: 1_024 });

/** Counts what it is asked, to see that both kinds of account cost the same. */
function watched(passwords: Passwords) {
  const asked: string[] = [];
  return {
    asked,
    passwords: {
      ...passwords,
      isRight(...given: Parameters<Passwords['isRight']>) {
        asked.push(`${given[1].cost}`);
        return passwords.isRight(...given);
      },
    },
  };
}

test('the right password opens, a wrong one and an unknown account get the same work and answer', async (context) => {
  const { asked, passwords } = watched(quickPasswords());
  const { knock } = await makeGate(context, { passwords });
  assert.equal(await knock(password), 'in');
  assert.equal(await knock('wrong password'), 'passwordWrong');
  assert.equal(await knock(password, 'nobody'), 'passwordWrong');
  assert.deepEqual(asked, ['1024', '1024', '1024']);
});

test('guesses that come at once are heard as often as one after the other', async (context) => {
  const perMinute = 3;
  const passwords = createPasswords({ cost: 1_024, hashesMax: 1 });
  const { knock } = await makeGate(context, { perMinute, passwords });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => knock('wrong password', `nobody ${index}`)),
  );
  const heard = answers.filter((answer) => answer === 'passwordWrong');
  assert.ok(heard.length <= perMinute + 1, `${heard.length} passwords were checked`);
  assert.ok(answers.every((answer) => answer === 'passwordWrong' || answer === 'tooManyRequests'));
});

test('wrong passwords lock longer and longer, for an account that does not exist too', async (context) => {
  for (const who of [address, 'nobody']) {
    const { clock, knock, database, counts, audit } = await makeGate(context);
    for (let index = 0; index < freeFailures; index++)
      assert.equal(await knock('wrong password', who), 'passwordWrong');
    assert.equal(await knock(password, who), 'custodyKeyLocked');
    clock.advanceMs(lockMs - 1);
    assert.equal(await knock(password, who), 'custodyKeyLocked');
    clock.advanceMs(1);
    assert.equal(await knock('wrong password', who), 'passwordWrong');
    clock.advanceMs(lockMs);
    assert.equal(await knock(password, who), 'custodyKeyLocked', 'the second lock is longer');
    clock.advanceMs(lockMs);
    assert.equal(await knock(password, who), who === address ? 'in' : 'passwordWrong');
    assert.ok(counts.locks >= 2);
    const { items } = await audit.list({ action: 'custody.lock' });
    assert.equal(items.length, who === address ? 2 : 0);
    if (who === address) assert.equal(await readAttempts(database.kysely, who), undefined);
  }
});

test('of many guesses at once only a few are heard, even if the right one is among them', async (context) => {
  const { knock, counts } = await makeGate(context);
  const guesses = [...Array.from({ length: 30 }, (_, index) => `wrong password ${index}`), password];
  const answers = await Promise.all(guesses.map((guess) => knock(guess)));
  assert.ok(!answers.includes('in'));
  assert.ok(answers.filter((answer) => answer === 'passwordWrong').length <= freeFailures);
  assert.equal(answers.at(-1), 'custodyKeyLocked');
  assert.equal(counts.locks, 1);
});

test('the right password many times at once locks nothing', async (context) => {
  const { knock } = await makeGate(context);
  const answers = await Promise.all(Array.from({ length: 20 }, () => knock(password)));
  assert.deepEqual(new Set(answers), new Set(['in']));
});

test('a place that guesses at many accounts has to wait, also for the right one', async (context) => {
  const { knock, clock } = await makeGate(context, { perMinute: 6 });
  for (let index = 0; index < 6; index++)
    assert.equal(await knock('wrong password', `n${index}`), 'passwordWrong');
  assert.equal(await knock('wrong password', 'another'), 'tooManyRequests');
  assert.equal(await knock(password), 'tooManyRequests');
  clock.advanceMs(10_000);
  assert.equal(await knock(password), 'in');
});

test('attempts are forgotten after a week, not before', async (context) => {
  const { knock, clock, database } = await makeGate(context);
  await knock('wrong password');
  const sweep = () => sweepCustody(database.kysely, clock.nowMs(), 0);
  clock.advanceMs(custodyWorkLimits.attemptsKeptMs - 1);
  assert.equal(await sweep(), 0);
  clock.advanceMs(1);
  assert.equal(await sweep(), 1);
});
