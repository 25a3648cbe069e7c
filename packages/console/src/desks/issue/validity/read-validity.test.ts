import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commonUntil, daysLeft, readUntil, readValidity, usualUntil } from './read-validity.ts';

const now = Date.parse('2026-11-17T22:00:00Z');

test('the last day is the last on which it holds, to its end', () => {
  assert.deepEqual(readUntil('31.12.2099', now), { day: '2099-12-31', validUntil: '2099-12-31T23:59:59Z' });
  assert.deepEqual(readUntil('17 Nov 2026', now), { day: '2026-11-17', validUntil: '2026-11-17T23:59:59Z' });
  assert.equal(daysLeft('2026-11-17', now), 0);
  assert.equal(daysLeft('2026-11-19', now), 2);
});

test('a day that is over is refused, and is told from what is no day', () => {
  assert.deepEqual(readUntil('1.2.2020', now), { wrong: 'past' });
  assert.deepEqual(readUntil('16 Nov 2026', now), { wrong: 'past' });
  assert.deepEqual(readUntil('some day', now), { wrong: 'noDay' });
});

test('it begins when it is signed, or on a day before its end', () => {
  const until = '1 Jan 2030';
  assert.deepEqual(readValidity({ from: '', until }, now), { validUntil: '2030-01-01T23:59:59Z' });
  assert.deepEqual(readValidity({ from: '1.1.2030', until }, now), {
    validFrom: '2030-01-01',
    validUntil: '2030-01-01T23:59:59Z',
  });
  assert.equal(readValidity({ from: '2 Jan 2030', until }, now), undefined);
  assert.equal(readValidity({ from: '', until: '1.2.2020' }, now), undefined);
});

test('one rule for everything that is issued: as the last of the template, else five years', () => {
  assert.deepEqual(usualUntil('2099-12-31T23:59:59Z', now), { day: '2099-12-31', why: 'asLast' });
  assert.deepEqual(usualUntil('2099-12-31T00:00:00Z', now), { day: '2099-12-30', why: 'asLast' });
  assert.deepEqual(usualUntil(null, now), { day: '2031-11-17', why: 'fiveYears' });
  assert.deepEqual(usualUntil('2026-11-01T00:00:00Z', now), { day: '2031-11-17', why: 'fiveYears' });
});

test('of several templates only an end that all of them have is taken for granted', () => {
  const [last, other] = [usualUntil('2099-12-31T23:59:59Z', now), usualUntil(null, now)];
  assert.deepEqual(commonUntil([last]), last);
  assert.deepEqual(commonUntil([last, last]), last);
  assert.deepEqual(commonUntil([last, other]), { day: '', why: 'differs' });
});
