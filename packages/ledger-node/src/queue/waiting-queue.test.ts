import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codes, refuse } from '@symbolon/core/ledger/terms/codes';
import fc from 'fast-check';
import { NaivePool } from '../testing/naive-pool.ts';
import { type MempoolOptions, type TakeLimits, type Waiting, WaitingQueue } from './waiting-queue.ts';

const everything: TakeLimits = {
  transactionsMax: Number.POSITIVE_INFINITY,
  bytesMax: Number.POSITIVE_INFINITY,
};
const lifetimeMs = 600_000;
const dropped = refuse('lowBalance', 'cannot pay');
const pushedOut = 'dropped: pushed out of the full queue by a better one';
const replaced = 'dropped: replaced by one of the same nonce with a higher gas price';

type Bench = ReturnType<typeof bench>;

/** Hashes read `source:nonce` unless a test names them. */
function bench(options: Partial<MempoolOptions<Waiting>> = {}) {
  /** The durable state: what a test sets here is what `accountNonce` answers. */
  const nonces = new Map<string, bigint>();
  const evicted: string[] = [];
  const pool = new WaitingQueue<Waiting>({
    transactionsMax: 1_000,
    transactionsPerAccountMax: 100,
    lifetimeMs,
    departedHashesMax: 100,
    accountNonce: (address) => nonces.get(address) ?? 0n,
    onEvicted: ({ hash }, { description }) => evicted.push(`${hash} ${description}`),
    ...options,
  });
  const hashes = (transactions: Waiting[]): string[] => transactions.map(({ hash }) => hash);
  return {
    pool,
    nonces,
    evicted,
    add(source: string, nonce: number, more: Partial<Waiting> = {}): number {
      const base = { hash: `${source}:${nonce}`, source, nonce: BigInt(nonce), gasPrice: 10n, bytes: 100 };
      return pool.add({ ...base, arrivedAtMs: 0, ...more })?.code ?? 0;
    },
    take: (limits: Partial<TakeLimits> = {}): string[] => hashes(pool.take({ ...everything, ...limits })),
    list: (limit = Number.POSITIVE_INFINITY): string[] => hashes(pool.list(limit)),
    /** Makes a block durable: the state moves on, then the queue settles. */
    commit(...pairs: [source: string, nonce: number][]): void {
      const executed = pairs.map(([source, nonce]) => ({ source, nonce: BigInt(nonce) }));
      for (const { source, nonce } of executed) nonces.set(source, nonce);
      pool.settle(executed);
    },
  };
}

describe('reach', () => {
  it('ends at the first nonce that is missing, whatever is taken or executed', () => {
    const { pool, add, take, commit } = bench();
    for (const nonce of [1, 2, 4, 5]) add('a', nonce);
    add('b', 2);
    const reach = () => ['a:1', 'a:2', 'a:3', 'a:4', 'a:5', 'b:2'].filter((hash) => pool.isInReach(hash));
    assert.deepEqual(reach(), ['a:1', 'a:2']);
    take();
    assert.deepEqual(reach(), ['a:1', 'a:2']);
    add('a', 3);
    assert.deepEqual(reach(), ['a:1', 'a:2', 'a:3', 'a:4', 'a:5']);
    commit(['a', 1], ['a', 2]);
    assert.deepEqual(reach(), ['a:3', 'a:4', 'a:5']);
  });
});

describe('admission', () => {
  it('answers 3 to a transaction it already holds, taken or not', () => {
    const { add, take } = bench();
    assert.equal(add('a', 1), 0);
    assert.equal(add('a', 1), codes.alreadyExists);
    take();
    assert.equal(add('a', 1), codes.alreadyExists);
  });

  it('answers 99 to a nonce the account has passed', () => {
    const { add, nonces, pool } = bench();
    nonces.set('a', 5n);
    assert.equal(add('a', 5), codes.badNonce);
    assert.equal(add('a', 6), 0);
    assert.equal(pool.size, 1);
  });

  it('replaces the same nonce for 110 % of the price, and answers 160 to less', () => {
    const { add, list, evicted, pool } = bench();
    add('a', 1, { hash: 'old', gasPrice: 1_000n });
    assert.equal(add('a', 1, { hash: 'cheap', gasPrice: 1_099n }), codes.queueRefused);
    assert.deepEqual(evicted, []);
    assert.equal(add('a', 1, { hash: 'dear', gasPrice: 1_100n }), 0);
    assert.deepEqual(list(), ['dear']);
    assert.deepEqual(evicted, [`old ${replaced}`]);
    assert.equal(pool.get('old'), undefined);
  });

  it('replaces neither a price of 0 by 0 nor what is in a block being built', () => {
    const { add, take } = bench();
    add('a', 1, { gasPrice: 0n });
    assert.equal(add('a', 1, { hash: 'again', gasPrice: 0n }), codes.queueRefused);
    assert.equal(add('a', 1, { hash: 'paid', gasPrice: 1n }), 0);
    take();
    assert.equal(add('a', 1, { hash: 'dear', gasPrice: 1_000n }), codes.queueRefused);
  });

  it('holds each account to its limit, taken ones counted, replacements allowed', () => {
    const { add, take, commit } = bench({ transactionsPerAccountMax: 2 });
    add('a', 1);
    add('a', 2);
    assert.equal(add('a', 3), codes.queueRefused);
    assert.equal(add('a', 2, { hash: 'dear', gasPrice: 11n }), 0);
    assert.equal(add('b', 1), 0);
    take();
    assert.equal(add('a', 3), codes.queueRefused);
    commit(['a', 1], ['a', 2]);
    assert.equal(add('a', 3), 0);
  });

  it('gives a nonce that fills a gap the place of the last waiting one', () => {
    const { add, list, evicted } = bench({ transactionsPerAccountMax: 2 });
    add('a', 2, { hash: 'second' });
    add('a', 4, { hash: 'fourth' });
    assert.equal(add('a', 5), codes.queueRefused);
    assert.equal(add('a', 1, { hash: 'first' }), 0);
    assert.deepEqual(list(), ['first', 'second']);
    assert.deepEqual(evicted, [`fourth dropped: an earlier nonce took the last of the account's places`]);
    assert.equal(add('a', 3), codes.queueRefused);
  });

  it('remembers what no block can hold any more as expired', () => {
    let past = false;
    const { add, pool, list } = bench({ isPast: ({ hash }) => past && hash.startsWith('late') });
    for (const [nonce, hash] of ['late one', 'late two', 'fine', 'late three'].entries())
      add('a', nonce + 1, { hash });
    assert.equal(pool.departed('late one')?.code, undefined);
    past = true;
    assert.equal(pool.departed('late one')?.code, codes.timeout);
    pool.remove('late two', dropped);
    assert.equal(pool.departed('late two')?.code, codes.timeout);
    pool.expire(0);
    assert.deepEqual(list(), ['fine']);
    assert.deepEqual([pool.departed('late three')?.code, pool.departed('fine')], [codes.timeout, undefined]);
  });

  it('pushes out the worst when full, and answers 114 when that is the newcomer', () => {
    const { add, list, evicted, pool } = bench({ transactionsMax: 3 });
    add('a', 1);
    add('b', 1, { gasPrice: 5n });
    add('c', 2);
    assert.equal(add('d', 3, { gasPrice: 99n }), codes.queueFull);
    assert.equal(add('d', 2), codes.queueFull, 'of equals the later one goes');
    assert.equal(add('d', 1, { gasPrice: 7n }), 0);
    assert.deepEqual(evicted, [`c:2 ${pushedOut}`]);
    assert.equal(add('e', 1, { gasPrice: 6n }), 0);
    assert.deepEqual(evicted, [`c:2 ${pushedOut}`, `b:1 ${pushedOut}`]);
    assert.equal(add('a', 1, { hash: 'dear', gasPrice: 20n }), 0);
    assert.deepEqual(list(), ['dear', 'd:1', 'e:1']);
    assert.equal(pool.size, 3);
  });

  it('never pushes out what is in a block being built', () => {
    const { add, take, evicted } = bench({ transactionsMax: 1 });
    add('a', 1, { gasPrice: 1n });
    take();
    assert.equal(add('b', 1, { gasPrice: 100n }), codes.queueFull);
    assert.deepEqual(evicted, []);
  });

  it('can push out a later transaction of the newcomer’s own account', () => {
    const { add, list } = bench({ transactionsMax: 2 });
    add('a', 2);
    add('a', 3);
    assert.equal(add('a', 1), 0);
    assert.deepEqual(list(), ['a:1', 'a:2']);
  });

  it('is bounded in bytes too, and a refused newcomer costs nobody a place', () => {
    const { add, list, evicted } = bench({ bytesMax: 300 });
    add('a', 1, { gasPrice: 30n });
    add('b', 1, { gasPrice: 20n });
    add('c', 1, { gasPrice: 5n });
    assert.equal(add('d', 1, { bytes: 250 }), codes.queueFull, 'only one of three is worse');
    assert.equal(add('b', 1, { hash: 'long', gasPrice: 29n, bytes: 250 }), codes.queueFull);
    assert.deepEqual(list(), ['a:1', 'b:1', 'c:1']);
    assert.deepEqual(evicted, []);
    assert.equal(add('d', 1, { gasPrice: 25n, bytes: 200 }), 0);
    assert.deepEqual(list(), ['a:1', 'd:1']);
    assert.deepEqual(evicted, [`c:1 ${pushedOut}`, `b:1 ${pushedOut}`]);
  });
});

describe('order', () => {
  it('is distance to the account’s nonce, then price, then arrival', () => {
    const { add, list, nonces } = bench();
    nonces.set('d', 50n);
    add('a', 2, { gasPrice: 1_000n });
    add('a', 1, { gasPrice: 1n });
    add('b', 1);
    add('c', 1);
    add('d', 51, { gasPrice: 11n });
    assert.deepEqual(list(), ['d:51', 'b:1', 'c:1', 'a:1', 'a:2']);
    assert.deepEqual(list(2), ['d:51', 'b:1']);
    assert.deepEqual(list(0), []);
  });

  it('lists what is in a block being built', () => {
    const { add, list, take, pool } = bench();
    add('a', 1);
    add('a', 2);
    assert.deepEqual(take({ transactionsMax: 1 }), ['a:1']);
    assert.deepEqual(list(), ['a:1', 'a:2']);
    assert.equal(pool.get('a:1')?.source, 'a');
    assert.ok(pool.has('a:1'));
  });
});

describe('blocks', () => {
  it('takes in queue order up to both limits', () => {
    const { add, take } = bench();
    add('a', 1);
    add('a', 2, { bytes: 60 });
    add('b', 1, { gasPrice: 20n });
    add('c', 1, { gasPrice: 5n });
    assert.deepEqual(take({ transactionsMax: 2 }), ['b:1', 'a:1']);
    assert.deepEqual(take({ bytesMax: 159 }), ['c:1']);
    assert.deepEqual(take({ bytesMax: 60 }), ['a:2']);
    assert.deepEqual(take(), []);
  });

  it('does not let one that fits no block hold up the others', () => {
    const { add, take } = bench();
    add('a', 1, { gasPrice: 99n, bytes: 1_000 });
    add('a', 2);
    add('b', 1);
    assert.deepEqual(take({ bytesMax: 500 }), ['b:1']);
    assert.deepEqual(take({ bytesMax: 1_100 }), ['a:1', 'a:2']);
  });

  it('skips an account from its first gap on, until the gap is filled', () => {
    const { add, take } = bench();
    add('a', 1);
    add('a', 3);
    add('b', 2);
    assert.deepEqual(take(), ['a:1']);
    add('a', 2);
    assert.deepEqual(take(), ['a:2', 'a:3']);
    assert.deepEqual(take(), []);
  });

  it('never hands out twice', () => {
    const { add, take } = bench();
    add('a', 1);
    assert.deepEqual(take(), ['a:1']);
    assert.deepEqual(take(), []);
    add('a', 2);
    assert.deepEqual(take(), ['a:2']);
  });

  it('forgets what a durable block holds, and a rival with the same pair', () => {
    const { add, take, commit, list, pool } = bench();
    add('a', 1);
    add('a', 2);
    add('b', 1);
    assert.deepEqual(take({ transactionsMax: 1 }), ['a:1']);
    commit(['a', 1], ['b', 1], ['stranger', 9]);
    assert.deepEqual(list(), ['a:2']);
    assert.deepEqual(take(), ['a:2']);
    assert.equal(pool.has('b:1'), false);
  });

  it('drops what the account’s nonce has passed, and readies the next', () => {
    const { add, take, commit, list } = bench();
    for (const nonce of [2, 4, 5, 6]) add('a', nonce);
    assert.deepEqual(take(), []);
    commit(['a', 4]);
    assert.deepEqual(list(), ['a:5', 'a:6']);
    assert.deepEqual(take(), ['a:5', 'a:6']);
  });

  it('hands out again what was released, in its place', () => {
    const { add, take, commit, pool } = bench();
    for (const nonce of [1, 2, 3]) add('a', nonce);
    const taken = pool.take(everything);
    pool.release([taken[0]!]);
    assert.deepEqual(take(), ['a:1']);
    pool.release(taken);
    pool.release(taken);
    assert.deepEqual(take({ transactionsMax: 2 }), ['a:1', 'a:2']);
    commit(['a', 2]);
    pool.release(taken);
    assert.deepEqual(take(), ['a:3']);
  });

  it('drops a released one that the state has passed, and ignores strangers', () => {
    const { add, pool, nonces } = bench();
    add('a', 1);
    const taken = pool.take(everything);
    nonces.set('a', 1n);
    pool.release(taken);
    pool.release(taken);
    assert.equal(pool.size, 0);
  });

  it('removes what the checks dropped: the rest of the account waits for its nonce', () => {
    const { add, take, list, pool } = bench();
    add('a', 1);
    add('a', 2);
    const taken = pool.take(everything);
    pool.remove('a:1', dropped);
    pool.remove('nobody', dropped);
    pool.release(taken);
    assert.deepEqual(list(), ['a:2']);
    assert.deepEqual([pool.departed('a:1'), pool.departed('nobody')], [dropped, undefined]);
    assert.deepEqual(take(), []);
    assert.equal(add('a', 1), 0);
    assert.equal(pool.departed('a:1'), undefined);
    assert.deepEqual(take(), ['a:1', 'a:2']);
  });
});

describe('expiry', () => {
  it('removes and remembers what has waited longer than its lifetime, not what is taken', () => {
    const { add, take, pool, list } = bench();
    add('a', 1, { arrivedAtMs: 1_000 });
    add('b', 1, { arrivedAtMs: 2_000 });
    add('c', 1, { arrivedAtMs: 1_000, gasPrice: 99n });
    assert.deepEqual(take({ transactionsMax: 1 }), ['c:1']);
    assert.deepEqual(pool.expire(1_000 + lifetimeMs), []);
    assert.equal(pool.expire(1_001 + lifetimeMs)[0]?.hash, 'a:1');
    assert.deepEqual(list(), ['c:1', 'b:1']);
    assert.ok(pool.departed('a:1') && !pool.departed('b:1') && !pool.departed('c:1'));
  });

  it('forgets the expiry of what is submitted again', () => {
    const { add, pool } = bench();
    add('a', 1);
    pool.expire(lifetimeMs + 1);
    assert.equal(add('a', 1, { arrivedAtMs: lifetimeMs }), 0);
    assert.equal(pool.departed('a:1')?.code, undefined);
  });

  it('remembers a bounded number, the latest', () => {
    const { add, pool } = bench({ departedHashesMax: 2 });
    for (const source of ['a', 'b', 'c']) add(source, 1);
    assert.equal(pool.expire(lifetimeMs + 1).length, 3);
    assert.ok(!pool.departed('a:1') && pool.departed('b:1') && pool.departed('c:1'));
  });
});

const steps = fc.array(
  fc.record({
    action: fc.constantFrom(
      'add',
      'add',
      'add',
      'add',
      'take',
      'settle',
      'settleRival',
      'release',
      'remove',
      'expire',
    ),
    source: fc.constantFrom('a', 'b', 'c', 'd'),
    ahead: fc.integer({ min: 0, max: 5 }),
    price: fc.integer({ min: 1, max: 30 }),
    bytes: fc.integer({ min: 1, max: 60 }),
    count: fc.integer({ min: 0, max: 8 }),
  }),
  { maxLength: 120, size: 'max' },
);

/** Drives both pools through one step and compares what they answer. */
function compareStep(
  { pool, nonces }: Bench,
  naive: NaivePool,
  step: {
    action: string;
    source: string;
    ahead: number;
    price: number;
    bytes: number;
    count: number;
    at: number;
  },
): void {
  const { action, source, ahead, at, count } = step;
  const taken = naive.sorted().filter((entry) => entry.taken);
  const waiting = naive.sorted().filter((entry) => !entry.taken);
  const nonce = naive.nonceOf(source) + BigInt(ahead);
  if (action === 'add') {
    const hash = `${source}:${nonce}:${step.price}`;
    const tx = { hash, source, nonce, gasPrice: BigInt(step.price), bytes: step.bytes, arrivedAtMs: at };
    assert.equal(pool.add(tx)?.code ?? 0, naive.add(tx));
  } else if (action === 'take') {
    const limits = { transactionsMax: count, bytesMax: 10 + 4 * step.bytes };
    assert.deepEqual(pool.take(limits), naive.take(limits));
  } else if (action === 'settle' || action === 'settleRival') {
    const executed = action === 'settle' ? taken.slice(0, count).map(({ tx }) => tx) : [{ source, nonce }];
    for (const pair of executed) {
      if (pair.nonce > naive.nonceOf(pair.source)) nonces.set(pair.source, pair.nonce);
    }
    naive.keep(({ tx }) => tx.nonce > naive.nonceOf(tx.source));
    pool.settle(executed);
  } else if (action === 'release') {
    const released = taken.slice(count % 3, count);
    for (const entry of released) entry.taken = false;
    pool.release(released.map(({ tx }) => tx));
  } else if (action === 'remove') {
    const gone = [...waiting, ...taken][count]?.tx.hash ?? 'nobody';
    naive.keep(({ tx }) => tx.hash !== gone);
    pool.remove(gone, dropped);
  } else {
    const late = new Set(waiting.filter(({ tx }) => at - tx.arrivedAtMs > 40).map(({ tx }) => tx.hash));
    naive.keep(({ tx }) => !late.has(tx.hash));
    assert.deepEqual(new Set(pool.expire(at).map(({ hash }) => hash)), late);
    for (const hash of late) assert.ok(pool.departed(hash));
  }
}

describe('against a naive model', () => {
  const limits = fc.record({
    all: fc.integer({ min: 3, max: 12 }),
    account: fc.integer({ min: 2, max: 5 }),
    bytes: fc.integer({ min: 60, max: 400 }),
  });

  it('answers, lists and takes the same under any sequence of calls', () => {
    fc.assert(
      fc.property(steps, limits, (sequence, { all, account, bytes }) => {
        const options = { transactionsMax: all, transactionsPerAccountMax: account, bytesMax: bytes };
        const tested = bench({ ...options, lifetimeMs: 40 });
        const naive = new NaivePool(tested.nonces, { all, account, bytes });
        for (const [at, step] of sequence.entries()) {
          compareStep(tested, naive, { ...step, at });
          const expected = naive.sorted().map(({ tx }) => tx.hash);
          assert.deepEqual(tested.list(), expected);
          assert.deepEqual(tested.list(3), expected.slice(0, 3));
          assert.equal(tested.pool.size, expected.length);
        }
        assert.deepEqual(tested.pool.take(everything), naive.take(everything));
      }),
      { numRuns: 300 },
    );
  });
});

describe('at full size', () => {
  it('takes 100,000 in, pushes out as many, and hands all over in blocks', () => {
    const { add, pool, nonces } = bench({ transactionsMax: 100_000, transactionsPerAccountMax: 1_000 });
    for (let i = 0; i < 100_000; i += 1) {
      add(`account${i % 20_000}`, 1 + Math.floor(i / 20_000), { gasPrice: BigInt(10 + ((i * 7) % 90)) });
    }
    assert.equal(pool.size, 100_000);
    for (let i = 0; i < 20_000; i += 1) assert.equal(add(`late${i}`, 1), 0);
    assert.equal(pool.size, 100_000);
    assert.equal(pool.list(100).length, 100);
    let seen = 0;
    for (let block = pool.take({ transactionsMax: 2_000, bytesMax: 2 ** 24 }); block.length > 0; ) {
      seen += block.length;
      for (const { source, nonce } of block) nonces.set(source, nonce);
      pool.settle(block);
      block = pool.take({ transactionsMax: 2_000, bytesMax: 2 ** 24 });
    }
    assert.equal(seen, 100_000);
    assert.equal(pool.size, 0);
  });
});
