import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { rateSharingLimits as limits } from '../limits/server-limits.ts';
import { createRateLimiter, type RatePolicy } from './rate-limit.ts';
import { createRateSharing, type GivenTokens, type SharedBuckets } from './rate-sharing.ts';

/** What a database does, in memory: when each bucket is full again. */
function memoryBuckets() {
  const fullAt = new Map<string, number>();
  const statements: (readonly GivenTokens[])[] = [];
  let isAway = false;
  const buckets: SharedBuckets = {
    async add(given) {
      await sleep(1);
      if (isAway) throw new Error('away');
      statements.push(given);
      const now = performance.now();
      return new Map(
        given.map(({ bucket, ms }) => {
          const next = Math.max(fullAt.get(bucket) ?? 0, now) + ms;
          fullAt.set(bucket, next);
          return [bucket, next - now] as const;
        }),
      );
    },
  };
  return {
    buckets,
    statements,
    goAway: (next: boolean) => {
      isAway = next;
    },
  };
}

/** A process that gives from the same buckets. */
function processOf(
  context: TestContext,
  buckets: SharedBuckets,
  policy: RatePolicy = { perMinute: 60, burst: 40 },
) {
  const failures: unknown[] = [];
  const sharing = createRateSharing({ buckets, onFailure: (error) => failures.push(error) });
  context.after(() => sharing.close());
  const limiter = createRateLimiter(policy, {
    nowMs: () => performance.now(),
    shared: { sharing, kind: 'test' },
  });
  return { ...limiter, sharing, failures };
}

const heard = () => sleep(limits.roundMs + 50);

describe('rates that are counted together', () => {
  test('what one has given the other does not give again', async (context) => {
    const { buckets } = memoryBuckets();
    const [first, second] = [processOf(context, buckets), processOf(context, buckets)];
    assert.equal(first.take('a', 35).isAllowed, true);
    assert.equal(second.take('a', 1).isAllowed, true);
    await heard();
    assert.equal(second.take('a', 10).isAllowed, false);
    assert.equal(second.look('a').remaining < 6, true);
    assert.equal(second.take('b', 40).isAllowed, true, 'another caller has its own');
  });

  test('what was given twice in the same moment is waited for afterwards', async (context) => {
    const { buckets } = memoryBuckets();
    const all = [processOf(context, buckets), processOf(context, buckets), processOf(context, buckets)];
    for (const { take } of all) assert.equal(take('a', 40).isAllowed, true);
    await heard();
    const waits = all.map(({ take }) => {
      const { isAllowed, remaining, resetSeconds } = take('a');
      assert.deepEqual([isAllowed, remaining], [false, 0]);
      return resetSeconds;
    });
    assert.ok(Math.max(...waits) > 35, 'what was given too much is paid back');
  });

  test('over a while all together give what one alone would', async (context) => {
    const { buckets } = memoryBuckets();
    const policy = { perMinute: 6_000, burst: 100 };
    const all = [1, 2, 3].map(() => processOf(context, buckets, policy));
    let given = 0;
    const begun = performance.now();
    while (performance.now() - begun < 3_000) {
      for (const { take } of all) for (let n = 0; n < 5; n++) if (take('a').isAllowed) given += 1;
      await sleep(5);
    }
    const fair = 100 + ((performance.now() - begun) / 60_000) * 6_000;
    assert.ok(given < fair * 1.5, `${given} of ${fair}`);
    assert.ok(given >= 100, `${given} of ${fair}`);
  });

  test('many calls of many callers are few statements', async (context) => {
    const { buckets, statements } = memoryBuckets();
    const { take } = processOf(context, buckets, { perMinute: 1_000_000, burst: 1_000_000 });
    for (let round = 0; round < 20; round++) {
      for (let caller = 0; caller < 100; caller++) take(`caller ${caller}`);
      await sleep(10);
    }
    await heard();
    assert.ok(statements.length <= 6, `${statements.length}`);
    for (const given of statements)
      assert.equal(new Set(given.map(({ bucket }) => bucket)).size, given.length);
  });

  test('a flood of callers is told in pieces of bounded size', async (context) => {
    const { buckets, statements } = memoryBuckets();
    const { take } = processOf(context, buckets);
    for (let caller = 0; caller < limits.pendingMax + 100; caller++) take(`caller ${caller}`);
    await heard();
    assert.ok(statements.length > 0);
    for (const given of statements) assert.ok(given.length <= limits.bucketsMax);
  });

  test('while nothing can be added up each counts for itself, and says so once', async (context) => {
    const { buckets, goAway } = memoryBuckets();
    const { take, failures } = processOf(context, buckets);
    goAway(true);
    assert.equal(take('a', 40).isAllowed, true);
    assert.equal(take('a').isAllowed, false);
    await heard();
    take('b');
    await heard();
    assert.equal(failures.length, 1);
    goAway(false);
    take('c');
    await heard();
    goAway(true);
    take('d');
    await heard();
    assert.equal(failures.length, 2);
  });

  test('what is refused is not told', async (context) => {
    const { buckets, statements } = memoryBuckets();
    const { take } = processOf(context, buckets);
    assert.equal(take('a', 41).isAllowed, false);
    await heard();
    assert.deepEqual(statements, []);
  });

  test('a bucket that the others have never heard of stays as it is', async (context) => {
    const { take, sharing } = processOf(context, { add: async () => new Map() });
    assert.equal(take('a', 30).isAllowed, true);
    await heard();
    assert.equal(take('a', 11).isAllowed, false);
    await sharing.close();
    assert.equal(take('a', 5).isAllowed, true, 'also when it is closed');
  });
});
