import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { type TurnOptions, Turns } from './turns.ts';

/** Work that notes when it begins and ends when told. */
function makeWork(turns: Turns) {
  const running: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string, options?: TurnOptions) =>
    turns.run(async () => {
      running.push(name);
      await new Promise<void>((end) => ends.set(name, end));
      running.splice(running.indexOf(name), 1);
      return name;
    }, options);
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
    const all = { needed: turns.count };
    const done = [start('a'), start('alone', all), start('alone too', all), start('b')];
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

  test('are not kept for who no longer waits', async () => {
    const turns = new Turns(2);
    const { start, end, running } = makeWork(turns);
    const patience = new AbortController();
    const hanging = start('hanging');
    const alone = start('alone', { needed: turns.count, signal: patience.signal });
    const behind = start('behind');
    await nextTick();
    assert.deepEqual(running, ['hanging']);
    patience.abort(new Error('enough waited'));
    await assert.rejects(alone, /enough waited/);
    assert.deepEqual([running, turns.waiting], [['hanging', 'behind'], 0]);
    await assert.rejects(start('late', { signal: patience.signal }), /enough waited/);
    await end('hanging');
    await end('behind');
    await Promise.all([hanging, behind]);
  });

  test('belong to the work once it runs', async () => {
    const turns = new Turns(1);
    const { start, end, running } = makeWork(turns);
    const patience = new AbortController();
    const work = start('work', { signal: patience.signal });
    const next = start('next');
    await nextTick();
    patience.abort(new Error('enough waited'));
    await nextTick();
    assert.deepEqual([running, turns.waiting], [['work'], 1]);
    await end('work');
    await end('next');
    assert.deepEqual(await Promise.all([work, next]), ['work', 'next']);
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
