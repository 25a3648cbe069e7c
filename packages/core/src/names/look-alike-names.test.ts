import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { areAlike, findMixedWord, nameProblem, readForms } from './look-alike-names.ts';
import { lookAlikeLatinLetters, lookAlikeLetters } from './look-alike-table.ts';

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
    ['University', 'ᴜɴɪᴠᴇʀꜱɪᴛʏ'],
    ['Guild', 'Gᴜɪʟᴅ'],
    ['Budget', 'Buđget'],
    ['Trust', 'Ŧɍusŧ'],
    ['Bank', 'Ƀaƞƙ'],
    ['Dental', 'ɖenŧaƚ'],
    ['Model', 'Moɗel'],
    ['University', 'Universiƚy'],
    ['Teacher', 'Tɇacħɇɍ'],
    ['Yacht', 'Ɏacht'],
    ['yes', 'ɏes'],
    ['Union', 'Ʉnion'],
    ['Oslo', 'Øsłø'],
    ['Deed', 'Ðeeđ'],
    ['Oslo', 'Ǿslo'],
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
    const letters = [lookAlikeLetters, lookAlikeLatinLetters].flatMap((table) =>
      Object.values(table).flatMap((others) => Array.from(others)),
    );
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

describe('what no name has', () => {
  test('signs that vouch for something', () => {
    for (const sign of '™®©℠℗✓✔☑✅🗸√★🛡🔒²¹ᵀᴹⁿʰ₂')
      assert.match(nameProblem(`Acme${sign}`) ?? '', /sign/, sign);
    assert.match(nameProblem('✓ Registry') ?? '', /sign/);
  });

  test('a DID, or what reads like one', () => {
    for (const name of [
      'did:zid:01',
      `University did:zid:${'0'.repeat(64)}`,
      'DID:zid:1',
      'dıd：zid',
      'did :zid',
    ])
      assert.match(nameProblem(name) ?? '', /did:/, name);
  });

  test('and others may stay', () => {
    for (const name of [
      'Candid: a story',
      'Школа № 5',
      '株式会社',
      '㈱テスト',
      "O'Neill & Sons (2nd)",
      '1ª classe',
      '20° club',
      'C++ + C#',
      'Øresund',
    ])
      assert.equal(nameProblem(name), undefined, name);
  });
});
