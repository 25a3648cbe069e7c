import assert from 'node:assert/strict';
import { test } from 'node:test';
import { credentialLimits } from '@symbolon/core/limits/documents';
import { loadAllWords } from '../../../words/catalogue.ts';
import { misfitText, readTypedValue } from './typed-value.ts';

const [en, de] = await Promise.all([loadAllWords('en'), loadAllWords('de')]);
const kind = (type: Parameters<typeof readTypedValue>[0]['type'], format: string) => ({ type, format });

test('days are read as people type them, and become what is signed', () => {
  for (const typed of ['31.12.2001', '31 Dec 2001', '2001-12-31', '31. Dezember 2001'])
    assert.deepEqual(readTypedValue(kind('date', 'date'), typed, '.'), { value: '2001-12-31' }, typed);
  // The same letters in a text are letters.
  assert.deepEqual(readTypedValue(kind('text', 'string'), '31.12.2001', '.'), { value: '31.12.2001' });
});

test('a decimal is read with the comma that it is shown with', () => {
  const grade = kind('decimal', 'decimal(2)');
  for (const typed of ['1,3', '1.3', ' 1,30 '])
    assert.deepEqual(readTypedValue(grade, typed, '.'), { value: '1.3' });
  assert.deepEqual(readTypedValue(kind('text', 'string'), '1,3', '.'), { value: '1,3' });
});

test('what could be two numbers is refused as that, whoever typed it', () => {
  const score = kind('decimal', 'decimal(3)');
  const whyOf = (typed: string, point: '.' | ',' | undefined) => {
    const read = readTypedValue(score, typed, point);
    return 'misfit' in read ? read.misfit.why : read.value;
  };
  assert.deepEqual(
    ([',', '.', undefined] as const).map((point) => [whyOf('1,300', point), whyOf('1.300', point)]),
    [
      ['1.3', 'point'],
      ['comma', '1.3'],
      ['comma', 'point'],
    ],
  );
  assert.match(misfitText({ ...score, why: 'comma' }, en), /1,300 may be 1\.3 or 1300/);
  assert.match(misfitText({ ...score, why: 'point' }, de), /1\.300 kann 1,3 oder 1300 sein/);
});

test('whatever does not fit has words of its own in every language', () => {
  const wrong = [
    [kind('date', 'date'), '12/31/2001'],
    [kind('date', 'date'), '31.2.2001'],
    [kind('dateTime', 'date-time'), '2001-02-31T12:00:00Z'],
    [kind('dateTime', 'date-time'), 'noon'],
    [kind('integer', 'integer'), 'many'],
    [kind('integer', 'integer'), '9'.repeat(30)],
    [kind('decimal', 'decimal(3)'), '1.2345'],
    [kind('boolean', 'boolean'), 'perhaps'],
    [kind('text', 'email'), 'nobody'],
    [kind('text', 'uri'), 'nowhere'],
    [kind('text', 'phone'), '12'],
    [kind('text', 'string'), '\u0007'],
    [kind('text', 'string'), '  '],
    [kind('text', 'string'), '\ud800'],
    [kind('text', 'string'), 'x'.repeat(credentialLimits.textBytesMax + 1)],
    [kind('image', 'image/png'), 'nothing'],
  ] as const;
  const said = wrong.map(([attribute, typed]) => {
    const read = readTypedValue(attribute, typed, '.');
    assert.ok('misfit' in read, typed.slice(0, 20));
    return [misfitText(read.misfit, en), misfitText(read.misfit, de)];
  });
  for (const [english, german] of said) assert.notEqual(english, german);
  assert.equal(said[1]?.[0], 'There is no such day');
  // Both impossible days are the same mistake, and so are the two texts with signs that cannot be seen.
  assert.equal(new Set(said.map(([english]) => english)).size, wrong.length - 2);
  assert.match(said[6]?.[1] ?? '', /3/);
});
