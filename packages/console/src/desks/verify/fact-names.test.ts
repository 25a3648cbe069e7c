import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toldFacts } from './fact-names.ts';

test('facts are told by credential, in one order; what has no words is left out', () => {
  assert.deepEqual(toldFacts({ ledgerSeq: '7', state: 'active', strange: 'x' }), [
    { name: 'state', text: 'active' },
    { name: 'ledgerSeq', text: '7' },
  ]);
  assert.deepEqual(toldFacts({ '1.issuer': 'b', '0.templateId': 't', '0.issuer': 'a' }), [
    { credential: 1, name: 'issuer', text: 'a' },
    { credential: 1, name: 'templateId', text: 't' },
    { credential: 2, name: 'issuer', text: 'b' },
  ]);
  assert.deepEqual(toldFacts({}), []);
});
