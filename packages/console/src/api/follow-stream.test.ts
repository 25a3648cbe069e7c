import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { followStream } from './follow-stream.ts';

/** A page that can be hidden, and a stream that a test feeds. */
function openWorld() {
  const page = Object.assign(new EventTarget(), { hidden: false });
  const streams: { readonly signal: AbortSignal; readonly tell: (isBroken?: boolean) => void }[] = [];
  let [events, gaps] = [0, 0];
  const open = (signal: AbortSignal): AsyncIterable<unknown> => ({
    async *[Symbol.asyncIterator]() {
      let next = Promise.withResolvers<boolean>();
      signal.addEventListener('abort', () => next.resolve(true));
      streams.push({ signal, tell: (isBroken = false) => next.resolve(isBroken) });
      while (!(await next.promise)) {
        next = Promise.withResolvers<boolean>();
        yield 'block';
      }
      throw new Error('the stream is broken');
    },
  });
  const end = followStream({
    name: crypto.randomUUID(),
    open,
    onEvent: () => {
      events += 1;
    },
    onGap: () => {
      gaps += 1;
    },
    page: page as never,
    pauseMs: 2,
  });
  const turn = (hidden: boolean): void => {
    page.hidden = hidden;
    page.dispatchEvent(new Event('visibilitychange'));
  };
  return { streams, turn, end, events: () => events, gaps: () => gaps };
}

const untilIs = async (read: () => unknown, wanted: unknown): Promise<void> => {
  for (let tries = 0; tries < 500 && read() !== wanted; tries += 1) await sleep(2);
  assert.equal(read(), wanted);
};

test('every event is told, and nothing is missed at the beginning', async () => {
  const { streams, end, events, gaps } = openWorld();
  await untilIs(() => streams.length, 1);
  streams[0]?.tell();
  await untilIs(events, 1);
  assert.equal(gaps(), 0);
  end();
  await untilIs(() => streams[0]?.signal.aborted, true);
});

test('a broken stream is a gap, and is opened again', async () => {
  const { streams, end, gaps } = openWorld();
  await untilIs(() => streams.length, 1);
  streams[0]?.tell(true);
  await untilIs(() => streams.length, 2);
  assert.equal(gaps(), 1);
  end();
});

test('nobody looks, nobody reads; who comes back has missed something', async () => {
  const { streams, turn, end, gaps } = openWorld();
  await untilIs(() => streams.length, 1);
  turn(true);
  assert.equal(streams[0]?.signal.aborted, true);
  await sleep(10);
  assert.equal(streams.length, 1);
  turn(false);
  await untilIs(() => streams.length, 2);
  assert.equal(gaps(), 1);
  end();
});
