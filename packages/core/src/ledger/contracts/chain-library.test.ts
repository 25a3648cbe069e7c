import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import { contractSupport } from '@symbolon/ledger-node/chain/ledger-rules';
import { codes } from '../terms/codes.ts';
import type { ContractEntry } from '../terms/engine.ts';
import {
  type Bodies,
  contractCode,
  createContractLedger,
  describeOperation,
} from '../testing/contract-ledger.ts';
import { operation } from '../testing/test-ledger.ts';
import { libraryOf } from './chain-library.ts';

const ledger = createContractLedger({ sha256, contracts: contractSupport, validators: ['validator', 'bob'] });
const { address, call, deploy, execute, query, stored } = ledger;
const [alice, bob, nobody] = [address('alice'), address('bob'), address('nobody')];
const dear = { feeLimit: 10n ** 11n };

const quoted = (value: unknown) => JSON.stringify(value);

/** What an expression is in a query, read as JSON; `undefined` where JSON has nothing for it. */
function inQuery(
  expression: string,
  contract = deploy({ query: `return JSON.stringify([${expression}]);` }),
) {
  const result = query(contract);
  assert.ok('value' in result, quoted(result));
  return JSON.parse(result.value as string)[0];
}

/** The same in main; everything it does to the ledger stays. */
function inMain(expression: string, bodies: Bodies = {}, balance = 0n) {
  const contract = deploy(
    { ...bodies, main: `Chain.store("out", JSON.stringify([${expression}])); return true;` },
    { balance },
  );
  const executed = call(contract, dear);
  assert.equal(executed.code, 0, executed.description);
  return { contract, executed, value: JSON.parse(stored(contract, 'out') as string)[0] };
}

const failureOf = (statement: string, balance = 0n) => {
  const { code, description } = call(deploy({ main: `${statement} return true;` }, { balance }), dear);
  return { code, description };
};

describe('the names a contract sees', () => {
  const { utils } = ledger.rules.contracts;
  const namesFor = (entry: ContractEntry) =>
    libraryOf(entry, utils).names.filter((name) => !name.startsWith('Utils.'));
  const readers =
    'load getBlockHash getAccountMetadata getBalance getAccountAsset getAccountPrivilege getContractProperty getValidators contractQuery delegateQuery'.split(
      ' ',
    );
  const writers =
    'store del tlog payCoin issueAsset payAsset contractCall contractCreate delegateCall setValidators configFee'.split(
      ' ',
    );
  const legacyReaders =
    'storageLoad getBalance getAccountAsset getBlockHash getValidators contractQuery log assert addressCheck stoI64Check int64Add int64Sub int64Mul int64Div int64Mod int64Compare toBaseUnit'.split(
      ' ',
    );
  const legacyWriters =
    'storageStore storageDel setValidators configFee payCoin issueAsset payAsset tlog'.split(' ');
  const chain = (names: string[]) => names.map((name) => `Chain.${name}`);

  it('are those of the reference, in main, init and query', () => {
    const all = [...chain([...readers, ...writers]), ...legacyReaders, ...legacyWriters].sort();
    assert.deepEqual(namesFor('main').sort(), all);
    assert.deepEqual(namesFor('init').sort(), all);
    assert.deepEqual(namesFor('query').sort(), [...chain(readers), ...legacyReaders].sort());
  });

  it('are functions inside, and in a query the writing ones are undefined', () => {
    const kinds = (names: string[]) => names.map((name) => `typeof Chain.${name}`).join();
    assert.equal(inQuery(`[${kinds(readers)}].join()`), readers.map(() => 'function').join());
    assert.equal(inQuery(`[${kinds(writers)}].join()`), writers.map(() => 'undefined').join());
    const all = [...chain([...readers, ...writers]), ...legacyReaders, ...legacyWriters];
    const { value } = inMain(`[${all.map((name) => `typeof ${name}`).join()}].join()`);
    assert.equal(value, all.map(() => 'function').join());
  });

  it('of §5.5 are there', () => {
    const utils =
      'log assert stoI64Check int64Add int64Sub int64Mul int64Div int64Mod int64Compare toBaseUnit addressCheck toAddress sha256 ecVerify stoI256Check int256Add int256Sub int256Mul int256Div int256Mod int256Compare hexToDec int64And int64Or int64Xor int64Not int64LShift int64RShift uint64RShift int256And int256Or int256Xor int256Not int256LShift int256RShift uint256RShift int256Pow int256Sqrt int256Min int256Max'.split(
        ' ',
      );
    const kinds = utils.map((name) => `typeof Utils.${name}`).join();
    assert.equal(inQuery(`[${kinds}].join()`), utils.map(() => 'function').join());
  });

  it('of the old kind do the same as the new', () => {
    const contract = deploy(
      {
        main: `storageStore("k", "v"); storageStore("gone", "x"); storageDel("gone"); tlog("t", "d");
        assert(storageLoad("k") === Chain.load("k") && storageLoad("gone") === false);
        payCoin(${quoted(bob)}, "1"); issueAsset("OLD", "3");
        payAsset(${quoted(bob)}, thisAddress, "OLD", "1");
        assert(getBalance(thisAddress) === Chain.getBalance(Chain.thisAddress));
        assert(contractQuery(thisAddress, "q").result === "q"); return true;`,
        query: 'return int64Add(1, "2") === "3" && addressCheck(thisAddress) ? input : "";',
      },
      { balance: 10n },
    );
    const executed = call(contract, dear);
    assert.equal(executed.code, 0, executed.description);
    assert.deepEqual(
      executed.triggered.map(({ transaction }) => describeOperation(transaction)),
      ['store k', 'store gone', 'del gone', 'log t d', 'pay 1', 'issue 3 OLD', 'pay 1 OLD'],
    );
  });
});

describe('reading functions', () => {
  const asset = { issuer: alice, code: 'CNY' };
  execute({ operations: [operation('issueAsset', { code: 'CNY', amount: 77n })], ...dear });
  execute({ operations: [operation('setMetadata', { key: 'color', value: 'rot' })] });

  it('load: what was stored, or false', () => {
    const contract = deploy({
      init: 'Chain.store("k", "v"); Chain.store("empty", ""); return true;',
      query:
        'return JSON.stringify([[Chain.load("k"), Chain.load("empty"), Chain.load("none"), Chain.load("")]]);',
    });
    assert.deepEqual(inQuery('', contract), ['v', '', false, false]);
    assert.equal(inQuery('Chain.load("k")'), false, 'storage belongs to one contract');
  });

  it('getBlockHash: the last 1,024 closed blocks, as far as there are any', () => {
    const last = ledger.nextBlock().seq;
    assert.deepEqual(inQuery('Chain.getBlockHash(0)'), `hash of block ${last}`);
    assert.deepEqual(inQuery('Chain.getBlockHash(3)'), `hash of block ${last - 2n}`);
    for (const offset of ['1023', '1024', '-1', '0.5', '"0"', 'NaN', 'Infinity', 'true', 'null', '[]', '']) {
      assert.equal(inQuery(`Chain.getBlockHash(${offset})`), false, offset);
    }
  });

  it('getAccountMetadata: of any account', () => {
    assert.equal(inQuery(`Chain.getAccountMetadata(${quoted(alice)}, "color")`), 'rot');
    assert.equal(inQuery(`Chain.getAccountMetadata(${quoted(alice)}, "none")`), false);
    assert.equal(inQuery(`Chain.getAccountMetadata(${quoted(nobody)}, "color")`), false);
    assert.equal(inQuery(`Chain.getAccountMetadata(${quoted(alice)})`), false);
    assert.equal(inQuery('Chain.getAccountMetadata({}, "color")'), false);
  });

  it('getBalance: a text, "0" where there is no account', () => {
    const carol = address('carol');
    assert.equal(inQuery(`Chain.getBalance(${quoted(carol)})`), String(ledger.balance('carol')));
    assert.equal(inQuery(`Chain.getBalance(${quoted(nobody)})`), '0');
    assert.equal(inQuery('Chain.getBalance("")'), '0');
    for (const bad of ['', '1', 'true', 'null', '{}', '[]', 'undefined']) {
      assert.equal(inQuery(`Chain.getBalance(${bad})`), false, bad);
    }
  });

  it('getAccountAsset: a text, false where nothing of it is held', () => {
    const get = (account: string, key: unknown) =>
      inQuery(`Chain.getAccountAsset(${quoted(account)}, ${quoted(key)})`);
    assert.equal(get(alice, asset), '77');
    assert.equal(get(bob, asset), false);
    assert.equal(get(nobody, asset), false);
    for (const bad of [null, 1, 'CNY', [alice, 'CNY'], {}, { issuer: alice }, { issuer: alice, code: 1 }]) {
      assert.equal(get(alice, bad), false, quoted(bad));
    }
    // An address that is none does not read somebody's asset by the spelling of a row.
    assert.equal(get(`${alice}/${alice}`, { issuer: 'C', code: 'N' }), false);
    const traps = '{ issuer: { toString: function () { return "x"; } }, code: "CNY" }';
    assert.equal(inQuery(`Chain.getAccountAsset(${quoted(alice)}, ${traps})`), false);
  });

  it('getAccountPrivilege: JSON text, or false', () => {
    const text = inQuery(`Chain.getAccountPrivilege(${quoted(alice)})`);
    assert.deepEqual(JSON.parse(text), { master_weight: 1 });
    assert.equal(inQuery(`Chain.getAccountPrivilege(${quoted(nobody)})`), false);
    assert.equal(inQuery('Chain.getAccountPrivilege()'), false);
  });

  it('getContractProperty: type and length of the code', () => {
    const code = contractCode({});
    const contract = deploy(code);
    assert.deepEqual(inQuery(`Chain.getContractProperty(${quoted(contract)})`), {
      type: 0,
      length: code.length,
    });
    assert.deepEqual(inQuery(`Chain.getContractProperty(${quoted(alice)})`), { type: -1, length: 0 });
    assert.equal(inQuery(`Chain.getContractProperty(${quoted(nobody)})`), false);
    assert.equal(inQuery('Chain.getContractProperty(1)'), false);
  });

  it('getValidators: addresses and pledges', () => {
    assert.deepEqual(inQuery('Chain.getValidators()'), [
      [address('validator'), '0'],
      [bob, '0'],
    ]);
  });

  it('half a surrogate pair is no text: nothing is called so', () => {
    for (const name of ['load', 'getBalance', 'getAccountPrivilege', 'getContractProperty']) {
      assert.equal(inQuery(`Chain.${name}("\\ud800")`), false, name);
    }
    assert.equal(inQuery(`Chain.getAccountMetadata(${quoted(alice)}, "a\\udc00")`), false);
    assert.equal(inQuery(`Chain.getAccountAsset("\\udfff", ${quoted(asset)})`), false);
    assert.equal(
      inQuery(`Chain.getAccountAsset(${quoted(alice)}, { issuer: ${quoted(alice)}, code: "\\ud800" })`),
      false,
    );
    assert.deepEqual(inQuery('Chain.contractQuery("\\ud800", "")'), { error: true });
    assert.deepEqual(inQuery('Chain.contractQuery(Chain.thisAddress, "\\ud800")'), { error: true });
  });
});

describe('queries of other contracts', () => {
  const answer = (returned: string) => deploy({ query: `return ${returned};` });
  const ask = (contract: string, input = '"in"') =>
    inQuery(`Chain.contractQuery(${quoted(contract)}, ${input})`);

  it('give a text or a truth value; everything else is false', () => {
    assert.deepEqual(ask(answer('input + "!"')), { result: 'in!' });
    assert.deepEqual(ask(answer('true')), { result: true });
    for (const other of ['5', 'undefined', 'null', '{ a: 1 }', '["x"]', 'Chain.load', 'Symbol("x")', '-0']) {
      assert.deepEqual(ask(answer(other)), { result: false }, other);
    }
  });

  it('never throw', () => {
    const failing = [
      deploy({ query: 'throw new Error(input);' }),
      deploy('"use strict"; function init(input) { return input; }'),
      deploy({ query: 'Chain.store("k", "v"); return true;' }),
      deploy({ query: 'let s = "x"; while (true) { s += s; }' }),
      alice,
      nobody,
      '',
    ];
    for (const contract of failing) assert.deepEqual(ask(contract), { error: true }, contract);
    for (const bad of ['1', 'null', '{}', 'undefined'])
      assert.deepEqual(ask(answer('true'), bad), { error: true });
    assert.deepEqual(inQuery('Chain.contractQuery()'), { error: true });
    assert.deepEqual(inQuery('Chain.delegateQuery(1, "x")'), { error: true });
  });

  it('see what the transaction has written so far, and write nothing themselves', () => {
    const reader = deploy({ query: 'return Chain.getAccountMetadata(input, "k");' });
    const ask = `Chain.contractQuery(${quoted(reader)}, Chain.thisAddress).result`;
    const { contract, executed, value } = inMain(`[${ask}, Chain.store("k", "v"), ${ask}]`);
    assert.deepEqual(value, [false, true, 'v']);
    assert.equal(executed.triggered.length, 2);
    assert.equal(ledger.nonce(reader), 0n);
    assert.equal(ledger.version(contract, 'k'), 1n);
  });

  it('by delegateQuery read the storage of the caller', () => {
    const reader = deploy({
      init: 'Chain.store("k", "reader’s"); return true;',
      query: 'return Chain.load("k");',
    });
    const caller = deploy({
      init: 'Chain.store("k", "caller’s"); return true;',
      query: `return JSON.stringify([[Chain.delegateQuery(${quoted(reader)}, ""), Chain.contractQuery(${quoted(reader)}, "")]]);`,
    });
    assert.deepEqual(inQuery('', caller), [{ result: 'caller’s' }, { result: 'reader’s' }]);
  });
});

describe('writing functions', () => {
  it('store raises the version with every write; a deleted key starts again', () => {
    const { contract } = inMain('Chain.store("a", "1"), Chain.store("a", "2"), Chain.store("b", ""), true');
    assert.deepEqual(
      ['a', 'b', 'out'].map((key) => [stored(contract, key), ledger.version(contract, key)]),
      [
        ['2', 2n],
        ['', 1n],
        ['[true,true,true,true]', 1n],
      ],
    );
    const again = inMain(
      'Chain.store("a", "1"), Chain.del("a"), Chain.load("a"), Chain.store("a", "3"), Chain.load("a")',
    );
    assert.deepEqual(JSON.parse(stored(again.contract, 'out') as string), [true, true, false, true, '3']);
    assert.equal(ledger.version(again.contract, 'a'), 1n);
  });

  it('the bounds of keys and values are those of metadata', () => {
    assert.equal(failureOf('Chain.store("k".repeat(1024), "v");').code, 0);
    assert.equal(failureOf('Chain.store("k".repeat(1025), "v");').code, codes.invalidParameter);
    assert.equal(failureOf('Chain.store("€".repeat(342), "v");').code, codes.invalidParameter);
    assert.equal(failureOf('Chain.store("", "v");').code, codes.invalidParameter);
    assert.equal(failureOf('Chain.store("k", "v".repeat(262144));').code, 0);
    assert.equal(failureOf('Chain.store("k", "v".repeat(262145));').code, codes.invalidParameter);
  });

  it('del of a key that is not there fails with 4', () => {
    assert.equal(failureOf('Chain.del("none");').code, codes.notFound);
    assert.equal(failureOf('Chain.store("k", ""); Chain.del("k"); Chain.del("k");').code, codes.notFound);
  });

  it('tlog: a topic and up to five values, turned into texts', () => {
    const { executed } = inMain(
      'Chain.tlog("alone"), Chain.tlog("t", "x", 1, true, -0.5), Chain.tlog("t", 1e21, NaN, -0, false, "y")',
    );
    assert.deepEqual(
      executed.triggered.slice(0, 3).map(({ transaction }) => describeOperation(transaction)),
      ['log alone', 'log t x 1 true -0.5', 'log t 1e+21 NaN 0 false y'],
    );
  });
});

describe('payments', () => {
  it('payCoin pays from the contract’s balance, with input and remark', () => {
    const before = ledger.balance('bob');
    const { contract, executed } = inMain(
      `Chain.payCoin(${quoted(bob)}, "3", "", "für Bob"), Chain.payCoin(${quoted(bob)}, "0")`,
      {},
      10n,
    );
    assert.equal(ledger.balance(contract), 7n);
    assert.ok(ledger.balance('bob') >= before + 3n);
    assert.deepEqual(
      executed.triggered.map(({ transaction }) => describeOperation(transaction)),
      ['pay 3 (für Bob)', 'pay 0', 'store out'],
    );
  });

  it('payCoin makes accounts', () => {
    const fresh = address('fresh');
    inMain(`Chain.payCoin(${quoted(fresh)}, "1")`, {}, 1n);
    assert.equal(ledger.balance('fresh'), 1n);
  });

  it('issueAsset and payAsset move the contract’s own asset', () => {
    const { contract, executed } = inMain(
      `Chain.issueAsset("GOLD", "5"), Chain.issueAsset("GOLD", "5"), Chain.payAsset(${quoted(bob)}, Chain.thisAddress, "GOLD", "4", "", "r"), Chain.getAccountAsset(Chain.thisAddress, { issuer: Chain.thisAddress, code: "GOLD" })`,
    );
    assert.equal(ledger.holds(contract, contract, 'GOLD'), 6n);
    assert.equal(ledger.holds('bob', contract, 'GOLD'), 4n);
    assert.equal(JSON.parse(stored(contract, 'out') as string)[3], '6');
    assert.equal(describeOperation(executed.triggered[2].transaction), 'pay 4 GOLD (r)');
  });
});

describe('contractCall', () => {
  const callee = (returned: string) => deploy({ main: `return ${returned};` });
  const result = (target: string, input = '"in"') =>
    inMain(`Chain.contractCall(${quoted(target)}, true, "0", ${input})`).value;

  it('gives what main returned, if that is a text or a truth value', () => {
    assert.equal(result(callee('input + "!"')), 'in!');
    assert.equal(result(callee('true')), true);
    assert.equal(result(callee('false')), false);
    assert.equal(result(callee('""')), '');
    for (const other of ['5', 'undefined', '{}', 'null', '[1]'])
      assert.equal(result(callee(other)), false, other);
  });

  it('gives true for an account without code', () => assert.equal(result(bob), true));

  it('gives the answer of the callee, not of what the callee called', () => {
    const inner = callee('"inner"');
    const outer = deploy({
      main: `const answer = Chain.contractCall(${quoted(inner)}, true, "0", ""); return "outer got " + answer;`,
    });
    assert.equal(result(outer), 'outer got inner');
    const silent = deploy({
      main: `Chain.contractCall(${quoted(inner)}, true, "0", ""); Chain.store("k", "v");`,
    });
    assert.equal(result(silent), false, 'undefined is false');
    const payer = deploy({
      main: `const answer = Chain.contractCall(${quoted(silent)}, true, "0", ""); return Chain.contractCall(${quoted(bob)}, true, "0", "") && !answer;`,
    });
    assert.equal(result(payer), true);
  });

  it('sends coins and assets along', () => {
    const target = callee('Chain.msg.coinAmount');
    const { contract, value } = inMain(`Chain.contractCall(${quoted(target)}, true, "4", "")`, {}, 10n);
    assert.deepEqual([value, ledger.balance(contract), ledger.balance(target)], ['4', 6n, 4n]);
  });
});

describe('contractCreate', () => {
  const child = '"use strict"; function init(input) { Chain.store("born with", input); return true; }';

  it('gives the address derived from the contract and its nonce, and runs init', () => {
    const { contract, value } = inMain(
      `Chain.store("k", "v") && Chain.contractCreate("5", 0, ${quoted(child)}, "in")`,
      {},
      10n,
    );
    assert.equal(value, ledger.rules.keys.addressOfText(`${contract}-2-0`));
    assert.equal(stored(value, 'born with'), 'in');
    assert.deepEqual([ledger.balance(value), ledger.balance(contract)], [5n, 5n]);
    const account = ledger.state.read(`account/${value}`) as { contract: { owner: string; payload: string } };
    assert.deepEqual([account.contract.owner, account.contract.payload], [contract, child]);
  });

  it('gives the address of its own child, not of a grandchild', () => {
    const parent = `"use strict"; function init(input) { Chain.store("child", Chain.contractCreate("0", 0, ${quoted(child)}, "")); return true; }`;
    const { contract, value } = inMain(`Chain.contractCreate("0", 0, ${quoted(parent)}, "")`);
    assert.equal(value, ledger.rules.keys.addressOfText(`${contract}-1-0`));
    assert.equal(stored(value, 'child'), ledger.rules.keys.addressOfText(`${value}-1-0`));
  });

  it('is not told as a result of the signed transaction', () => {
    const { executed } = inMain(`Chain.contractCreate("0", 0, ${quoted(child)}, "")`);
    assert.equal(executed.description, '');
  });
});

describe('delegateCall', () => {
  it('runs foreign code on the storage of the caller, which pays and signs', () => {
    const foreign = deploy({
      main: `Chain.store("k", input); Chain.payCoin(${quoted(bob)}, "1"); return "done by " + Chain.thisAddress;`,
    });
    const { contract, value, executed } = inMain(`Chain.delegateCall(${quoted(foreign)}, "v")`, {}, 10n);
    assert.equal(value, `done by ${contract}`);
    assert.equal(stored(contract, 'k'), 'v');
    assert.equal(stored(foreign, 'k'), undefined);
    assert.equal(ledger.balance(contract), 9n);
    assert.deepEqual(
      executed.triggered.map(({ transaction }) => transaction.sourceAddress),
      [contract, contract, contract],
    );
    assert.equal(ledger.nonce(contract), 3n);
  });

  it('fails the caller when the code throws', () => {
    const foreign = deploy({ main: 'throw new Error("foreign");' });
    const { code, description } = failureOf(`Chain.delegateCall(${quoted(foreign)}, "");`);
    assert.equal(code, codes.contractFailed);
    assert.match(JSON.parse(description).exception, /foreign/);
  });
});
