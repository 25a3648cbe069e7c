/**
 * A call of every function that a contract has from the ledger, each with arguments that make it do its work. Written
 * into contracts, where `target` is the address of a contract that answers and `owner` a key's encoding.
 */

export interface CallPlaces {
  readonly target: string;
  readonly publicKey: string;
}

/** Code as deep as the syntax check lets pass, in the way that takes most of the parser. */
const deepCode = `'use strict'; function init(a) { return ${'a['.repeat(90)}a${']'.repeat(90)}; }`;
const deepMessage = JSON.stringify({ a: [{ b: [{ c: ['d', 1, true, null] }] }] });

const integerCalls = (kind: 'int64' | 'int256'): string[] => [
  ...['Add', 'Sub', 'Mul', 'Div', 'Mod', 'And', 'Or', 'Xor', 'Compare'].map(
    (name) => `Utils.${kind}${name}("123456789", "97")`,
  ),
  `Utils.${kind}Not("5")`,
  `Utils.${kind}LShift("5", "3")`,
  `Utils.${kind}RShift("500", "3")`,
  `Utils.u${kind}RShift("500", "3")`,
];

/** By the text of the call; each gives a value, throws, or ends the run. */
export const builtInCalls = ({ target, publicKey }: CallPlaces): readonly string[] => [
  ...integerCalls('int64'),
  ...integerCalls('int256'),
  'Utils.int256Pow("3", "150")',
  'Utils.int256Sqrt("123456789012345678901234567890")',
  'Utils.int256Min("1", "2")',
  'Utils.int256Max("1", "2")',
  'Utils.stoI64Check("12")',
  'Utils.stoI256Check("12")',
  'Utils.hexToDec("ff00ff")',
  'Utils.toBaseUnit("1.5")',
  `Utils.log(${deepMessage})`,
  'Utils.assert(true, "never")',
  'Utils.assert(false, "always")',
  `Utils.addressCheck("${target}")`,
  `Utils.toAddress("${publicKey}")`,
  'Utils.sha256("00ff")',
  'Utils.sha256("gr\\u00fc\\u00dfe", 1)',
  'Utils.sha256("AAECAwQFBgcICQ==", 2)',
  `Utils.ecVerify("${'01'.repeat(64)}", "${publicKey}", "AAEC", 2)`,
  'Chain.load("key")',
  'Chain.store("key", "value")',
  'Chain.del("no such key")',
  'Chain.getBlockHash(0)',
  'Chain.tlog("topic", "value", 1, true)',
  `Chain.getAccountMetadata("${target}", "key")`,
  `Chain.getBalance("${target}")`,
  `Chain.getAccountAsset("${target}", { issuer: "${target}", code: "ABC" })`,
  `Chain.getAccountPrivilege("${target}")`,
  `Chain.getContractProperty("${target}")`,
  'Chain.getValidators()',
  `Chain.payCoin("${target}", "0", "input", "remark")`,
  'Chain.issueAsset("ABC", "5")',
  `Chain.payAsset("${target}", "${target}", "ABC", "5", "input", "remark")`,
  `Chain.contractCall("${target}", true, "0", "input")`,
  `Chain.contractQuery("${target}", "input")`,
  // Never the same code twice, because verdicts are remembered.
  `Chain.contractCreate("0", 0, ${JSON.stringify(deepCode)} + "//" + Chain.thisAddress, "input")`,
  `Chain.delegateCall("${target}", "input")`,
  `Chain.delegateQuery("${target}", "input")`,
  'Chain.setValidators("[]")',
  'Chain.configFee("{}")',
];

/** `Utils.log` of `Utils.log("x")`. */
export const nameOfCall = (call: string): string => call.slice(0, call.indexOf('('));
