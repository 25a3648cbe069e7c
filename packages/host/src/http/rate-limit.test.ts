import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addressCaller, createRateLimiter, rateHeaders } from './rate-limit.ts';

function limiter(policy: { perMinute: number; burst?: number }, callersMax?: number) {
  let now = 1_000_000;
  const made = createRateLimiter(policy, { nowMs: () => now, callersMax });
  return {
    ...made,
    pass: (ms: number) => (now += ms),
    allowed: (caller = 'a') => made.take(caller).isAllowed,
  };
}

describe('a bucket', () => {
  it('gives its burst at once and then one token at a time', () => {
    const { allowed, pass } = limiter({ perMinute: 60, burst: 2 });
    assert.deepEqual([allowed(), allowed(), allowed()], [true, true, false]);
    pass(999);
    assert.equal(allowed(), false);
    pass(1);
    assert.deepEqual([allowed(), allowed()], [true, false]);
    pass(1_000_000);
    assert.deepEqual([allowed(), allowed(), allowed()], [true, true, false]);
  });

  it('says what is left and how long to wait, and looking costs nothing', () => {
    const { take, look } = limiter({ perMinute: 6, burst: 2 });
    assert.deepEqual(take('a'), { isAllowed: true, remaining: 1, resetSeconds: 10 });
    assert.deepEqual(look('a'), look('a'));
    take('a');
    assert.deepEqual(take('a'), { isAllowed: false, remaining: 0, resetSeconds: 10 });
    assert.equal(look('a').isAllowed, false);
    assert.deepEqual(look('b'), { isAllowed: true, remaining: 2, resetSeconds: 1 });
  });

  it('gives several tokens at once or none, and says when there are enough', () => {
    const { take, pass } = limiter({ perMinute: 60, burst: 10 });
    assert.deepEqual(take('a', 7.5), { isAllowed: true, remaining: 2, resetSeconds: 8 });
    assert.deepEqual(take('a', 7.5), { isAllowed: false, remaining: 2, resetSeconds: 5 });
    assert.equal(take('a', 2.5).isAllowed, true, 'what was refused cost nothing');
    pass(5_000);
    assert.equal(take('a', 5).isAllowed, true);
    assert.equal(take('a', 11).isAllowed, false);
  });

  it('is each caller’s own', () => {
    const { allowed } = limiter({ perMinute: 1, burst: 1 });
    assert.deepEqual([allowed('a'), allowed('b'), allowed('a'), allowed('b')], [true, true, false, false]);
  });

  it('survives a clock that is set back', () => {
    const { allowed, pass } = limiter({ perMinute: 60, burst: 2 });
    allowed();
    pass(-3_600_000);
    assert.deepEqual([allowed(), allowed()], [true, false]);
  });

  it('never gives more than burst and refill', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 600 }),
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 100 }),
        (perMinute, burst, pauses) => {
          const { allowed, pass } = limiter({ perMinute, burst });
          const given = pauses.filter((ms) => {
            pass(ms);
            return allowed();
          }).length;
          const passed = pauses.reduce((sum, ms) => sum + ms, 0);
          assert.ok(given <= burst + (passed * perMinute) / 60_000 + 1e-6);
        },
      ),
    );
  });

  it('is forgotten beyond a number of callers, oldest first', () => {
    const { allowed } = limiter({ perMinute: 1, burst: 1 }, 3);
    for (const caller of ['a', 'b', 'c', 'd']) assert.equal(allowed(caller), true);
    assert.equal(allowed('d'), false);
    assert.equal(allowed('a'), true);
  });
});

describe('addresses', () => {
  it('of one IPv6 network are one caller', () => {
    assert.equal(addressCaller('192.0.2.1'), '192.0.2.1');
    assert.equal(addressCaller('::ffff:192.0.2.1'), '192.0.2.1');
    const one = addressCaller('2001:db8:0:1::1');
    for (const same of ['2001:0db8:0000:0001:ffff::', '2001:db8:0:1:2:3:4:5', '2001:DB8:0:1::9%eth0'])
      assert.equal(addressCaller(same), one);
    for (const other of ['2001:db8:0:2::1', '2001:db8::1', '::1', 'fe80::1', '64:ff9b::192.0.2.1'])
      assert.notEqual(addressCaller(other), one);
    assert.equal(addressCaller('::1'), '0:0:0:0::/64');
  });
});

it('headers follow the draft', () => {
  const { policy, take } = limiter({ perMinute: 120 });
  assert.deepEqual(rateHeaders('light', policy, take('a')), {
    'ratelimit-policy': '"light";q=30;w=15',
    ratelimit: '"light";r=29;t=1',
  });
});
