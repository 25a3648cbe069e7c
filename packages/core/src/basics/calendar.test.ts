import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  dateOfDayNumber,
  dateText,
  dayNumber,
  instantText,
  instantTextOfUnixMs,
  isInstantText,
  lastDayNumber,
  lastSecond,
  parseDate,
  parseInstant,
  unixMsOf,
} from './calendar.ts';

describe('calendar', () => {
  test('the first and the last day', () => {
    assert.equal(dayNumber({ year: 1800, month: 1, day: 1 }), 0);
    assert.equal(dateText(dateOfDayNumber(lastDayNumber)), '9999-12-31');
    assert.equal(instantText(lastSecond), '9999-12-31T23:59:59Z');
  });

  test('days that do not exist, and texts that are no dates', () => {
    const bad = [
      '2023-02-29',
      '1900-02-29',
      '2024-02-30',
      '2024-04-31',
      '2024-13-01',
      '2024-00-10',
      '2024-01-00',
    ];
    const odd = [
      '1799-12-31',
      '2024-1-1',
      '24-01-01',
      '+2024-01-01',
      '2024-01-01 ',
      '２024-01-01',
      '',
      '10000-01-01',
    ];
    for (const text of [...bad, ...odd]) assert.equal(parseDate(text), undefined, text);
    assert.ok(parseDate('2024-02-29'));
    assert.ok(parseDate('2000-02-29'));
  });

  test('instants of any offset are one instant', () => {
    const texts = ['2024-01-01T00:30:00+01:00', '2023-12-31T23:30:00Z', '2023-12-31t18:30:00.000-05:00'];
    assert.deepEqual(
      [...new Set(texts.map((text) => instantText(parseInstant(text)!)))],
      ['2023-12-31T23:30:00Z'],
    );
  });

  test('texts that are no instants', () => {
    const bad = [
      '2024-01-01',
      '2024-01-01T00:00:00',
      '2024-01-01 00:00:00Z',
      '2024-01-01T24:00:00Z',
      '2024-01-01T23:59:60Z',
      '2024-01-01T00:00:00.5Z',
      '2024-01-01T00:00Z',
      '2024-01-01T00:00:00+24:00',
      '2024-01-01T00:00:00+0100',
      '2023-02-29T00:00:00Z',
      '1800-01-01T00:00:00+00:01',
      '9999-12-31T23:59:59-00:01',
    ];
    for (const text of bad) assert.equal(parseInstant(text), undefined, text);
    for (const text of ['2024-01-01T00:00:00.0Z', '2024-01-01T00:00:00+00:00', '2024-01-01t00:00:00z'])
      assert.equal(isInstantText(text), false, text);
  });

  test('property: the same days and milliseconds as the language counts', () => {
    const from = Date.UTC(1800, 0, 1);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: lastSecond }), (seconds) => {
        const ms = from + seconds * 1_000;
        const text = `${new Date(ms).toISOString().slice(0, 19)}Z`;
        assert.equal(instantText(seconds), text);
        assert.equal(instantTextOfUnixMs(ms), text);
        assert.equal(unixMsOf(text), ms);
        assert.equal(parseInstant(text), seconds);
        assert.equal(dayNumber(parseDate(text.slice(0, 10))!), Math.floor(seconds / 86_400));
      }),
    );
  });
});
