import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { AttributeType, SignedAttribute } from '../documents/model.ts';
import { isComplaint } from './attribute-formats.ts';
import {
  ageRange,
  agesOfRange,
  agesWithin,
  areTellingRanges,
  isTellingRange,
  readRange,
} from './attribute-ranges.ts';

const of = (type: AttributeType, format: string): SignedAttribute => ({ key: 'a', type, format });
const integer = of('integer', 'integer');
const date = of('date', 'date');

describe('ranges', () => {
  test('both sides, one side', () => {
    assert.deepEqual(readRange(integer, { min: '18', max: 65 }), {
      claim: { attribute: 'a', min: 18, max: 65 },
      min: 18n + 2n ** 52n,
      max: 65n + 2n ** 52n,
    });
    assert.deepEqual(readRange(integer, { min: 0 }), {
      claim: { attribute: 'a', min: 0 },
      min: 2n ** 52n,
      max: 2n ** 53n - 1n,
    });
    assert.deepEqual(readRange(date, { max: '1800-01-11', min: null }), {
      claim: { attribute: 'a', max: '1800-01-11' },
      min: 0n,
      max: 10n,
    });
    const decimals = readRange(of('decimal', 'decimal(1)'), { min: '0.50', max: 0.5 });
    assert.deepEqual(!isComplaint(decimals) && decimals.claim, { attribute: 'a', min: '0.5', max: '0.5' });
  });

  test('one that leaves few values tells the value', () => {
    const cases: [SignedAttribute, object, boolean][] = [
      [integer, { min: 5, max: 5 }, true],
      [integer, { min: 5, max: 7 }, true],
      [integer, { min: 5, max: 8 }, false],
      [integer, { max: 5 }, false],
      [of('decimal', 'decimal(1)'), { min: '0.1', max: '1.0' }, true],
      [of('decimal', 'decimal(1)'), { min: '0.1', max: '1.1' }, false],
      [date, { min: '2000-01-01', max: '2000-01-07' }, true],
      [date, { min: '2000-01-01', max: '2000-01-08' }, false],
      [date, { max: '1800-01-03' }, true],
      [of('dateTime', 'date-time'), { min: '2000-01-01T00:00:00Z', max: '2000-01-01T23:59:59Z' }, true],
      [of('dateTime', 'date-time'), { min: '2000-01-01T00:00:00Z', max: '2000-01-02T00:00:00Z' }, false],
    ];
    for (const [attribute, bounds, isTelling] of cases) {
      const range = readRange(attribute, bounds);
      assert.equal(
        !isComplaint(range) && isTellingRange(attribute, range),
        isTelling,
        JSON.stringify(bounds),
      );
    }
  });

  test('several that leave few values together tell it as well', () => {
    const cases: [object[], boolean][] = [
      [[{ min: 5 }, { max: 7 }], true],
      [[{ min: 5 }, { max: 8 }], false],
      [[{ min: 5 }, { min: 6 }, { min: 7 }], false],
      [[{ min: 7 }, { max: 5 }], false],
      [[{ min: 5 }, { max: 7 }, { min: 900 }], true],
      [
        [
          { min: 5, max: 100 },
          { min: 98, max: 500 },
        ],
        true,
      ],
      [[{ min: 5 }, { max: 'no number' }], false],
      [[], false],
    ];
    for (const [claims, isTelling] of cases)
      assert.equal(areTellingRanges(integer, claims), isTelling, JSON.stringify(claims));
  });

  test('bad ranges', () => {
    const bad: [SignedAttribute, object][] = [
      [integer, {}],
      [integer, { min: null, max: null }],
      [integer, { min: 2, max: 1 }],
      [integer, { min: 'x' }],
      [integer, { max: [1] }],
      [integer, { max: 2 ** 53 }],
      [integer, { min: 1.5 }],
      [integer, { min: '' }],
      [date, { min: 18 }],
      [date, { min: '2023-02-29' }],
      [of('text', 'string'), { min: 'a' }],
      [of('text', 'date'), { min: '2020-01-01' }],
      [of('boolean', 'boolean'), { min: true }],
      [of('image', 'image/png'), { min: 1 }],
    ];
    for (const [attribute, bounds] of bad)
      assert.ok(isComplaint(readRange(attribute, bounds)), JSON.stringify([attribute, bounds]));
  });
});

describe('ages', () => {
  test('eighteen today passes, a day short does not', () => {
    assert.deepEqual(ageRange(18, undefined, '2026-06-15'), { max: '2008-06-15' });
    assert.deepEqual(ageRange(undefined, 17, '2026-06-15'), { min: '2008-06-16' });
    assert.deepEqual(ageRange(18, 18, '2026-06-15'), { min: '2007-06-16', max: '2008-06-15' });
  });

  test('29 February counts as 1 March in common years', () => {
    assert.deepEqual(ageRange(18, undefined, '2022-02-28'), { max: '2004-02-28' });
    assert.deepEqual(ageRange(18, undefined, '2022-03-01'), { max: '2004-03-01' });
    assert.deepEqual(ageRange(18, undefined, '2024-02-29'), { max: '2006-02-28' });
    assert.deepEqual(ageRange(20, undefined, '2024-02-29'), { max: '2004-02-29' });
    assert.deepEqual(ageRange(undefined, 17, '2022-02-28'), { min: '2004-02-29' });
  });

  test('bad ages', () => {
    const bad: [number | undefined, number | undefined, string][] = [
      [undefined, undefined, '2026-06-15'],
      [18.5, undefined, '2026-06-15'],
      [-1, undefined, '2026-06-15'],
      [undefined, 201, '2026-06-15'],
      [Number.NaN, 20, '2026-06-15'],
      [30, 20, '2026-06-15'],
      [18, undefined, '2026-02-29'],
      [18, undefined, 'today'],
      [200, undefined, '1900-01-01'],
    ];
    for (const [min, max, day] of bad) assert.ok(isComplaint(ageRange(min, max, day)));
    assert.deepEqual(ageRange(undefined, 150, '1900-01-01'), { min: '1800-01-01' });
  });

  test('property: agrees with counting birthdays', () => {
    const day = fc
      .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((one) => one.toISOString().slice(0, 10));
    const ageOn = (birth: string, on: string): number => {
      const [birthYear, onYear] = [Number(birth.slice(0, 4)), Number(on.slice(0, 4))];
      const isLeap = new Date(Date.UTC(onYear, 1, 29)).getUTCMonth() === 1;
      const birthday = birth.slice(5) === '02-29' && !isLeap ? '03-01' : birth.slice(5);
      return onYear - birthYear - (on.slice(5) < birthday ? 1 : 0);
    };
    fc.assert(
      fc.property(
        day,
        day,
        fc.integer({ min: 0, max: 90 }),
        fc.integer({ min: 0, max: 9 }),
        (birth, on, min, more) => {
          const range = ageRange(min, min + more, on);
          assert.ok(!isComplaint(range));
          const isIn = birth >= (range.min ?? '') && birth <= (range.max ?? '~');
          const age = ageOn(birth, on);
          assert.equal(isIn, age >= min && age <= min + more);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('ages of bounds', () => {
  test('are the ages that the bounds were made of', () => {
    for (const day of ['2026-06-15', '2024-02-29', '2023-03-01', '2026-01-01'])
      for (const [minAge, maxAge] of [[18], [0], [18, 65], [undefined, 65]] as const) {
        const range = ageRange(minAge, maxAge, day);
        assert.ok(!isComplaint(range));
        assert.deepEqual(agesOfRange(range, day), {
          ...(minAge !== undefined && { minAge }),
          ...(maxAge !== undefined && { maxAge }),
        });
      }
  });

  test('are none where a bound is no birthday', () => {
    assert.equal(agesOfRange({ max: '2008-06-14' }, '2026-06-15'), undefined);
    assert.equal(agesOfRange({ max: '2008-06-15', min: '1950-01-01' }, '2026-06-15'), undefined);
    assert.equal(agesOfRange({}, '2026-06-15'), undefined);
    assert.equal(agesOfRange({ max: 18 }, '2026-06-15'), undefined);
    assert.equal(agesOfRange({ max: '2030-06-15' }, '2026-06-15'), undefined);
  });

  test('are said by any days of birth, as the years that are over', () => {
    const day = '2026-06-15';
    for (const [range, ages] of [
      [{ max: '2008-06-15' }, { minAge: 18 }],
      [{ max: '2008-06-14' }, { minAge: 18 }],
      [{ max: '2008-06-16' }, { minAge: 17 }],
      [
        { min: '1950-01-01', max: '2008-06-15' },
        { minAge: 18, maxAge: 76 },
      ],
      [{ max: '2030-06-15' }, undefined],
      [{ min: '2000-01-01', max: '2030-06-15' }, { maxAge: 26 }],
      [{ max: 18 }, undefined],
      [{}, undefined],
    ] as const)
      assert.deepEqual(agesWithin(range, day), ages);
    assert.deepEqual(agesWithin({ max: '2008-02-29' }, '2026-02-28'), { minAge: 17 });
    assert.deepEqual(agesWithin({ max: '2008-02-29' }, '2026-03-01'), { minAge: 18 });
  });
});
