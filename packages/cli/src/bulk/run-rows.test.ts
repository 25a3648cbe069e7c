import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as soon } from 'node:timers/promises';
import { runRows } from './run-rows.ts';

async function* upTo(count: number, taken: { count: number } = { count: 0 }): AsyncGenerator<number> {
  for (let number = 0; number < count; number += 1) {
    taken.count += 1;
    yield number;
  }
}

describe('rows under way', () => {
  test('are never more than allowed, and all are worked on', async () => {
    let underWay = 0;
    let most = 0;
    const done: number[] = [];
    const work = async (item: number) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await soon();
      underWay -= 1;
      done.push(item);
    };
    await runRows(upTo(100), { concurrency: 7, work });
    assert.deepEqual([most, new Set(done).size], [7, 100]);
  });

  test('take turns where they concern the same', async () => {
    const busy = new Set<string>();
    const turnOf = (item: number) => `${item % 3}`;
    const work = async (item: number) => {
      assert.ok(!busy.has(turnOf(item)));
      busy.add(turnOf(item));
      await soon();
      busy.delete(turnOf(item));
    };
    await runRows(upTo(30), { concurrency: 8, work, turnOf });
  });

  test('end with the first failure, after what was begun, and take nothing more', async () => {
    const taken = { count: 0 };
    const done: number[] = [];
    const work = async (item: number) => {
      if (item === 5) throw new Error('no more');
      await soon();
      done.push(item);
    };
    await assert.rejects(runRows(upTo(1_000, taken), { concurrency: 3, work }), /no more/);
    assert.deepEqual(done.slice(0, 5), [0, 1, 2, 3, 4]);
    assert.ok(taken.count < 15);
  });

  test('end when they are told to, and when reading fails', async () => {
    let done = 0;
    const work = async () => {
      done += 1;
    };
    await runRows(upTo(100), { concurrency: 2, work, isStopped: () => done >= 10 });
    assert.ok(done >= 10 && done <= 12);
    async function* broken(): AsyncGenerator<number> {
      yield 1;
      throw new Error('unreadable');
    }
    await assert.rejects(runRows(broken(), { concurrency: 2, work }), /unreadable/);
  });
});
