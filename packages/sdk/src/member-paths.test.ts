import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Fault } from '@symbolon/core/faults';
import * as z from 'zod';
import { memberIn, memberPath, shownName, wrongInFault, wrongMembers } from './member-paths.ts';

describe('the members that an error names', () => {
  test('are paths of names and positions', () => {
    assert.equal(memberPath(['result', 'transactions', 0, 'hash']), 'result.transactions[0].hash');
    assert.equal(memberIn('', 'blob'), 'blob');
    assert.equal(memberPath([]), '');
  });

  test('are cut, so that no key fits into one, and steer no terminal', () => {
    const key = 'privb' + 'a'.repeat(51);
    assert.ok(!memberPath(['result', key]).includes(key));
    assert.equal(shownName('a'.repeat(40)), `${'a'.repeat(32)}…`);
    assert.equal(memberPath(['\u001b[2J']), '\ufffd[2J');
  });

  test('are the first that a schema finds wrong', () => {
    const schema = z.object({ result: z.strictObject({ nonce: z.number() }) });
    const membersOf = (value: unknown, at?: string) => wrongMembers(schema.safeParse(value), at);
    assert.deepEqual(membersOf({ result: { nonce: '1' } }), ['result.nonce']);
    assert.deepEqual(membersOf({ result: {} }, 'data'), ['data.result.nonce']);
    assert.deepEqual(membersOf({ result: { nonce: 1, another: 1 } }), ['result.another']);
    assert.deepEqual(membersOf(null), []);
    assert.deepEqual(membersOf(null, 'data'), ['data']);
  });

  test('are those of the form that is right the furthest, where there are several', () => {
    const schema = z.object({
      value: z.union([z.string(), z.object({ inner: z.object({ number: z.number() }) })]),
    });
    assert.deepEqual(wrongMembers(schema.safeParse({ value: { inner: { number: 'x' } } })), [
      'value.inner.number',
    ]);
  });

  test('are the first three places of a fault', () => {
    const errors = ['/proof/0/jws', '', '/a~1b', '/c', '/d'].map((pointer) => ({ pointer, detail: 'is no' }));
    assert.deepEqual(wrongInFault(new Fault('credentialMalformed', { errors })), [
      'proof[0].jws',
      'a/b',
      'c',
    ]);
    assert.deepEqual(wrongInFault(new Fault('credentialMalformed')), []);
  });
});
