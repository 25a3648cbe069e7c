import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTokenUnit } from './token-unit.ts';

const answered = (value: string) =>
  readTokenUnit({ result: { query_rets: [{ result: { type: 'string', value } }] } } as never);

test('a token says in which unit it is written', () => {
  assert.deepEqual(answered('{"contractInfo":{"symbol":"EXC","decimals":2}}'), {
    symbol: 'EXC',
    decimals: 2,
  });
  assert.deepEqual(answered('{"contractInfo":{"symbol":"EXC","decimals":"6"}}'), {
    symbol: 'EXC',
    decimals: 6,
  });
});

test('what says nothing of the kind is no token', () => {
  for (const value of [
    '',
    'yes',
    '{}',
    '{"contractInfo":{"decimals":2}}',
    '{"contractInfo":{"symbol":"EXC"}}',
    '{"contractInfo":{"symbol":"EXC","decimals":99}}',
    '{"contractInfo":{"symbol":"EXC","decimals":1.5}}',
    `{"contractInfo":{"symbol":"${'E'.repeat(33)}","decimals":2}}`,
  ])
    assert.equal(answered(value), null, value);
  assert.equal(readTokenUnit({ result: undefined } as never), null);
});
