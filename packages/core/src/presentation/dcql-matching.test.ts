import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseSafePattern } from '../attributes/safe-pattern.ts';
import {
  binding,
  holder,
  issuer,
  parsed,
  sampleCredential,
  samplePresentation,
  template,
} from '../credential/testing/sample-credentials.ts';
import type { DisclosureRequest, RangeClaim } from '../documents/model.ts';
import type { ClaimConstraints, ClaimQuery, CredentialQuery, DcqlQuery, FrameMember } from './dcql.ts';
import { judgeAnswer } from './dcql-matching.ts';

const shown = (revealAttributes: readonly string[], ranges: readonly RangeClaim[] = []) => {
  const asked: DisclosureRequest = { revealAttributes, ranges };
  return samplePresentation(asked, binding).verifiableCredential;
};

interface Asked {
  readonly id?: string;
  readonly more?: Partial<CredentialQuery>;
  readonly issuers?: readonly string[];
}

/** What is wrong with an answer to a query for these claims. */
function judge(
  credentials: ReturnType<typeof shown>,
  claims: readonly ClaimQuery[],
  { id = 'a', more, issuers }: Asked = {},
) {
  const asked: DcqlQuery = {
    credentials: [{ id, types: [], claims, ...more }],
    ...(issuers && { issuers }),
  };
  return judgeAnswer(asked, credentials).failures.map(({ check, detail }) => `${check}: ${detail}`);
}

const claim = (key: string, constraints: ClaimConstraints = {}, isRequired = true): ClaimQuery => ({
  key,
  isRequired,
  constraints,
});

describe('what answers a claim', () => {
  test('values that fit every kind of constraint', () => {
    const keys = ['fullName', 'country', 'children', 'balance', 'birthDate', 'isResident'];
    const claims = [
      claim('id', { constant: holder.did }),
      claim('fullName', { pattern: parseSafePattern('^Zo'), type: 'string' }),
      claim('country', { values: ['Elbonia', 'Ruritania'] }),
      claim('children', { minimum: 1, maximum: 2, type: 'integer' }),
      claim('balance', { constant: '-12.500', maximum: 0, type: 'number' }),
      claim('birthDate', { maximum: '2008-06-15' }),
      claim('isResident', { constant: true, type: 'boolean' }),
      claim('website', {}, false),
    ];
    assert.deepEqual(judge(shown(keys), claims), []);
  });

  test('ranges that are at least as narrow', () => {
    const ranges = [
      { attribute: 'birthDate', max: '2008-06-15' },
      { attribute: 'children', min: 2, max: 3 },
    ];
    const claims = [claim('birthDate', { maximum: '2008-06-30' }), claim('children', { minimum: 1 })];
    assert.deepEqual(judge(shown([], ranges), claims), []);
  });

  test('what does not', () => {
    const wrong = (constraints: ClaimConstraints, key = 'children') =>
      judge(shown([key]), [claim(key, constraints)]);
    assert.deepEqual(wrong({ minimum: 3 }), ['request: children is not in the bounds asked for']);
    assert.deepEqual(wrong({ maximum: 1 }), ['request: children is not in the bounds asked for']);
    assert.deepEqual(wrong({ values: [1, 3] }), ['request: children has none of the values asked for']);
    assert.deepEqual(wrong({ constant: 3 }), ['request: children has another value than asked for']);
    assert.deepEqual(wrong({ type: 'string' }), ['request: children is not of type string']);
    assert.deepEqual(wrong({ pattern: parseSafePattern('^E.$') }, 'country'), [
      'request: country does not fit the pattern',
    ]);
    assert.match(wrong({ minimum: 3 }, 'country')[0], /has no order/);
    assert.deepEqual(judge(shown([]), [claim('country')]), ['request: country is not shown']);
    assert.deepEqual(judge(shown([]), [claim('shoeSize')]), ['request: shoeSize is not shown']);
    const wide = shown([], [{ attribute: 'children', min: 0, max: 3 }]);
    assert.match(judge(wide, [claim('children', { minimum: 1 })])[0], /wider than the bounds/);
    assert.match(judge(wide, [claim('children', { minimum: 0, values: [2] })])[0], /must be revealed/);
    const holderOnly = [claim('id', { constant: issuer.did })];
    assert.match(judge(shown([]), holderOnly)[0], /id has another value/);
  });
});

describe('what the frame must be', () => {
  const credentials = shown([]);
  const [{ validUntil, credentialSchema }] = credentials;
  const judgeFrame = (member: FrameMember, constraints: ClaimConstraints) =>
    judge(credentials, [], { more: { frame: [{ member, constraints }] } });

  test('it is compared like an attribute', () => {
    assert.deepEqual(judgeFrame('issuer', {}), []);
    assert.deepEqual(judgeFrame('issuer', { constant: issuer.did }), []);
    assert.deepEqual(judgeFrame('issuer', { values: [holder.did, issuer.did] }), []);
    assert.deepEqual(judgeFrame('templateId', { constant: template.id }), []);
    assert.deepEqual(judgeFrame('templateVersion', { constant: credentialSchema.version }), []);
    assert.deepEqual(judgeFrame('validUntil', { minimum: validUntil }), []);
  });

  test('and fails like one', () => {
    assert.deepEqual(judgeFrame('issuer', { constant: holder.did }), [
      'request: the issuer has another value than asked for',
    ]);
    assert.match(judgeFrame('issuer', { pattern: parseSafePattern('^Uni') })[0], /does not fit/);
    assert.match(judgeFrame('templateId', { values: [issuer.did] })[0], /none of the values/);
    assert.match(judgeFrame('validUntil', { maximum: '2001-01-01T00:00:00Z' })[0], /not in the bounds/);
    assert.match(judgeFrame('validFrom', { type: 'integer' })[0], /not of type/);
    assert.match(judgeFrame('issuer', { minimum: 'a' })[0], /no order/);
  });
});

describe('more than asked for', () => {
  test('values, ranges and credentials are named', () => {
    assert.deepEqual(judge(shown(['country', 'fullName']), [claim('country')]), [
      'disclosure: fullName was not asked for',
    ]);
    const range = [{ attribute: 'birthDate', max: '2008-06-15' }];
    assert.deepEqual(judge(shown([], range), []), ['disclosure: a range of birthDate was not asked for']);
    assert.deepEqual(judge(shown([], range), [claim('birthDate')]), [
      'disclosure: a range of birthDate was not asked for',
      'request: birthDate must be revealed',
    ]);
    const second = parsed(sampleCredential({ id: `did:zid:${'cd'.repeat(32)}` }));
    const two = samplePresentation({ revealAttributes: ['country'], ranges: [] }, binding, [
      parsed(),
      second,
    ]);
    assert.deepEqual(judge(two.verifiableCredential, [claim('country')]), [
      'disclosure: a credential Residence Permit was not asked for',
    ]);
  });
});

describe('which credential is meant', () => {
  const credentials = shown(['country']);
  const claims = [claim('country')];

  test('by template, by type, by issuer', () => {
    assert.deepEqual(judge(credentials, claims, { more: { templateId: template.id } }), []);
    assert.deepEqual(judge(credentials, claims, { more: { types: [[['Residence Permit']]] } }), []);
    assert.deepEqual(judge(credentials, claims, { issuers: [issuer.did] }), []);
    const otherId = `did:zid:${'00'.repeat(32)}`;
    assert.deepEqual(judge(credentials, claims, { id: otherId, more: { templateId: otherId } }), [
      `request: no credential answers ${otherId}`,
      'disclosure: a credential Residence Permit was not asked for',
    ]);
    assert.match(
      judge(credentials, claims, { more: { types: [[['Passport']]] } })[0],
      /no credential answers/,
    );
    const [permit, passport] = [[['Residence Permit']], [['Passport']]];
    const both = [['VerifiableCredential', 'Residence Permit']];
    for (const types of [[[...passport, ...permit]], [permit, [...passport, ...permit]], [both]])
      assert.deepEqual(judge(credentials, claims, { more: { types } }), []);
    // None of several makes up for another, and half of a list is not the list.
    for (const types of [[passport, permit], [permit, passport], [[['Residence Permit', 'Passport']]]])
      assert.match(judge(credentials, claims, { more: { types } })[0], /no credential answers/);
    assert.match(judge(credentials, claims, { issuers: [holder.did] })[0], /not one of those trusted/);
    const own = { more: { issuers: [holder.did] }, issuers: [issuer.did] };
    assert.match(judge(credentials, claims, own)[0], /not one of those trusted/);
  });

  test('two queries that could both take one credential each get theirs', () => {
    const first = samplePresentation({ revealAttributes: ['country'], ranges: [] }).verifiableCredential[0];
    const second = samplePresentation({ revealAttributes: ['fullName'], ranges: [] }).verifiableCredential[0];
    const query: DcqlQuery = {
      credentials: [
        { id: 'name', types: [], claims: [claim('fullName')] },
        { id: 'land', types: [], claims: [claim('country')] },
      ],
    };
    const verdict = judgeAnswer(query, [first, second]);
    assert.deepEqual(verdict, {
      failures: [],
      answers: [
        { queryId: 'name', credential: 1 },
        { queryId: 'land', credential: 0 },
      ],
    });
  });

  test('sets: one option is enough, an unanswered one is named', () => {
    const asked = (options: string[][]): DcqlQuery => ({
      credentials: [
        { id: template.id, templateId: template.id, types: [], claims },
        { id: 'passport', types: [[['Passport']]], claims: [] },
      ],
      sets: [{ options, isRequired: true }],
    });
    assert.deepEqual(judgeAnswer(asked([['passport'], [template.id]]), credentials).failures, []);
    const { failures } = judgeAnswer(asked([['passport'], [template.id, 'passport']]), credentials);
    assert.deepEqual(failures, [{ check: 'request', detail: 'no option of credential set 1 is answered' }]);
  });
});
