import assert from 'node:assert/strict';
import { test } from 'node:test';
import { binding, samplePresentation, template } from '@symbolon/core/credential/testing/sample-credentials';
import type { RangeClaim } from '@symbolon/core/documents/model';
import { parsePresentationQuery } from '@symbolon/formats/oid4vp/presentation-query';
import { rangeAnswerComplaints } from './range-judging.ts';

const shown = (revealAttributes: readonly string[], ranges: readonly RangeClaim[] = []) =>
  samplePresentation({ revealAttributes, ranges }, binding).verifiableCredential[0];

/** What is wrong with an answer to a query for these claims. */
function judge(credential: ReturnType<typeof shown>, claims: readonly object[], more: object = {}) {
  const meta = { template_values: [template.id] };
  const { credentials } = parsePresentationQuery(
    { credentials: [{ id: 'own', format: 'symbolon-bbs-2026', meta, claims, ...more }] },
    '',
  );
  return rangeAnswerComplaints(credentials[0], credential);
}

const born = (range: object) => ({ path: ['credentialSubject', 'birthDate'], range });

test('a range is answered by a proved one that is as narrow or narrower', () => {
  const proved = shown([], [{ attribute: 'birthDate', max: '2010-01-01' }]);
  assert.deepEqual(judge(proved, [born({ max: '2010-01-01' })]), []);
  assert.deepEqual(judge(proved, [born({ max: '2012-06-15' })]), []);
  assert.equal(judge(proved, [born({ max: '2009-12-31' })]).length, 1, 'wider than asked');
  assert.equal(judge(proved, [born({ min: '1900-01-01' })]).length, 1, 'bounded on the other side');
});

test('a range is answered by a value inside it, and a value by no range', () => {
  const value = shown(['children']);
  const children = (range: object) => ({ path: ['children'], range });
  assert.deepEqual(judge(value, [children({ min: 1, max: 9 })]), []);
  assert.equal(judge(value, [children({ min: 9 })]).length, 1);
  const proved = shown([], [{ attribute: 'birthDate', max: '2010-01-01' }]);
  assert.notDeepEqual(judge(proved, [{ path: ['birthDate'] }]), []);
});

test('values, other templates, and what nobody asked for', () => {
  const credential = shown(['country']);
  const country = (...values: string[]) => ({ id: 'c', path: ['country'], values });
  assert.deepEqual(judge(credential, [country('Elbonia', 'Ruritania')]), []);
  assert.equal(judge(credential, [country('Nowhere')]).length, 1);
  const meta = { template_values: [`did:zid:${'0'.repeat(64)}`] };
  assert.deepEqual(judge(credential, [country('Ruritania')], { meta }), [
    'the credential is of another template',
  ]);
  assert.equal(judge(shown(['country', 'fullName']), [country('Ruritania', 'Elbonia')]).length, 1);
});

test('one list of claims is enough', () => {
  const claims = [
    { id: 'n', path: ['fullName'] },
    { id: 'c', path: ['country'] },
  ];
  assert.deepEqual(judge(shown(['country']), claims, { claim_sets: [['n'], ['c']] }), []);
  assert.equal(judge(shown(['country']), claims).length, 1);
});
