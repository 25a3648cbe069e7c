import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { BrokenInvariant } from '@symbolon/core/basics/assert';
import { HostFault } from '@symbolon/core/basics/host-fault';
import { codes } from '@symbolon/core/ledger/terms/codes';
import { sandboxLimits } from '../limits/node-limits.ts';
import { SandboxQueue } from './sandbox-queue.ts';

/** Keeps the thread busy, as a contract does. */
function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('the queue of the sandbox', () => {
  test('answers what the work answers, in the order it came in', async () => {
    const queue = new SandboxQueue();
    const order: number[] = [];
    const answers = await Promise.all(
      [1, 2, 3].map((number) =>
        queue.run(() => {
          order.push(number);
          return { number };
        }),
      ),
    );
    assert.deepEqual(answers, [{ number: 1 }, { number: 2 }, { number: 3 }]);
    assert.deepEqual(order, [1, 2, 3]);
  });

  test('a failure is the failure of one, and the next has its turn', async () => {
    const queue = new SandboxQueue();
    const failing = queue.run(() => {
      throw new Error('broken');
    });
    const next = queue.run(() => 'fine');
    await assert.rejects(failing, /broken/);
    assert.equal(await next, 'fine');
    assert.equal(await queue.run(() => 'again'), 'again');
  });

  test('whatever fails is a failure of one request, never a reason to end the node', async () => {
    const queue = new SandboxQueue();
    const overflow = (): number => overflow() + 1;
    const broken = () => {
      throw new BrokenInvariant('broken');
    };
    for (const work of [overflow, broken]) {
      const error = await queue.run(work).then(
        () => assert.fail('it did not fail'),
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof HostFault && !(error instanceof BrokenInvariant));
      assert.ok(error.cause instanceof Error, 'what happened is told');
    }
  });

  test('rests as long as it worked, so that others get half of the time', async () => {
    const queue = new SandboxQueue();
    const runs: [start: number, end: number][] = [];
    const jobs = Array.from({ length: 4 }, () =>
      queue.run(() => {
        const start = performance.now();
        work(20);
        runs.push([start, performance.now()]);
      }),
    );
    let turns = 0;
    const ticking = setInterval(() => turns++, 1);
    await Promise.all(jobs);
    clearInterval(ticking);
    for (const [index, [start]] of runs.entries()) {
      if (index === 0) continue;
      const [before, end] = runs[index - 1];
      assert.ok(start - end >= (end - before) * 0.9, `rested ${start - end} ms after ${end - before} ms`);
    }
    assert.ok(turns > 10, `${turns} turns for others`);
  });

  test('short work does not rest, but lets others in between', async (context) => {
    const queue = new SandboxQueue();
    let rests = 0;
    context.mock.method(globalThis, 'setTimeout', (next: () => void) => {
      rests += 1;
      setImmediate(next);
    });
    await Promise.all(Array.from({ length: 200 }, () => queue.run(() => undefined)));
    assert.ok(rests < 20, `${rests} rests`);
  });

  test('who waits too long is answered 5, and the work is not done', async () => {
    const queue = new SandboxQueue();
    let done = 0;
    // The first has its turn at once, before anything waits.
    const first = queue.run(() => undefined);
    const long = queue.run(() => work(sandboxLimits.waitMs / 2 + 50));
    const late = Array.from({ length: 5 }, () => queue.run(() => ++done));
    await Promise.all([first, long]);
    for (const answer of await Promise.all(late))
      assert.equal((answer as { code: number }).code, codes.timeout);
    assert.equal(done, 0);
    assert.equal(await queue.run(() => 'fresh'), 'fresh');
  });

  test('holds a bounded number: the next is answered 5 at once', async () => {
    const queue = new SandboxQueue();
    const first = queue.run(() => 'first');
    const waiting = Array.from({ length: sandboxLimits.waitingMax }, (_, index) => queue.run(() => index));
    const tooMany = await queue.run(() => 'never');
    assert.equal((tooMany as { code: number }).code, codes.timeout);
    assert.equal(await first, 'first');
    assert.deepEqual(await Promise.all(waiting), [...waiting.keys()]);
    await delay(1);
    assert.equal(await queue.run(() => 'room again'), 'room again');
  });
});
