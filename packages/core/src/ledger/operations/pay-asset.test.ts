import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { int64Max } from '../../limits/consensus.ts';
import { AssetKeySchema, type AssetStore, ContractSchema } from '../../proto/ledger_pb.ts';
import { codes } from '../terms/codes.ts';
import type { ContractCall, ContractEngine } from '../terms/engine.ts';
import { stateKeys } from '../terms/state.ts';
import { createTestLedger, MemoryState, operation, type Violation } from '../testing/test-ledger.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');
const { account, address, attempt, check } = createTestLedger({ sha256 });
const [alice, bob, carol] = [address('alice'), address('bob'), address('carol')];
const rich = 100_000_000n;

interface Fields {
  readonly destAddress?: string;
  readonly issuer?: string;
  readonly code?: string;
  readonly type?: number;
  readonly amount?: bigint;
  readonly input?: string;
}
const payAsset = ({
  destAddress = bob,
  issuer = carol,
  code = 'CNY',
  type = 0,
  amount = 5n,
  input,
}: Fields) => operation('payAsset', { destAddress, asset: { key: { issuer, code, type }, amount }, input });
const key = { issuer: carol, code: 'CNY' };

const assetViolations: Violation<Fields>[] = [
  { rule: 'asset type', code: codes.invalidAsset, fields: { type: 1 } },
  { rule: 'amount 0', code: codes.invalidAsset, fields: { amount: 0n } },
  { rule: 'negative amount', code: codes.invalidAsset, fields: { amount: -1n } },
  { rule: 'no code', code: codes.invalidAsset, fields: { code: '' } },
  { rule: 'code of 65 bytes', code: codes.invalidAsset, fields: { code: 'x'.repeat(65) } },
  { rule: 'code of 22 characters and 66 bytes', code: codes.invalidAsset, fields: { code: '€'.repeat(22) } },
  { rule: 'no issuer', code: codes.invalidAsset, fields: { issuer: '' } },
  { rule: 'broken issuer', code: codes.invalidAsset, fields: { issuer: carol.slice(1) } },
];
const destinationViolations: Violation<Fields>[] = [
  { rule: 'pays itself', code: codes.sourceIsDestination, fields: { destAddress: alice } },
  { rule: 'no destination', code: codes.invalidAddress, fields: { destAddress: '' } },
  { rule: 'broken destination', code: codes.invalidAddress, fields: { destAddress: `${bob} ` } },
];

describe('pay_asset, static rules', () => {
  for (const { rule, code, fields } of [...assetViolations, ...destinationViolations]) {
    it(`${rule}: ${code}, dropped without a trace`, () => {
      assert.equal(check(payAsset(fields)), code);
      const { verdict, effects } = attempt(new MemoryState([account('alice', rich)]), {
        operations: [payAsset(fields)],
      });
      assert.equal(verdict, 'dropped');
      assert.equal(effects.size, 0);
    });
  }

  it('the asset is judged before the destination', () => {
    for (const asset of assetViolations) {
      for (const destination of destinationViolations) {
        assert.equal(check(payAsset({ ...destination.fields, ...asset.fields })), asset.code, asset.rule);
      }
    }
  });

  it('a missing body is a parameter error', () => {
    assert.equal(check(operation('payAsset', undefined)), codes.invalidParameter);
  });

  it('an asset without a key is invalid, unless it says nothing at all', () => {
    assert.equal(
      check(operation('payAsset', { destAddress: bob, asset: { amount: 5n } })),
      codes.invalidAsset,
    );
    assert.equal(check(operation('payAsset', { destAddress: bob, asset: {} })), 0);
    assert.equal(check(operation('payAsset', { destAddress: bob, asset: { key: {} } })), 0);
    assert.equal(check(operation('payAsset', { destAddress: bob })), 0);
    assert.equal(check(operation('payAsset', { destAddress: alice })), codes.sourceIsDestination);
  });

  it('codes of 1 to 64 bytes and amounts from 1 to the largest int64 pass', () => {
    for (const code of ['x', 'x'.repeat(64), '€'.repeat(21), '😀'.repeat(16)]) {
      assert.equal(check(payAsset({ code })), 0, code);
    }
    for (const amount of [1n, int64Max]) assert.equal(check(payAsset({ amount })), 0);
    assert.equal(check(payAsset({ issuer: alice })), 0);
  });

  it('white space around a code is no static error: nobody can hold such an asset', () => {
    const before = new MemoryState([account('alice', rich), account('bob', 0n)]);
    const { verdict, code, effects } = attempt(before, { operations: [payAsset({ code: ' CNY' })] });
    assert.deepEqual([verdict, code, effects.size], ['failed', codes.lowAsset, 0]);
  });
});

describe('pay_asset, applied', () => {
  const holders = (alices: bigint, bobs?: bigint): MemoryState => {
    const state = new MemoryState([account('alice', rich), account('bob', 0n)]);
    state.withAsset(alice, carol, { code: 'CNY', amount: alices });
    if (bobs !== undefined) state.withAsset(bob, carol, { code: 'CNY', amount: bobs });
    return state;
  };
  const amountIn = (effects: ReadonlyMap<string, unknown>, owner: string): bigint | undefined =>
    (effects.get(stateKeys.asset(owner, key)) as AssetStore | undefined)?.amount;

  it('moves the amount and nothing else', () => {
    const { verdict, effects } = attempt(holders(8n, 1n), { operations: [payAsset({})] });
    assert.equal(verdict, 'done');
    assert.equal(effects.size, 2);
    assert.equal(amountIn(effects, alice), 3n);
    assert.equal(amountIn(effects, bob), 6n);
  });

  it('a holding that reaches 0 leaves the state', () => {
    const { effects } = attempt(holders(5n), { operations: [payAsset({})] });
    assert.equal(effects.get(stateKeys.asset(alice, key)), null);
    assert.equal(amountIn(effects, bob), 5n);
  });

  it('nobody pays more than they hold', () => {
    const tooMuch = attempt(holders(4n), { operations: [payAsset({})] });
    assert.deepEqual([tooMuch.verdict, tooMuch.code], ['failed', codes.lowAsset]);
    assert.equal(tooMuch.effects.size, 0);
    const never = attempt(holders(9n), { operations: [payAsset({ code: 'USD' })] });
    assert.deepEqual([never.code, never.effects.size], [codes.lowAsset, 0]);
    const namesake = attempt(holders(9n), { operations: [payAsset({ issuer: alice })] });
    assert.deepEqual([namesake.code, namesake.effects.size], [codes.lowAsset, 0]);
  });

  it('a receiver holds at most the largest int64', () => {
    const full = attempt(holders(8n, int64Max - 5n), { operations: [payAsset({})] });
    assert.equal(amountIn(full.effects, bob), int64Max);
    const tooMuch = attempt(holders(8n, int64Max - 4n), { operations: [payAsset({})] });
    assert.deepEqual([tooMuch.verdict, tooMuch.code], ['failed', codes.assetTooLarge]);
    assert.equal(tooMuch.effects.size, 0);
  });

  it('never creates an account; a missing one decides before a missing asset', () => {
    for (const amount of [1n, 100n]) {
      const order = { operations: [payAsset({ destAddress: address('nobody'), amount })] };
      const { verdict, code, effects } = attempt(holders(8n), order);
      assert.deepEqual([verdict, code, effects.size], ['failed', codes.accountMissing, 0]);
    }
  });

  it('the holding decides before the receiver’s overflow', () => {
    const order = { operations: [payAsset({ amount: 9n })] };
    assert.equal(attempt(holders(8n, int64Max), order).code, codes.lowAsset);
  });

  it('without an asset pays nothing to what is no contract', () => {
    for (const asset of [undefined, {}, { key: {} }]) {
      const reached = attempt(holders(8n), {
        operations: [operation('payAsset', { destAddress: bob, asset })],
      });
      assert.deepEqual(
        [reached.verdict, reached.code, reached.effects.size],
        ['failed', codes.invalidAsset, 0],
      );
      const destAddress = address('nobody');
      const lost = attempt(holders(8n), { operations: [operation('payAsset', { destAddress, asset })] });
      assert.deepEqual([lost.code, lost.effects.size], [codes.accountMissing, 0]);
    }
  });

  it('an issuer that has no account is no obstacle', () => {
    assert.equal(attempt(holders(5n), { operations: [payAsset({})] }).verdict, 'done');
  });
});

describe('pay_asset to a contract', () => {
  const calls: ContractCall[] = [];
  const engine: ContractEngine = {
    run: (call) => {
      calls.push(call);
      return call.input === 'throw'
        ? { kind: 'threw', exception: 'no' }
        : { kind: 'returned', value: 'done' };
    },
  };
  const running = createTestLedger({
    sha256,
    contracts: { engine, checkSyntax: () => [], utils: new Map() },
  });
  const contract = { ...account('bob', 0n), contract: create(ContractSchema, { payload: 'code' }) };
  const before = () =>
    new MemoryState([account('alice', rich), contract]).withAsset(alice, carol, { code: 'CNY', amount: 8n });
  const bare = (input: string) => operation('payAsset', { destAddress: bob, input });

  it('runs its main with what was sent, after it was sent', () => {
    calls.length = 0;
    const { verdict, after } = running.attempt(before(), { operations: [payAsset({ input: 'in' })] });
    assert.equal(verdict, 'done');
    assert.equal(after.assetAmount(bob, create(AssetKeySchema, key)), 5n);
    const [{ code, entry, input, values }] = calls;
    assert.deepEqual([code, entry, input], ['code', 'main', 'in']);
    const parts = ['amount', 'key.issuer', 'key.code'].map((part) => values[`Chain.msg.asset.${part}`]);
    assert.deepEqual(parts, ['5', carol, 'CNY']);
    assert.equal(values['Chain.msg.coinAmount'], '0');
  });

  it('is a bare call without an asset, also as the public SDK writes it', () => {
    const blank = { key: { issuer: '', code: '' }, amount: 0n };
    for (const operations of [
      [bare('in')],
      [operation('payAsset', { destAddress: bob, input: 'in', asset: blank })],
    ]) {
      calls.length = 0;
      const { verdict, effects } = running.attempt(before(), { operations });
      assert.deepEqual([verdict, effects.size, calls.length], ['done', 0, 1]);
      assert.equal('Chain.msg.asset.amount' in calls[0].values, false);
    }
  });

  it('is undone when main throws, and runs nothing when it fails itself', () => {
    const thrown = running.attempt(before(), { operations: [payAsset({ input: 'throw' })] });
    assert.deepEqual([thrown.code, thrown.effects.size], [codes.contractFailed, 0]);
    calls.length = 0;
    assert.equal(running.attempt(before(), { operations: [payAsset({ amount: 9n })] }).code, codes.lowAsset);
    assert.deepEqual(calls, []);
  });
});
