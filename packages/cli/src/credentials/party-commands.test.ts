import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import { printable } from '../terminal/terminal.ts';
import { cutLines, identifierOption, shownValue, withAdvice } from './party-commands.ts';

const refused = (code: string, status: number) =>
  new ServiceError({ code, status, title: 'A title', detail: 'What happened', requestId: 'req-1' });

test('a refusal that can be mended here says with which command', async () => {
  await assert.rejects(
    withAdvice(() => Promise.reject(refused('templateUnknown', 404))),
    (error: CommandFailure) => {
      assert.equal(error.exitCode, exitCodes.notFound);
      const lines = error.message.split('\n');
      const [todo, lookUp] = lines.slice(-2);
      assert.equal(lines[0], 'What happened.');
      assert.match(todo ?? '', /symbolon template list$/);
      assert.match(lookUp ?? '', /templateUnknown, request req-1/);
      assert.equal(error.facts.code, 'templateUnknown');
      return true;
    },
  );
});

test('any other failure passes as it is', async () => {
  const error = refused('overloaded', 503);
  await assert.rejects(
    withAdvice(() => Promise.reject(error)),
    (thrown) => thrown === error,
  );
  assert.equal(await withAdvice(async () => 7), 7);
});

test('what is found wrong here is told with its places', async () => {
  const fault = new Fault('rangeInvalid', {
    errors: [{ pointer: '/ranges/0', detail: 'points is revealed' }],
  });
  await assert.rejects(
    withAdvice(() => Promise.reject(fault)),
    (error: CommandFailure) =>
      error instanceof CommandFailure && /\/ranges\/0: points is revealed\nA range is/.test(error.message),
  );
});

test('identifiers have 64 hex digits', () => {
  const id = `did:zid:${'0a'.repeat(32)}`;
  assert.equal(identifierOption(id), id);
  for (const text of ['', 'did:zid:', id.slice(0, -1), `${id}0`, `${id}\n`, 'name'])
    assert.throws(() => identifierOption(text), /64 hex digits/, text);
});

test('texts of others cannot steer the terminal', () => {
  assert.equal(printable('Ada\u001b[2J\n\u009b\u202eevil'), 'Ada\\u001b[2J\\u000a\\u009b\\u202eevil');
  assert.equal(printable('Žofie 木'), 'Žofie 木');
  assert.equal(shownValue('a\tb'), '"a\\u0009b"');
  assert.equal(shownValue(7), '7');
  assert.equal(shownValue(true), 'true');
  assert.equal(
    shownValue(`data:image/png;base64,${'A'.repeat(100)}`),
    '"data:image/png;base64 (122 characters)"',
  );
  for (const text of ['data:,I owe you everything', 'data: none', 'data:image/png;base64,I owe you'])
    assert.equal(shownValue(text), `"${text}"`, 'what is no image is a text');
});

test('values of which not everything is shown are counted', () => {
  const long = 'x'.repeat(7_047);
  assert.deepEqual(cutLines(['short', 7, `data:image/png;base64,${'A'.repeat(9_000)}`]), []);
  assert.deepEqual(cutLines([long, 'short']), [
    '1 value is longer than what is shown here: --wide shows all of it.',
  ]);
  assert.deepEqual(cutLines([long, long]), [
    '2 values are longer than what is shown here: --wide shows all of them.',
  ]);
});
