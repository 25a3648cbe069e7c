import assert from 'node:assert/strict';
import { type MockTimers, test } from 'node:test';
import { createConnection } from './connection.ts';

/** Timers of the test's own, and a service that answers or does not. */
function world(mock: MockTimers) {
  mock.enable({ apis: ['setTimeout', 'Date'], now: 1_000 });
  let isUp = false;
  let backs = 0;
  let asked = 0;
  const store = createConnection(
    async () => {
      asked += 1;
      if (!isUp) throw new TypeError('nobody answers');
    },
    () => {
      backs += 1;
    },
  );
  const settle = async (ms: number) => {
    mock.tick(ms);
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  const setUp = (): void => {
    isUp = true;
  };
  return { store, settle, setUp, counts: () => ({ backs, asked }) };
}

test('a lost connection is tried again after growing pauses, and says when', async ({ mock }) => {
  const { store, settle, setUp, counts } = world(mock.timers);
  store.answered();
  assert.equal(store.read().state, 'connected');
  store.failed();
  assert.deepEqual(store.read(), { state: 'lost', lastAnswerAt: 1_000, lostAt: 1_000, nextTryAt: 3_000 });
  store.failed();
  await settle(2_000);
  assert.equal(counts().asked, 1);
  assert.equal(store.read().nextTryAt, 3_000 + 4_000);
  setUp();
  await settle(4_000);
  assert.deepEqual(store.read(), {
    state: 'connected',
    lastAnswerAt: 7_000,
    lostAt: undefined,
    nextTryAt: undefined,
  });
  assert.deepEqual(counts(), { backs: 1, asked: 2 });
});

test('it is lost since nobody answers, not since somebody last asked', async ({ mock }) => {
  const { store, settle } = world(mock.timers);
  store.answered();
  await settle(3_600_000);
  store.failed();
  const noticed = 3_601_000;
  assert.equal(store.read().lostAt, noticed);
  assert.equal(store.read().lastAnswerAt, 1_000);
  await settle(2_000);
  assert.equal(store.read().lostAt, noticed, 'and trying again does not change it');
});

test('whoever doubts looks at once, and believes the answer alone', async ({ mock }) => {
  const { store, settle, setUp, counts } = world(mock.timers);
  store.answered();
  store.look();
  await settle(0);
  assert.equal(store.read().state, 'lost');
  setUp();
  store.look();
  await settle(0);
  assert.equal(store.read().state, 'connected');
  store.look();
  await settle(0);
  assert.equal(store.read().state, 'connected');
  assert.deepEqual(counts(), { backs: 1, asked: 3 });
});

test('somebody may ask at once', async ({ mock }) => {
  const { store, settle, setUp, counts } = world(mock.timers);
  store.failed();
  assert.equal(store.read().lastAnswerAt, undefined);
  setUp();
  store.tryNow();
  await settle(0);
  assert.equal(store.read().state, 'connected');
  assert.equal(counts().asked, 1);
});
