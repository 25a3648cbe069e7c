import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SyntaxFinding } from '@symbolon/core/ledger/terms/syntax';
import { sha256 } from '@symbolon/host/work/sha256';
import { rememberVerdicts } from './remember-verdicts.ts';

const finding: SyntaxFinding = { line: 0, column: 0, code: 'bad', message: 'Bad.' };

/** A check that counts, and refuses what says so. */
function counting() {
  let checks = 0;
  const check = rememberVerdicts((code) => {
    checks += 1;
    return code.startsWith('bad') ? [finding] : [];
  }, sha256);
  return { check, checks: () => checks };
}

describe('verdicts', () => {
  test('are the same the second time, and then cost nothing', () => {
    const { check, checks } = counting();
    for (let round = 0; round < 3; round++) {
      assert.deepEqual(check('good'), []);
      assert.deepEqual(check('bad'), [finding]);
    }
    assert.equal(checks(), 2);
    check('good ');
    assert.equal(checks(), 3, 'other code is other code');
  });

  test('of code that passed are kept, however much is refused', () => {
    const { check, checks } = counting();
    for (let index = 0; index < 300; index++) check(`good ${index}`);
    for (let index = 0; index < 300; index++) check(`bad ${index}`);
    const before = checks();
    for (let index = 0; index < 300; index++) check(`good ${index}`);
    assert.equal(checks(), before);
    check('bad 0');
    assert.equal(checks(), before + 1, 'what is refused is kept for a while only');
  });

  test('of what is no text are given without looking', () => {
    const { check, checks } = counting();
    for (const code of ['\ud800', 'x\udc00', '\udc00\ud800']) assert.equal(check(code)[0]?.code, 'not_text');
    assert.equal(checks(), 0);
  });
});
