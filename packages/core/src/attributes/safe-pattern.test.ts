import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { PatternProblem, parseSafePattern } from './safe-pattern.ts';

const agree = (source: string, texts: readonly string[]): void => {
  const { matches } = parseSafePattern(source);
  const native = new RegExp(source, 'u');
  for (const text of texts)
    assert.equal(matches(text), native.test(text), `/${source}/ on ${JSON.stringify(text)}`);
};

describe('what is matched', () => {
  test('as the language itself matches', () => {
    const texts = [
      '',
      'a',
      'ab',
      'abc',
      'A1',
      'A2',
      'B7',
      '2024-01-31',
      'x y',
      'aaaa',
      'ä',
      '😀',
      'a\nb',
      '-',
      '.',
    ];
    for (const source of [
      '',
      '^$',
      'a',
      '^a$',
      '^[A-B][0-9]$',
      'a|b|^$',
      '^(?:ab|a)c?$',
      '^\\d{4}-\\d{2}-\\d{2}$',
      '^a{2,}$',
      '^a{2,3}$',
      '^a{4}$',
      '^.$',
      '^[^a-z]+$',
      '\\s',
      '^\\w+$',
      '^\\W$',
      '^[\\d\\-]+$',
      '^(a*)*$',
      '^(a|ab)(c|bcd)?$',
      '[.]',
      'b$',
      'a+?b',
      '\\u00e4',
      '()',
      '(){3}',
    ])
      agree(source, texts);
  });

  test('random patterns of letters agree too', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '(?:ab|b)', '(a|)', '\\w');
    const piece = fc
      .tuple(atom, fc.constantFrom('', '*', '+', '?', '{2}', '{1,3}', '{0,}'))
      .map((both) => both.join(''));
    const source = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(
        source,
        fc.boolean(),
        fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 }),
        (inner, isWhole, text) => {
          agree(isWhole ? `^${inner}$` : inner, [text]);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('what is refused', () => {
  for (const source of [
    '(a',
    'a)',
    '[a',
    '*a',
    'a**',
    'a{2}{3}',
    'a{',
    'a{x}',
    'a{3,2}',
    '[b-a]',
    '[\\d-z]',
    '(?=a)',
    '(?<!a)',
    '(?<name>a)',
    '(a)\\1',
    '\\b',
    '\\p{L}',
    '\\',
    '^*',
    'a'.repeat(300),
    '(((((((((((((((((a)))))))))))))))))',
    '(a{100}){100}',
  ])
    test(`/${source.slice(0, 40)}/`, () => {
      assert.throws(() => parseSafePattern(source), PatternProblem);
    });

  test('no pattern takes long: what makes others backtrack for ever', () => {
    for (const source of ['^(a+)+$', '^(a|aa)*$', '^(a?){50}a{50}$', '(.*)*x', '^(([a-z])+.)+[A-Z]([a-z])+$'])
      assert.equal(parseSafePattern(source).matches(`${'a'.repeat(8_000)}!`), false);
  });
});
