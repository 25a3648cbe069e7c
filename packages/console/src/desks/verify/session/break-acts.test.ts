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
  assert.equal(letterToChange([{ revealed: { degree: 'Bachelor (Hons.)' } }])?.after, 'Bachelor (Hona.)');
  assert.equal(letterToChange([{ revealed: { at: '2001-12-31T23:59:59Z', room: '12' } }]), undefined);
  assert.equal(letterToChange([{ revealed: { points: 7, isMember: true } }, {}]), undefined);
});
