import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import { contractSupport } from '@symbolon/ledger-node/chain/ledger-rules';
import type { ContractSupport } from '../terms/chain-parameters.ts';
import { createContractLedger } from '../testing/contract-ledger.ts';
import { operation } from '../testing/test-ledger.ts';
import { CallTracer, type TracedCall } from './call-tracer.ts';

let tracer: CallTracer | undefined;
const plain = createContractLedger({ sha256, contracts: contractSupport });
const watched = createContractLedger({
  sha256,
  contracts: (keys): ContractSupport => {
    const support = contractSupport(keys);
    tracer = new CallTracer(support.engine);
    return { ...support, engine: tracer };
  },
});
const { address, call, deploy, execute } = watched;
const quoted = (value: unknown) => JSON.stringify(value);
const failedCalls = (): readonly TracedCall[] => tracer?.failedCalls ?? [];
/** The contracts, and what each was in. */
const chain = () => failedCalls().map(({ contract, builtIn }) => [contract, builtIn]);

const thrower = deploy({
  main: 'Utils.assert(input !== "fail",\n "too late");\nreturn "fine";',
  query: 'throw new Error("no");',
});
const calling = (target: string, more = '') =>
  deploy({ main: `return Chain.contractCall(${quoted(target)}, true, "0", input);${more}` });
const caller = calling(thrower);
const outer = calling(caller);

describe('calls that are watched', () => {
  it('tell who had called whom when one failed, and where', () => {
    assert.equal(call(outer, { input: 'fail' }).code, 151);
    assert.deepEqual(chain(), [
      [outer, 'Chain.contractCall'],
      [caller, 'Chain.contractCall'],
      [thrower, 'Utils.assert'],
    ]);
    const last = failedCalls().at(-1);
    assert.equal(last?.exception, 'too late');
    assert.equal(last?.entry, 'main');
    assert.equal(last?.input, 'fail');
    assert.match(last?.source ?? '', /Utils\.assert|"too late"/);
    assert.equal(failedCalls()[0]?.line, undefined, 'only the last has failed by itself');
  });

  it('tell which function of the ledger refused', () => {
    const poor = deploy({ main: `return Chain.payCoin(${quoted(address('bob'))}, "5");` });
    assert.equal(call(calling(poor)).code, 100);
    assert.deepEqual(chain().at(-1), [poor, 'Chain.payCoin']);
    assert.equal(failedCalls().length, 2);
  });

  it('tell whose code ran for another', () => {
    const borrowing = deploy({ main: `return Chain.delegateCall(${quoted(thrower)}, input);` });
    assert.equal(call(borrowing, { input: 'fail' }).code, 151);
    const [own, lent] = failedCalls();
    assert.deepEqual([own?.codeOf, lent?.codeOf, lent?.contract], [undefined, thrower, borrowing]);
  });

  it('tell which operation of the transaction it was', () => {
    const note = operation('log', { topic: 't' });
    const pay = operation('payCoin', { destAddress: thrower, input: 'fail' });
    assert.equal(execute({ operations: [note, pay] }).code, 151);
    assert.equal(failedCalls()[0]?.operationIndex, 1);
  });

  it('tell nothing of a failed query that its caller has survived', () => {
    const asking = `const asked = Chain.contractQuery(${quoted(thrower)}, "");`;
    const calm = deploy({ main: `${asking} return String(asked.error);` });
    assert.equal(call(calm).code, 0);
    assert.deepEqual(failedCalls(), []);
    assert.equal(tracer?.returned, 'true');
    const angry = deploy({ main: `${asking} Chain.load("k"); throw new Error("mine");` });
    assert.equal(call(angry).code, 151);
    assert.deepEqual(chain(), [[angry, undefined]]);
    assert.equal(tracer?.returned, undefined);
  });

  it('tell what the outermost returned', () => {
    assert.equal(call(outer, { input: 'x' }).code, 0);
    assert.equal(tracer?.returned, 'fine');
  });

  it('end as they do when nobody watches', () => {
    for (const input of ['fail', 'x']) {
      const outcomes = [plain, watched].map((ledger) => {
        const target = ledger.deploy({ main: 'Utils.assert(input !== "fail", "too late"); return input;' });
        const { code, description, block } = ledger.call(target, { input });
        return { code, description: description.replaceAll(target, ''), count: block.records.length };
      });
      assert.deepEqual(outcomes[0], outcomes[1]);
    }
  });
});
