import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairTurns } from './fair-turns.ts';

test('a caller with much waiting holds others up by what is under way and its next, and by no more', async () => {
  const turns = new FairTurns({ atOnceMax: 1, waitingMax: 100 });
  const done: string[] = [];
  const run = (caller: string) => turns.run(caller, async () => void done.push(caller));
  const strangers = Array.from({ length: 24 }, () => run('stranger'));
  await Promise.all([...strangers, run('owner'), run('owner')]);
  assert.deepEqual(done.slice(0, 5), ['stranger', 'stranger', 'owner', 'stranger', 'owner']);
  assert.equal(done.length, 26);
});

test('a caller fills half of the places to wait, and others find room', async () => {
  const turns = new FairTurns({ atOnceMax: 1, waitingMax: 4 });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const runs = Array.from({ length: 3 }, () => turns.run('stranger', () => gate));
  assert.deepEqual([turns.hasRoomFor('stranger'), turns.hasRoomFor('owner')], [false, true]);
  runs.push(
    turns.run('owner', () => gate),
    turns.run('another', () => gate),
  );
  assert.equal(turns.hasRoomFor('yet another'), false);
  open();
  await Promise.all(runs);
  assert.equal(turns.hasRoomFor('stranger'), true);
});

test('work that fails frees its turn', async () => {
  const turns = new FairTurns({ atOnceMax: 1, waitingMax: 4 });
  await assert.rejects(
    turns.run('a', () => Promise.reject(new Error('broken'))),
    /broken/,
  );
  assert.equal(await turns.run('a', async () => 'done'), 'done');
});
