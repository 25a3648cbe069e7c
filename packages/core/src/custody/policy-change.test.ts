import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CustodyPolicy, defaultPolicy } from './custody-policy.ts';
import { loosenedBy } from './policy-change.ts';

type Change = Partial<CustodyPolicy>;

const loosened = (before: Change, after: Change): string | undefined =>
  loosenedBy({ ...defaultPolicy, ...before }, { ...defaultPolicy, ...before, ...after });

test('what allows less, or the same, loosens nothing', () => {
  const tighter: [Change, Change][] = [
    [{}, {}],
    [{}, { operations: ['log'] }],
    [{}, { messages: false }],
    [{}, { dailyAmountMax: 5n, dailyCountMax: 1, until: 1_000, dailyAssetMax: { a: 1n } }],
    [{ dailyAmountMax: 5n }, { dailyAmountMax: 4n }],
    [{ dailyAmountMax: 5n }, { dailyAssetMax: {} }],
    [{ dailyAmountMax: 5n, dailyAssetMax: { a: 1n } }, { dailyAssetMax: null }],
    [{ dailyAssetMax: { a: 2n, b: 1n } }, { dailyAssetMax: { a: 1n } }],
    [{ until: 1_000 }, { until: 999 }],
  ];
  for (const [before, after] of tighter) assert.equal(loosened(before, after), undefined);
});

test('what allows more is named', () => {
  const looser: [Change, Change, string][] = [
    [{}, { operations: [...defaultPolicy.operations, 'setPrivilege'] }, 'operations'],
    [{ operations: ['log'] }, { operations: ['payCoin'] }, 'operations'],
    [{ messages: false }, { messages: true }, 'messages'],
    [{ dailyAmountMax: 5n }, { dailyAmountMax: 6n }, 'dailyAmountMax'],
    [{ dailyAmountMax: 5n, dailyAssetMax: {} }, { dailyAmountMax: null }, 'dailyAmountMax'],
    [{ dailyAmountMax: 5n }, { dailyAmountMax: null }, 'dailyAmountMax'],
    [{ dailyCountMax: 5 }, { dailyCountMax: 6 }, 'dailyCountMax'],
    [{ dailyCountMax: 5 }, { dailyCountMax: null }, 'dailyCountMax'],
    [{ until: 1_000 }, { until: 1_001 }, 'until'],
    [{ until: 1_000 }, { until: null }, 'until'],
    [{ dailyAssetMax: { a: 1n } }, { dailyAssetMax: { a: 2n } }, 'dailyAssetMax'],
    [{ dailyAssetMax: { a: 1n } }, { dailyAssetMax: { a: 1n, b: 1n } }, 'dailyAssetMax'],
    [{ dailyAssetMax: {} }, { dailyAssetMax: null }, 'dailyAssetMax'],
    // No asset leaves an account with a cap, unless it has one of its own.
    [{ dailyAmountMax: 5n }, { dailyAssetMax: { a: 1n } }, 'dailyAssetMax'],
    // One thing tighter does not make up for another.
    [{ dailyCountMax: 5 }, { dailyCountMax: 6, dailyAmountMax: 0n }, 'dailyCountMax'],
  ];
  for (const [before, after, member] of looser) assert.equal(loosened(before, after), member);
});
