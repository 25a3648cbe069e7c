import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { BrokenInvariant } from '../../basics/assert.ts';
import { encodeHex } from '../../basics/bytes.ts';
import { contractLimits } from '../../limits/consensus.ts';
import { type Account, ContractSchema } from '../../proto/ledger_pb.ts';
import { codes } from '../terms/codes.ts';
import { newAccount, stateKeys } from '../terms/state.ts';
import { envelopeOf } from '../terms/transaction.ts';
import { createTestLedger, MemoryState, operation, type TransactionOrder } from '../testing/test-ledger.ts';
import type { VerifiedTransaction } from './apply-transaction.ts';
import { type ExecutedBlock, executeBlock } from './execute-block.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');
const ledger = createTestLedger({ sha256 });
const { account, address, sign } = ledger;
const [alice, bob] = [address('alice'), address('bob')];
const feeLimit = 1_000_000n;
const rich = 10n * feeLimit;

const pay = (amount: bigint, destination = 'bob') =>
  operation('payCoin', { destAddress: address(destination), amount });
const failing = operation('setMetadata', { key: 'none', deleteFlag: true });
const order = (fields: TransactionOrder): VerifiedTransaction =>
  sign({ feeLimit, operations: [operation('log', { topic: 't' })], ...fields });

const people = () => new MemoryState([account('alice', rich), account('bob', rich)]);
const execute = (
  transactions: Iterable<VerifiedTransaction>,
  { before = people(), on = ledger, seq = 7n } = {},
): ExecutedBlock =>
  executeBlock(before, transactions, {
    block: { ...on.block, seq, closeTime: 70n },
    rules: on.rules,
  });
const balanceIn = (block: ExecutedBlock, name: string): bigint | undefined =>
  (block.changes.get(stateKeys.account(address(name))) as Account | undefined)?.balance;
const feesOf = ({ transactions }: ExecutedBlock): bigint =>
  transactions.reduce((total, { outcome }) => total + outcome.actualFee, 0n);

describe('the transactions of a block', () => {
  it('are executed one after the other, each on the state the ones before left', () => {
    const transactions = [
      order({ nonce: 1n, operations: [pay(5n, 'dave')] }),
      order({ source: 'bob', nonce: 1n, operations: [pay(rich - feeLimit, 'dave')] }),
      order({ nonce: 2n, operations: [pay(6n, 'dave')] }),
    ];
    const block = execute(transactions);
    assert.deepEqual(
      block.transactions.map(({ verified }) => verified),
      transactions,
    );
    assert.equal(balanceIn(block, 'dave'), rich - feeLimit + 11n);
    assert.equal(block.dropped.length, 0);
  });

  it('stand in the order they came in: another order, another outcome', () => {
    const first = order({ nonce: 1n, operations: [pay(rich, 'dave')] });
    const gift = order({ source: 'bob', operations: [pay(feeLimit, 'alice')] });
    const codesOf = (...transactions: VerifiedTransaction[]) =>
      execute(transactions).transactions.map(({ outcome }) => outcome.failure?.code ?? 0);
    assert.deepEqual(codesOf(gift, first), [0, 0]);
    assert.deepEqual(codesOf(first, gift), [codes.lowBalance, 0]);
  });

  it('that do not belong are set aside with their reason and leave no trace', () => {
    const good = order({ nonce: 1n });
    const unwelcome = [
      order({ nonce: 1n }),
      order({ nonce: 3n }),
      order({ source: 'nobody' }),
      order({ source: 'bob', signers: ['alice'] }),
      order({ source: 'bob', feeLimit: rich + 1n }),
    ];
    const block = execute([good, ...unwelcome]);
    assert.deepEqual(
      block.dropped.map(({ verified, refusal }) => [verified, refusal.code]),
      [codes.badNonce, codes.badNonce, codes.accountMissing, codes.weightTooLow, codes.lowBalance].map(
        (code, index) => [unwelcome[index], code],
      ),
    );
    assert.deepEqual(block.changes, execute([good]).changes);
    assert.equal(block.changes.has(stateKeys.account(bob)), false);
  });

  it('of a source whose earlier one was set aside are set aside too', () => {
    const block = execute([order({ nonce: 1n, feeLimit: 1n }), order({ nonce: 2n })]);
    assert.deepEqual(
      block.dropped.map(({ refusal }) => refusal.code),
      [codes.feeTooLow, codes.badNonce],
    );
    assert.deepEqual([block.transactions.length, block.changes.size], [0, 0]);
  });

  it('that failed use their nonce, so that the next one follows', () => {
    const block = execute([order({ nonce: 1n, operations: [failing] }), order({ nonce: 2n })]);
    assert.deepEqual(
      block.transactions.map(({ outcome }) => outcome.failure?.code ?? 0),
      [codes.notFound, 0],
    );
  });

  it('leave the state before the block as it was', () => {
    const before = people();
    const entries = new Map(before.entries);
    execute([order({ operations: [pay(5n)] })], { before });
    assert.deepEqual(before.entries, entries);
  });
});

describe('an empty block', () => {
  it('changes nothing', () => {
    const block = execute([]);
    assert.deepEqual([block.changes.size, block.transactions.length, block.dropped.length], [0, 0, 0]);
  });

  it('still pays its reward', () => {
    const rewarding = createTestLedger({ sha256, blockReward: 9n, validators: ['v0', 'v1'] });
    const block = execute([], { on: rewarding, seq: 4n });
    assert.deepEqual([balanceIn(block, 'v0'), balanceIn(block, 'v1')], [5n, 4n]);
    const smallest = execute([], { on: createTestLedger({ sha256, blockReward: 1n }) });
    assert.equal(balanceIn(smallest, 'validator'), 1n);
  });
});

describe('fees', () => {
  it('go to the validator: all of a failure’s limit, the actual fee of a success', () => {
    const block = execute([order({}), order({ source: 'bob', operations: [failing] })]);
    const success = block.transactions[0].outcome.actualFee;
    assert(success > 0n && success < 1000n);
    assert.equal(balanceIn(block, 'validator'), success + feeLimit);
    const receiver = block.changes.get(stateKeys.account(address('validator')));
    assert.deepEqual(receiver, newAccount(address('validator'), success + feeLimit));
  });

  it('go to several in equal shares, the remainder to the one whose turn it is', () => {
    const validators = ['v0', 'v1', 'v2'];
    for (const blockReward of [0n, 1n, 2n, 3n]) {
      const shared = createTestLedger({ sha256, validators, blockReward });
      for (const seq of [7n, 8n, 9n]) {
        const block = execute([order({})], { on: shared, seq });
        const total = feesOf(block) + blockReward;
        for (const [index, name] of validators.entries()) {
          const remainder = BigInt(index) === seq % 3n ? total % 3n : 0n;
          assert.equal(balanceIn(block, name) ?? 0n, total / 3n + remainder, `${name} in block ${seq}`);
        }
      }
    }
  });

  it('make no account for a validator whose share is nothing', () => {
    const shared = createTestLedger({ sha256, validators: ['v0', 'v1', 'v2'], blockReward: 2n });
    const block = execute([], { on: shared, seq: 8n });
    assert.deepEqual([...block.changes.keys()], [stateKeys.account(address('v2'))]);
  });

  it('are added to what a validator has, after the last transaction', () => {
    const shared = createTestLedger({ sha256, validators: ['alice'] });
    const block = execute([order({ operations: [failing] })], { on: shared });
    assert.equal(balanceIn(block, 'alice'), rich);
    const all = order({ nonce: 2n, operations: [pay(rich - feeLimit)] });
    const greedy = execute([order({ nonce: 1n, operations: [failing] }), all], { on: shared });
    assert.equal(greedy.transactions[1].outcome.failure?.code, codes.lowBalance);
    assert.equal(balanceIn(greedy, 'alice'), rich);
  });

  it('with nobody to receive them would vanish: the block is refused as a defect', () => {
    const orphaned = createTestLedger({ sha256, validators: [] });
    assert.throws(() => execute([order({})], { on: orphaned }), BrokenInvariant);
  });
});

describe('what history keeps', () => {
  it('of a success', () => {
    const { transactions, records } = execute([order({})]);
    const [record] = records;
    assert.deepEqual([record.errorCode, record.errorDesc], [0, '']);
    assert.deepEqual([record.ledgerSeq, record.closeTime], [7n, 70n]);
    assert.equal(record.actualFee, transactions[0].outcome.actualFee);
    assert.equal(encodeHex(record.hash), encodeHex(sha256(transactions[0].verified.signed.blob)));
    assert.deepEqual(record.transactionEnv, envelopeOf(transactions[0].verified.signed));
  });

  it('of a failure: code, reason and the whole limit', () => {
    const { records } = execute([order({ operations: [operation('log', { topic: 't' }), failing] })]);
    const [record] = records;
    assert.deepEqual([record.errorCode, record.actualFee], [codes.notFound, feeLimit]);
    assert.match(record.errorDesc, /^operation 1: /);
  });
});

describe('assets and metadata of a block', () => {
  it('come out with their last value, also what came and went', () => {
    const key = { issuer: alice, code: 'CNY' };
    const payAsset = (destination: string, amount: bigint) =>
      operation('payAsset', { destAddress: address(destination), asset: { key, amount } });
    const block = execute([
      order({
        nonce: 1n,
        feeLimit: 6_000_000n,
        operations: [operation('issueAsset', { code: 'CNY', amount: 5n })],
      }),
      order({
        nonce: 2n,
        operations: [payAsset('bob', 5n), operation('setMetadata', { key: 'k', value: 'v' })],
      }),
      order({ source: 'bob', operations: [payAsset('alice', 5n)] }),
      order({ nonce: 3n, operations: [operation('setMetadata', { key: 'k', deleteFlag: true })] }),
    ]);
    assert.equal(block.transactions.filter(({ outcome }) => outcome.failure).length, 0);
    assert.equal(block.changes.get(stateKeys.asset(bob, key)), null);
    assert.equal(block.changes.get(stateKeys.metadata(alice, 'k')), null);
    const held = block.changes.get(stateKeys.asset(alice, key));
    assert(held?.$typeName === 'symbolon.ledger.v1.AssetStore');
    assert.equal(held.amount, 5n);
  });
});

describe('a block with a bound on contracts', () => {
  /** Every run takes all the gas a transaction has. */
  const greedy = createTestLedger({
    sha256,
    contracts: {
      engine: {
        run: ({ meter }) => {
          meter.left = -1n;
          return { kind: 'exhausted', limit: 'gas' };
        },
      },
      checkSyntax: () => [],
      utils: new Map(),
    },
  });
  const contract = { ...account('contract', 0n), contract: create(ContractSchema, { payload: 'code' }) };
  const names = ['alice', 'bob', 'carol', 'dave'];
  const before = () => new MemoryState([contract, ...names.map((name) => account(name, rich))]);
  const bounded = (transactions: VerifiedTransaction[], contractGasMax?: bigint) =>
    executeBlock(before(), transactions, {
      block: { ...greedy.block, closeTime: 70n },
      rules: greedy.rules,
      hasRoom: contractGasMax === undefined ? undefined : (gas) => gas < contractGasMax,
    });
  const calling = (source: string, nonce = 1n) => order({ source, nonce, operations: [pay(1n, 'contract')] });
  const paying = (source: string, nonce = 1n) => order({ source, nonce, operations: [pay(1n, 'erin')] });
  const creating = (source: string) =>
    order({
      source,
      feeLimit: 2_000_000n,
      operations: [
        operation('createAccount', {
          contract: { payload: 'code' },
          priv: { thresholds: { txThreshold: 1n } },
        }),
      ],
    });

  it('executes everything when there is none', () => {
    const { transactions, postponed } = bounded(names.map((name) => calling(name)));
    assert.deepEqual([transactions.length, postponed.length], [4, 0]);
  });

  it('postpones calls of contracts once the gas is used, and nothing else', () => {
    const transactions = [
      calling('alice'),
      calling('bob'),
      calling('carol'),
      paying('dave'),
      paying('carol', 2n),
      calling('dave', 2n),
    ];
    const {
      transactions: executed,
      postponed,
      dropped,
      records,
    } = bounded(transactions, 2n * contractLimits.gasMax);
    assert.deepEqual(
      executed.map(({ verified }) => verified),
      [transactions[0], transactions[1], transactions[3]],
    );
    assert.deepEqual(postponed, [transactions[2], transactions[4], transactions[5]]);
    assert.deepEqual([dropped.length, records.length], [0, 3], 'what follows a postponed one waits with it');
  });

  it('postpones creations too; what is postponed leaves no trace', () => {
    const block = bounded([calling('alice'), creating('bob')], 1n);
    assert.deepEqual([block.transactions.length, block.postponed.length], [1, 1]);
    assert.equal(block.changes.has(stateKeys.account(bob)), false);
  });

  it('stays full, and has room for one whatever it is told', () => {
    const answers = [false, true, true];
    const { transactions: executed, postponed } = executeBlock(
      before(),
      names.map((name) => calling(name)),
      {
        block: { ...greedy.block, closeTime: 70n },
        rules: greedy.rules,
        hasRoom: () => answers.shift() ?? true,
      },
    );
    assert.deepEqual([executed.length, postponed.length, answers.length], [1, 3, 2]);
  });

  it('is full after the transaction that reaches the bound, however far that goes', () => {
    const { transactions: executed } = bounded(
      names.map((name) => calling(name)),
      contractLimits.gasMax + 1n,
    );
    assert.equal(executed.length, 2);
  });
});
