import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import { environmentOfServices, passphraseVariable, readPassphrase } from './passphrase.ts';

const good = 'correct horse battery';
const typing = (...words: string[]) => {
  const left = [...words];
  return async () => left.shift() ?? assert.fail('asked too often');
};
const usage = (error: unknown) => error instanceof CommandFailure && error.exitCode === exitCodes.usage;

test('a passphrase comes from the environment, or is typed, twice when it is new', async () => {
  const env = { [passphraseVariable]: good };
  assert.equal(await readPassphrase({ env, ask: undefined, isNew: true }), good);
  assert.equal(await readPassphrase({ env: {}, ask: typing(good, good), isNew: true }), good);
  assert.equal(await readPassphrase({ env: {}, ask: typing('short'), isNew: false }), 'short');
  assert.deepEqual(environmentOfServices({ ...env, A: 'b' }), { A: 'b' });
});

test('no passphrase, a short one, a huge one and two that differ are refused', async () => {
  await assert.rejects(readPassphrase({ env: {}, ask: undefined, isNew: true }), (error: Error) => {
    assert.match(error.message, /SYMBOLON_BACKUP_PASSPHRASE/);
    return usage(error);
  });
  await assert.rejects(
    readPassphrase({ env: { [passphraseVariable]: '' }, ask: undefined, isNew: false }),
    usage,
  );
  await assert.rejects(
    readPassphrase({ env: { [passphraseVariable]: 'short' }, ask: undefined, isNew: true }),
    usage,
  );
  await assert.rejects(readPassphrase({ env: {}, ask: typing('x'.repeat(2_000)), isNew: false }), usage);
  await assert.rejects(readPassphrase({ env: {}, ask: typing(good, `${good}!`), isNew: true }), /differ/);
});
