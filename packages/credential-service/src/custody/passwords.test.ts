import assert from 'node:assert/strict';
import { scryptSync } from 'node:crypto';
import { test } from 'node:test';
import { custodyWorkLimits } from '../limits/service-limits.ts';
import { createPasswords } from './passwords.ts';

const quick = { cost: 1_024 };
const caller = '192.0.2.1';

test('a password is right, every other one wrong, whatever they are made of', async () => {
  const passwords = createPasswords(quick);
  for (const password of ['correct horse', 'пароль-по-русски', '密碼密碼密碼密碼', ' '.repeat(128)]) {
    const known = await passwords.hash(password, caller);
    assert.equal(await passwords.isRight(password, known, { caller }), true);
    for (const wrong of [`${password} `, password.slice(1), password.toUpperCase(), ''])
      assert.equal(await passwords.isRight(wrong, known, { caller }), wrong === password);
  }
});

test('two hashes of one password differ, and neither holds it', async () => {
  const passwords = createPasswords(quick);
  const [one, two] = [
    await passwords.hash('same password', caller),
    await passwords.hash('same password', caller),
  ];
  assert.notEqual(one.salt, two.salt);
  assert.notEqual(one.hash, two.hash);
  assert.doesNotMatch(JSON.stringify(one), /same/);
});

test('the hash is scrypt with the numbers it is kept with', async () => {
  const { salt, hash, cost, blockSize, parallel } = await createPasswords().hash('known password', caller);
  assert.ok(cost >= 2 ** 15 && blockSize === 8 && parallel === 1);
  const options = { N: cost, r: blockSize, p: parallel, maxmem: 256 * cost * blockSize };
  const expected = scryptSync('known password', Buffer.from(salt, 'base64'), 32, options);
  assert.equal(hash, expected.toString('base64'));
  // Numbers that change later do not lock anybody out.
  const known = { salt, hash, cost, blockSize, parallel };
  assert.equal(await createPasswords(quick).isRight('known password', known, { caller }), true);
});

test('no password fits a decoy', async () => {
  const passwords = createPasswords(quick);
  const decoy = passwords.decoy();
  assert.equal(Buffer.from(decoy.hash, 'base64').length, custodyWorkLimits.hashBytes);
  for (const password of ['', 'decoy', decoy.hash, decoy.salt])
    assert.equal(await passwords.isRight(password, decoy, { caller }), false);
});

test('only so many are hashed at a time, and only so many wait', async () => {
  const passwords = createPasswords({ ...quick, hashesMax: 1, waitingMax: 4 });
  const results = await Promise.allSettled(
    Array.from({ length: 5 }, () => passwords.hash('some password', caller)),
  );
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'],
  );
  for (const result of results)
    if (result.status === 'rejected') assert.equal(result.reason.code, 'overloaded');
  await passwords.hash('some password', caller);
});

test('a stranger who has many hashed holds an owner up by the one under way and the next', async () => {
  const passwords = createPasswords({ ...quick, hashesMax: 1, waitingMax: 64 });
  const known = await passwords.hash('the password', caller);
  const done: string[] = [];
  const guess = (from: string) =>
    passwords.isRight('a guess', known, { caller: from }).then(() => done.push(from));
  const strangers = Array.from({ length: 24 }, () => guess('192.0.2.66'));
  await Promise.all([...strangers, guess(caller)]);
  assert.ok(done.indexOf(caller) <= 2, `after ${done.indexOf(caller)} of the stranger's`);
});
