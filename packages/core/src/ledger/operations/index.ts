/** The operation table: type code to rules. An operation that is not in it does not exist. */

import type { Operation } from '../../proto/ledger_pb.ts';
import { type OperationName, operationNames, operationTypes } from '../terms/operation-types.ts';
import { createAccount } from './create-account.ts';
import { issueAsset } from './issue-asset.ts';
import { log } from './log.ts';
import type { OperationRules } from './operation.ts';
import { payAsset } from './pay-asset.ts';
import { payCoin } from './pay-coin.ts';
import { setMetadata } from './set-metadata.ts';
import { setPrivilege } from './set-privilege.ts';
import { upgradeContract } from './upgrade-contract.ts';

const rules: Readonly<Record<OperationName, OperationRules>> = {
  createAccount,
  issueAsset,
  payAsset,
  setMetadata,
  payCoin,
  log,
  setPrivilege,
  upgradeContract,
};

const byType = new Map<number, OperationRules>(
  operationNames.map((name) => [operationTypes[name], rules[name]]),
);

export const operationRules = (type: number): OperationRules | undefined => byType.get(type);

const bodyNames = [...operationNames, 'setSignerWeight', 'setThreshold'] as const;

/** The bodies that an operation has, retired ones included, whatever its type says. */
export const bodiesOf = (operation: Operation): readonly string[] =>
  bodyNames.filter((name) => operation[name] !== undefined);
