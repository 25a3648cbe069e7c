import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { areAlike, findMixedWord, readForms } from './look-alike-names.ts';
import { lookAlikeLetters } from './look-alike-table.ts';

describe('names that look alike', () => {
  const pairs: readonly (readonly [string, string])[] = [
    ['University degree', 'university  DEGREE'],
    ['University degree', 'University-degree.'],
    ['University degree', 'UNlVERSlTY DEGREE'],
    ['University degree', 'Univers1ty Degree'],
    ['Ideal', 'Idea1'],
    ['University degree', 'University degree\u3164'],
    ['University degree', '∪niversity clegree'],
    ['Proof', 'Pr〇〇f'],
    ['Proof', 'Prㅇㅇf'],
    ['Transcript', 'Transcrip丁'],
    ['SIC', 'SIϹ'],
    ['Ill', 'III'],
    ['ice', 'ІСЕ'],
    ['ICE', 'lce'],
    ['Modern', 'Modem'],
    ['Savvy', 'Sawy'],
    ['Level 10', 'Level lO'],
    ['University', 'Ｕｎｉｖｅｒｓｉｔｙ'],
    ['University', '𝐔𝐧𝐢𝐯𝐞𝐫𝐬𝐢𝐭𝐲'],
    ['University', 'Únïvërsîtÿ'],
    ['scope', 'ѕсоре'],
    ['TAXHOME', 'ТАХНОМЕ'],
    ['HOTEL', 'ΗΟΤΕL'],
    ['Bank', 'Ваnk'],
    ['DAVE', 'ᎠᎪᏙᎬ'],
    ['dave', 'ꭰꭺꮩꭼ'],
    ['Zoë', 'Zoe'],
    ['a\u200db', 'ab'],
  ];
  for (const [one, other] of pairs)
    test(`${one} and ${other}`, () => {
      assert.ok(areAlike(one, other), `${readForms(one)} ${readForms(other)}`);
      assert.ok(areAlike(other, one));
    });

  test('and names that do not', () => {
    for (const [one, other] of [
      ['University degree', 'University degrees'],
      ['Mail', 'Mall'],
      ['Degree 1', 'Degree 2'],
      ['University of Otago', 'University of Oslo'],
      ['大学', '大學'],
      ['かき', 'かぎ'],
      ['हिन्दी', 'हिन्द'],
      ['!!', '??'],
    ] as const)
      assert.ok(!areAlike(one, other), `${one} ${other}`);
  });

  test('no letter of the table stands for two', () => {
    const letters = Object.values(lookAlikeLetters).flatMap((others) => Array.from(others));
    assert.equal(new Set(letters).size, letters.length);
  });
});

describe('words of several scripts', () => {
  test('are found, with the scripts', () => {
    assert.deepEqual(findMixedWord('Universіty degree'), {
      word: 'Universіty',
      scripts: ['Latin', 'Cyrillic'],
    });
    for (const name of ['Βank', 'bаnk', 'HОTEL', 'Ꭰave', 'scхол', 'aא', 'aⴰ'])
      assert.ok(findMixedWord(name), name);
  });

  test('are none where a language writes so, or where each word has its own', () => {
    for (const name of [
      'University degree',
      'Диплом University',
      'Tシャツ学校',
      'K대학교',
      'Straße 12b',
      'Α-level',
      'ⴰⵣ',
      'हिन्दी विद्यालय',
      "O'Neill & Sons (2nd)",
      '',
    ])
      assert.equal(findMixedWord(name), undefined, name);
  });
});
