import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countSeen, seenFacts } from './seen-facts.ts';

const attributes = [
  { key: 'name', mandatory: true },
  { key: 'degree', mandatory: true },
  { key: 'birthDate', mandatory: true },
  { key: 'credits', mandatory: false },
];

test('what is not shown is hidden, and may be empty where the template lets it be', () => {
  const facts = seenFacts({ attributes, revealed: ['degree'], proved: ['birthDate'], isWhole: false });
  assert.deepEqual(
    facts.map(({ key, fate }) => [key, fate]),
    [
      ['name', 'hidden'],
      ['degree', 'shared'],
      ['birthDate', 'proved'],
      ['credits', 'hiddenOrEmpty'],
    ],
  );
  assert.deepEqual(countSeen(facts), { seen: 2, all: 4 });
});

test('a whole credential hides nothing: what it does not have was left empty', () => {
  const revealed = ['name', 'degree', 'birthDate'];
  const facts = seenFacts({ attributes, revealed, proved: [], isWhole: true });
  assert.deepEqual(facts.at(-1), { key: 'credits', fate: 'empty' });
  assert.deepEqual(countSeen(facts), { seen: 3, all: 3 });
});

test('what was shown is told while nobody knows the template', () => {
  const facts = seenFacts({ attributes: undefined, revealed: ['degree'], proved: ['grade'], isWhole: false });
  assert.deepEqual(countSeen(facts), { seen: 2, all: 2 });
});
