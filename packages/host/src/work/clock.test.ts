import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixedClock } from '../testing/fixed-clock.ts';
import { systemClock } from './clock.ts';

test('the system clock gives the same moment in both units', () => {
  const before = Date.now();
  const micros = systemClock.nowMicros();
  const ms = systemClock.nowMs();
  assert.ok(before <= ms);
  assert.ok(micros >= BigInt(before) * 1000n && micros <= BigInt(ms) * 1000n);
});

test('a fixed clock stands still and moves only when told', () => {
  const clock = fixedClock(1_700_000_000_000);
  assert.equal(clock.nowMs(), 1_700_000_000_000);
  assert.equal(clock.nowMicros(), 1_700_000_000_000_000n);
  clock.advanceMs(250);
  assert.equal(clock.nowMs(), 1_700_000_000_250);
  clock.setMs(5);
  assert.equal(clock.nowMicros(), 5_000n);
});

test('two fixed clocks do not share their time', () => {
  const [one, other] = [fixedClock(1), fixedClock(1)];
  one.advanceMs(10);
  assert.equal(other.nowMs(), 1);
});

test('a fixed clock refuses moments that are no whole milliseconds', () => {
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, 0.5, 2 ** 60]) {
    assert.throws(() => fixedClock(bad), RangeError);
    assert.throws(() => fixedClock(0).setMs(bad), RangeError);
    assert.throws(() => fixedClock(0).advanceMs(bad), RangeError);
  }
});
