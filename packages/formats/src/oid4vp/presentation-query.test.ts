import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import fc from 'fast-check';
import { parsePresentationQuery, rangeFormat } from './presentation-query.ts';

const card = { id: 'card', format: 'dc+sd-jwt', meta: { vct_values: ['https://a.example/card'] } };
const ours = { id: 'ours', format: rangeFormat, meta: { template_values: ['did:zid:01'] } };
const one = (more: object = {}) => ({ credentials: [{ ...card, ...more }] });
const refusals = (query: unknown): readonly string[] => {
  try {
    parsePresentationQuery(query, '/q');
    return [];
  } catch (error) {
    assert.ok(error instanceof Fault && error.code === 'queryInvalid', String(error));
    return error.errors.map(({ pointer, detail }) => `${pointer} ${detail}`);
  }
};

describe('a query that is right', () => {
  test('with claims, sets of claims, values and sets of credentials', () => {
    const claims = [
      { id: 'a', path: ['name'] },
      { id: 'b', path: ['nationalities', null], values: ['CH', 'DE'] },
      { id: 'c', path: ['degrees', 0, 'type'], values: [1, true] },
    ];
    const query = {
      credentials: [
        { ...card, multiple: true, claims, claim_sets: [['a', 'b'], ['c']] },
        {
          id: 'w3c',
          format: 'ldp_vc',
          meta: { type_values: [['https://a.example/#A', 'https://a.example/#B']] },
        },
        { ...ours, claims: [{ path: ['age'], range: { min: 18 } }] },
      ],
      credential_sets: [{ options: [['card'], ['w3c', 'ours']] }, { options: [['ours']], required: false }],
    };
    const read = parsePresentationQuery(query, '');
    assert.deepEqual(
      read.credentials.map(({ kinds, isMultiple, needsHolder }) => ({ kinds, isMultiple, needsHolder })),
      [
        { kinds: [['https://a.example/card']], isMultiple: true, needsHolder: true },
        { kinds: [['https://a.example/#A', 'https://a.example/#B']], isMultiple: false, needsHolder: true },
        { kinds: [['did:zid:01']], isMultiple: false, needsHolder: true },
      ],
    );
    assert.deepEqual(read.credentials[0].claimSets, [['a', 'b'], ['c']]);
    assert.deepEqual(read.credentials[2].claims, [{ path: ['age'], range: { min: 18 } }]);
    assert.deepEqual(
      read.sets?.map(({ isRequired }) => isRequired),
      [true, false],
    );
  });
});

describe('a query with one wrong thing is refused, with its place', () => {
  const cases: Readonly<Record<string, readonly [query: unknown, words: RegExp]>> = {
    'no object': [[], /no plain JSON/],
    'what JSON cannot carry': [one({ claims: [{ path: ['a'], values: [2n ** 60n] }] }), /no plain JSON/],
    'nothing asked for': [{ credentials: [] }, /credentials must be an array/],
    'two of one id': [{ credentials: [card, card] }, /an id of their own/],
    'an id with a dot': [one({ id: 'a.b' }), /\/id must be/],
    'another format': [one({ format: 'mso_mdoc' }), /\/format must be "dc\+sd-jwt"/],
    'no meta': [{ credentials: [{ id: 'a', format: 'dc+sd-jwt' }] }, /meta is missing/],
    'no type': [one({ meta: {} }), /vct_values is missing/],
    'a type of another format': [one({ meta: { type_values: [['A']] } }), /type_values/],
    'the nearest name': [one({ claim_set: [['a']] }), /claim_sets/],
    'authorities of keys': [one({ trusted_authorities: [{ type: 'aki', values: ['x'] }] }), /trustedIssuers/],
    'a path that begins with a position': [one({ claims: [{ path: [0] }] }), /path\/0 must be a name/],
    'a step that is none': [one({ claims: [{ path: ['a', -1] }] }), /path\/1 must be a name, a position/],
    'one claim twice': [one({ claims: [{ path: ['a'] }, { path: ['a'] }] }), /name each claim once/],
    'one id twice': [
      one({
        claims: [
          { id: 'x', path: ['a'] },
          { id: 'x', path: ['b'] },
        ],
      }),
      /an id of their own/,
    ],
    'values of halves': [one({ claims: [{ path: ['a'], values: [1.5] }] }), /an integer/],
    'sets of claims that are not there': [
      one({ claims: [{ id: 'a', path: ['a'] }], claim_sets: [['b']] }),
      /names a claim that is not asked for/,
    ],
    'sets of claims without ids': [one({ claims: [{ path: ['a'] }], claim_sets: [['a']] }), /needs an id/],
    'a range in another format': [
      one({ claims: [{ path: ['a'], range: { min: 1 } }] }),
      /symbolon-bbs-2026 alone/,
    ],
    'a range without a bound': [
      { credentials: [{ ...ours, claims: [{ path: ['a'], range: {} }] }] },
      /has no bound/,
    ],
    'a range beside values': [
      { credentials: [{ ...ours, claims: [{ path: ['a'], values: [1], range: { min: 1 } }] }] },
      /not stand beside values/,
    ],
    'a deep path in our format': [
      { credentials: [{ ...ours, claims: [{ path: ['a', 'b'] }] }] },
      /must be \[key\]/,
    ],
    'ours without its holder': [
      { credentials: [{ ...ours, require_cryptographic_holder_binding: false }] },
      /always shown by their holder/,
    ],
    'a set of what is not asked for': [
      { ...one(), credential_sets: [{ options: [['other']] }] },
      /names a credential that is not asked for/,
    ],
    'too large': [one({ meta: { vct_values: [`https://a.example/${'x'.repeat(70_000)}`] } }), /too large/],
  };
  for (const [name, [query, words]] of Object.entries(cases))
    test(name, () => {
      const found = refusals(query);
      assert.ok(found.length > 0 && found.every((one) => one.startsWith('/q')), found.join('\n'));
      assert.match(found.join('\n'), words);
    });

  test('anything else is read or refused, never thrown out of', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        refusals(value);
        refusals(one({ claims: [value] }));
        refusals({ credentials: [value] });
      }),
      { numRuns: 300 },
    );
  });
});
