import assert from 'node:assert/strict';
import { test } from 'node:test';
import { letterToChange } from './break-acts.ts';

test('a letter is changed where a text was shown, and nowhere else', () => {
  assert.deepEqual(
    letterToChange([{ revealed: { born: '1999-04-12' } }, { revealed: { degree: 'BSc Mathematics' } }]),
    {
      position: 1,
      key: 'degree',
      before: 'BSc Mathematics',
      after: 'BSc Mathematica',
    },
  );
  assert.equal(letterToChange([{ revealed: { city: 'Agra' } }])?.after, 'Agre');
  assert.equal(letterToChange([{ revealed: { points: 7, isMember: true } }, {}]), undefined);
});
