import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import { contractSupport } from '@symbolon/ledger-node/chain/ledger-rules';
import { codes } from '../terms/codes.ts';
import { createContractLedger } from '../testing/contract-ledger.ts';

const ledger = createContractLedger({ sha256, contracts: contractSupport });
const { address, call, deploy, stored } = ledger;
const [alice, bob, nobody] = [address('alice'), address('bob'), address('nobody')];

const quoted = (value: unknown) => JSON.stringify(value);

const failureOf = (statement: string, balance = 0n) => {
  const contract = deploy({ main: `${statement} return true;` }, { balance });
  const { code, description } = call(contract, { feeLimit: 10n ** 11n });
  return { code, description };
};

describe('a writing function called wrongly', () => {
  const throwing: [statement: string, index: number | string][] = [
    ['Chain.store("k");', 1],
    ['Chain.store(1, "v");', 0],
    ['Chain.store("k", 1);', 1],
    ['Chain.store("k", null);', 1],
    ['Chain.store("k", { toString: function () { return "v"; } });', 1],
    ['Chain.store(["k"], "v");', 0],
    ['Chain.store("\\ud800", "v");', 0],
    ['Chain.store("k", "v\\udc00");', 1],
    ['Chain.del();', 0],
    ['Chain.tlog();', 'topic'],
    ['Chain.tlog("t", 1, 2, 3, 4, 5, 6);', 'at most 5'],
    ['Chain.tlog(1, "d");', 0],
    ['Chain.tlog("t", "d", {});', 2],
    ['Chain.tlog("t", undefined);', 1],
    ['Chain.tlog("t", Symbol("x"));', 1],
    ['Chain.tlog("t", "\\ud800");', 1],
    [`Chain.payCoin(${quoted(bob)});`, 1],
    [`Chain.payCoin(${quoted(bob)}, 1);`, 1],
    [`Chain.payCoin(${quoted(bob)}, "01");`, 1],
    [`Chain.payCoin(${quoted(bob)}, "-1");`, 1],
    [`Chain.payCoin(${quoted(bob)}, "1.0");`, 1],
    [`Chain.payCoin(${quoted(bob)}, "");`, 1],
    [`Chain.payCoin(${quoted(bob)}, "1e3");`, 1],
    [`Chain.payCoin(${quoted(bob)}, "9223372036854775808");`, 1],
    [`Chain.payCoin(${quoted(bob)}, "0", 1);`, 2],
    [`Chain.payCoin(${quoted(bob)}, "0", null);`, 2],
    [`Chain.payCoin(${quoted(bob)}, "0", "", 1);`, 3],
    [`Chain.payCoin(${quoted(bob)}, "0", "", "\\ud800");`, 3],
    [`Chain.payCoin(${quoted(bob)}, "0", "\\ud800");`, 2],
    ['Chain.issueAsset("CNY");', 1],
    ['Chain.issueAsset("CNY", 5);', 1],
    ['Chain.issueAsset(5, "5");', 0],
    [`Chain.payAsset(${quoted(bob)}, ${quoted(alice)}, "CNY");`, 3],
    [`Chain.payAsset(${quoted(bob)}, ${quoted(alice)}, 1, "1");`, 2],
    [`Chain.payAsset(${quoted(bob)}, {}, "CNY", "1");`, 1],
    [`Chain.payAsset(${quoted(bob)}, ${quoted(alice)}, "CNY", "1", 1);`, 4],
    [`Chain.payAsset(${quoted(bob)}, ${quoted(alice)}, "CNY", "1", "", {});`, 5],
    [`Chain.contractCall(${quoted(bob)}, true, "0");`, 3],
    [`Chain.contractCall(${quoted(bob)}, false, "0", "");`, 1],
    [`Chain.contractCall(${quoted(bob)}, "CNY", "0", "");`, 1],
    [`Chain.contractCall(${quoted(bob)}, { issuer: ${quoted(alice)} }, "0", "");`, 1],
    [`Chain.contractCall(${quoted(bob)}, true, 0, "");`, 2],
    [`Chain.contractCall({}, true, "0", "");`, 0],
    ['Chain.contractCreate("0", 1, "code", "");', 1],
    ['Chain.contractCreate("0", "0", "code", "");', 1],
    ['Chain.contractCreate(0, 0, "code", "");', 0],
    ['Chain.contractCreate("0", 0, 1, "");', 2],
    ['Chain.contractCreate("0", 0, "code");', 3],
    ['Chain.contractCreate("0", 0, "\\ud800", "");', 2],
    ['Chain.delegateCall();', 0],
    [`Chain.delegateCall(${quoted(alice)}, "");`, 'no contract'],
    [`Chain.delegateCall(${quoted(nobody)}, "");`, 'no contract'],
    ['Chain.setValidators("[]");', 'system contract'],
    ['Chain.configFee("{}");', 'system contract'],
  ];
  for (const [statement, expected] of throwing) {
    it(`throws: ${statement.slice(0, 90)}`, () => {
      const { code, description } = failureOf(statement);
      assert.equal(code, codes.contractFailed);
      const { exception } = JSON.parse(description);
      const text = typeof expected === 'number' ? `argument ${expected} ` : expected;
      assert.ok(exception.includes(text), exception);
    });
  }

  it('a wrong argument is thrown before anything is executed, so nothing is triggered', () => {
    const contract = deploy({ main: 'Chain.store("k", "v"); Chain.store("k"); return true;' });
    const { records } = call(contract);
    assert.equal(records.length, 1);
    assert.equal(stored(contract, 'k'), undefined);
  });
});

describe('a triggered transaction that breaks a rule', () => {
  const failing: [statement: string, code: number][] = [
    [`Chain.payCoin(${quoted(bob)}, "11");`, codes.lowBalance],
    [`Chain.payCoin(${quoted(bob)}, "9223372036854775807");`, codes.lowBalance],
    ['Chain.payCoin(Chain.thisAddress, "1");', codes.sourceIsDestination],
    ['Chain.payCoin("nowhere", "1");', codes.invalidAddress],
    ['Chain.payCoin("", "1");', codes.invalidAddress],
    [`Chain.payAsset(${quoted(bob)}, ${quoted(alice)}, "NONE", "1");`, codes.lowAsset],
    [`Chain.payAsset(${quoted(nobody)}, ${quoted(alice)}, "NONE", "1");`, codes.accountMissing],
    [`Chain.payAsset(${quoted(bob)}, "issuer", "NONE", "1");`, codes.invalidAsset],
    [`Chain.payAsset(${quoted(bob)}, ${quoted(alice)}, "NONE", "0");`, codes.invalidAsset],
    [`Chain.payAsset(${quoted(bob)}, ${quoted(alice)}, "${'X'.repeat(65)}", "1");`, codes.invalidAsset],
    ['Chain.issueAsset("X", "0");', codes.invalidAsset],
    ['Chain.issueAsset("", "1");', codes.invalidAsset],
    ['Chain.issueAsset("X", "9223372036854775807"); Chain.issueAsset("X", "1");', codes.assetTooLarge],
    ['Chain.tlog("t", "");', codes.invalidParameter],
    ['Chain.tlog("", "d");', codes.invalidParameter],
    ['Chain.tlog("t".repeat(129), "d");', codes.invalidParameter],
    ['Chain.tlog("t", "d".repeat(1025));', codes.invalidParameter],
    [`Chain.payCoin(${quoted(bob)}, "0", "", "r".repeat(262145));`, codes.invalidParameter],
    [`Chain.payCoin(${quoted(bob)}, "0", "i".repeat(1100000));`, codes.transactionTooBig],
    ['Chain.contractCreate("0", 0, "", "");', codes.invalidAddress],
    ['Chain.contractCreate("0", 0, "not a contract", "");', codes.contractSyntax],
    [
      'Chain.contractCreate("11", 0, "\\"use strict\\"; function init(i) { return i; }", "");',
      codes.lowBalance,
    ],
    [
      'Chain.contractCreate("0", 0, "\\"use strict\\"; function main(i) { return i; }", "");',
      codes.contractFailed,
    ],
  ];
  for (const [statement, code] of failing) {
    it(`${code}: ${statement.slice(0, 80)}`, () => assert.equal(failureOf(statement, 10n).code, code));
  }
});
