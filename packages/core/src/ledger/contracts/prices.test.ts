import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import { contractSupport } from '@symbolon/ledger-node/chain/ledger-rules';
import { contractLimits } from '../../limits/consensus.ts';
import { codes } from '../terms/codes.ts';
import { contractCode, createContractLedger } from '../testing/contract-ledger.ts';

const ledger = createContractLedger({ sha256, contracts: contractSupport });
const { call, deploy, query } = ledger;
const dear = { feeLimit: 10n ** 11n };
const quoted = (value: unknown) => JSON.stringify(value);

describe('the price of a function', () => {
  const used = (body: string) => {
    const contract = deploy({ query: `${body} return true;` });
    const runs = ledger.runs();
    query(contract, '', { on: runs });
    return runs.contractGas;
  };

  it('that touches the ledger is ten steps', () => {
    const difference = used('Chain.load("k"); Chain.load("k");') - used('Chain.load("k");');
    const steps = BigInt(contractLimits.builtInSteps) * contractLimits.gasPerStep;
    assert.ok(difference >= steps && difference < steps + 5n * contractLimits.gasPerStep, String(difference));
  });

  it('rises with the text that goes in and comes out', () => {
    const steps = (count: bigint) => count * contractLimits.gasPerStep;
    const more = (body: string, less: string) => used(body) - used(less);
    const wide = 'const k = "\\u4e2d".repeat(102400);';
    const dear = more(`${wide} Chain.load(k);`, `${wide} Chain.load("k");`);
    assert.ok(dear >= steps(99n) && dear < steps(110n), String(dear));
    const checked = more(`${wide} Utils.stoI64Check(k);`, `${wide} Utils.stoI64Check("k");`);
    assert.ok(checked >= steps(99n) && checked < steps(110n), String(checked));
    const writer = deploy({ init: 'Chain.store("k", "\\u4e2d".repeat(81920)); return true;' });
    const read = (key: string) => `Chain.getAccountMetadata(${quoted(writer)}, ${quoted(key)});`;
    const answered = more(read('k'), read('none'));
    assert.ok(answered >= steps(79n) && answered < steps(90n), String(answered));
  });

  it('of an answer is paid by whoever gives it', () => {
    const contract = deploy({ query: 'return "\\u4e2d".repeat(12000000);' });
    const result = query(contract);
    assert.ok('refusal' in result);
    assert.equal(result.refusal.code, codes.contractExpired);
  });

  it('that makes a contract is a hundred steps', () => {
    const child = quoted(contractCode({}));
    const gas = (body: string) =>
      call(deploy({ main: `${body} return true;` }), dear).block.transactions[0].outcome.contractGas;
    const difference = gas(`Chain.contractCreate("0", 0, ${child}, "");`) - gas(`Chain.load(${child});`);
    assert.ok(difference > BigInt(contractLimits.creationSteps - 10) * contractLimits.gasPerStep);
  });

  it('that triggers a transaction rises with its bytes', () => {
    const gas = (text: string) => {
      const contract = deploy({ main: `const v = ${text}; Chain.store("k", v); return true;` });
      return call(contract).block.transactions[0].outcome.contractGas;
    };
    const difference = gas('"\\u4e2d".repeat(40960)') - gas('"\\u4e2d".repeat(10)');
    const steps = difference / contractLimits.gasPerStep;
    assert.ok(steps >= 40n + 120n && steps < 400n, `${steps} steps for 40 Ki characters, 120 KiB`);
  });

  it('is paid before the call is made: without gas nothing is read or written', () => {
    const contract = deploy({ main: 'let i = 0; while (true) { i += 1; Chain.load("k" + i); }' });
    assert.equal(call(contract).code, codes.contractExpired);
  });
});
