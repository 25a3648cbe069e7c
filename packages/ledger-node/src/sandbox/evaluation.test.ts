import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { gasOf } from '@symbolon/core/ledger/checks/fees';
import { codes } from '@symbolon/core/ledger/terms/codes';
import { decodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import { int64Max } from '@symbolon/core/limits/consensus';
import { type Operation, type Transaction, TransactionSchema } from '@symbolon/core/proto/ledger_pb';
import fc from 'fast-check';
import type { Chain } from '../chain/chain.ts';
import { type Person, person, richest } from '../testing/people.ts';
import { addBlock, openTestChain, signed, testRules, verified } from '../testing/test-chain.ts';
import { evaluateTransaction } from './evaluation.ts';

const bob = person('bob');
const carol = person('carol');
const pay = (to: Person, amount: bigint, source?: Person): Operation =>
  operation('payCoin', { destAddress: to.address, amount }, { sourceAddress: source?.address });

/** Bob has almost nothing. */
async function chainWithBob(genesis = {}): Promise<Chain> {
  const chain = await openTestChain(testRules(genesis));
  const { gasPrice } = chain.rules.parameters.fees;
  await addBlock(chain, [verified({ gasPrice, operations: [pay(bob, 1n)] })]);
  return chain;
}

type Fields = Omit<Partial<Transaction>, '$typeName' | '$unknown'>;

const transaction = (fields: Fields): Transaction =>
  create(TransactionSchema, { sourceAddress: richest.address, nonce: 42n, ...fields });

function evaluate(chain: Chain, fields: Fields, signatures = 1n) {
  const evaluation = evaluateTransaction(transaction(fields), signatures, chain);
  assert.ok('gas' in evaluation, 'refusal' in evaluation ? evaluation.refusal.description : '');
  return evaluation;
}

function refusalOf(chain: Chain, fields: Fields): number {
  const evaluation = evaluateTransaction(transaction(fields), 1n, chain);
  return 'refusal' in evaluation ? evaluation.refusal.code : 0;
}

describe('the evaluated fee', () => {
  test('is the documented one', async () => {
    const chain = await chainWithBob({ fees: { gasPrice: 1_000 } });
    const { gas, actualFee, signed: evaluated } = evaluate(chain, { operations: [pay(bob, 10_000_000n)] });
    assert.deepEqual([gas, actualFee], [265n, 265_000n]);
    assert.equal(evaluated.transaction.feeLimit, 265_000n);
    assert.equal(evaluated.transaction.gasPrice, 1_000n);
  });

  test('is a fixed point: written into the transaction it does not change', async () => {
    const chain = await chainWithBob();
    const prices = [1n, 2n, 100n, 16_383n, 10n ** 6n, 10n ** 12n, 10n ** 15n];
    for (const gasPrice of prices) {
      const { actualFee, gas, signed: evaluated } = evaluate(chain, { gasPrice, operations: [pay(bob, 1n)] });
      assert.equal(actualFee, gas * gasPrice);
      assert.equal(decodeTransaction(evaluated.blob)?.feeLimit, actualFee);
      const again = evaluate(chain, { gasPrice, feeLimit: actualFee, operations: [pay(bob, 1n)] });
      assert.equal(again.actualFee, actualFee);
    }
  });

  test('covers what is then really charged, with little to spare', async () => {
    const chain = await chainWithBob();
    const property = fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 1, max: 100 }),
      fc.bigInt({ min: 1n, max: 10n ** 12n }),
      (operations, signers, gasPrice) => {
        const fields = { gasPrice, operations: Array.from({ length: operations }, () => pay(bob, 1n)) };
        const { actualFee } = evaluate(chain, fields, BigInt(signers));
        const people = Array.from({ length: signers }, () => richest);
        const real = signed({ ...fields, nonce: 42n, feeLimit: actualFee, signers: people });
        const due = gasOf(real, chain.rules.parameters.fees) * gasPrice;
        assert.ok(due <= actualFee, `${due} is due, ${actualFee} evaluated`);
        assert.ok(actualFee - due <= 25n * gasPrice);
      },
    );
    fc.assert(property, { numRuns: 20 });
  });

  test("counts operations that cost more, and at least the chain's price", async () => {
    const chain = await chainWithBob({ fees: { gasPrice: 10, issueAssetGas: 777 } });
    const issue = operation('issueAsset', { code: 'CNY', amount: 1n });
    const log = operation('log', { topic: 'CNY', datas: [] });
    assert.ok(
      evaluate(chain, { operations: [issue] }).gas > evaluate(chain, { operations: [log] }).gas + 700n,
    );
    for (const gasPrice of [-1n, 0n, 9n]) {
      assert.equal(evaluate(chain, { gasPrice, operations: [log] }).signed.transaction.gasPrice, 10n);
    }
    assert.equal(evaluate(chain, { gasPrice: 11n, operations: [log] }).signed.transaction.gasPrice, 11n);
  });

  test('does not depend on balances, and changes nothing', async () => {
    const chain = await chainWithBob();
    const { head } = chain;
    const rich = evaluate(chain, { operations: [pay(bob, 10n ** 15n)] });
    const poor = evaluate(chain, { sourceAddress: bob.address, operations: [pay(richest, 10n ** 15n)] });
    assert.equal(poor.gas, rich.gas);
    evaluate(chain, { operations: [pay(richest, 10n ** 15n, bob)] });
    assert.equal(chain.head, head);
    assert.equal(chain.accountCount, 3n);
  });
});

describe('an evaluation', () => {
  test('says what would go wrong', async () => {
    const chain = await chainWithBob();
    const log = operation('log', { topic: 't', datas: [] });
    const create = (to: Person) =>
      operation('createAccount', {
        destAddress: to.address,
        priv: { masterWeight: 1n, thresholds: { txThreshold: 1n } },
      });
    const cases: [number, Fields][] = [
      [codes.accountMissing, { sourceAddress: carol.address, operations: [log] }],
      [codes.accountMissing, { sourceAddress: 'nobody', operations: [log] }],
      [codes.badNonce, { nonce: 1n, operations: [log] }],
      [codes.badNonce, { nonce: 0n, operations: [log] }],
      [codes.noOperations, { operations: [] }],
      [codes.tooManyOperations, { operations: Array.from({ length: 101 }, () => log) }],
      [codes.invalidParameter, { chainId: 5n, operations: [log] }],
      [codes.expressionFalse, { exprCondition: 'LEDGER_SEQ < 1', operations: [log] }],
      [codes.mathOverflow, { gasPrice: int64Max, operations: [log] }],
      [codes.success, { operations: [pay(carol, 1n)] }],
      [codes.accountMissing, { operations: [operation('payAsset', { destAddress: carol.address })] }],
      [codes.destinationExists, { operations: [create(bob)] }],
      [codes.success, { operations: [create(carol)] }],
      [codes.success, { nonce: 2n, operations: [log] }],
      [codes.success, { nonce: 1_000n, operations: [log] }],
      [
        codes.lowAsset,
        {
          operations: [
            operation('payAsset', {
              destAddress: bob.address,
              asset: { key: { issuer: bob.address, code: 'X' }, amount: 1n },
            }),
          ],
        },
      ],
    ];
    for (const [index, [code, fields]] of cases.entries()) {
      assert.equal(refusalOf(chain, fields), code, `case ${index}`);
    }
  });

  test('asks for no signature, not even of an account that needs several', async () => {
    const chain = await openTestChain();
    const log = operation('log', { topic: 't', datas: [] });
    const strict = operation('setPrivilege', {
      txThreshold: '9',
      signers: [{ address: bob.address, weight: 8n }],
    });
    await addBlock(chain, [verified({ operations: [strict] })]);
    assert.equal(refusalOf(chain, { operations: [log] }), 0);
    const locked = operation('setPrivilege', { masterWeight: '0' });
    await addBlock(chain, [verified({ nonce: 2n, operations: [locked], signers: [richest, bob] })]);
    assert.equal(
      refusalOf(chain, { operations: [log] }),
      codes.weightTooLow,
      'nobody can ever sign for this one',
    );
  });
});
