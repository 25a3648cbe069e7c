/** The operation table: type code to rules. An operation that is not in it does not exist. */
import { createAccount } from './create-account.ts';
import { issueAsset } from './issue-asset.ts';
import { log } from './log.ts';
import type { OperationRules } from './operation.ts';
import { payAsset } from './pay-asset.ts';
import { payCoin } from './pay-coin.ts';
import { setMetadata } from './set-metadata.ts';
import { setPrivilege } from './set-privilege.ts';
import { upgradeContract } from './upgrade-contract.ts';

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

const rules: Readonly<Record<keyof typeof operationTypes, OperationRules>> = {
  createAccount,
  issueAsset,
  payAsset,
  setMetadata,
  payCoin,
  log,
  setPrivilege,
  upgradeContract,
};

const byType = new Map(
  Object.entries(operationTypes).map(([name, type]) => [type as number, rules[name as keyof typeof rules]]),
);

export const operationRules = (type: number): OperationRules | undefined => byType.get(type);
