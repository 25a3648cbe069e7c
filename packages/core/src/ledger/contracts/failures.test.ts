import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import { contractSupport } from '@symbolon/ledger-node/chain/ledger-rules';
import type { ContractFrame } from '../operations/operation.ts';
import { codes } from '../terms/codes.ts';
import { contractCode, createContractLedger } from '../testing/contract-ledger.ts';
import { describeFailure } from './failures.ts';

const ledger = createContractLedger({ sha256, contracts: contractSupport });
const { call, create, deploy, query } = ledger;

describe('a failure in words', () => {
  const frame = { address: 'ZTX3here', entry: 'main' } as ContractFrame;

  it('of an exception: contract, text and line, and a stack where there is one', () => {
    assert.deepEqual(describeFailure(frame, { kind: 'threw', exception: 'no', line: 12, stack: 'at main' }), {
      code: codes.contractFailed,
      description: '{"contract":"ZTX3here","exception":"no","linenum":12,"stack":"at main"}',
      isDocument: true,
    });
    const { description } = describeFailure(frame, { kind: 'threw', exception: '"\n\ud800' });
    assert.deepEqual(JSON.parse(description), { contract: 'ZTX3here', exception: '"\n\ud800', linenum: 0 });
    assert.ok(description.isWellFormed(), 'it can be stored');
  });

  it('of a missing function names it, and nothing else', () => {
    for (const entry of ['init', 'main', 'query'] as const) {
      const { code, description } = describeFailure({ ...frame, entry }, { kind: 'missing' });
      assert.equal(code, codes.contractFailed);
      assert.deepEqual(JSON.parse(description), { exception: `Lost of ${entry} function` });
    }
  });

  it('of a limit is 155 with its reason', () => {
    const reasons = {
      gas: 'Step exceeding limit',
      memory: 'Memory exceeding limit',
      stack: 'Stack exceeding limit',
    };
    for (const limit of ['gas', 'memory', 'stack'] as const) {
      const { code, description } = describeFailure(frame, { kind: 'exhausted', limit });
      assert.equal(code, codes.contractExpired);
      assert.equal(JSON.parse(description).exception, reasons[limit]);
    }
  });
});

describe('a contract that fails', () => {
  const thrown = (main: string) => {
    const contract = deploy(
      `"use strict";\nfunction init(input) { return input; }\nfunction main(input) {\n  ${main}\n}\n`,
    );
    const { code, description } = call(contract, { input: 'in' });
    assert.equal(code, codes.contractFailed, description);
    const { contract: named, ...rest } = JSON.parse(description);
    assert.equal(named, contract);
    return rest;
  };

  it('by an Error tells its text, its line and its stack', () => {
    const { exception, linenum, stack } = thrown('throw new TypeError("bad " + input);');
    assert.deepEqual([exception, linenum], ['TypeError: bad in', 4]);
    assert.match(stack, /main/);
    assert.equal(thrown('\n\n  return input.missing.member;').linenum, 6);
  });

  it('by anything else tells what it is, without a stack', () => {
    const cases: [statement: string, exception: string][] = [
      ['throw "plain";', 'plain'],
      ['throw 42;', '42'],
      ['throw undefined;', 'undefined'],
      ['throw null;', 'null'],
      ['throw -0;', '0'],
      ['throw Symbol("s");', 'Symbol(s)'],
      ['throw { a: 1 };', '[object Object]'],
      ['throw { toString: function () { return input; } };', '[object Object]'],
      ['throw { toString: function () { throw new Error("again"); } };', '[object Object]'],
      ['throw [1, 2];', '[object Array]'],
      ['throw function () { return input; };', '[object Function]'],
      ['throw "";', ''],
      ['throw "\\udc00.";', '\udc00.'],
    ];
    for (const [statement, exception] of cases) {
      assert.deepEqual(thrown(statement), { exception, linenum: 4 }, statement);
    }
  });

  it('by an assertion tells its message', () => {
    assert.equal(thrown('Utils.assert(false);').exception, 'Assertion exception occurred');
    assert.equal(thrown('Utils.assert(false, "not " + input);').exception, 'not in');
    assert.match(thrown('Utils.assert(1);').exception, /boolean/);
    assert.equal(thrown('assert(input === "");').exception, 'Assertion exception occurred');
  });

  it('tells at most 256 characters, and whole ones', () => {
    assert.equal(thrown('throw "x".repeat(1000);').exception, 'x'.repeat(256));
    assert.equal(thrown('throw "x" + "😀".repeat(200);').exception, `x${'😀'.repeat(127)}`);
  });

  it('before its entry function, at the top level', () => {
    const executed = create(
      '"use strict"; const a = undefined; const b = a.c; function init(input) { return b; }',
    );
    assert.equal(executed.code, codes.contractFailed);
    assert.match(JSON.parse(executed.description).exception, /TypeError/);
  });

  it('for want of its entry function', () => {
    const missing = (entry: string) => ({ exception: `Lost of ${entry} function` });
    const none = create('"use strict"; function main(input) { return input; }');
    assert.equal(none.code, codes.contractFailed);
    assert.deepEqual(JSON.parse(none.description), missing('init'));
    const onlyInit = deploy('"use strict"; const main = 5; function init(input) { return main; }');
    const uncallable = call(onlyInit);
    assert.equal(uncallable.code, codes.contractFailed);
    const result = query(onlyInit);
    assert.ok('refusal' in result);
    assert.deepEqual(JSON.parse(result.refusal.description), missing('query'));
  });

  it('the description is the JSON text alone, whatever operation it was', () => {
    const contract = deploy({ main: 'throw "x";' });
    assert.match(call(contract).description, /^\{"contract"/);
    assert.match(create(contractCode({ init: 'throw "x";' })).description, /^\{"contract"/);
  });
});
