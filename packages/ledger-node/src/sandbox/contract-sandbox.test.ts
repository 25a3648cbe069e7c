import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { codes } from '@symbolon/core/ledger/terms/codes';
import { contractCode } from '@symbolon/core/ledger/testing/contract-ledger';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import { int64Max } from '@symbolon/core/limits/consensus';
import { TransactionSchema } from '@symbolon/core/proto/ledger_pb';
import type { CallContractRequest } from '@symbolon/wire/ledger/requests';
import type { Chain } from '../chain/chain.ts';
import { person, richest } from '../testing/people.ts';
import { addBlock, openTestChain, testRules, verified } from '../testing/test-chain.ts';
import { callInSandbox, type SandboxRun } from './contract-sandbox.ts';
import { evaluateTransaction } from './evaluation.ts';

const bob = person('bob');
const seen = `JSON.stringify({ sender: Chain.msg.sender, initiator: Chain.tx.initiator, coins: Chain.msg.coinAmount,
  balance: Chain.getBalance(Chain.thisAddress), senders: Chain.getBalance(Chain.msg.sender), input: input,
  block: Chain.block.number, time: Chain.block.timestamp, price: Chain.tx.gasPrice })`;
const code = contractCode({
  init: `Chain.store("seen", ${seen}); return true;`,
  main: `if (input === "throw") { throw "no"; } Chain.store("seen", ${seen}); Chain.tlog("called", "x"); return true;`,
  query: `if (input === "throw") { throw new Error("no"); } return ${seen};`,
});

let chain: Chain;
let contract: string;

before(async () => {
  chain = await openTestChain();
  const creation = operation('createAccount', {
    contract: { payload: code },
    priv: { thresholds: { txThreshold: 1n } },
    initBalance: 50n,
  });
  const fund = operation('payCoin', { destAddress: bob.address, amount: 7n });
  await addBlock(chain, [verified({ operations: [creation, fund] })]);
  contract = chain.rules.keys.addressOfText(`${richest.address}-1-0`);
});

const blank: CallContractRequest = {
  contractAddress: '',
  code: '',
  input: '',
  contractBalance: 0n,
  feeLimit: 0n,
  gasPrice: 0n,
  entry: 'query',
  sourceAddress: '',
};

function run(request: Partial<CallContractRequest>): SandboxRun {
  const result = callInSandbox({ ...blank, ...request }, chain);
  assert.ok(!('refusal' in result), 'refusal' in result ? result.refusal.description : '');
  return result;
}

function refusalOf(request: Partial<CallContractRequest>): number {
  const result = callInSandbox({ ...blank, ...request }, chain);
  return 'refusal' in result ? result.refusal.code : 0;
}

function answerOf(request: Partial<CallContractRequest>) {
  const { queries } = run(request);
  const last = queries.at(-1);
  assert.ok(last && 'value' in last);
  return JSON.parse(last.value as string);
}

/** What the contract stored in a simulated call. */
function storedBy({ runs }: SandboxRun) {
  const stored = runs.triggered[0].signed.transaction.operations[0].setMetadata;
  return JSON.parse(stored?.value ?? 'null');
}

describe('a query in the sandbox', () => {
  test('of a deployed contract sees its state and the next block', () => {
    const answer = answerOf({ contractAddress: contract, input: 'in', sourceAddress: bob.address });
    assert.deepEqual(answer, {
      sender: bob.address,
      initiator: bob.address,
      balance: '50',
      senders: '7',
      input: 'in',
      block: Number(chain.head.seq) + 1,
      time: Number(chain.head.closeTime) + 1,
      price: 1,
    });
  });

  test('reads the hashes of closed blocks, as far as there are any', () => {
    const hashes = contractCode({
      query: 'return JSON.stringify([0, 1, 2, 1023].map((it) => Chain.getBlockHash(it)));',
    });
    const expected = [chain.head.hash, chain.head.previousHash].map((it) => Buffer.from(it).toString('hex'));
    assert.deepEqual(answerOf({ code: hashes }), [...expected, false, false]);
  });

  test('of given code has a contract of its own with the balance it is given', () => {
    const answer = answerOf({ code, contractBalance: 77n });
    assert.equal(answer.balance, '77');
    assert.equal(answer.senders, '100000000000000000', 'the caller is made up');
  });

  test('the address decides when both are given', () => {
    const other = contractCode({ query: 'return "other";' });
    assert.equal(answerOf({ contractAddress: contract, code: other }).balance, '50');
    assert.equal(refusalOf({ contractAddress: contract, code: 'nonsense' }), 0);
  });

  test('by a caller without account, or without a name', () => {
    const stranger = person('stranger').address;
    const known = answerOf({ contractAddress: contract, sourceAddress: stranger });
    assert.deepEqual([known.sender, known.senders], [stranger, '100000000000000000']);
    assert.ok(chain.rules.keys.isAddress(answerOf({ contractAddress: contract, sourceAddress: '' }).sender));
    for (const sourceAddress of ['nobody', `${bob.address}x`])
      assert.equal(refusalOf({ contractAddress: contract, sourceAddress }), 94, 'not somebody else');
  });

  test('that throws or is missing says so, and is no refusal', () => {
    const [failed] = run({ contractAddress: contract, input: 'throw' }).queries;
    assert.ok('refusal' in failed);
    assert.equal(failed.refusal.code, codes.contractFailed);
    const [missing] = run({ code: '"use strict"; function init(i) { return i; }' }).queries;
    assert.ok('refusal' in missing && missing.refusal.description.includes('Lost of query'));
  });

  test('lists the queries it made before itself', () => {
    const asking = contractCode({
      query: `Chain.contractQuery("${contract}", "a"); Chain.contractQuery("${contract}", "throw"); return "outer";`,
    });
    const { queries } = run({ code: asking });
    assert.deepEqual(
      queries.map((it) => 'value' in it),
      [true, false, true],
    );
    assert.deepEqual(queries.at(-1), { value: 'outer' });
  });
});

describe('a simulated call', () => {
  test('of main is a payment without an asset', () => {
    const called = run({ contractAddress: contract, entry: 'main', input: 'in', sourceAddress: bob.address });
    assert.equal(called.failure, undefined);
    const { transaction } = called.simulated ?? {};
    assert.equal(transaction?.operations[0].payAsset?.destAddress, contract);
    assert.deepEqual([transaction?.sourceAddress, transaction?.nonce], [bob.address, 1n]);
    const { sender, coins, input } = storedBy(called);
    assert.deepEqual([sender, coins, input], [bob.address, '0', 'in']);
    assert.equal(called.runs.triggered.length, 2);
  });

  test('of main by code uses a temporary contract', () => {
    const called = run({ code, entry: 'main', contractBalance: 9n });
    assert.equal(called.failure, undefined);
    assert.equal(storedBy(called).balance, '9');
  });

  test('of init is a creation, which the caller need not be able to pay', () => {
    for (const request of [{ code }, { contractAddress: contract }]) {
      const made = run({ ...request, entry: 'init', sourceAddress: bob.address });
      assert.equal(made.failure, undefined, made.failure?.description);
      const { coins, balance } = storedBy(made);
      assert.deepEqual([coins, balance], ['100000000000000', '100000000000000']);
    }
    assert.equal(storedBy(run({ code, entry: 'init', contractBalance: 12n })).coins, '12');
  });

  test('that fails carries its code', () => {
    const failed = run({ contractAddress: contract, entry: 'main', input: 'throw' });
    assert.equal(failed.failure?.code, codes.contractFailed);
    const endless = contractCode({ main: 'while (true) { input += ""; }' });
    assert.equal(run({ code: endless, entry: 'main' }).failure?.code, codes.contractExpired);
    const deep = contractCode({ main: 'return Chain.contractCall(Chain.thisAddress, true, "0", "");' });
    assert.equal(run({ code: deep, entry: 'main' }).failure?.code, codes.sourceIsDestination);
  });

  test('is bounded by the fee limit it is given; none means no bound', () => {
    const called = (feeLimit: bigint, gasPrice = 0n) =>
      run({ contractAddress: contract, entry: 'main', feeLimit, gasPrice }).failure?.code;
    assert.equal(called(0n), undefined);
    assert.equal(called(10_000n), undefined);
    assert.equal(called(10n), codes.feeTooLow, 'not even its own bytes');
    assert.equal(called(300n), codes.feeTooLow, 'what it triggers is paid too');
    assert.equal(called(10_000n, 100n), codes.feeTooLow);
    assert.equal(called(0n, int64Max), codes.invalidParameter);
  });

  test('the price is at least the chain’s', async () => {
    const dear = await openTestChain(testRules({ fees: { gasPrice: 1_000 } }));
    const price = contractCode({ query: 'return String(Chain.tx.gasPrice);' });
    for (const [given, expected] of [
      [0n, '1000'],
      [999n, '1000'],
      [2_000n, '2000'],
    ] as const) {
      const result = callInSandbox({ ...blank, code: price, gasPrice: given }, dear);
      assert.deepEqual('queries' in result && result.queries, [{ value: expected }]);
    }
  });
});

describe('what the sandbox refuses', () => {
  test('an address where no contract is', () => {
    for (const contractAddress of [
      bob.address,
      person('stranger').address,
      'nowhere',
      '\ud800',
      'x'.repeat(10_000),
    ]) {
      assert.equal(refusalOf({ contractAddress }), codes.notFound);
    }
  });

  test('code with mistakes, with the findings', () => {
    const result = callInSandbox({ ...blank, code: 'var x = 1' }, chain);
    assert.ok('refusal' in result);
    assert.equal(result.refusal.code, codes.contractSyntax);
    assert.ok(JSON.parse(result.refusal.description).length > 0);
    assert.equal(refusalOf({ code: ' '.repeat(262_145) }), codes.invalidParameter);
  });
});

describe('the sandbox leaves no trace', () => {
  test('in state, head or history, whatever it runs', () => {
    const keys = [
      `account/${contract}`,
      `account/${bob.address}`,
      `account/${richest.address}`,
      `metadata/${contract}/seen`,
    ];
    const look = () =>
      keys.map(
        (key) =>
          chain.state.stored(key) && Buffer.from(chain.state.stored(key) as Uint8Array).toString('hex'),
      );
    const head = chain.head;
    const before = look();
    for (const entry of ['init', 'main', 'query'] as const) {
      run({ contractAddress: contract, entry, sourceAddress: richest.address });
      run({ code, entry, sourceAddress: bob.address });
    }
    assert.deepEqual(look(), before);
    assert.equal(chain.head, head);
    assert.equal(chain.state.read(`account/${chain.rules.keys.addressOfText('sandbox caller')}`), undefined);
    const again = run({ contractAddress: contract, entry: 'main', sourceAddress: bob.address });
    assert.equal(
      again.runs.triggered[0].signed.transaction.nonce,
      2n,
      'after the init, not after other trials',
    );
  });
});

describe('evaluating a transaction that runs contracts', () => {
  const evaluate = (operations: ReturnType<typeof operation>[]) => {
    const given = create(TransactionSchema, { sourceAddress: bob.address, nonce: 1n, operations });
    return evaluateTransaction(given, 1n, chain);
  };

  test('counts what they trigger', () => {
    const plain = evaluate([operation('payCoin', { destAddress: richest.address, amount: 0n, input: 'in' })]);
    const called = evaluate([operation('payCoin', { destAddress: contract, amount: 0n, input: 'in' })]);
    assert.ok('gas' in plain && 'gas' in called);
    const bytes = called.runs.triggered.reduce((sum, { signed }) => sum + BigInt(signed.envelopeBytes), 0n);
    assert.ok(bytes > 100n);
    assert.ok(called.gas >= plain.gas + bytes && called.gas < plain.gas + bytes + 8n);
  });

  test('tells the code of a contract that fails', () => {
    const failing = evaluate([operation('payCoin', { destAddress: contract, amount: 0n, input: 'throw' })]);
    assert.ok('refusal' in failing);
    assert.equal(failing.refusal.code, codes.contractFailed);
    const priv = { thresholds: { txThreshold: 1n } };
    const bad = evaluate([operation('createAccount', { contract: { payload: 'var x' }, priv })]);
    assert.ok('refusal' in bad);
    assert.equal(bad.refusal.code, codes.contractSyntax);
  });
});
