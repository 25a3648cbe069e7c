import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import {
  type PresentationQuery,
  parsePresentationQuery,
  type WantedCredential,
} from './presentation-query.ts';
import { claimComplaints, readPresentedElements } from './query-matching.ts';

const credential = (id: string, more: object = {}) => ({
  ...{ id, format: 'dc+sd-jwt', meta: { vct_values: ['card'] } },
  ...more,
});
const asked = (credentials: readonly object[], more: object = {}): PresentationQuery =>
  parsePresentationQuery({ credentials, ...more }, '');
const wanted = (more: object): WantedCredential => asked([credential('a', more)]).credentials[0];

describe('to which parts of a query an answer is', () => {
  const two = asked([credential('a'), credential('b', { multiple: true })]);
  const wrong = (token: unknown, query = two): string => {
    const read = readPresentedElements(token, query);
    return isComplaint(read) ? read.complaint : '';
  };

  test('elements come in the order of the query', () => {
    const read = readPresentedElements({ b: ['2', '3'], a: ['1'] }, two);
    assert.ok(!isComplaint(read));
    assert.deepEqual(
      (read as readonly { element: unknown }[]).map(({ element }) => element),
      ['1', '2', '3'],
    );
  });

  test('one wrong thing each', () => {
    assert.match(wrong('text'), /no object/);
    assert.match(wrong({ a: ['1'], b: ['2'], c: ['3'] }), /not asked/);
    assert.match(wrong({ a: '1', b: ['2'] }), /no list of presentations for a/);
    assert.match(wrong({ a: [], b: ['2'] }), /no list of presentations for a/);
    assert.match(wrong({ a: ['1', '1'], b: ['2'] }), /more than one presentation for a/);
    assert.match(wrong({ a: ['1'] }), /no presentation for b/);
    assert.match(wrong({ a: ['1'], b: Array.from({ length: 16 }, () => '2') }), /too many/);
  });

  test('sets: an option of each that is required, and nothing that completes none', () => {
    const sets = (...credential_sets: object[]) =>
      asked([credential('a'), credential('b'), credential('c')], { credential_sets });
    const either = sets({ options: [['a', 'b'], ['c']] });
    assert.equal(wrong({ c: ['1'] }, either), '');
    assert.equal(wrong({ a: ['1'], b: ['1'] }, either), '');
    assert.match(wrong({ a: ['1'] }, either), /no option of credential set 1/);
    assert.match(wrong({ a: ['1'], c: ['1'] }, either), /for a, which completes no option/);
    const maybe = sets({ options: [['a']], required: false }, { options: [['b']] });
    assert.equal(wrong({ b: ['1'] }, maybe), '');
    assert.match(wrong({}, maybe), /set 2/);
    assert.match(wrong({ b: ['1'], c: ['1'] }, maybe), /for c/);
    assert.equal(wrong({}, sets({ options: [['a']], required: false })), '');
  });
});

describe('what answers the claims of a part', () => {
  const claims = {
    name: 'Ada',
    address: { city: 'Bern', street: 'Main' },
    nationalities: ['CH', 'DE'],
    degrees: [{ type: 'MSc', year: 2001 }],
  };
  const judge = (more: object, selected: readonly (readonly (string | number)[])[] = []) =>
    claimComplaints(wanted(more), { claims, selected });

  test('names, positions, and null for every element', () => {
    for (const path of [
      ['name'],
      ['address', 'city'],
      ['nationalities', 1],
      ['nationalities', null],
      ['degrees', null, 'year'],
    ])
      assert.deepEqual(judge({ claims: [{ path }] }), [], path.join());
    for (const path of [
      ['age'],
      ['address', 0],
      ['nationalities', 2],
      ['name', null],
      ['address', null],
      ['name', 'x'],
    ])
      assert.match(judge({ claims: [{ path }] })[0], /is not shown/, path.join());
  });

  test('values in type and value, of any element', () => {
    assert.deepEqual(judge({ claims: [{ path: ['nationalities', null], values: ['DE', 'FR'] }] }), []);
    assert.deepEqual(judge({ claims: [{ path: ['degrees', 0, 'year'], values: [2001] }] }), []);
    for (const values of [['FR'], [2001]])
      assert.match(judge({ claims: [{ path: ['nationalities', null], values }] })[0], /none of the values/);
    assert.match(judge({ claims: [{ path: ['degrees', 0, 'year'], values: ['2001'] }] })[0], /none of/);
  });

  test('more than asked for is named', () => {
    assert.deepEqual(judge({ claims: [{ path: ['name'] }] }, [['name']]), []);
    assert.deepEqual(judge({}, [['name']]), ['name was not asked for']);
    assert.deepEqual(judge({ claims: [{ path: ['name'] }] }, [['name'], ['address', 'city']]), [
      'address.city was not asked for',
    ]);
    // On the way to what was asked for, and inside of it.
    assert.deepEqual(
      judge({ claims: [{ path: ['address', 'city'] }] }, [['address'], ['address', 'city']]),
      [],
    );
    assert.deepEqual(judge({ claims: [{ path: ['address'] }] }, [['address'], ['address', 'city']]), []);
  });

  test('any one set of claims will do, and shows nothing of another', () => {
    const more = {
      claims: [
        { id: 'n', path: ['name'] },
        { id: 'c', path: ['address', 'city'] },
        { id: 'x', path: ['age'] },
      ],
      claim_sets: [['x'], ['n', 'c'], ['n']],
    };
    assert.deepEqual(judge(more, [['name']]), []);
    assert.deepEqual(judge(more, [['name'], ['address', 'city']]), []);
    assert.match(judge(more, [['nationalities']]).join(), /age is not shown.*not asked for/);
  });
});
