/**
 * Plain names from the time before `Chain` and `Utils`: the token code inside the public SDKs uses them. They are globals
 * beside the two, so the library defines them and the syntax check allows them.
 */

/** Functions of `Chain` that had another name, or the same without `Chain`. */
export const legacyChainNames: Readonly<Record<string, string>> = {
  load: 'storageLoad',
  store: 'storageStore',
  del: 'storageDel',
  getBalance: 'getBalance',
  getAccountAsset: 'getAccountAsset',
  getBlockHash: 'getBlockHash',
  getValidators: 'getValidators',
  setValidators: 'setValidators',
  configFee: 'configFee',
  contractQuery: 'contractQuery',
  payCoin: 'payCoin',
  issueAsset: 'issueAsset',
  payAsset: 'payAsset',
  tlog: 'tlog',
};

/** Functions of `Utils` that are globals too. */
export const legacyUtilsNames = [
  'log',
  'assert',
  'addressCheck',
  'stoI64Check',
  'int64Add',
  'int64Sub',
  'int64Mul',
  'int64Div',
  'int64Mod',
  'int64Compare',
  'toBaseUnit',
] as const;

/** Values of a run. */
export const legacyValueNames = [
  'sender',
  'thisAddress',
  'triggerIndex',
  'blockNumber',
  'blockTimestamp',
  'thisPayCoinAmount',
  'thisPayAsset',
] as const;
