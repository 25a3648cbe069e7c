import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import { ledgerRoutes } from '@symbolon/wire/ledger/routes';
import {
  memberIn,
  memberPath,
  type SchemaIssue,
  shownName,
  wrongInFault,
  wrongMembers,
} from './member-paths.ts';

describe('the members that an error names', () => {
  test('are paths of names and positions', () => {
    assert.equal(memberPath(['result', 'transactions', 0, 'hash']), 'result.transactions[0].hash');
    assert.equal(memberIn('', 'blob'), 'blob');
    assert.equal(memberPath([]), '');
  });

  test('are cut, so that no key fits into one, and steer no terminal', () => {
    const key = `privb${'a'.repeat(51)}`;
    assert.ok(!memberPath(['result', key]).includes(key));
    assert.equal(shownName('a'.repeat(40)), `${'a'.repeat(32)}…`);
    assert.equal(memberPath(['\u001b[2J']), '\ufffd[2J');
  });

  test('are the first that a schema finds wrong', () => {
    const membersOf = (value: unknown, at?: string) =>
      wrongMembers(ledgerRoutes.getAccountBase.reply.safeParse(value), at);
    assert.deepEqual(membersOf({ error_code: '0', error_desc: '' }), ['error_code']);
    assert.deepEqual(membersOf({ error_code: 0, error_desc: '', result: { address: 7 } }, 'data'), [
      'data.result.address',
    ]);
    assert.deepEqual(membersOf(null), []);
    assert.deepEqual(membersOf(null, 'data'), ['data']);
  });

  test('are the unknown ones, and those of the form that is right the furthest, where there are several', () => {
    const check = (issue: SchemaIssue) => ({ success: false, error: { issues: [issue] } });
    assert.deepEqual(wrongMembers(check({ path: ['result'], keys: ['another'] })), ['result.another']);
    const errors = [[{ path: [] }], [{ path: ['inner', 0] }], [{ path: ['other'] }], []];
    assert.deepEqual(wrongMembers(check({ path: ['value'], errors })), ['value.inner[0]']);
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
