import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../faults/faults.ts';
import { disclosedNow, expectedOf } from './age-claims.ts';
import { disclosureComplaints } from './disclosure-rules.ts';

const birth = (ages: { minAge?: number; maxAge?: number }) => ({
  revealAttributes: ['city'],
  ranges: [{ attribute: 'height', min: 150 }],
  ages: [{ attribute: 'birthDate', ...ages }],
});
const at = (text: string): number => Date.parse(text);

test('an age becomes a range of the date of birth as of today, beside what else is shown', () => {
  assert.deepEqual(disclosedNow(birth({ minAge: 18, maxAge: 65 }), at('2026-11-15T23:59:59Z')), {
    revealAttributes: ['city'],
    ranges: [
      { attribute: 'height', min: 150 },
      { attribute: 'birthDate', min: '1960-11-16', max: '2008-11-15' },
    ],
    ages: [{ attribute: 'birthDate', minAge: 18, maxAge: 65 }],
  });
});

test('an age that is not proved is missed in the words that it was asked in', () => {
  const moments = { created: '2026-11-15T12:00:00Z', now: at('2026-11-15T12:00:01Z') };
  const attributes = [{ key: 'birthDate', type: 'date', format: 'date' }] as const;
  const shown = { attributes, revealed: new Map(), ranges: [{ attribute: 'birthDate', max: '2008-11-15' }] };
  const asked = { revealAttributes: [], ranges: [], ages: [{ attribute: 'birthDate', minAge: 21 }] };
  const words = disclosureComplaints([shown], expectedOf(asked, moments)).map(({ detail }) => detail);
  assert.deepEqual(words, [
    'a range of birthDate with these bounds was not asked for',
    '21 or older (by birthDate) was asked for and is not proved',
  ]);
});

test('what is derived before midnight is what is expected after it, unless too old counts', () => {
  const created = '2026-11-15T23:59:59Z';
  const now = at('2026-11-16T00:00:01Z');
  const derived = disclosedNow(birth({ minAge: 18 }), at(created));
  assert.deepEqual(expectedOf(birth({ minAge: 18 }), { created, now }), derived);
  const both = birth({ minAge: 18, maxAge: 65 });
  assert.deepEqual(expectedOf([both], { created, now }), [disclosedNow(both, now)]);
});

test('a presentation from the future or without a time is held against today', () => {
  const now = at('2026-11-16T12:00:00Z');
  for (const created of ['2036-11-16T12:00:00Z', 'soon'])
    assert.deepEqual(
      expectedOf(birth({ minAge: 18 }), { created, now }),
      disclosedNow(birth({ minAge: 18 }), now),
    );
});

test('ages that are none', () => {
  const now = at('2026-11-16T12:00:00Z');
  for (const ages of [{}, { minAge: -1 }, { minAge: 0.5 }, { minAge: 201 }, { minAge: 9, maxAge: 8 }]) {
    const isFault = (error: unknown) => error instanceof Fault && error.code === 'rangeInvalid';
    assert.throws(() => disclosedNow(birth(ages), now), isFault);
    assert.throws(() => expectedOf(birth(ages), { created: '2026-11-16T12:00:00Z', now }), isFault);
  }
});
