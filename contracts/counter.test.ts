/** The counter: what it counts, and what it refuses to. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { createTestChain, expectFailure } from '@symbolon/contract-kit/test-chain';

const code = readFileSync(new URL('counter.js', import.meta.url), 'utf8');
const start = (input = '') => createTestChain({ contracts: { counter: { code, input } } });
const count = { method: 'count' };
const int64Max = '9223372036854775807';

describe('the counter', () => {
  test('counts for everybody, and says who raised it', () => {
    const chain = start();
    chain.call('counter', { method: 'increment' });
    const { events, returned } = chain.call(
      'counter',
      { method: 'increment', params: { by: '5' } },
      { from: 'bob' },
    );
    assert.equal(chain.query('counter', count), '{"count":"6"}');
    assert.equal(returned, '6', 'a calling contract learns the count');
    const contract = chain.address('counter');
    assert.deepEqual(events, [{ contract, topic: 'increment', values: [chain.address('bob'), '5', '6'] }]);
    assert.deepEqual(chain.storage('counter'), { count: '6' });
  });

  test('starts where it is told to', () => {
    assert.equal(start('41').query('counter', count), '{"count":"41"}');
  });

  for (const input of ['-1', '1.5', '01', 'x', ' 1', '9223372036854775808']) {
    test(`does not start from ${JSON.stringify(input)}`, () => {
      expectFailure(() => start(input), { code: 151, exception: /^The start must/ });
    });
  }

  for (const by of ['0', '-1', '1.5', '', 'x', 1, null, { a: 1 }]) {
    test(`is not raised by ${JSON.stringify(by)}`, () => {
      const chain = start('7');
      const input = { method: 'increment', params: { by } };
      expectFailure(() => chain.call('counter', input), { code: 151, exception: /^by must be/ });
      assert.deepEqual(chain.storage('counter'), { count: '7' });
    });
  }

  test('stops before it would overflow', () => {
    const chain = start(int64Max);
    const failure = expectFailure(() => chain.call('counter', { method: 'increment' }), { code: 151 });
    assert.match(failure.exception ?? '', /int64Add/);
    assert.deepEqual(chain.storage('counter'), { count: int64Max });
  });

  test('knows no other method, and no input that is not JSON', () => {
    const chain = start();
    const unknown = { code: 151, exception: 'There is no such method.' };
    for (const method of ['count', 'constructor', undefined, 1]) {
      expectFailure(() => chain.call('counter', { method }), unknown);
    }
    expectFailure(() => chain.query('counter', { method: 'increment' }), unknown);
    for (const input of ['', 'increment', '{', 'null']) {
      expectFailure(() => chain.call('counter', input), { code: 151, exception: /SyntaxError|TypeError/ });
    }
    assert.deepEqual(chain.storage('counter'), { count: '0' });
  });
});
