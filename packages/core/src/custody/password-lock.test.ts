import assert from 'node:assert/strict';
import { test } from 'node:test';
import { custodyLimits } from '../limits/custody.ts';
import { type Attempts, afterFailure, isLocked, noAttempts } from './password-lock.ts';

const { freeFailures, lockMs, lockMsMax } = custodyLimits;

test('the first few wrong passwords lock nothing, each further one locks longer, up to a day', () => {
  let attempts: Attempts = noAttempts;
  let nowMs = 1_000;
  const locks: number[] = [];
  for (let index = 0; index < 40; index++) {
    attempts = afterFailure(attempts, nowMs);
    locks.push(isLocked(attempts, nowMs) ? attempts.lockedUntil - nowMs : 0);
    nowMs = Math.max(nowMs, attempts.lockedUntil);
    assert.ok(!isLocked(attempts, nowMs), 'a lock ends');
  }
  assert.deepEqual(locks.slice(0, freeFailures - 1), Array(freeFailures - 1).fill(0));
  assert.deepEqual(locks.slice(freeFailures - 1, freeFailures + 2), [lockMs, 2 * lockMs, 4 * lockMs]);
  assert.equal(locks.at(-1), lockMsMax);
  for (const [index, lock] of locks.entries()) assert.ok(index === 0 || lock >= (locks[index - 1] as number));
});
