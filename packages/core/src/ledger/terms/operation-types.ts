/** The operations that exist, by the number that stands for each on the wire. */
export const operationTypes = {
  createAccount: 1,
  issueAsset: 2,
  payAsset: 3,
  setMetadata: 4,
  payCoin: 7,
  log: 8,
  setPrivilege: 9,
  upgradeContract: 10,
} as const;

export type OperationName = keyof typeof operationTypes;
export const operationNames = Object.keys(operationTypes) as readonly OperationName[];
