import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subjectValue } from '@symbolon/core/credential/credential-messages';
import { parsed, sampleCredential } from '@symbolon/core/credential/testing/sample-credentials';
import { parseDcql } from '@symbolon/wire/sessions/dcql-query';
import { type ActivityEntry, rangesProvedOf } from '../activity/activity-log.ts';
import type { KeptCard } from '../cards/kept-cards.ts';
import { planAnswer } from './answer-plan.ts';

function card(id: string): KeptCard {
  const read = parsed(sampleCredential({ id }));
  return { vcId: id, parsed: read, word: { status: 'active' } } as unknown as KeptCard;
}
const first = card(`did:zid:${'ab'.repeat(32)}`);
const second = card(`did:zid:${'cd'.repeat(32)}`);
const now = Date.parse(first.parsed.credential.validUntil) - 1_000;
const born = String(subjectValue(first.parsed.credential.credentialSubject, 'birthDate'));
const around = (days: number): string =>
  new Date(Date.parse(born) + days * 86_400_000).toISOString().slice(0, 10);

const atMost = (id: string, maximum: string) => ({
  id,
  claims: [{ path: ['credentialSubject', 'birthDate'], constraints: { maximum } }],
});

function tellingOf(entries: readonly ActivityEntry[], wanted: KeptCard, cards: readonly KeptCard[]) {
  const plan = planAnswer(parseDcql({ credentials: [atMost('a', around(2))] }, ''), {
    cards,
    wanted: new Map([['a', wanted.vcId]]),
    isGranted: () => false,
    provedBefore: (isOfFact) => rangesProvedOf(entries, isOfFact),
    now,
  });
  assert.equal(plan.kind, 'answer');
  return plan.kind === 'answer' ? plan.parts.map(({ telling }) => telling) : [];
}

const proved = (vcId: string, key = 'birthDate'): ActivityEntry =>
  ({ kind: 'shared', parts: [{ vcId, proved: [{ key, min: around(-2) }] }] }) as unknown as ActivityEntry;

test('what was proved of the same fact before tells with it, whichever card it stood on', () => {
  assert.deepEqual(tellingOf([], second, [first, second]), [[]]);
  assert.deepEqual(tellingOf([proved(second.vcId)], second, [first, second]), [['birthDate']]);
  assert.deepEqual(tellingOf([proved(first.vcId)], second, [first, second]), [['birthDate']]);
  assert.deepEqual(
    tellingOf([proved(first.vcId)], second, [second]),
    [['birthDate']],
    'of a card that is gone',
  );
  assert.deepEqual(tellingOf([proved(first.vcId, 'children')], second, [first, second]), [[]]);
});

const wished = (key: string, constraints: object = {}) => ({
  path: ['credentialSubject', key],
  constraints: { ...constraints, required: false },
});

/** What is shown, proved and wished of the first card, where its owner grants these wishes. */
function wishesOf(claims: readonly object[], granted: readonly string[]) {
  const plan = planAnswer(parseDcql({ credentials: [{ id: 'a', claims }] }, ''), {
    cards: [first],
    wanted: new Map(),
    isGranted: (_queryId, key) => granted.includes(key),
    provedBefore: () => [],
    now,
  });
  assert.equal(plan.kind, 'answer');
  if (plan.kind !== 'answer') return undefined;
  const [part] = plan.parts;
  return {
    reveal: part?.reveal,
    proved: part?.ranges.map(({ attribute }) => attribute),
    wishes: part?.wishes.map(({ key, range, isGranted }) => [key, range ? 'proved' : 'shared', isGranted]),
  };
}

test('what is wished for and not needed is shown only where its owner grants it', () => {
  const country = { path: ['credentialSubject', 'country'] };
  const claims = [country, wished('fullName'), wished('birthDate', { maximum: around(400) })];
  assert.deepEqual(wishesOf(claims, []), {
    reveal: ['country'],
    proved: [],
    wishes: [
      ['fullName', 'shared', false],
      ['birthDate', 'proved', false],
    ],
  });
  assert.deepEqual(wishesOf(claims, ['birthDate']), {
    reveal: ['country'],
    proved: ['birthDate'],
    wishes: [
      ['fullName', 'shared', false],
      ['birthDate', 'proved', true],
    ],
  });
});

test('a wish that is granted tells like what is needed', () => {
  const near = wished('birthDate', { minimum: around(-1), maximum: around(1) });
  const told = (granted: boolean) => {
    const plan = planAnswer(parseDcql({ credentials: [{ id: 'a', claims: [near] }] }, ''), {
      cards: [first],
      wanted: new Map(),
      isGranted: () => granted,
      provedBefore: () => [],
      now,
    });
    return plan.kind === 'answer' ? plan.parts.map(({ telling }) => telling) : [];
  };
  assert.deepEqual(told(false), [[]]);
  assert.deepEqual(told(true), [['birthDate']]);
});

test('a wish that the card cannot meet is no wish, and spoils no other one', () => {
  const claims = [
    wished('birthDate', { maximum: around(-2) }),
    wished('country'),
    wished('inventedHere'),
    wished('id'),
  ];
  assert.deepEqual(wishesOf(claims, ['birthDate', 'country', 'inventedHere', 'id']), {
    reveal: ['country'],
    proved: [],
    wishes: [['country', 'shared', true]],
  });
});
