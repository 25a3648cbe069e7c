import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClaimQuery } from '@symbolon/core/presentation/dcql';
import { boundsInWords, claimsInWords, disclosureInWords, priceInWords } from './people-words.ts';
import { nativeAsset } from './spending.ts';

const wording = { today: '2026-11-17', print: (text: string) => `<${text}>` };
const plain = { today: '2026-11-17', print: (text: string) => text };

describe("people's words", () => {
  test('bounds are ages of a birth date, days of a date and numbers of a number', () => {
    const words = (key: string, bounds: object) => boundsInWords(key, bounds, plain);
    assert.equal(words('birthDate', { max: '2008-11-17' }), '18 or older');
    assert.equal(words('birthDate', { min: '1959-11-18', max: '2008-11-17' }), '18 to 66 years old');
    assert.equal(
      words('birthDate', { max: '2008-01-01' }),
      'birthDate: 2008-01-01 or earlier, so 18 or older',
    );
    assert.equal(words('expires', { min: '2027-01-01' }), 'expires: 2027-01-01 or later');
    assert.equal(words('points', { min: 100 }), 'points: 100 or more');
    assert.equal(words('points', { max: 200 }), 'points: 200 or less');
    assert.equal(words('points', { min: 100, max: 200 }), 'points: 100 to 200');
  });

  test('what is shown is told with its value only to whoever may see it', () => {
    const disclosure = {
      reveal: ['degree'],
      ranges: [
        { attribute: 'birthDate', max: '2008-11-17' },
        { attribute: 'points', min: 100 },
        { attribute: 'height', min: 180, max: 181 },
      ],
      telling: ['height'],
    };
    assert.deepEqual(disclosureInWords(disclosure, plain), [
      'degree',
      '18 or older, without the birth date',
      'points: 100 or more, without the number',
      'height: 180 to 181, which tells the value',
    ]);
    const [first] = disclosureInWords(disclosure, { ...plain, shownValueOf: () => 'BSc Mathematics' });
    assert.equal(first, 'degree: BSc Mathematics');
  });

  test('what is asked goes through the printer of whoever reads it', () => {
    const claim = (key: string, constraints: object, isRequired = true) =>
      ({ key, isRequired, constraints }) as ClaimQuery;
    assert.deepEqual(
      claimsInWords(
        [
          claim('id', {}),
          claim('name', {}, false),
          claim('city', { constant: 'Oslo' }),
          claim('grade', { values: ['A', 'B'] }),
          claim('points', { minimum: 5 }),
        ],
        wording,
      ),
      [
        'your DID',
        '<name> (if you have it)',
        '<city>, which must be <Oslo>',
        '<grade>, which must be one of <A>, <B>',
        '<points>: <5> or more',
      ],
    );
  });

  test('a price is in whole coins, a token is named with its address', () => {
    const gas = { asset: nativeAsset, symbol: 'ZTX', decimals: 6 };
    const words = (price: object) => priceInWords(price as never, plain.print);
    assert.equal(words({ ...gas, amount: '0' }), 'free');
    assert.equal(words({ ...gas, amount: '1500000' }), '1.5 Gas');
    const token = { asset: 'ADDR', symbol: 'EXT', decimals: 2 };
    assert.equal(words({ ...token, amount: '1500' }), '15 EXT (the token ADDR)');
    assert.equal(words({ ...token, amount: '5' }), '0.05 EXT (the token ADDR)');
    // A token that calls itself by the coin's name is still one.
    assert.equal(words({ ...token, symbol: 'Gas', amount: '100' }), '1 Gas (the token ADDR)');
    assert.match(words({ ...token, decimals: 99, amount: '5' }), /^5 of the smallest unit/);
    assert.match(words({ ...gas, amount: '-1' }), /cannot be read/);
  });
});
