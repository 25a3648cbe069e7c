import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ages, disclosureOf, namesOption, ranges } from './disclosure-options.ts';

describe('names', () => {
  test('stand with commas between them, each counted once', () => {
    assert.deepEqual(namesOption('name, degree,,name'), ['name', 'degree']);
    assert.deepEqual(namesOption('points', ['name']), ['name', 'points']);
  });

  test('are names of attributes', () => {
    for (const text of ['', ' , ', 'first name', '1st', 'a.b', 'a;b', `${'x'.repeat(65)}`])
      assert.throws(() => namesOption(text), /names of attributes/, text);
  });
});

describe('a range', () => {
  test('has one side or both, and the value may hold colons', () => {
    assert.deepEqual(ranges('points:100..500'), [{ attribute: 'points', min: '100', max: '500' }]);
    assert.deepEqual(ranges('points:-5..'), [{ attribute: 'points', min: '-5' }]);
    assert.deepEqual(ranges('at:..2030-01-01T00:00:00Z', ranges('a:1..')), [
      { attribute: 'a', min: '1' },
      { attribute: 'at', max: '2030-01-01T00:00:00Z' },
    ]);
  });

  test('is refused in any other form', () => {
    for (const text of [
      '',
      'points',
      'points:',
      'points:..',
      'points: .. ',
      ':1..2',
      'points:1',
      'a:1..2..3',
      '1:2..3',
    ])
      assert.throws(() => ranges(text), /must be like/, text);
  });

  test('comes back as it was written', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (min, max) => {
        assert.deepEqual(ranges(`points:${min}..${max}`), [
          { attribute: 'points', min: `${min}`, max: `${max}` },
        ]);
      }),
    );
  });
});

describe('an age', () => {
  test('is in years, at least, at most or both', () => {
    assert.deepEqual(ages('born:18..'), [{ attribute: 'born', minAge: 18 }]);
    assert.deepEqual(ages('born:..65'), [{ attribute: 'born', maxAge: 65 }]);
    assert.deepEqual(ages('born:0..200'), [{ attribute: 'born', minAge: 0, maxAge: 200 }]);
  });

  test('is no date and not out of the ordinary', () => {
    for (const text of ['born:1990-01-01..', 'born:-1..', 'born:18', 'born:..', 'born:201..', 'born:1.5..'])
      assert.throws(() => ages(text), /must be like/, text);
  });
});

test('what is disclosed is told only if something was said', () => {
  assert.equal(disclosureOf({}), undefined);
  assert.deepEqual(disclosureOf({ range: ranges('a:1..') }), {
    revealAttributes: [],
    rangeProof: [{ attribute: 'a', min: '1' }],
  });
  assert.deepEqual(disclosureOf({ reveal: ['a'], age: ages('b:18..') }), {
    revealAttributes: ['a'],
    age: [{ attribute: 'b', minAge: 18 }],
  });
});
