import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CommandFailure, exitCodes } from '../terminal/failure.ts';
import { fits, shownIdentifierOption, wholeIdentifier } from './short-ids.ts';

const one = `did:zid:abcd${'0'.repeat(56)}1234`;
const other = `did:zid:abcd${'1'.repeat(56)}1234`;

test('what a table shows, or a beginning, stands for the one that it fits', async () => {
  for (const word of ['did:zid:abcd…1234', 'abcd...1234', 'ABCD', 'did:zid:abcd0']) {
    assert.equal(shownIdentifierOption(word), word);
    assert.ok(fits(word, one), word);
    assert.equal(await wholeIdentifier(word, async () => [one, 'did:zid:ffff']), one);
  }
  assert.ok(!fits('abcd…9999', one));
});

test('what fits several stands for none, and what is whole is not looked for', async () => {
  const failsWith = (exitCode: number) => (error: CommandFailure) => error.exitCode === exitCode;
  await assert.rejects(
    wholeIdentifier('abcd…1234', async () => [one, other]),
    failsWith(exitCodes.usage),
  );
  await assert.rejects(
    wholeIdentifier('9999', async () => [one, other]),
    failsWith(exitCodes.notFound),
  );
  assert.equal(await wholeIdentifier(other, () => assert.fail('not looked for')), other);
  for (const word of ['abc', 'did:zid:', 'my degree', 'abcd…12'])
    assert.throws(() => shownIdentifierOption(word), /what a list shows/);
});
