import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { type Operation, OperationSchema } from '../../proto/ledger_pb.ts';
import { gasOf } from '../checks/fees.ts';
import { codes } from '../terms/codes.ts';
import { StateLayer, stateKeys } from '../terms/state.ts';
import {
  createTestLedger,
  MemoryState,
  operation,
  type TestLedger,
  type TransactionOrder,
} from '../testing/test-ledger.ts';
import { applyTransaction } from './apply-transaction.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');
const ledger = createTestLedger({ sha256, gasPrice: 3n });
const { account, address, attempt, block, rules, sign } = ledger;
const [alice, bob, carol] = ['alice', 'bob', 'carol'].map(address);
const feeLimit = 1_000_000n;
const rich = 10n * feeLimit;

type Extra = { sourceAddress?: string; exprCondition?: string };
const note = (extra: Extra = {}): Operation => operation('log', { topic: 't' }, extra);
const pay = (amount: bigint, extra: Extra = {}): Operation =>
  operation('payCoin', { destAddress: carol, amount }, extra);
const failing = (extra: Extra = {}): Operation =>
  operation('setMetadata', { key: 'none', deleteFlag: true }, extra);

const people = () => new MemoryState([account('alice', rich), account('bob', rich), account('carol', 0n)]);
const run = (order: TransactionOrder, before = people(), on: TestLedger = ledger) =>
  on.attempt(before, { feeLimit, operations: [note()], ...order });
/** Verdict, code and number of effects besides nonce and fee, in one value to compare. */
const verdictOf = (order: TransactionOrder, before?: MemoryState) => {
  const { verdict, code, effects } = run(order, before);
  return [verdict, code, effects.size];
};

describe('a transaction that does not belong in the block', () => {
  const orders: Record<string, [number, TransactionOrder]> = {
    'a source without account': [codes.accountMissing, { source: 'nobody' }],
    'nonce 0': [codes.badNonce, { nonce: 0n }],
    'a nonce that leaves a gap': [codes.badNonce, { nonce: 2n }],
    'a negative nonce': [codes.badNonce, { nonce: -1n }],
    'another chain': [codes.invalidParameter, { chainId: 5n }],
    'no operation': [codes.noOperations, { operations: [] }],
    'a ceiling below this block': [codes.timeout, { ceilLedgerSeq: block.seq - 1n }],
    'a static violation': [codes.invalidParameter, { operations: [note(), pay(-1n)] }],
    'an expression no block makes true': [codes.expressionFalse, { exprCondition: '0' }],
    'no signature': [codes.weightTooLow, { signers: [] }],
    'a stranger’s signature': [codes.weightTooLow, { signers: ['bob'] }],
    'a fee limit above the balance': [codes.lowBalance, { feeLimit: rich + 1n }],
    'a fee limit below the fee': [codes.feeTooLow, { feeLimit: 1n }],
    'a fee beyond 64 bits': [codes.invalidParameter, { gasPrice: 2n ** 62n }],
  };
  for (const [name, [code, order]] of Object.entries(orders)) {
    it(`${name}: ${code}, and no trace`, () => {
      const { after, verdict, ...rest } = run(order);
      assert.deepEqual([verdict, rest.code, after.changes.size], ['dropped', code, 0]);
    });
  }

  it('static rules, nonce, weight, balance, fee: the first decides', () => {
    const order: TransactionOrder = { feeLimit: rich + 1n, gasPrice: 2n ** 62n };
    assert.equal(run({ ...order, operations: [], nonce: 5n, signers: [] }).code, codes.noOperations);
    assert.equal(run({ ...order, nonce: 5n, signers: [] }).code, codes.badNonce);
    assert.equal(run({ ...order, signers: [] }).code, codes.weightTooLow);
    assert.equal(run(order).code, codes.lowBalance);
  });

  it('the ceiling may be this very block', () => {
    assert.equal(run({ ceilLedgerSeq: block.seq }).verdict, 'done');
  });
});

describe('fee and nonce', () => {
  it('success costs bytes and operations at the offered price; the rest of the limit comes back', () => {
    for (const gasPrice of [3n, 4n, 1000n]) {
      const verified = sign({ feeLimit, gasPrice, operations: [note()] });
      const due = gasOf(verified.signed, rules.parameters.fees) * gasPrice;
      const { actualFee, after, verdict } = attempt(people(), verified);
      assert.deepEqual([verdict, actualFee], ['done', due]);
      assert.equal(after.account(alice)?.balance, rich - due);
      assert.equal(after.account(alice)?.nonce, 1n);
    }
  });

  it('failure costs the whole limit', () => {
    const { actualFee, after, verdict, effects } = run({ operations: [failing()] });
    assert.deepEqual([verdict, actualFee, effects.size], ['failed', feeLimit, 0]);
    assert.equal(after.account(alice)?.balance, rich - feeLimit);
    assert.equal(after.account(alice)?.nonce, 1n);
    assert.equal(after.changes.size, 1);
  });

  it('during execution the limit is gone: it cannot be spent, and comes back on top afterwards', () => {
    const all = run({ operations: [pay(rich - feeLimit)] });
    assert.equal(all.verdict, 'done');
    assert.equal(all.after.account(alice)?.balance, feeLimit - all.actualFee);
    assert.deepEqual(verdictOf({ operations: [pay(rich - feeLimit + 1n)] }), ['failed', codes.lowBalance, 0]);
  });

  it('the refund joins what the source received meanwhile', () => {
    const back = operation('payCoin', { destAddress: alice, amount: 7n }, { sourceAddress: bob });
    const { after, actualFee } = run({ operations: [pay(5n), back], signers: ['alice', 'bob'] });
    assert.equal(after.account(alice)?.balance, rich - actualFee + 2n);
    assert.equal(after.account(bob)?.balance, rich - 7n);
    assert.equal(after.account(bob)?.nonce, 0n);
  });

  it('a limit that is exactly the fee leaves nothing to give back', () => {
    // The limit is part of the bytes that are paid for: this one is as long as the fee itself.
    const due = run({ feeLimit: 900n }).actualFee;
    const exact = run({ feeLimit: due });
    assert.deepEqual([exact.verdict, exact.actualFee], ['done', due]);
    assert.equal(run({ feeLimit: due - 1n }).code, codes.feeTooLow);
  });

  it('a source that holds only fee limit and reserve still acts', () => {
    const reserved = createTestLedger({ sha256, gasPrice: 3n, baseReserve: 100n });
    const before = (balance: bigint) => new MemoryState([account('alice', balance)]);
    assert.equal(run({}, before(feeLimit + 100n), reserved).verdict, 'done');
    assert.deepEqual(run({}, before(feeLimit + 99n), reserved).code, codes.lowBalance);
  });

  it('nonces follow one another on the same state, failures included', () => {
    const state = new StateLayer(people());
    const nonces = [1n, 2n, 2n, 4n, 3n];
    const outcomes = nonces.map((nonce) => {
      const operations = [nonce === 2n ? failing() : note()];
      const execution = applyTransaction(sign({ nonce, feeLimit, operations }), state, { block, rules });
      return 'dropped' in execution ? execution.dropped.code : (execution.failure?.code ?? 0);
    });
    assert.deepEqual(outcomes, [0, codes.notFound, codes.badNonce, codes.badNonce, 0]);
    assert.equal(state.account(alice)?.nonce, 3n);
  });
});

describe('operations', () => {
  it('see what earlier ones did', () => {
    const operations = [
      pay(5n),
      operation('payCoin', { destAddress: address('dave'), amount: 5n }, { sourceAddress: carol }),
    ];
    const { verdict, after } = run({ operations, signers: ['alice', 'carol'] });
    assert.equal(verdict, 'done');
    assert.equal(after.account(carol)?.balance, 0n);
    assert.equal(after.account(address('dave'))?.balance, 5n);
  });

  it('are undone together when one fails; the failing one is named', () => {
    const operations = [pay(5n), operation('setMetadata', { key: 'k', value: 'v' }), failing(), pay(1n)];
    const verified = sign({ feeLimit, operations });
    const state = new StateLayer(people());
    const execution = applyTransaction(verified, state, { block, rules });
    assert('failure' in execution && execution.failure);
    assert.equal(execution.failure.code, codes.notFound);
    assert.match(execution.failure.description, /^operation 2: /);
    assert.deepEqual([...state.changes.keys()], [stateKeys.account(alice)]);
  });

  it('act for their own source, which consumes no nonce', () => {
    const operations = [pay(5n, { sourceAddress: bob }), failing({ sourceAddress: carol })];
    const done = run({ operations: operations.slice(0, 1), signers: ['alice', 'bob'] });
    assert.equal(done.after.account(bob)?.balance, rich - 5n);
    assert.equal(done.after.account(bob)?.nonce, 0n);
    assert.deepEqual(verdictOf({ operations, signers: ['alice', 'bob', 'carol'] }), [
      'failed',
      codes.notFound,
      0,
    ]);
  });

  it('fail when their source has no account or did not sign: recorded, whole limit gone', () => {
    const sourceAddress = address('nobody');
    const signers = ['alice', 'nobody'];
    const missing = run({ operations: [note({ sourceAddress })], signers });
    assert.deepEqual(
      [missing.verdict, missing.code, missing.actualFee],
      ['failed', codes.accountMissing, feeLimit],
    );
    assert.deepEqual(verdictOf({ operations: [pay(1n), note({ sourceAddress: bob })] }), [
      'failed',
      codes.weightTooLow,
      0,
    ]);
  });

  it('may act for an account made a moment before', () => {
    const dave = address('dave');
    const operations = [
      operation('createAccount', {
        destAddress: dave,
        initBalance: 9n,
        priv: { masterWeight: 1n, thresholds: { txThreshold: 1n } },
      }),
      pay(4n, { sourceAddress: dave }),
    ];
    const { verdict, after } = run({ operations, signers: ['alice', 'dave'] });
    assert.equal(verdict, 'done');
    assert.equal(after.account(dave)?.balance, 5n);
    assert.deepEqual(verdictOf({ operations }), ['failed', codes.weightTooLow, 0]);
  });

  it('of a type nobody knows never reach execution', () => {
    for (const type of [0, 5, 6, 10, 11]) {
      const order = { operations: [create(OperationSchema, { type })] };
      assert.deepEqual(verdictOf(order), ['dropped', codes.invalidParameter, 0]);
    }
  });
});

describe('multi-signature', () => {
  const shared = () =>
    new MemoryState([
      account('alice', rich, {
        masterWeight: 1n,
        signers: [
          { address: bob, weight: 1n },
          { address: carol, weight: 2n },
        ],
        thresholds: {
          txThreshold: 2n,
          typeThresholds: [
            { type: 7, threshold: 3n },
            { type: 8, threshold: 1n },
          ],
        },
      }),
      account('carol', 0n),
    ]);

  it('any signers that reach the threshold will do, with or without the account’s own key', () => {
    const remember = [operation('setMetadata', { key: 'k', value: 'v' })];
    for (const signers of [['alice', 'bob'], ['carol'], ['bob', 'carol'], ['alice', 'bob', 'carol']]) {
      assert.equal(run({ operations: remember, signers }, shared()).verdict, 'done', signers.join());
    }
    for (const signers of [['alice'], ['bob'], ['bob', 'dave'], []]) {
      assert.deepEqual(verdictOf({ operations: remember, signers }, shared()), [
        'dropped',
        codes.weightTooLow,
        0,
      ]);
    }
  });

  it('a higher type threshold fails the operation, not the transaction’s admission', () => {
    for (const signers of [['alice', 'bob'], ['carol']]) {
      assert.deepEqual(verdictOf({ operations: [pay(1n)], signers }, shared()), [
        'failed',
        codes.weightTooLow,
        0,
      ]);
    }
    assert.equal(run({ operations: [pay(1n)], signers: ['alice', 'carol'] }, shared()).verdict, 'done');
  });

  it('a lower type threshold does not open the transaction', () => {
    assert.deepEqual(verdictOf({ signers: ['alice'] }, shared()), ['dropped', codes.weightTooLow, 0]);
  });

  it('but an operation for that account in somebody else’s transaction needs no more than it', () => {
    const before = shared();
    before.advance(new Map([[stateKeys.account(address('dave')), account('dave', rich)]]));
    const asBob = (each: Operation) => ({ source: 'dave', signers: ['dave', 'bob'], operations: [each] });
    assert.equal(run(asBob(note({ sourceAddress: alice })), before).verdict, 'done');
    assert.deepEqual(run(asBob(pay(1n, { sourceAddress: alice })), before).code, codes.weightTooLow);
  });

  it('a threshold of 0 asks for no signature at all', () => {
    const open = new MemoryState([
      account('alice', rich, { masterWeight: 1n, thresholds: { txThreshold: 0n } }),
    ]);
    assert.equal(run({ signers: [] }, open).verdict, 'done');
  });

  it('a signer’s own privileges are not consulted', () => {
    const before = shared();
    const closed = account('carol', 0n, { masterWeight: 0n, thresholds: { txThreshold: 9n } });
    before.advance(new Map([[stateKeys.account(carol), closed]]));
    assert.equal(run({ signers: ['carol'] }, before).verdict, 'done');
  });
});

describe('a change of privileges', () => {
  const raise = operation('setPrivilege', { txThreshold: '2' });

  it('binds the operations after it, and is undone with them', () => {
    assert.deepEqual(verdictOf({ operations: [raise, note()] }), ['failed', codes.weightTooLow, 0]);
    assert.equal(run({ operations: [note(), raise] }).verdict, 'done');
    const forPayments = operation('setPrivilege', { typeThresholds: [{ type: 7, threshold: 2n }] });
    assert.deepEqual(verdictOf({ operations: [forPayments, pay(1n)] }), ['failed', codes.weightTooLow, 0]);
    assert.equal(run({ operations: [forPayments, note()] }).verdict, 'done');
  });

  it('may enable the operations after it', () => {
    const trusting = operation('setPrivilege', {
      signers: [{ address: carol, weight: 1n }],
      txThreshold: '2',
    });
    assert.equal(run({ operations: [trusting, pay(1n)], signers: ['alice', 'carol'] }).verdict, 'done');
    const handOver = operation('setPrivilege', {
      masterWeight: '0',
      signers: [{ address: carol, weight: 1n }],
    });
    assert.equal(run({ operations: [handOver, pay(1n)], signers: ['alice', 'carol'] }).verdict, 'done');
    assert.deepEqual(verdictOf({ operations: [handOver, pay(1n)] }), ['failed', codes.weightTooLow, 0]);
  });

  it('binds the next transaction', () => {
    const state = people();
    state.advance(run({ operations: [raise] }).after.changes);
    assert.deepEqual(verdictOf({ nonce: 2n }, state), ['dropped', codes.weightTooLow, 0]);
  });
});

describe('conditions', () => {
  const balanceIs = (amount: bigint) => `jsonpath(account("${alice}"), ".balance") == ${amount}`;

  it('of a transaction are judged in its block: false and in error are recorded failures', () => {
    assert.equal(run({ exprCondition: 'LEDGER_SEQ == 7 && LEDGER_TIME == 7000000' }).verdict, 'done');
    const unlucky = run({ exprCondition: 'LEDGER_SEQ > 7', operations: [pay(1n)] });
    assert.deepEqual(
      [unlucky.verdict, unlucky.code, unlucky.effects.size],
      ['failed', codes.expressionFalse, 0],
    );
    assert.equal(unlucky.actualFee, feeLimit);
    const exprCondition = `account("${address('nobody')}") == ""`;
    assert.deepEqual(verdictOf({ exprCondition }), ['failed', codes.expressionError, 0]);
  });

  it('of a transaction come before its operations', () => {
    const order = {
      exprCondition: 'LEDGER_SEQ > 7',
      operations: [note({ sourceAddress: address('nobody') })],
    };
    assert.deepEqual(verdictOf(order), ['failed', codes.expressionFalse, 0]);
  });

  it('of an operation come after its signature check and before its own rules', () => {
    const exprCondition = 'LEDGER_SEQ > 7';
    assert.deepEqual(verdictOf({ operations: [note({ exprCondition })] }), [
      'failed',
      codes.expressionFalse,
      0,
    ]);
    assert.equal(run({ operations: [failing({ exprCondition })] }).code, codes.expressionFalse);
    assert.equal(run({ operations: [note({ exprCondition, sourceAddress: bob })] }).code, codes.weightTooLow);
    const nobody = address('nobody');
    assert.equal(
      run({ operations: [note({ exprCondition, sourceAddress: nobody })] }).code,
      codes.accountMissing,
    );
    assert.equal(run({ operations: [note({ exprCondition: 'LEDGER_SEQ == 7' })] }).verdict, 'done');
  });

  it('see the state as it is at their moment: nonce used, limit gone, earlier operations done', () => {
    const order = {
      exprCondition: `${balanceIs(rich - feeLimit)} && jsonpath(account("${alice}"), ".nonce") == 1`,
      operations: [pay(5n), note({ exprCondition: balanceIs(rich - feeLimit - 5n) })],
    };
    assert.equal(run(order).verdict, 'done');
    assert.deepEqual(
      verdictOf({ ...order, operations: [...order.operations, note({ exprCondition: balanceIs(0n) })] }),
      ['failed', codes.expressionFalse, 0],
    );
  });
});
