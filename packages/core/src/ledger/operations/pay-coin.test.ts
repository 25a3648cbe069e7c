import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { int64Max } from '../../limits/consensus.ts';
import { ContractSchema, type PayCoin } from '../../proto/ledger_pb.ts';
import { codes } from '../terms/codes.ts';
import type { ContractCall, ContractEngine } from '../terms/engine.ts';
import { newAccount, stateKeys } from '../terms/state.ts';
import {
  createTestLedger,
  MemoryState,
  operation,
  pairsInOrder,
  type Violation,
} from '../testing/test-ledger.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');
const { account, address, attempt, check, rules } = createTestLedger({ sha256 });
const [alice, bob] = [address('alice'), address('bob')];
const fee = 10_000_000n;

type Fields = Partial<Pick<PayCoin, 'destAddress' | 'amount' | 'input'>>;
const payCoin = (fields: Fields) => operation('payCoin', { destAddress: bob, amount: 5n, ...fields });

const violations: Violation<Fields>[] = [
  { rule: 'negative amount', code: codes.invalidParameter, fields: { amount: -1n } },
  { rule: 'pays itself', code: codes.sourceIsDestination, fields: { destAddress: alice } },
  { rule: 'no destination', code: codes.invalidAddress, fields: { destAddress: '' } },
  { rule: 'broken destination', code: codes.invalidAddress, fields: { destAddress: `${bob.slice(0, -1)}1` } },
  {
    rule: 'reserved destination',
    code: codes.invalidAddress,
    fields: { destAddress: rules.keys.addressOfText('1') },
  },
];

describe('pay_coin, static rules', () => {
  for (const { rule, code, fields } of violations) {
    it(`${rule}: ${code}, dropped without a trace`, () => {
      assert.equal(check(payCoin(fields)), code);
      const { verdict, effects } = attempt(new MemoryState([account('alice', 2n * fee)]), {
        operations: [payCoin(fields)],
      });
      assert.equal(verdict, 'dropped');
      assert.equal(effects.size, 0);
    });
  }

  it('of two violations the one whose rule comes first decides', () => {
    for (const { first, both, name } of pairsInOrder(violations)) {
      assert.equal(check(payCoin(both)), first.code, name);
    }
  });

  it('a missing body is a parameter error', () => {
    assert.equal(check(operation('payCoin', undefined)), codes.invalidParameter);
  });

  it('amounts from 0 to the largest int64 and any input pass', () => {
    for (const amount of [0n, 1n, int64Max]) assert.equal(check(payCoin({ amount })), 0);
    assert.equal(check(payCoin({ input: '{"a":"ü"}' })), 0);
  });

  it('the source that counts for paying itself is the operation’s own', () => {
    const order = {
      operations: [operation('payCoin', { destAddress: alice, amount: 1n }, { sourceAddress: bob })],
    };
    const before = new MemoryState([account('alice', 2n * fee), account('bob', 10n)]);
    assert.equal(attempt(before, { ...order, signers: ['alice', 'bob'] }).verdict, 'done');
    assert.equal(check(payCoin({}), 'bob'), codes.sourceIsDestination);
  });
});

describe('pay_coin, applied', () => {
  it('moves the amount and nothing else', () => {
    const before = new MemoryState([account('alice', fee + 5n), account('bob', 3n)]);
    const { verdict, effects } = attempt(before, { operations: [payCoin({})] });
    assert.equal(verdict, 'done');
    assert.deepEqual(
      effects,
      new Map([
        [stateKeys.account(alice), account('alice', fee)],
        [stateKeys.account(bob), account('bob', 8n)],
      ]),
    );
  });

  it('what the fee limit holds back cannot be paid: exactly the rest is the most', () => {
    const before = new MemoryState([account('alice', fee + 5n), account('bob', 0n)]);
    assert.equal(attempt(before, { operations: [payCoin({ amount: 5n })] }).verdict, 'done');
    const tooMuch = attempt(before, { operations: [payCoin({ amount: 6n })] });
    assert.deepEqual([tooMuch.verdict, tooMuch.code], ['failed', codes.lowBalance]);
    assert.equal(tooMuch.effects.size, 0);
    assert.equal(tooMuch.after.account(alice)?.balance, 5n);
    assert.equal(tooMuch.after.account(alice)?.nonce, 1n);
  });

  it('an address without an account gets an ordinary one, even for nothing when there is no reserve', () => {
    const before = new MemoryState([account('alice', 2n * fee)]);
    for (const amount of [0n, 5n]) {
      const { effects } = attempt(before, { operations: [payCoin({ amount })] });
      assert.deepEqual(effects.get(stateKeys.account(bob)), newAccount(bob, amount));
      assert.equal(newAccount(bob, amount).contract, undefined);
    }
  });

  it('0 to an account that exists changes nothing', () => {
    const before = new MemoryState([account('alice', 2n * fee), account('bob', 0n)]);
    const { verdict, effects } = attempt(before, { operations: [payCoin({ amount: 0n })] });
    assert.equal(verdict, 'done');
    assert.equal(effects.size, 0);
  });

  it('a receiver holds at most the largest int64', () => {
    const before = new MemoryState([account('alice', 2n * fee), account('bob', int64Max - 5n)]);
    assert.equal(attempt(before, { operations: [payCoin({ amount: 5n })] }).verdict, 'done');
    const tooMuch = attempt(before, { operations: [payCoin({ amount: 6n })] });
    assert.deepEqual([tooMuch.verdict, tooMuch.code], ['failed', codes.mathOverflow]);
    assert.equal(tooMuch.effects.size, 0);
  });
});

describe('pay_coin with a reserve of 100', () => {
  const reserved = createTestLedger({ sha256, baseReserve: 100n });
  const codeOf = (balance: bigint, amount: bigint, bobs?: bigint): number => {
    const accounts = [account('alice', fee + balance), ...(bobs === undefined ? [] : [account('bob', bobs)])];
    const { code, effects, verdict } = reserved.attempt(new MemoryState(accounts), {
      operations: [payCoin({ amount })],
    });
    if (verdict !== 'done') assert.equal(effects.size, 0);
    return code;
  };

  it('leaves the reserve in the account', () => {
    assert.equal(codeOf(105n, 5n, 0n), 0);
    assert.equal(codeOf(104n, 5n, 0n), codes.lowBalance);
    assert.equal(codeOf(100n, 0n, 0n), 0);
  });

  it('gives a new account at least the reserve', () => {
    assert.equal(codeOf(200n, 100n), 0);
    assert.equal(codeOf(200n, 99n), codes.lowInitialBalance);
    assert.equal(codeOf(200n, 0n), codes.lowInitialBalance);
  });

  it('overflow, then balance, then the new account’s reserve, then the receiver decide', () => {
    assert.equal(codeOf(100n, int64Max - 99n), codes.mathOverflow);
    assert.equal(codeOf(100n, int64Max - 100n), codes.lowBalance);
    assert.equal(codeOf(100n, 99n), codes.lowBalance);
    assert.equal(codeOf(100n, 1n, int64Max), codes.lowBalance);
    assert.equal(codeOf(101n, 1n, int64Max), codes.mathOverflow);
  });
});

describe('pay_coin to a contract', () => {
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
  const before = () => new MemoryState([account('alice', 2n * fee), contract]);

  it('runs its main with input and amount after the payment, also for 0', () => {
    for (const amount of [5n, 0n]) {
      calls.length = 0;
      const { verdict, after } = running.attempt(before(), {
        operations: [payCoin({ amount, input: 'in' })],
      });
      assert.equal(verdict, 'done');
      assert.equal(after.account(bob)?.balance, amount);
      assert.deepEqual(
        calls.map(({ code, entry, input, values }) => [code, entry, input, values['Chain.msg.coinAmount']]),
        [['code', 'main', 'in', String(amount)]],
      );
    }
  });

  it('is undone when main throws', () => {
    const { verdict, code, effects } = running.attempt(before(), {
      operations: [payCoin({ input: 'throw' })],
    });
    assert.deepEqual([verdict, code, effects.size], ['failed', codes.contractFailed, 0]);
  });

  it('runs nothing when the payment fails, nor for an account without code', () => {
    calls.length = 0;
    running.attempt(before(), { operations: [payCoin({ amount: 2n * fee })] });
    const made = { ...account('bob', 0n), contract: create(ContractSchema) };
    running.attempt(new MemoryState([account('alice', 2n * fee), made]), { operations: [payCoin({})] });
    assert.deepEqual(calls, []);
  });
});
