import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadAllWords } from '../../../words/catalogue.ts';
import { rangeProps } from './proved-words.ts';

const en = await loadAllWords('en');

const wording = { words: en, language: 'en', now: Date.UTC(2026, 10, 17) } as const;
const birth = { key: 'birthDate', type: 'date', format: 'date' } as const;

test('bounds on a date of birth are an age, and other dates are dates', () => {
  assert.deepEqual(rangeProps(birth, { attribute: 'birthDate', max: '2008-11-17' }, wording), {
    claim: '18 years or older',
    from: 0.34,
  });
  const day = { ...birth, key: 'graduatedOn' };
  assert.equal(
    rangeProps(day, { attribute: 'graduatedOn', min: '2020-01-01' }, wording).claim,
    '1 Jan 2020 or later',
  );
});

test('the bar never says where the value lies', () => {
  const grade = { key: 'grade', type: 'decimal', format: 'decimal' } as const;
  const range = { attribute: 'grade', min: '1.0', max: '2.0' };
  assert.deepEqual(rangeProps(grade, range, wording), { claim: 'from 1 to 2', from: 0.3, to: 0.7 });
});
