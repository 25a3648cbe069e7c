import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsed, sampleCredential } from '@symbolon/core/credential/testing/sample-credentials';
import type { DcqlQuery } from '@symbolon/core/presentation/dcql';
import { judgeAnswer } from '@symbolon/core/presentation/dcql-matching';
import { parseDcql } from '@symbolon/wire/sessions/dcql-query';
import type { KeptCard } from '../cards/kept-cards.ts';
import { askedCardName, askedCards } from './asked-cards.ts';
import { planConsent, type SetChoice } from './asked-sets.ts';

const cardOf = (digits: string): KeptCard => {
  const vcId = `did:zid:${digits.repeat(32)}`;
  return {
    ...{ vcId, parsed: parsed(sampleCredential({ id: vcId })), word: { status: 'active' } },
  } as unknown as KeptCard;
};
const [first, second] = [cardOf('ab'), cardOf('cd')];
const [, type = ''] = first.parsed.credential.type;

const asks = (id: string, key: string, ofType = type) => ({
  ...{ id, meta: { type_values: [[ofType]] }, claims: [{ path: ['credentialSubject', key] }] },
});
const query = parseDcql(
  {
    credentials: [asks('main', 'country'), asks('more', 'fullName'), asks('none', 'number', 'Passport')],
    credential_sets: [
      { options: [['main']] },
      { options: [['more']], required: false },
      { options: [['none']], required: false },
    ],
  },
  '',
);

const now = Date.parse(first.parsed.credential.validUntil) - 1_000;
const factsOf = (cards: readonly KeptCard[]) => ({
  ...{ cards, wanted: new Map(), isGranted: () => false, provedBefore: () => [], now },
});

/** What is handed in, and what its owner may choose: by set the options with what they show, and the chosen one. */
function planned(asked: DcqlQuery, cards: readonly KeptCard[], choices: readonly SetChoice[] = []) {
  const { plan, sets } = planConsent(asked, factsOf(cards), choices);
  assert.equal(plan.kind, 'answer');
  return {
    shown: plan.kind === 'answer' ? plan.parts.map(({ queryId, reveal }) => [queryId, ...reveal]) : [],
    offered: sets.map(({ set, options, chosen }) => ({
      set,
      chosen,
      options: options.map(({ parts }) => parts.flatMap(({ queryId, reveal }) => [queryId, ...reveal])),
    })),
  };
}

const none = undefined;

test('what a verifier wishes for beside what it needs is named, and shown only where its owner grants it', () => {
  const passport = { set: 2, chosen: none, options: [] };
  const more = { set: 1, options: [['more', 'fullName']] };
  assert.deepEqual(planned(query, [first, second]), {
    shown: [['main', 'country']],
    offered: [{ ...more, chosen: none }, passport],
  });
  assert.deepEqual(planned(query, [first, second], [{ set: 1, option: 0 }]), {
    shown: [
      ['main', 'country'],
      ['more', 'fullName'],
    ],
    offered: [{ ...more, chosen: 0 }, passport],
  });
});

test('a wish that takes the card of a need is not met, also where it was granted before', () => {
  assert.deepEqual(planned(query, [first], [{ set: 1, option: 0 }]), {
    shown: [['main', 'country']],
    offered: [
      { set: 1, chosen: none, options: [] },
      { set: 2, chosen: none, options: [] },
    ],
  });
  assert.deepEqual(judgeAnswer(query, []).failures.length, 1, 'what is not needed is missed by nobody');
});

test('where nothing is needed, a wallet without any card for it has no answer', () => {
  const wishes = { ...query, sets: query.sets?.slice(1) ?? [] };
  assert.equal(planConsent(wishes, factsOf([]), []).plan.kind, 'none');
  assert.deepEqual(planned(wishes, [first]), {
    shown: [],
    offered: [
      { set: 0, chosen: none, options: [['more', 'fullName']] },
      { set: 1, chosen: none, options: [] },
    ],
  });
});

/** One set of these options, of which nobody can answer `none`. */
const either = (options: readonly (readonly string[])[], isRequired = true): DcqlQuery => ({
  ...query,
  sets: [{ options, isRequired }],
});

test('of several options the least is shown until its owner chooses another, and each that is answered is offered', () => {
  const asked = either([['main', 'more'], ['none'], ['more']]);
  const options = [
    ['main', 'country', 'more', 'fullName'],
    ['more', 'fullName'],
  ];
  const cards = [first, second];
  assert.deepEqual(planned(asked, cards), {
    shown: [['more', 'fullName']],
    offered: [{ set: 0, chosen: 2, options }],
  });
  assert.deepEqual(planned(asked, cards, [{ set: 0, option: 0 }]), {
    shown: [
      ['main', 'country'],
      ['more', 'fullName'],
    ],
    offered: [{ set: 0, chosen: 0, options }],
  });
  assert.deepEqual(planned(asked, [first]), { shown: [['more', 'fullName']], offered: [] });
  assert.equal(planned(asked, cards, [{ set: 0, option: 1 }]).offered[0]?.chosen, 2, 'none answers it');
});

test('of options that are wished for none is shown until its owner chooses one', () => {
  const asked = either([['main'], ['more']], false);
  const options = [
    ['main', 'country'],
    ['more', 'fullName'],
  ];
  assert.deepEqual(planned(asked, [first]), { shown: [], offered: [{ set: 0, chosen: none, options }] });
  assert.deepEqual(planned(asked, [first], [{ set: 0, option: 1 }]), {
    shown: [['more', 'fullName']],
    offered: [{ set: 0, chosen: 1, options }],
  });
});

test('of choices that do not go together the latest counts', () => {
  const options = [['main'], ['more']];
  const asked = { ...query, sets: [options, options].map((each) => ({ options: each, isRequired: false })) };
  const [one, other] = [
    { set: 0, option: 0 },
    { set: 1, option: 1 },
  ];
  assert.deepEqual(planned(asked, [first], [one, other]).shown, [['more', 'fullName']]);
  assert.deepEqual(planned(asked, [first], [other, one]).shown, [['main', 'country']]);
  assert.equal(planned(asked, [first, second], [other, one]).shown.length, 2);
});

test('a card that nobody here has is called by its template, else its types, else what is asked of it', () => {
  const templateId = `did:zid:${'ef'.repeat(32)}`;
  const named = (card: object) => {
    const { credentials } = parseDcql({ credentials: [card] }, '');
    const ids = credentials.map(({ id }) => id);
    return askedCards({ credentials }, ids).map((one) =>
      askedCardName(one, {
        templateName: (id) => (id === templateId ? 'Passport of Exampleland' : undefined),
        withFacts: (keys) => `a card with ${keys.join(', ')}`,
        any: 'a further card',
      }),
    );
  };
  const claims = [{ path: ['credentialSubject', 'number'] }, { path: ['credentialSubject', 'id'] }];
  const ofTemplate = { path: ['credentialSchema', 'id'], constraints: { const: templateId } };
  assert.deepEqual(named({ id: templateId, claims }), ['Passport of Exampleland']);
  assert.deepEqual(named({ id: templateId.replace('ef', 'aa'), claims }), ['a card with number']);
  assert.deepEqual(named({ ...asks('p', 'number', 'Passport') }), ['Passport']);
  assert.deepEqual(named({ id: 'p', claims }), ['a card with number']);
  assert.deepEqual(named({ id: 'p', claims: [...claims, ofTemplate] }), ['Passport of Exampleland']);
  assert.deepEqual(named({ id: 'p' }), ['a further card']);
});
