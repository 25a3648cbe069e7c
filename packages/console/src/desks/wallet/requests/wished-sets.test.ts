import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsed, sampleCredential } from '@symbolon/core/credential/testing/sample-credentials';
import { judgeAnswer } from '@symbolon/core/presentation/dcql-matching';
import { parseDcql } from '@symbolon/wire/sessions/dcql-query';
import type { KeptCard } from '../cards/kept-cards.ts';
import { planConsent } from './wished-sets.ts';

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

/** What is handed in, and what is offered besides. */
function planned(cards: readonly KeptCard[], granted: readonly number[]) {
  const { plan, sets } = planConsent(query, factsOf(cards), new Set(granted));
  assert.equal(plan.kind, 'answer');
  return {
    shown: plan.kind === 'answer' ? plan.parts.map(({ queryId, reveal }) => [queryId, ...reveal]) : [],
    offered: sets.map(({ place, parts, types, isGranted }) => ({
      ...{ place, types, isGranted, reveal: parts.flatMap(({ reveal }) => reveal) },
    })),
  };
}

test('what a verifier wishes for beside what it needs is named, and shown only where its owner grants it', () => {
  const passport = { place: 2, types: ['Passport'], isGranted: false, reveal: [] };
  const more = { place: 1, types: [type], isGranted: false, reveal: ['fullName'] };
  assert.deepEqual(planned([first, second], []), {
    shown: [['main', 'country']],
    offered: [more, passport],
  });
  assert.deepEqual(planned([first, second], [1]), {
    shown: [
      ['main', 'country'],
      ['more', 'fullName'],
    ],
    offered: [{ ...more, isGranted: true }, passport],
  });
});

test('a wish that takes the card of a need is not met, also where it was granted before', () => {
  assert.deepEqual(planned([first], [1]), {
    shown: [['main', 'country']],
    offered: [
      { place: 1, types: [type], isGranted: false, reveal: [] },
      { place: 2, types: ['Passport'], isGranted: false, reveal: [] },
    ],
  });
  assert.deepEqual(judgeAnswer(query, []).failures.length, 1, 'what is not needed is missed by nobody');
});

test('where nothing is needed, a wallet without any card for it has no answer', () => {
  const wishes = { ...query, sets: query.sets?.slice(1) ?? [] };
  assert.equal(planConsent(wishes, factsOf([]), new Set()).plan.kind, 'none');
  const { plan, sets } = planConsent(wishes, factsOf([first]), new Set());
  assert.deepEqual(plan, { kind: 'answer', parts: [] });
  assert.deepEqual(
    sets.map(({ parts }) => parts.length),
    [1, 0],
  );
});
