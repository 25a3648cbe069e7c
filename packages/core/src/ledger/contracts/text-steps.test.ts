import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contractLimits } from '../../limits/consensus.ts';
import { byteSteps, textSteps } from './text-steps.ts';

const { textCharsPerStep } = contractLimits;

describe('what text costs', () => {
  it('is nothing for short texts and for what is no text', () => {
    assert.equal(textSteps([]), 0);
    assert.equal(
      textSteps([undefined, null, true, 1e300, Number.NaN, [], {}, 'x'.repeat(textCharsPerStep - 1)]),
      0,
    );
  });

  it('is a step for so many characters of all texts together', () => {
    assert.equal(textSteps(['x'.repeat(textCharsPerStep)]), 1);
    assert.equal(textSteps(['x'.repeat(textCharsPerStep - 1), 'y']), 1);
    assert.equal(textSteps(['x'.repeat(10 * textCharsPerStep), 5, 'y'.repeat(5 * textCharsPerStep)]), 15);
    assert.equal(
      textSteps(['\ud83d\ude00'.repeat(textCharsPerStep)]),
      2,
      'characters are those of JavaScript',
    );
  });

  it('counts members of objects and arrays', () => {
    const text = 'x'.repeat(textCharsPerStep);
    assert.equal(textSteps([{ issuer: text, code: text }]), 2);
    assert.equal(textSteps([[text, text, 1]]), 2);
    assert.equal(textSteps([{ result: text }, text]), 2);
  });
});

describe('what a triggered transaction costs by its size', () => {
  it('is a step for so many bytes', () => {
    const { triggeredBytesPerStep } = contractLimits;
    assert.deepEqual([0, 1, triggeredBytesPerStep - 1].map(byteSteps), [0, 0, 0]);
    assert.deepEqual([triggeredBytesPerStep, 10 * triggeredBytesPerStep + 5].map(byteSteps), [1, 10]);
  });
});
