import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTokenName } from './token-name.ts';

const answered = (value: string) =>
  readTokenName({ result: { query_rets: [{ result: { value } }] } } as never);

test('a token is called as its contract says', () => {
  assert.deepEqual(answered('{"contractInfo":{"name":"Example coin","symbol":"EXC","decimals":2}}'), {
    name: 'Example coin',
    symbol: 'EXC',
  });
});

test('what says nothing that could be a name has none', () => {
  for (const value of [
    '',
    '{}',
    '[]',
    '{"contractInfo":[]}',
    '{"contractInfo":{"symbol":"EXC"}}',
    '{"contractInfo":{"name":7,"symbol":"EXC"}}',
    '{"contractInfo":{"name":" ","symbol":"EXC"}}',
    `{"contractInfo":{"name":"${'E'.repeat(65)}","symbol":"EXC"}}`,
  ])
    assert.equal(answered(value), null, value);
  assert.equal(readTokenName({} as never), null);
});
