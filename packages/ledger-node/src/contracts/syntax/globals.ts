/**
 * The names a contract may use without declaring them (docs/ledger.md, "Contracts"): parts of the language whose
 * results are the same everywhere, and what the node adds. Everything else, clocks and randomness included, is
 * undeclared.
 */

const language = [
  'Boolean',
  'Error',
  'EvalError',
  'Infinity',
  'JSON',
  'Map',
  'NaN',
  'Number',
  'Object',
  'RangeError',
  'ReferenceError',
  'RegExp',
  'Set',
  'String',
  'Symbol',
  'SyntaxError',
  'TypeError',
  'parseFloat',
  'parseInt',
  'undefined',
];

const objects = ['Chain', 'Utils'];

/** Plain names from the time before `Chain` and `Utils`: the token code inside the public SDKs uses them. */
const legacy = [
  'addressCheck',
  'assert',
  'blockNumber',
  'blockTimestamp',
  'configFee',
  'contractQuery',
  'getAccountAsset',
  'getBalance',
  'getBlockHash',
  'getValidators',
  'int64Add',
  'int64Compare',
  'int64Div',
  'int64Mod',
  'int64Mul',
  'int64Sub',
  'issueAsset',
  'log',
  'payAsset',
  'payCoin',
  'sender',
  'setValidators',
  'stoI64Check',
  'storageDel',
  'storageLoad',
  'storageStore',
  'thisAddress',
  'thisPayAsset',
  'thisPayCoinAmount',
  'tlog',
  'toBaseUnit',
  'triggerIndex',
];

export const allowedGlobals: ReadonlySet<string> = new Set([...language, ...objects, ...legacy]);

/** The name under which the family's nodes count steps: no contract may call, declare or replace it. */
export const stepFunctionName = 'internal_check_time';
