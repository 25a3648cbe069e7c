import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import { sessionLimits } from '@symbolon/core/limits/waiting';
import { createSessionEvents } from './session-events.ts';

const longMs = 60_000;

describe('waiting', () => {
  test('ends when the session changes, when the time is over, and when the reader leaves', async () => {
    const events = createSessionEvents();
    const both = Promise.all([events.wait('a', longMs), events.wait('a', longMs)]);
    events.changed('b');
    events.changed('a');
    await both;
    const reader = new AbortController();
    const left = events.wait('a', longMs, reader.signal);
    reader.abort();
    await left;
    await events.wait('a', longMs, reader.signal);
    const kept = setTimeout(() => undefined, longMs);
    await events.wait('a', 1);
    clearTimeout(kept);
  });
});

describe('places for streams', () => {
  test('are counted for each key, and given back once', () => {
    const events = createSessionEvents();
    const leaves = Array.from({ length: sessionLimits.streamsPerKeyMax }, () => events.enter('k'));
    const isFull = (error: unknown) => error instanceof Fault && error.code === 'tooManyRequests';
    assert.throws(() => events.enter('k'), isFull);
    events.enter('another')();
    leaves[0]?.();
    leaves[0]?.();
    events.enter('k');
    assert.throws(() => events.enter('k'), isFull);
  });

  test('are given back when the reader goes, also by one who went before', () => {
    const events = createSessionEvents();
    for (let round = 0; round <= sessionLimits.streamsPerKeyMax; round += 1) {
      const reader = new AbortController();
      events.enter('k', reader.signal);
      reader.abort();
      events.enter('k', reader.signal);
    }
  });
});
