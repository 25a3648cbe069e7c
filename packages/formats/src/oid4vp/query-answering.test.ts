import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { parsePresentationQuery } from './presentation-query.ts';
import { answeringClaims, type HeldFacts, isOfWantedKind, partsToAnswer } from './query-answering.ts';

const credential = (id: string, more: object = {}) => ({
  ...{ id, format: 'dc+sd-jwt', meta: { vct_values: ['card', 'pass'] } },
  ...more,
});
const asked = (credentials: readonly object[], more: object = {}) =>
  parsePresentationQuery({ credentials, ...more }, '', 'wallet');
const wanted = (more: object = {}) => asked([credential('a', more)]).credentials[0];
const held: HeldFacts = {
  format: 'dc+sd-jwt',
  kinds: ['pass'],
  claims: { name: 'Ada', level: 'B1', nationalities: ['CH', 'DE'] },
};

describe('a kept credential', () => {
  test('is of a kind that is asked for', () => {
    assert.ok(isOfWantedKind(wanted(), held));
    assert.ok(!isOfWantedKind(wanted(), { ...held, kinds: ['other'] }));
    assert.ok(!isOfWantedKind(wanted(), { ...held, format: 'ldp_vc' }));
    const types = wanted({ format: 'ldp_vc', meta: { type_values: [['A', 'B'], ['C']] } });
    assert.ok(isOfWantedKind(types, { ...held, format: 'ldp_vc', kinds: ['B', 'A', 'D'] }));
    assert.ok(!isOfWantedKind(types, { ...held, format: 'ldp_vc', kinds: ['A'] }));
  });

  test('shows the first list of claims that it has all of', () => {
    const claims = [
      { id: 'n', path: ['name'], values: ['Bob'] },
      { id: 'l', path: ['level'] },
      { id: 'c', path: ['nationalities', null], values: ['DE'] },
    ];
    const sets = { claims, claim_sets: [['n', 'l'], ['l', 'c'], ['l']] };
    const found = answeringClaims(wanted(sets), held);
    assert.ok(!isComplaint(found));
    assert.deepEqual(
      found.claims.map(({ id }) => id),
      ['l', 'c'],
    );
    const lacking = answeringClaims(wanted({ claims: [...claims, { id: 'x', path: ['x'] }] }), held);
    assert.ok(isComplaint(lacking));
    assert.match(lacking.complaint, /name has none of the values asked for; x is not shown/);
    const nothing = answeringClaims(wanted(), held);
    assert.deepEqual(nothing, { claims: [] });
  });

  test('answers nobody who asks for an authority', () => {
    const authorities = { trusted_authorities: [{ type: 'aki', values: ['x'] }] };
    const found = answeringClaims(wanted(authorities), held);
    assert.ok(isComplaint(found));
    assert.match(found.complaint, /vouches/);
  });
});

describe('parts that are answered', () => {
  const three = [credential('a'), credential('b'), credential('c')];
  const parts = (ids: readonly string[], ...credential_sets: object[]) =>
    partsToAnswer(asked(three, credential_sets.length > 0 ? { credential_sets } : {}), new Set(ids));

  test('all of them, or the first option of each set, and nothing that need not be', () => {
    assert.deepEqual(parts(['a', 'b', 'c']), ['a', 'b', 'c']);
    assert.equal(parts(['a', 'b']), undefined);
    const either = { options: [['a', 'b'], ['c']] };
    assert.deepEqual(parts(['a', 'b', 'c'], either), ['a', 'b']);
    assert.deepEqual(parts(['b', 'c'], either), ['c']);
    assert.equal(parts(['b'], either), undefined);
    assert.deepEqual(parts(['a', 'b', 'c'], either, { options: [['c']], required: false }), ['a', 'b']);
    assert.deepEqual(parts(['b', 'c'], either, { options: [['b']] }), ['c', 'b']);
    assert.equal(parts(['a'], { options: [['a']], required: false }), undefined);
  });
});
