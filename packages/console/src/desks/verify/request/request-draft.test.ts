import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import type { JsonObject } from '@symbolon/wire/json/json';
import { loadAllWords } from '../../../words/catalogue.ts';
import { rangeProps } from '../../wallet/requests/proved-words.ts';
import { askAgain, draftOfSession } from './ask-again.ts';
import { askedOfDraft, draftOfAsked, readAsked } from './asked-claims.ts';
import {
  blankClaim,
  buildRequest,
  claimKindsOf,
  draftForReader,
  draftToKeep,
  emptyDraft,
  type RequestDraft,
  signedAttributeOf,
  type TemplateField,
  whatHinders,
  withClaim,
  withoutTemplate,
  withTemplate,
} from './request-draft.ts';
import { askedSentence, boundsText, valueText } from './request-words.ts';

const today = '2026-11-17';
const templateId = `did:zid:${'ab'.repeat(32)}`;
const issuerDid = `did:zid:${'cd'.repeat(32)}`;
const field = (key: string, type: TemplateField['type'], format: string): TemplateField =>
  ({ key, attribute: key, type, format, mandatory: true }) as TemplateField;
const fields = [
  field('degree', 1, 'string'),
  field('birthDate', 5, 'date'),
  field('grade', 4, 'decimal'),
  field('credits', 3, 'integer'),
  field('graduatedOn', 5, 'date'),
];
const templates = new Map([[templateId, { credentialFormat: fields }]]);

const draft: RequestDraft = {
  ...withTemplate(emptyDraft, { templateId, issuerDid }),
  credentials: [
    {
      templateId,
      claims: {
        degree: { kind: 'show' },
        birthDate: { kind: 'age', min: '18', max: '' },
        grade: { kind: 'range', min: '', max: '2.0' },
        credits: { kind: 'range', min: '60', max: '180' },
      },
    },
  ],
  purpose: ' To open an account ',
  minutes: 5,
};

describe('a draft of a request', () => {
  test('becomes what the service takes, and is read back as it was', () => {
    const { body, problems } = buildRequest(draft, templates, today);
    assert.deepEqual(problems, []);
    assert.deepEqual(body.trustedIssuers, [issuerDid]);
    assert.equal(body.purpose, 'To open an account');
    assert.equal(body.expirationMinutes, 5);
    const asked = readAsked({ ...body.requirements, trusted_issuers: [issuerDid] }, today);
    const [credential] = asked.credentials;
    assert.deepEqual(
      credential?.claims.map(({ key, fate, age, min, max }) => [key, fate, age ?? [min, max]]),
      [
        ['degree', 'shared', [undefined, undefined]],
        ['birthDate', 'proved', { minAge: 18 }],
        ['grade', 'proved', [undefined, '2.0']],
        ['credits', 'proved', [60, 180]],
      ],
    );
    assert.deepEqual(draftOfAsked(asked, { purpose: draft.purpose, minutes: 5 }), draft);
  });

  test('asks for an age as of the day, also of one that was asked before', () => {
    const before = readAsked(buildRequest(draft, templates, '2026-11-16').body.requirements, '2026-11-16');
    const again = buildRequest(draftOfAsked(before, draft), templates, today).body.requirements;
    assert.match(JSON.stringify(again), /2008-11-17/);
    // Somebody may mean a day and no age.
    const day = readAsked(
      {
        credentials: [
          { id: templateId, claims: [{ path: ['graduatedOn'], constraints: { maximum: '2008-11-17' } }] },
        ],
      },
      today,
    );
    assert.equal(day.credentials[0]?.claims[0]?.age, undefined);
  });

  test('says what is wrong, and of which attribute', () => {
    const wrong = (key: string, min: string, max: string, kind: 'range' | 'age' = 'range') =>
      buildRequest(
        withClaim(draft, { templateId, key, claim: { kind, min, max } }),
        templates,
        today,
      ).problems.map((problem) => [problem.name, problem.key]);
    assert.deepEqual(wrong('grade', '', ''), [['boundMissing', 'grade']]);
    assert.deepEqual(wrong('grade', 'good', ''), [['boundWrong', 'grade']]);
    assert.deepEqual(wrong('credits', '7', '3'), [['boundsCrossed', 'credits']]);
    assert.deepEqual(wrong('birthDate', '-1', '', 'age'), [['ageWrong', 'birthDate']]);
    assert.deepEqual(wrong('birthDate', 'old', '', 'age'), [['ageWrong', 'birthDate']]);
    assert.deepEqual(buildRequest(emptyDraft, templates, today).problems, [{ name: 'noCredential' }]);
    const lost = withClaim(draft, { templateId, key: 'gone', claim: { kind: 'show' } });
    for (const [one, known] of [
      [lost, templates],
      [draft, new Map()],
    ] as const)
      assert.deepEqual(buildRequest(one, known, today).problems, [{ name: 'templateUnknown', templateId }]);
  });

  test('asks for credentials of nobody else than was chosen, whatever is still missing', () => {
    const nobody = { ...draft, trust: { kind: 'issuers', dids: [] } } as const;
    const { problems, body } = buildRequest(nobody, templates, today);
    assert.deepEqual(problems, [{ name: 'noIssuer' }]);
    assert.deepEqual(body.trustedIssuers, [], 'which no service takes, instead of asking for anybody’s');
    for (const trust of [
      nobody.trust,
      { kind: 'issuers', dids: [issuerDid] },
      { kind: 'list', name: 'banks' },
      { kind: 'anybody' },
    ] as const) {
      const one = { ...draft, trust };
      assert.deepEqual(askedOfDraft(one, buildRequest(one, templates, today), today).trust, trust);
      const empty = { ...emptyDraft, trust };
      assert.deepEqual(askedOfDraft(empty, buildRequest(empty, templates, today), today), {
        credentials: [],
        trust,
      });
    }
  });

  test('names issuers by DIDs that a credential of this ledger can have', () => {
    for (const wrong of [
      'garbage',
      issuerDid.toUpperCase(),
      issuerDid.replace('cd', 'CD'),
      `${issuerDid}#key-1`,
      'did:web:bank.example',
    ]) {
      const typed = { ...draft, trust: { kind: 'issuers', dids: [issuerDid, wrong] } } as const;
      assert.deepEqual(buildRequest(typed, templates, today).problems, [{ name: 'issuerWrong' }], wrong);
    }
  });

  test('never asks for a value where a range is meant and not said, and says that it is not said', async () => {
    const reading = { words: await loadAllWords('en'), language: 'en' } as const;
    for (const [min, max] of [
      ['', ''],
      ['good', ''],
      ['9', '1'],
    ] as const) {
      const unsaid = withClaim(draft, { templateId, key: 'grade', claim: { kind: 'range', min, max } });
      const built = buildRequest(unsaid, templates, today);
      assert.doesNotMatch(JSON.stringify(built.body), /grade/);
      const asked = askedOfDraft(unsaid, built, today);
      assert.match(
        askedSentence(asked, templates as unknown as Map<string, TemplateReply>, reading),
        /^You ask to see degree and for proof of .*grade in a range that is not said yet/,
      );
    }
  });

  test('tells ranges as the wallet does', async () => {
    for (const language of ['en', 'de'] as const) {
      const reading = { words: await loadAllWords(language), language };
      const told = (key: string, range: { min?: string; max?: string }) => {
        const attribute = signedAttributeOf(fields.find((one) => one.key === key) as TemplateField);
        const now = Date.parse(`${today}T12:00:00Z`);
        const { claim } = rangeProps(attribute, { attribute: key, ...range }, { ...reading, now });
        return [claim, boundsText(range, reading)];
      };
      for (const [key, range] of [
        ['grade', { max: '2.00' }],
        ['grade', { min: '1.0', max: '2.5' }],
        ['credits', { min: '60' }],
        ['graduatedOn', { min: '2020-01-01' }],
        ['graduatedOn', { max: '2020-01-01' }],
      ] as const) {
        const [wallet, verifier] = told(key, range);
        assert.equal(verifier, wallet);
      }
    }
    const reading = { words: await loadAllWords('en'), language: 'en' } as const;
    assert.equal(boundsText({ max: '2.00' }, reading), 'at most 2');
    assert.equal(boundsText({ min: '2020-01-01' }, reading), '1 Jan 2020 or later');
    assert.equal(boundsText({ age: { minAge: 18 } }, reading), '18 years or older');
  });

  test('reads and tells decimals with the comma of the reader', async () => {
    const reading = { words: await loadAllWords('de'), language: 'de' } as const;
    const asked = withClaim(draft, {
      templateId,
      key: 'grade',
      claim: { kind: 'range', min: '', max: '1,7' },
    });
    assert.match(JSON.stringify(buildRequest(asked, templates, today).body), /"maximum":"1\.7"/);
    const whyOf = (key: string, min: string, point: '.' | ',') =>
      buildRequest(
        withClaim(draft, { templateId, key, claim: { kind: 'range', min, max: '' } }),
        templates,
        today,
        point,
      ).problems[0]?.why;
    assert.equal(whyOf('grade', '1.500', ','), 'point');
    assert.equal(whyOf('grade', '1,500', '.'), 'comma');
    assert.equal(whyOf('graduatedOn', '31.02.2020', ','), 'noSuchDay');
    // What is kept has a point, whoever reads it.
    const german = draftForReader(draftToKeep(asked, 'de'), 'de');
    assert.deepEqual(german, asked);
    assert.match(JSON.stringify(draftForReader(draftToKeep(asked, 'de'), 'en')), /"max":"1\.7"/);
    assert.equal(boundsText({ max: '1.7' }, reading), 'höchstens 1,7');
    assert.equal(valueText('1.7', reading), '1.7', 'a text');
    assert.equal(valueText('1.7', reading, true), '1,7');
  });

  test('tells values whole: what is relied on is cut by nobody', async () => {
    const reading = { words: await loadAllWords('en'), language: 'en' } as const;
    assert.equal(valueText('x'.repeat(8_000), reading).length, 8_000);
  });

  test('has a template once, and only kinds of claims that the type of an attribute allows', () => {
    assert.equal(withTemplate(draft, { templateId, issuerDid }), draft);
    assert.deepEqual(withoutTemplate(draft, templateId).credentials, []);
    assert.deepEqual(fields.map(claimKindsOf), [
      ['show'],
      ['show', 'range', 'age'],
      ['show', 'range'],
      ['show', 'range'],
      ['show', 'range', 'age'],
    ]);
    assert.deepEqual(blankClaim('age'), { kind: 'age', min: '18', max: '' });
    const hidden = withClaim(draft, { templateId, key: 'degree', claim: undefined });
    assert.equal('degree' in (hidden.credentials[0]?.claims ?? {}), false);
    const { trustedIssuers } = buildRequest({ ...draft, trust: { kind: 'anybody' } }, templates, today).body;
    assert.equal(trustedIssuers, undefined);
    const list = buildRequest({ ...draft, trust: { kind: 'list', name: 'banks' } }, templates, today).body;
    assert.equal(list.trustList, 'banks');
  });

  test('is asked again as of today; what no form can say is asked as it was', () => {
    const session = {
      createdAt: '2020-02-29T10:00:00Z',
      expiresAt: '2020-02-29T10:05:00Z',
      purpose: 'Why',
    };
    const before = buildRequest(draft, templates, '2020-02-29').body.requirements;
    const fetched = { ...before, trusted_issuers: [issuerDid] };
    const again = askAgain(
      { ...session, requirements: fetched },
      templates,
      Date.parse(`${today}T12:00:00Z`),
    );
    assert.deepEqual(again, { ...buildRequest(draft, templates, today).body, purpose: 'Why' });
    const special = {
      credentials: [{ id: templateId, claims: [{ path: ['degree'], constraints: { enum: ['BSc'] } }] }],
    };
    const same = { requirements: special, expirationMinutes: 5, purpose: 'Why' };
    assert.deepEqual(askAgain({ ...session, requirements: special }, templates, Date.now()), same);
    const unread = askAgain({ ...session, requirements: fetched }, new Map(), Date.now());
    assert.deepEqual(unread.requirements, fetched);
  });

  test('is drafted from an earlier session only where a form says all of that', () => {
    const session = { createdAt: `${today}T10:00:00Z`, expiresAt: `${today}T10:05:00Z`, purpose: 'Why' };
    const [asked] = buildRequest(draft, templates, today).body.requirements.credentials as JsonObject[];
    const claims = (asked?.claims ?? []) as JsonObject[];
    const drafted = (change: JsonObject, beside: JsonObject = {}) => {
      const requirements = {
        credentials: [{ ...asked, ...change }],
        trusted_issuers: [issuerDid],
        ...beside,
      };
      return draftOfSession({ ...session, requirements }, templates);
    };
    const same = { ...draft, purpose: 'Why' };
    assert.deepEqual(drafted({}), same);
    assert.deepEqual(drafted({ claims: claims.toReversed() }), same);
    const [degree, ...others] = claims;
    for (const change of [
      { id: 'any-card' },
      { issuers: [issuerDid] },
      { credentialType: 'Degree' },
      { claims: [...claims, { path: ['validUntil'] }] },
      { claims: [{ ...degree, required: false }, ...others] },
      { claims: [{ ...degree, constraints: { enum: ['BSc'] } }, ...others] },
      { claims: [{ ...degree, constraints: { type: 'string' } }, ...others] },
    ] as JsonObject[])
      assert.equal(drafted(change), undefined, JSON.stringify(change));
    assert.equal(drafted({}, { credential_sets: [{ options: [[templateId]] }] }), undefined);
  });
});

test('nothing is called unknown while it is read, and what is wrong besides is said at once', () => {
  const none = new Map<string, never>();
  const unread = buildRequest(draft, none, today).problems;
  assert.equal(whatHinders(unread, { isRead: false }), 'reading');
  assert.deepEqual(whatHinders(unread, { isRead: true }), { name: 'templateUnknown', templateId });
  assert.equal(whatHinders(buildRequest(draft, templates, today).problems, { isRead: true }), undefined);
  const open = withClaim(draft, { templateId, key: 'grade', claim: blankClaim('range') });
  const { problems } = buildRequest(open, templates, today);
  assert.deepEqual(whatHinders(problems, { isRead: false }), {
    name: 'boundMissing',
    templateId,
    key: 'grade',
  });
});
