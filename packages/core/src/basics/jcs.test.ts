import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { CanonicalJsonError, canonicalJson, isWellFormed } from './jcs.ts';

describe('canonical JSON', () => {
  test('members are sorted by UTF-16 code units, at every level', () => {
    assert.equal(canonicalJson({ b: 1, a: { d: [], c: null } }), '{"a":{"c":null,"d":[]},"b":1}');
    // The example of RFC 8785, 3.2.3.
    const sorted = ['\\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
    const keys = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
    assert.equal(
      canonicalJson(Object.fromEntries(keys.map((key) => [key, 0]))),
      `{${sorted.map((key) => `"${key}":0`).join(',')}}`,
    );
  });

  test('numbers as the RFC prints them', () => {
    const printed: [number, string][] = [
      [-0, '0'],
      [1e21, '1e+21'],
      [1 / 3, '0.3333333333333333'],
      [4.5, '4.5'],
      [2e-3, '0.002'],
      [1e-27, '1e-27'],
      [9007199254740991, '9007199254740991'],
    ];
    for (const [number, text] of printed) assert.equal(canonicalJson(number), text);
  });

  test('strings are escaped only where they must be', () => {
    assert.equal(canonicalJson('\u20ac$\u000f\nA\'B"\\/\u007f'), '"\u20ac$\\u000f\\nA\'B\\"\\\\/\u007f"');
  });

  test('what JSON cannot carry is refused', () => {
    const hole: unknown[] = [];
    hole.length = 2;
    const bad: unknown[] = [
      undefined,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      1n,
      Symbol('a'),
      () => 1,
      { a: undefined },
      [undefined],
      hole,
      '\ud800',
      '\udc00\ud800',
      { '\ud800': 1 },
      new Map(),
      new Date(0),
      new Uint8Array(2),
    ];
    for (const value of bad) assert.throws(() => canonicalJson(value), CanonicalJsonError);
  });

  test('nesting is bounded, circles included', () => {
    const circle: unknown[] = [];
    circle.push(circle);
    assert.throws(() => canonicalJson(circle), CanonicalJsonError);
    const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    assert.equal(canonicalJson(nested(64)).length, 128);
    assert.throws(() => canonicalJson(nested(65)), CanonicalJsonError);
  });

  test('a member called __proto__ is a member', () => {
    assert.equal(canonicalJson(JSON.parse('{"a":1,"__proto__":{"b":2}}')), '{"__proto__":{"b":2},"a":1}');
  });

  test('property: the text says the same, and says it once', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        fc.pre(isWellFormed(JSON.stringify(value)) && !JSON.stringify(value).includes('\\ud'));
        const text = canonicalJson(value);
        assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
        assert.equal(canonicalJson(JSON.parse(text)), text);
      }),
    );
  });

  test('property: the order in which members were added does not matter', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.integer())), (members) => {
        const unique = [...new Map(members)];
        assert.equal(
          canonicalJson(Object.fromEntries(unique)),
          canonicalJson(Object.fromEntries(unique.toReversed())),
        );
      }),
    );
  });
});
