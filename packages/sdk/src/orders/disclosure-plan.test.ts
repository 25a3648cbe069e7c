import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  holder,
  issuer,
  parsed,
  sampleCredential,
  template,
} from '@symbolon/core/credential/testing/sample-credentials';
import type { UnsignedCredential } from '@symbolon/core/documents/model';
import { parseDcql } from '@symbolon/wire/sessions/dcql-query';
import fc from 'fast-check';
import { chooseAnswers, type Need, needsUsing, planNeeds, rangesOf } from './disclosure-plan.ts';

const { credential } = parsed();
const other = parsed(sampleCredential({ id: `did:zid:${'cd'.repeat(32)}` })).credential;
const claim = (key: string, constraints: object = {}) => ({ path: ['credentialSubject', key], constraints });
const allowed = (...names: string[]): ReadonlySet<string> => new Set(names);

interface Asked {
  readonly held?: readonly UnsignedCredential[];
  readonly mayReveal?: ReadonlySet<string>;
  readonly more?: object;
  readonly query?: object;
}

const askedBy = (claims: readonly object[], { more, query }: Asked) =>
  parseDcql({ credentials: [{ id: 'a', claims, ...more }], ...query }, '');

function plan(claims: readonly object[], asked: Asked = {}) {
  const { held = [credential], mayReveal = allowed() } = asked;
  const query = askedBy(claims, asked);
  const needs = planNeeds(query, held, mayReveal);
  return { needs, chosen: chooseAnswers(query, needs, held) };
}

describe('what the policy lets be shown', () => {
  test('bounds are proved and not revealed, even where revealing is allowed', () => {
    const { chosen, needs } = plan(
      [claim('birthDate', { maximum: '2008-06-15' }), claim('children', { minimum: 1 })],
      {
        mayReveal: allowed('birthDate', 'children'),
      },
    );
    const ranges = [
      { attribute: 'birthDate', max: '2008-06-15' },
      { attribute: 'children', min: 1 },
    ];
    assert.deepEqual(rangesOf(needs), chosen?.[0]?.ranges);
    assert.deepEqual(
      chosen?.map(({ reveal }) => reveal),
      [[]],
    );
    assert.deepEqual(
      chosen?.[0]?.ranges.map(({ attribute, min, max }) => [
        attribute,
        min === undefined ? undefined : String(min),
        max,
      ]),
      ranges.map(({ attribute, ...range }) => [
        attribute,
        'min' in range ? String(range.min) : undefined,
        range.max,
      ]),
    );
  });

  test('a value is revealed only if it is allowed, and nothing besides it', () => {
    const claims = [claim('fullName'), claim('country', { enum: ['Elbonia'] })];
    assert.deepEqual(plan(claims).needs[0]?.problem, {
      kind: 'notAllowed',
      attributes: ['fullName', 'country'],
    });
    assert.equal(plan(claims).chosen, undefined);
    const { chosen } = plan(claims, { mayReveal: allowed('fullName', 'country', 'photo') });
    assert.deepEqual(chosen, [
      { queryId: 'a', credential: 0, reveal: ['fullName', 'country'], ranges: [], telling: [] },
    ]);
  });

  test('bounds that leave few values reveal, and need to be allowed as such', () => {
    const claims = [claim('children', { minimum: 2, maximum: 2 })];
    assert.deepEqual(plan(claims).needs[0]?.problem, { kind: 'notAllowed', attributes: ['children'] });
    const { chosen } = plan(claims, { mayReveal: allowed('children') });
    assert.deepEqual(
      chosen?.map(({ reveal, ranges, telling }) => ({ reveal, ranges, telling })),
      [{ reveal: [], ranges: [{ attribute: 'children', min: 2, max: 2 }], telling: ['children'] }],
    );
  });

  test('so do bounds of several queries that leave few values together', () => {
    const query = {
      credentials: [
        { id: 'a', claims: [claim('children', { minimum: 2 })] },
        { id: 'b', claims: [claim('children', { maximum: 2 })] },
      ],
    };
    const held = [credential, other];
    assert.deepEqual(
      plan([], { query, held }).needs.map(({ problem }) => problem),
      [
        { kind: 'notAllowed', attributes: ['children'] },
        { kind: 'notAllowed', attributes: ['children'] },
      ],
    );
    const { chosen } = plan([], { query, held, mayReveal: allowed('children') });
    assert.deepEqual(
      chosen?.map(({ telling }) => telling),
      [['children'], ['children']],
    );
  });

  test('a text has no range, so its bounds would need the value', () => {
    const claims = [claim('fullName', { minimum: 'A' })];
    assert.deepEqual(plan(claims).needs[0]?.problem, { kind: 'notAllowed', attributes: ['fullName'] });
  });

  test('bounds with another constraint need the value', () => {
    const claims = [claim('children', { minimum: 1, enum: [2] })];
    assert.deepEqual(plan(claims).needs[0]?.problem, { kind: 'notAllowed', attributes: ['children'] });
  });

  test('what is only wished for is left out where it is not allowed, missing or untrue', () => {
    const wished = { required: false };
    const claims = [
      claim('fullName', wished),
      claim('email', wished),
      claim('children', { minimum: 9, ...wished }),
    ];
    assert.deepEqual(plan(claims).chosen, [
      { queryId: 'a', credential: 0, reveal: [], ranges: [], telling: [] },
    ]);
  });

  test('the holder is always shown and needs no leave', () => {
    assert.equal(plan([claim('id')]).chosen?.length, 1);
  });
});

describe('what cannot be answered', () => {
  test('another kind, another issuer, an attribute that is not there', () => {
    const kinds: readonly Asked[] = [
      { more: { credentialType: 'Passport' } },
      { query: { trusted_issuers: [holder.did] } },
      { more: { issuers: [holder.did] } },
      { held: [] },
    ];
    for (const asked of kinds) assert.deepEqual(plan([], asked).needs[0]?.problem, { kind: 'noCredential' });
    assert.equal(plan([], { query: { trusted_issuers: [issuer.did] } }).chosen?.length, 1);
    assert.deepEqual(plan([claim('email')]).needs[0]?.problem, {
      kind: 'attributeMissing',
      attributes: ['email'],
    });
    assert.deepEqual(plan([claim('__proto__')]).needs[0]?.problem, {
      kind: 'attributeMissing',
      attributes: ['__proto__'],
    });
  });

  test('values that do not fit are found out only when an answer is chosen', () => {
    const { needs, chosen } = plan([claim('children', { minimum: 3 })]);
    assert.equal(needs[0]?.options.length, 1);
    assert.equal(chosen, undefined);
    assert.equal(
      plan([claim('country', { const: 'Ruritania' })], { mayReveal: allowed('country') }).chosen,
      undefined,
    );
  });
});

describe('several credentials', () => {
  const two = {
    credentials: [
      { id: 'a', claims: [claim('children', { minimum: 1 })] },
      { id: 'b', claims: [claim('points', { maximum: 0 })] },
    ],
  };

  test('each is answered by one of its own', () => {
    const query = parseDcql(two, '');
    const needs = planNeeds(query, [credential, other], allowed());
    assert.deepEqual(
      chooseAnswers(query, needs, [credential, other])?.map(({ queryId, credential: index }) => [
        queryId,
        index,
      ]),
      [
        ['a', 0],
        ['b', 1],
      ],
    );
    assert.equal(chooseAnswers(query, planNeeds(query, [credential], allowed()), [credential]), undefined);
  });

  test('a credential goes to the part of the query that nothing else answers, in whatever order they stand', () => {
    const { children: _none, ...childless } = other.credentialSubject;
    const held = [credential, { ...other, credentialSubject: childless as typeof other.credentialSubject }];
    const either = { id: 'either', claims: [claim('points', { maximum: 0 })] };
    const first = { id: 'first', claims: [claim('children', { minimum: 1 })] };
    const answersTo = (query: object) =>
      Object.fromEntries(
        plan([], { held, query }).chosen?.map(({ queryId, credential: index }) => [queryId, index]) ?? [],
      );
    for (const credentials of [
      [either, first],
      [first, either],
    ]) {
      assert.deepEqual(answersTo({ credentials }), { first: 0, either: 1 });
      const credential_sets = [{ options: [['either']] }, { options: [['first']] }];
      assert.deepEqual(answersTo({ credentials, credential_sets }), { first: 0, either: 1 });
    }
  });

  test('a credential that is to be used answers what leaves an answer to the rest', () => {
    const asked = ['a', 'b'].map((id) => ({ id, claims: [claim('children', { minimum: 1 })] }));
    const query = parseDcql({ credentials: asked }, '');
    const held = [credential, other];
    const needs = planNeeds(query, held, allowed());
    const pairs = (tried = needs) =>
      chooseAnswers(query, tried, held)?.map(({ queryId, credential: index }) => [queryId, index]);
    assert.deepEqual(pairs(needsUsing(query, needs, { credentials: held, used: 1 })), [
      ['a', 1],
      ['b', 0],
    ]);
    const [first, second] = needs as [Need, Need];
    const onlyFirst = [{ ...first, options: first.options.slice(0, 1) }, second];
    assert.deepEqual(pairs(needsUsing(query, onlyFirst, { credentials: held, used: 1 })), [
      ['a', 0],
      ['b', 1],
    ]);
    assert.equal(needsUsing(query, needs, { credentials: held, used: -1 }), undefined);
  });

  test('an option that leaves nothing for a later set is passed over', () => {
    const asked = (id: string) => ({ id, claims: [claim('children', { minimum: 1 })] });
    const credential_sets = [{ options: [['a', 'b'], ['c']] }, { options: [['d']] }];
    const query = { credentials: ['a', 'b', 'c', 'd'].map(asked), credential_sets };
    const { chosen } = plan([], { held: [credential, other], query });
    assert.deepEqual(
      chosen?.map(({ queryId }) => queryId),
      ['c', 'd'],
    );
  });

  test('many credentials that all fit and one part that nothing answers take no time', () => {
    const held = Array.from({ length: 200 }, (_, index) => ({
      ...credential,
      id: `${credential.id}${index}`,
    }));
    const credentials = [
      ...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => ({
        id,
        claims: [claim('children', { minimum: 1 })],
      })),
      { id: 'h', claims: [claim('children', { minimum: 3 })] },
    ];
    assert.equal(plan([], { held, query: { credentials } }).chosen, undefined);
  });

  test('of a set the option that shows the fewest values, then proves the fewest ranges, then of the fewest credentials, then the first', () => {
    const more = { id: 'm', claims: [claim('fullName'), claim('country')] };
    const asked = (id: string) => ({ id, claims: [claim('fullName')] });
    const wide = {
      id: 'wide',
      claims: [claim('children', { minimum: 0 }), claim('height', { minimum: '0.500' })],
    };
    const told = {
      id: 'told',
      claims: [claim('birthDate', { minimum: '2008-06-15', maximum: '2008-06-15' })],
    };
    const credentials = [more, asked('a'), asked('b'), { id: 'none', claims: [] }, wide, told];
    const idsOf = (options: string[][], used?: number) => {
      const query = parseDcql({ credentials, credential_sets: [{ options }] }, '');
      const held = [credential, other];
      const needs = planNeeds(query, held, allowed('fullName', 'country', 'birthDate'));
      const tried = used === undefined ? needs : needsUsing(query, needs, { credentials: held, used });
      return tried && chooseAnswers(query, tried, held)?.map(({ queryId }) => queryId);
    };
    assert.deepEqual(idsOf([['m', 'a'], ['a']]), ['a']);
    assert.deepEqual(idsOf([['m'], ['b']]), ['b']);
    assert.deepEqual(idsOf([['a', 'none'], ['b']]), ['b']);
    assert.deepEqual(idsOf([['b'], ['a']]), ['b']);
    assert.deepEqual(idsOf([['a'], ['wide']]), ['wide'], 'two ranges tell less than one value');
    assert.deepEqual(idsOf([['told'], ['wide']]), ['wide'], 'a range that tells the value is one');
    assert.deepEqual(idsOf([['a'], ['m', 'b']], 1), ['a'], 'with a credential that is to be used');
  });

  test('a credential that is to be used is used, also where another option would show less', () => {
    const { country: _none, ...stateless } = other.credentialSubject;
    const held = [credential, { ...other, credentialSubject: stateless as typeof other.credentialSubject }];
    const more = { id: 'm', claims: [claim('fullName'), claim('country')] };
    const less = { id: 'l', claims: [claim('children')] };
    const credential_sets = [{ options: [['l'], ['m']] }];
    const query = parseDcql({ credentials: [more, less], credential_sets }, '');
    const needs = planNeeds(query, held, allowed('fullName', 'country', 'children'));
    const onlyOther = needs.map((need) =>
      need.query.id === 'l' ? { ...need, options: need.options.slice(1) } : need,
    );
    const tried = needsUsing(query, onlyOther, { credentials: held, used: 0 }) ?? [];
    assert.deepEqual(
      chooseAnswers(query, tried, held)?.map(({ queryId }) => queryId),
      ['m'],
    );
  });

  test('of a set nothing of the other options is shown, nor what is only wished for', () => {
    const sets = [{ options: [['a', 'c'], ['b']] }, { options: [['c']], required: false }];
    const more = { id: 'c', claims: [claim('fullName')] };
    const query = parseDcql({ credentials: [...two.credentials, more], credential_sets: sets }, '');
    const needs = planNeeds(query, [credential, other], allowed());
    assert.deepEqual(
      chooseAnswers(query, needs, [credential, other])?.map(({ queryId }) => queryId),
      ['b'],
    );
  });
});

test('whatever is asked, nothing is revealed that is not both asked for and allowed', () => {
  const keys = template.attributes.map(({ key }) => key);
  const anyClaims = fc.uniqueArray(
    fc.record({
      key: fc.constantFrom(...keys, 'shoeSize'),
      constraints: fc.constantFrom(
        {},
        { minimum: 1 },
        { maximum: '2030-01-01' },
        { required: false },
        { type: 'string' },
      ),
    }),
    { selector: ({ key }) => key, maxLength: 8 },
  );
  fc.assert(
    fc.property(anyClaims, fc.subarray(keys), (claims, names) => {
      const { chosen = [] } = plan(
        claims.map(({ key, constraints }) => claim(key, constraints)),
        { mayReveal: allowed(...names) },
      );
      for (const { reveal, ranges } of chosen) {
        for (const key of reveal) {
          assert.ok(names.includes(key));
          assert.ok(claims.some((one) => one.key === key));
        }
        for (const { attribute } of ranges)
          assert.ok(
            claims.some(
              ({ key, constraints }) =>
                key === attribute && 'minimum' in constraints !== 'maximum' in constraints,
            ),
          );
      }
    }),
  );
});
