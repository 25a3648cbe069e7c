import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { coins, counted, nextLines, partLine } from './banner.ts';

const terminal = { print: () => undefined, remark: () => undefined, isWatched: false, hasColours: false };

describe('the banner', () => {
  test('shows amounts in whole coins, exactly', () => {
    assert.equal(coins(0n, 6), '0');
    assert.equal(coins(1n, 6), '0.000001');
    assert.equal(coins(1_000_000_000_000n, 6), '1,000,000');
    assert.equal(coins(999_999_990_500_000n, 6), '999,999,990.5');
    assert.equal(coins(9_223_372_036_854_775_807n, 0), '9,223,372,036,854,775,807');
    assert.equal(coins(100_000n, 2), '1,000');
  });

  test('counts in words that fit, and has no colours where nobody looks', () => {
    assert.equal(counted(1, 'template'), '1 template');
    assert.equal(counted(0, 'template'), '0 templates');
    const line = partLine(terminal, 'ledger node', { facts: 'block 1', ms: 1_449 });
    assert.match(line, /^ {2}✔ ledger node +block 1 +1\.4s$/);
  });
});

test('what to do next is about the data that were named', () => {
  const line = (data: string) => nextLines(data).join('\n');
  assert.doesNotMatch(line('.symbolon/dev'), /--profile|--data/);
  assert.match(line('.symbolon/other'), /symbolon -- demo --profile other /);
  assert.match(line('.symbolon/other/'), /symbolon -- reset --data \.symbolon\/other\/ /);
  assert.match(line('/srv/a b'), /symbolon -- tail --profile '\/srv\/a b\/demo\.json' /);
});
