import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jsonLimits } from '@symbolon/core/limits/documents';
import fc from 'fast-check';
import {
  isJsonObject,
  type JsonValue,
  jsonInteger,
  NestedTooDeep,
  parseJson,
  stringifyJson,
} from './json.ts';

describe('lossless JSON', () => {
  it('keeps integers beyond 2^53 exact in both directions', () => {
    const text =
      '{"balance":100000000000000000,"min":-9223372036854775808,"safe":9007199254740991,"next":9007199254740993}';
    const value = parseJson(text);
    assert.deepEqual(value, {
      balance: 100000000000000000n,
      min: -9223372036854775808n,
      safe: 9007199254740991,
      next: 9007199254740993n,
    });
    assert.equal(stringifyJson(value), text);
  });

  it('leaves digits inside strings alone', () => {
    const text = '{"hex":"12345678901234567890","quoted":"\\"12345678901234567890\\\\","n":1}';
    assert.deepEqual(parseJson(text), {
      hex: '12345678901234567890',
      quoted: '"12345678901234567890\\',
      n: 1,
    });
  });

  it('keeps fractions and exponents as numbers, however many digits they have', () => {
    assert.deepEqual(
      parseJson('[1.12345678901234567890,1e18,12345678901234567.5]'),
      [1.1234567890123457, 1e18, 12345678901234568],
    );
  });

  it('gives back whatever it printed', () => {
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constant(null),
        fc.boolean(),
        fc.maxSafeInteger(),
        fc.bigInt(-(2n ** 200n), 2n ** 200n).map((wide) => jsonInteger(wide)),
        fc.string({ unit: 'binary' }),
        fc.array(tie('value')),
        fc.dictionary(fc.string(), tie('value')),
      ),
    }));
    fc.assert(
      fc.property(value, (json) => {
        // Zero has one spelling in JSON, and a parsed object always has the ordinary prototype.
        const text = stringifyJson(json as JsonValue);
        assert.equal(stringifyJson(parseJson(text)), text);
      }),
    );
  });

  it('takes the last of duplicate keys', () => {
    assert.deepEqual(parseJson('{"a":1,"a":12345678901234567890}'), { a: 12345678901234567890n });
  });

  it('gives __proto__ no power, on the fast way and on the slow one', () => {
    for (const number of ['1', '12345678901234567890']) {
      const value = parseJson(
        `{"__proto__":{"polluted":${number}},"constructor":{"prototype":{"polluted":1}}}`,
      );
      assert.ok(isJsonObject(value));
      assert.equal(value.polluted, undefined);
      assert.equal(({} as { polluted?: unknown }).polluted, undefined);
      assert.equal(Object.getPrototypeOf(value), Object.prototype);
    }
  });

  it('refuses nesting beyond the limit with a SyntaxError, closed or not', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
    assert.doesNotThrow(() => parseJson(nested(jsonLimits.depthMax)));
    assert.throws(() => parseJson(nested(jsonLimits.depthMax + 1)), NestedTooDeep);
    assert.throws(() => parseJson('['.repeat(1_000_000)), SyntaxError);
    assert.throws(() => parseJson('{"a":'.repeat(1_000_000)), SyntaxError);
    assert.throws(
      () => parseJson(`${'['.repeat(2_000)}12345678901234567890${']'.repeat(2_000)}`),
      SyntaxError,
    );
  });

  it('does not count brackets inside strings', () => {
    const text = JSON.stringify({ a: '['.repeat(10_000), b: '\\"[[[[' });
    assert.equal(stringifyJson(parseJson(text)), text);
  });

  it('refuses a number of absurd length at once', () => {
    assert.throws(() => parseJson('9'.repeat(2_000_000)), SyntaxError);
    assert.equal(parseJson('9'.repeat(jsonLimits.digitsMax)), BigInt('9'.repeat(jsonLimits.digitsMax)));
  });

  it('refuses everything that is not JSON', () => {
    const texts = [
      '',
      ' ',
      '{',
      '"',
      '"\\',
      '{"a"}',
      "{'a':1}",
      '[1,]',
      '01',
      '1n',
      'NaN',
      '\ufeff{}',
      '{}{}',
      '12345678901234567890x',
    ];
    for (const text of texts) assert.throws(() => parseJson(text), SyntaxError, text);
  });

  it('never throws anything but SyntaxError', () => {
    const soup = fc.string({
      unit: fc.constantFrom(
        '[',
        ']',
        '{',
        '}',
        '"',
        '\\',
        ':',
        ',',
        '1',
        '234567890123456789',
        'e',
        '-',
        ' ',
      ),
    });
    fc.assert(
      fc.property(soup, (text) => {
        try {
          parseJson(text);
        } catch (error) {
          assert.ok(error instanceof SyntaxError);
        }
      }),
    );
  });
});
