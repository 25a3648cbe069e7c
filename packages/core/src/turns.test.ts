import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { Turns } from './turns.ts';

/** Work that notes when it begins and ends when told. */
function makeWork(turns: Turns) {
  const running: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string, needed?: number) =>
    turns.run(async () => {
      running.push(name);
      await new Promise<void>((end) => ends.set(name, end));
      running.splice(running.indexOf(name), 1);
      return name;
    }, needed);
  const end = async (name: string) => {
    ends.get(name)?.();
    await nextTick();
  };
  return { start, end, running };
}

describe('turns', () => {
  test('go to so many at a time, in the order of coming', async () => {
    const turns = new Turns(2);
    const { start, end, running } = makeWork(turns);
    const done = ['a', 'b', 'c', 'd'].map((name) => start(name));
    await nextTick();
    assert.deepEqual([running, turns.waiting], [['a', 'b'], 2]);
    await end('b');
    assert.deepEqual(running, ['a', 'c']);
    await end('a');
    assert.deepEqual([running, turns.waiting], [['c', 'd'], 0]);
    await end('c');
    await end('d');
    assert.deepEqual(await Promise.all(done), ['a', 'b', 'c', 'd']);
  });

  test('taken all at once leave nobody beside, and nobody overtakes who waits for them', async () => {
    const turns = new Turns(2);
    const { start, end, running } = makeWork(turns);
    const done = [start('a'), start('alone', turns.count), start('alone too', turns.count), start('b')];
    await nextTick();
    assert.deepEqual(running, ['a'], 'one turn is free, but b came last');
    await end('a');
    assert.deepEqual(running, ['alone']);
    await end('alone');
    assert.deepEqual(running, ['alone too']);
    await end('alone too');
    assert.deepEqual(running, ['b']);
    await end('b');
    await Promise.all(done);
  });

  test('are given back by work that fails', async () => {
    const turns = new Turns(1);
    await assert.rejects(
      turns.run(() => Promise.reject(new Error('broken'))),
      /broken/,
    );
    await assert.rejects(
      turns.run(() => {
        throw new Error('broken at once');
      }),
      /at once/,
    );
    assert.equal(await turns.run(async () => 'done'), 'done');
  });
});
