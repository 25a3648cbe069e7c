import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayAfterYears, daysUntil, isImpossibleDay, readTypedDay } from './typed-day.ts';

test('days are read as people of both languages type them', () => {
  for (const typed of [
    '2099-12-31',
    '31.12.2099',
    '31 Dec 2099',
    '31 december 2099',
    '31. Dezember 2099',
    ' 31 Dez. 2099 ',
  ])
    assert.equal(readTypedDay(typed), '2099-12-31', typed);
  assert.equal(readTypedDay('1. März 2030'), '2030-03-01');
});

test('what is no day, or could be two, is none', () => {
  for (const typed of ['', '31.2.2030', '12/31/2099', '31 Foo 2099', '2099', 'tomorrow', '1.1.99'])
    assert.equal(readTypedDay(typed), undefined, typed);
});

test('a day that no calendar has is told from what is written as none', () => {
  for (const typed of [
    '31.02.2020',
    '29.2.2023',
    '31 Feb 2020',
    '2020-02-31',
    '00.01.2020',
    '1.13.2020',
    '2020-13-01',
  ])
    assert.equal(isImpossibleDay(typed), true, typed);
  for (const typed of ['29.2.2024', '31.12.1700', '31 Foo 2099', '12/31/2099', '1.1.99', 'tomorrow', ''])
    assert.equal(isImpossibleDay(typed), false, typed);
});

test('years and days from a moment', () => {
  const now = Date.parse('2026-11-17T22:00:00Z');
  assert.equal(dayAfterYears(now, 5), '2031-11-17');
  assert.equal(daysUntil('2026-11-19', now), 1);
  assert.ok(daysUntil('2026-11-17', now) < 0);
});
