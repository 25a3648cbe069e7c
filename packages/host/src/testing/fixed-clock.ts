/** For tests only: a clock that stands still until somebody moves it. */
import type { Clock } from '../work/clock.ts';

export interface FixedClock extends Clock {
  advanceMs(ms: number): void;
  setMs(ms: number): void;
}

export function fixedClock(startMs: number): FixedClock {
  let currentMs = startMs;
  const set = (ms: number) => {
    if (!Number.isSafeInteger(ms)) throw new RangeError('a clock is set to whole milliseconds');
    currentMs = ms;
  };
  set(startMs);
  return {
    nowMs: () => currentMs,
    nowMicros: () => BigInt(currentMs) * 1000n,
    advanceMs: (ms) => set(currentMs + ms),
    setMs: set,
  };
}
