import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import { contractSupport } from '@symbolon/ledger-node/chain/ledger-rules';
import { encodeHex } from '../../basics/bytes.ts';
import { contractLimits } from '../../limits/consensus.ts';
import { gasOf } from '../checks/fees.ts';
import { codes } from '../terms/codes.ts';
import {
  contractCode,
  createContractLedger,
  describeOperation,
  type Executed,
} from '../testing/contract-ledger.ts';
import { operation } from '../testing/test-ledger.ts';

const ledger = createContractLedger({ sha256, contracts: contractSupport });
const { address, call, create, deploy, execute, query, stored } = ledger;
const [alice, bob] = [address('alice'), address('bob')];

const quoted = (value: unknown) => JSON.stringify(value);
const what = ({ triggered }: Executed) => triggered.map(({ transaction }) => describeOperation(transaction));
const calls = (target: string) => `Chain.contractCall(${quoted(target)}, true, "0", input);`;
const main = (body: string, balance = 0n) => deploy({ main: `${body} return true;` }, { balance });

describe('a triggered transaction', () => {
  const callee = main('Chain.tlog("callee", input); Chain.store("k", input);');
  const caller = main(`Chain.store("a", "1"); ${calls(callee)} Chain.payCoin(${quoted(bob)}, "2");`, 5n);
  const executed = call(caller, { input: 'in' });

  it('has a record directly after its trigger, in the order of execution', () => {
    assert.deepEqual(what(executed), ['store a', 'pay 0', 'log callee in', 'store k', 'pay 2']);
    assert.deepEqual(
      executed.triggered.map(({ transaction }) => [transaction.sourceAddress, transaction.nonce]),
      [
        [caller, 1n],
        [caller, 2n],
        [callee, 1n],
        [callee, 2n],
        [caller, 3n],
      ],
    );
  });

  it('names the transaction and operation that triggered it', () => {
    const [own, ...others] = executed.records;
    const nested = others[1].hash;
    assert.deepEqual(
      others.map(({ transactionEnv }) => encodeHex(transactionEnv?.trigger?.transaction?.hash as Uint8Array)),
      [own.hash, own.hash, nested, nested, own.hash].map(encodeHex),
    );
    assert.deepEqual(
      new Set(others.map(({ transactionEnv }) => transactionEnv?.trigger?.transaction?.index)),
      new Set([0n]),
    );
    assert.equal(own.transactionEnv?.trigger, undefined);
    const note = operation('log', { topic: 't' });
    const pay = operation('payCoin', { destAddress: callee, input: 'in' });
    const later = execute({ operations: [note, note, pay] });
    assert.equal(later.triggered[0].record.transactionEnv?.trigger?.transaction?.index, 2n);
  });

  it('is listed with its trigger, and free of charge itself', () => {
    const [own, ...others] = executed.records;
    assert.deepEqual(
      own.contractTxHashes.map(encodeHex),
      others.map(({ hash }) => encodeHex(hash)),
    );
    for (const record of others) {
      assert.deepEqual(
        [record.actualFee, record.errorCode, record.errorDesc, record.contractTxHashes],
        [0n, 0, '', []],
      );
      assert.equal(record.ledgerSeq, own.ledgerSeq);
      assert.equal(record.closeTime, own.closeTime);
      assert.deepEqual(record.transactionEnv?.signatures, []);
    }
  });

  it('is named by the hash of its bytes and has no terms', () => {
    for (const { record, transaction } of executed.triggered) {
      assert.deepEqual(record.hash, sha256(record.transactionEnv?.transaction as Uint8Array));
      assert.deepEqual(
        [transaction.feeLimit, transaction.gasPrice, transaction.operations.length],
        [0n, 0n, 1],
      );
    }
    assert.equal(new Set(executed.records.map(({ hash }) => encodeHex(hash))).size, executed.records.length);
  });

  it('uses up nonces of its contract, not of anybody else', () => {
    assert.equal(ledger.nonce(caller), 3n);
    assert.equal(ledger.nonce(callee), 4n, 'two of the first transaction, two of the second');
  });

  it('of a contract that calls back into the first one goes on with its nonce', () => {
    const back = main('Chain.contractCall(Chain.msg.sender, true, "0", "back");');
    const first = deploy({
      main: `Chain.store(input, "x"); if (input !== "back") { ${calls(back)} Chain.store("after", Chain.load("back")); } return true;`,
    });
    const again = call(first, { input: 'go' });
    assert.deepEqual(what(again), ['store go', 'pay 0', 'pay 0', 'store back', 'store after']);
    assert.equal(ledger.nonce(first), 4n);
    assert.equal(stored(first, 'after'), 'x', 'what the inner call wrote is there');
  });
});

describe('the fee', () => {
  const dearLedger = createContractLedger({ sha256, contracts: contractSupport, gasPrice: 7n });
  const contract = dearLedger.deploy(
    { main: 'Chain.store("k", input); Chain.issueAsset("X", "1"); return true;' },
    { gasPrice: 7n },
  );

  const gasNeeded = (executed: Executed) => {
    const { fees } = dearLedger.rules.parameters;
    const own = gasOf(executed.block.transactions[0].verified.signed, fees);
    const bytes = executed.block.transactions[0].outcome.triggered.reduce(
      (sum, { signed }) => sum + signed.envelopeBytes,
      0,
    );
    return own + BigInt(bytes) + fees.issueAssetGas;
  };

  it('covers bytes and operations of everything that was triggered', () => {
    const executed = dearLedger.call(contract, { gasPrice: 7n, input: 'v'.repeat(1_000) });
    assert.equal(executed.code, 0, executed.description);
    assert.equal(executed.records[0].actualFee, 7n * gasNeeded(executed));
  });

  it('must fit the fee limit: 111 at the transaction that exceeds it, and everything is undone', () => {
    const known = dearLedger.call(contract, { gasPrice: 7n, feeLimit: 70_000_000n, input: 'x' });
    const due = 7n * gasNeeded(known);
    const before = dearLedger.balance('alice');
    const exact = dearLedger.call(contract, { gasPrice: 7n, feeLimit: due, input: 'y' });
    assert.deepEqual([exact.code, exact.records[0].actualFee], [0, due]);
    assert.equal(dearLedger.balance('alice'), before - due);
    const short = dearLedger.call(contract, { gasPrice: 7n, feeLimit: due - 1n, input: 'z' });
    assert.deepEqual([short.code, short.records.length], [codes.feeTooLow, 1]);
    assert.equal(short.records[0].actualFee, due - 1n, 'the whole limit is gone');
    assert.equal(dearLedger.stored(contract, 'k'), 'y');
  });
});

describe('failure', () => {
  const undone = (body: string, balance = 10n) => {
    const callee = main('Chain.store("callee", "x"); Chain.issueAsset("X", "1");');
    const contract = main(
      `Chain.store("k", "v"); Chain.payCoin(${quoted(bob)}, "1"); ${calls(callee)} ${body}`,
      balance,
    );
    const before = ledger.snapshot();
    const nonce = ledger.nonce('alice');
    const executed = call(contract, { amount: 3n, feeLimit: 10n ** 9n });
    const after = ledger.snapshot();
    for (const key of [`account/${alice}`, `account/${address('validator')}`]) {
      before.delete(key);
      after.delete(key);
    }
    assert.deepEqual(after, before);
    assert.equal(ledger.nonce('alice'), nonce + 1n);
    assert.deepEqual([executed.records.length, executed.records[0].contractTxHashes], [1, []]);
    assert.equal(executed.records[0].actualFee, 10n ** 9n);
    return executed;
  };

  it('of an exception undoes everything but nonce and fee', () => {
    assert.equal(undone('throw "enough";').code, codes.contractFailed);
  });

  it('of a triggered transaction has its code and its words', () => {
    const tooMuch = undone(`Chain.payCoin(${quoted(bob)}, "1000");`);
    assert.equal(tooMuch.code, codes.lowBalance);
    assert.match(tooMuch.description, /cannot pay 1000 above its reserve/);
    const missing = undone(`Chain.payAsset(${quoted(bob)}, ${quoted(alice)}, "NONE", "1");`);
    assert.equal(missing.code, codes.lowAsset);
    assert.match(missing.description, /holds 0 of NONE, not 1/);
  });

  it('deep inside reaches the record unchanged', () => {
    const inner = main('Utils.assert(false, "deep inside");');
    const outer = main(calls(inner));
    const { code, description } = undone(calls(outer));
    assert.equal(code, codes.contractFailed);
    const { contract, exception } = JSON.parse(description);
    assert.deepEqual([contract, exception], [inner, 'deep inside']);
    assert.equal(undone(calls(main(`Chain.payCoin(${quoted(bob)}, "5");`))).code, codes.lowBalance);
  });

  it('cannot be caught by whoever called', () => {
    // try and catch do not pass the syntax check, so the code is put into the state directly.
    const failing = main('Chain.del("none");');
    const catcher = main('return true;');
    const account = ledger.state.read(`account/${catcher}`) as never as { contract: { payload: string } };
    const payload = contractCode({
      main: `try { ${calls(failing)} } catch (e) { Chain.store("caught", String(e)); } return true;`,
    });
    const changed = { ...account, contract: { ...account.contract, payload } };
    ledger.state.advance(new Map([[`account/${catcher}`, changed as never]]));
    assert.equal(call(catcher).code, codes.notFound);
    assert.equal(stored(catcher, 'caught'), undefined);
  });

  it('of an exception that the caller’s own code threw can be caught there', () => {
    const contract = main('return true;');
    const account = ledger.state.read(`account/${contract}`) as never as { contract: { payload: string } };
    const payload = contractCode({
      main: 'try { Chain.store("k"); } catch (e) { Chain.store("caught", String(e)); } return true;',
    });
    ledger.state.advance(
      new Map([[`account/${contract}`, { ...account, contract: { ...account.contract, payload } } as never]]),
    );
    assert.equal(call(contract).code, 0);
    assert.match(stored(contract, 'caught') as string, /argument 1/);
  });

  it('of a later operation undoes the contracts of earlier ones', () => {
    const contract = main('Chain.store("k", "v");');
    const pay = operation('payCoin', { destAddress: contract });
    const failing = operation('setMetadata', { key: 'none', deleteFlag: true });
    const executed = execute({ operations: [pay, failing] });
    assert.deepEqual([executed.code, executed.records.length], [codes.notFound, 1]);
    assert.equal(stored(contract, 'k'), undefined);
    assert.equal(ledger.nonce(contract), 0n);
  });

  it('in a query of a contract changes nothing either', () => {
    const before = ledger.snapshot();
    const contract = deploy({ query: 'return Chain.store("k", "v");' });
    const between = ledger.snapshot();
    assert.ok('refusal' in query(contract));
    assert.deepEqual(ledger.snapshot(), between);
    assert.notDeepEqual(before, between);
  });
});

describe('nesting', () => {
  /** Contracts that each call the next; the last does what it is told. */
  const chainOf = (length: number, last: string) => {
    let next = main(last);
    for (let index = 1; index < length; index += 1) next = main(calls(next));
    return next;
  };

  it('goes four contracts deep; the fourth may pay and write', () => {
    const executed = call(
      chainOf(4, `Chain.store("k", "v"); Chain.tlog("t"); Chain.payCoin(${quoted(bob)}, "0");`),
    );
    assert.equal(executed.code, 0, executed.description);
    assert.deepEqual(what(executed), ['pay 0', 'pay 0', 'pay 0', 'store k', 'log t', 'pay 0']);
  });

  it('to a fifth contract fails with 153', () => {
    const { code, description, records } = call(chainOf(5, 'return true;'));
    assert.equal(code, codes.contractTooDeep);
    assert.match(description, /Too many recursion/);
    assert.equal(records.length, 1);
  });

  it('counts creations, queries and borrowed code alike', () => {
    const child = contractCode({});
    assert.equal(call(chainOf(3, `Chain.contractCreate("0", 0, ${quoted(child)}, "");`)).code, 0);
    assert.equal(
      call(chainOf(4, `Chain.contractCreate("0", 0, ${quoted(child)}, "");`)).code,
      codes.contractTooDeep,
    );
    const other = deploy({ query: 'return "answer";' });
    const ask = `Chain.tlog("t", JSON.stringify(Chain.contractQuery(${quoted(other)}, "")));`;
    assert.match(what(call(chainOf(3, ask))).at(-1) as string, /answer/);
    assert.match(what(call(chainOf(4, ask))).at(-1) as string, /"error":true/);
    const borrow = `Chain.delegateCall(${quoted(other)}, "");`;
    assert.equal(call(chainOf(3, borrow)).code, 0);
    assert.equal(call(chainOf(4, borrow)).code, codes.contractTooDeep);
    const delegate = `Chain.tlog("t", JSON.stringify(Chain.delegateQuery(${quoted(other)}, "")));`;
    assert.match(what(call(chainOf(4, delegate))).at(-1) as string, /"error":true/);
  });

  it('counts the init of a signed creation as the first', () => {
    const three = chainOf(3, 'return true;');
    assert.equal(create(contractCode({ init: `${calls(three)} return true;` })).code, 0);
    const four = chainOf(4, 'return true;');
    assert.equal(create(contractCode({ init: `${calls(four)} return true;` })).code, codes.contractTooDeep);
  });

  it('in a circle ends with 153, whoever is in it', () => {
    const self = deploy({ main: 'return Chain.contractCall(input, true, "0", Chain.thisAddress);' });
    const other = deploy({ main: 'return Chain.contractCall(input, true, "0", Chain.thisAddress);' });
    assert.equal(call(self, { input: other }).code, codes.contractTooDeep);
    assert.equal(call(self, { input: self }).code, codes.sourceIsDestination, 'nobody pays himself');
    const asking = deploy({
      query:
        'const r = Chain.contractQuery(Chain.thisAddress, input); return r.error ? "end" : r.result + "!";',
    });
    assert.deepEqual(query(asking), { value: 'end!!!' });
  });

  it('that came back up can go down again', () => {
    const three = chainOf(3, 'return true;');
    assert.equal(call(main(calls(three).repeat(5))).code, 0);
  });
});

describe('how much a transaction may trigger', () => {
  const times = (count: number, body: string) => `let i = 0; while (i < ${count}) { i += 1; ${body} }`;
  const max = contractLimits.triggeredTransactionsMax;

  it('is 512 transactions', () => {
    const executed = call(main(times(max, 'Chain.tlog("t");')));
    assert.deepEqual([executed.code, executed.triggered.length], [0, max]);
    const contract = main(times(max + 1, 'Chain.tlog("t");'));
    const { code, records } = call(contract);
    assert.deepEqual([code, records.length], [codes.contractTooManyTransactions, 1]);
    assert.equal(ledger.nonce(contract), 0n);
  });

  it('counts those of called contracts too', () => {
    const callee = main(times(300, 'Chain.tlog("t");'));
    assert.equal(call(main(calls(callee))).code, 0);
    assert.equal(call(main(calls(callee).repeat(2))).code, codes.contractTooManyTransactions);
  });

  it('is bounded by the gas, shared by all operations and all contracts', () => {
    const spend = times(400, 'Chain.load("k");');
    const contract = main(spend);
    assert.equal(call(contract).code, 0);
    const pay = operation('payCoin', { destAddress: contract });
    assert.equal(execute({ operations: [pay, pay] }).code, 0);
    assert.equal(execute({ operations: [pay, pay, pay] }).code, codes.contractExpired);
    assert.equal(call(main(calls(contract).repeat(3))).code, codes.contractExpired);
    const asking = deploy({ query: `${spend} return true;` });
    const ask = `Chain.contractQuery(${quoted(asking)}, "");`;
    assert.equal(
      call(main(ask.repeat(3))).code,
      codes.contractExpired,
      'a query that took the gas ends its caller too',
    );
  });

  it('is bounded by memory and stack', () => {
    const large = call(main('input = "x".repeat(200000000);'));
    assert.equal(large.code, codes.contractExpired);
    assert.equal(JSON.parse(large.description).exception, 'Memory exceeding limit');
    const deep = call(
      deploy({ top: 'function down(n) { return down(n + 1) + 1; }', main: 'return down(0);' }),
    );
    assert.equal(deep.code, codes.contractExpired);
    assert.equal(JSON.parse(deep.description).exception, 'Stack exceeding limit');
    const endless = call(main('while (true) { input += ""; }'));
    assert.equal(endless.code, codes.contractExpired);
    assert.equal(JSON.parse(endless.description).exception, 'Step exceeding limit');
  });

  it('is told with the outcome, failed or not', () => {
    const gas = (executed: Executed) => executed.block.transactions[0].outcome.contractGas;
    assert.equal(gas(execute({ operations: [operation('log', { topic: 't' })] })), 0n);
    assert.ok(gas(call(main('Chain.tlog("t");'))) > 10_000n);
    assert.equal(gas(call(main('while (true) { input += ""; }'))), contractLimits.gasMax);
    const contract = main('Chain.tlog("t");');
    assert.equal(gas(call(contract)), gas(call(contract)), 'the same call costs the same');
  });
});

describe('the result of a creation', () => {
  const code = contractCode({});
  const creation = operation('createAccount', {
    contract: { payload: code },
    priv: { thresholds: { txThreshold: 1n } },
  });

  it('names each contract with its operation', () => {
    const nonce = ledger.nonce('alice') + 1n;
    const note = operation('log', { topic: 't' });
    const { description } = execute({ operations: [creation, note, creation] });
    const derived = (index: number) => ledger.rules.keys.addressOfText(`${alice}-${nonce}-${index}`);
    assert.deepEqual(JSON.parse(description), [
      { contract_address: derived(0), operation_index: 0 },
      { contract_address: derived(2), operation_index: 2 },
    ]);
  });

  it('is empty when nothing was created, or everything was undone', () => {
    assert.equal(execute({ operations: [operation('log', { topic: 't' })] }).description, '');
    const failing = operation('setMetadata', { key: 'none', deleteFlag: true });
    assert.doesNotMatch(execute({ operations: [creation, failing] }).description, /contract_address/);
  });

  it('of a contract whose init throws is nothing', () => {
    const executed = create(contractCode({ init: 'Chain.store("k", "v"); throw new Error("no");' }));
    assert.equal(executed.code, codes.contractFailed);
    assert.equal(executed.records.length, 1);
    const { contract } = JSON.parse(executed.description);
    assert.equal(ledger.balance(contract), -1n, 'there is no such account');
  });
});
