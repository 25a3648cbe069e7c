import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { int64Max } from '../../limits/consensus.ts';
import type { AssetStore, IssueAsset } from '../../proto/ledger_pb.ts';
import { codes } from '../terms/codes.ts';
import { stateKeys } from '../terms/state.ts';
import { createTestLedger, MemoryState, operation } from '../testing/test-ledger.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');
const { account, address, attempt, check } = createTestLedger({ sha256 });
const [alice, bob] = [address('alice'), address('bob')];
const rich = 100_000_000n;

const issueAsset = (fields: Partial<Pick<IssueAsset, 'code' | 'amount'>>) =>
  operation('issueAsset', { code: 'CNY', amount: 5n, ...fields });
const holdingOf = (code: string) => stateKeys.asset(alice, { issuer: alice, code });

describe('issue_asset, static rules', () => {
  const refused = {
    'amount 0': { amount: 0n },
    'negative amount': { amount: -1n },
    'no code': { code: '' },
    '65 bytes of code': { code: 'x'.repeat(65) },
    '22 characters that make 66 bytes': { code: '€'.repeat(22) },
    '17 characters that make 68 bytes': { code: '😀'.repeat(17) },
    'white space in front': { code: ' CNY' },
    'white space at the end': { code: 'CNY\n' },
    'nothing but white space': { code: ' ' },
    'tab in front': { code: '\tCNY' },
  };
  for (const [name, fields] of Object.entries(refused)) {
    it(`${name}: ${codes.invalidAsset}, dropped without a trace`, () => {
      assert.equal(check(issueAsset(fields)), codes.invalidAsset);
      const { verdict, effects } = attempt(new MemoryState([account('alice', rich)]), {
        operations: [issueAsset(fields)],
      });
      assert.equal(verdict, 'dropped');
      assert.equal(effects.size, 0);
    });
  }

  it('a missing body is a parameter error', () => {
    assert.equal(check(operation('issueAsset', undefined)), codes.invalidParameter);
  });

  it('codes of 1 to 64 bytes and amounts from 1 to the largest int64 pass', () => {
    for (const code of ['x', 'x'.repeat(64), '€'.repeat(21), '😀'.repeat(16), 'a b', 'a/b']) {
      assert.equal(check(issueAsset({ code })), 0, code);
    }
    for (const amount of [1n, int64Max]) assert.equal(check(issueAsset({ amount })), 0);
  });
});

describe('issue_asset, applied', () => {
  it('the source holds the amount of an asset of its own, and nothing else changes', () => {
    const before = new MemoryState([account('alice', rich), account('bob', 0n)]);
    const { effects, verdict } = attempt(before, { operations: [issueAsset({})] });
    assert.equal(verdict, 'done');
    assert.deepEqual([...effects.keys()], [holdingOf('CNY')]);
    const holding = effects.get(holdingOf('CNY')) as AssetStore;
    assert.deepEqual([holding.key?.issuer, holding.key?.code, holding.key?.type], [alice, 'CNY', 0]);
    assert.equal(holding.amount, 5n);
  });

  it('adds to what is there; the issuer is the operation’s own source', () => {
    const before = new MemoryState([account('alice', rich), account('bob', 0n)])
      .withAsset(bob, bob, { code: 'CNY', amount: 7n })
      .withAsset(bob, alice, { code: 'CNY', amount: 100n });
    const operations = [operation('issueAsset', { code: 'CNY', amount: 5n }, { sourceAddress: bob })];
    const { effects } = attempt(before, { operations, signers: ['alice', 'bob'] });
    assert.deepEqual([...effects.keys()], [stateKeys.asset(bob, { issuer: bob, code: 'CNY' })]);
    assert.equal((effects.values().next().value as AssetStore).amount, 12n);
  });

  it('codes that differ only in case or in a slash are different assets', () => {
    const before = new MemoryState([account('alice', rich)]);
    const order = {
      operations: ['a', 'A', 'a/', 'a/b'].map((code) => issueAsset({ code })),
      feeLimit: 50_000_000n,
    };
    assert.equal(attempt(before, order).effects.size, 4);
  });

  it('at most the largest int64 is held', () => {
    const before = new MemoryState([account('alice', rich)]).withAsset(alice, alice, {
      code: 'CNY',
      amount: int64Max - 5n,
    });
    const full = attempt(before, { operations: [issueAsset({ amount: 5n })] });
    assert.equal((full.effects.get(holdingOf('CNY')) as AssetStore).amount, int64Max);
    const tooMuch = attempt(before, { operations: [issueAsset({ amount: 6n })] });
    assert.deepEqual([tooMuch.verdict, tooMuch.code], ['failed', codes.assetTooLarge]);
    assert.equal(tooMuch.effects.size, 0);
  });
});
