/**
 * What must hold after every block, whatever the transactions were. A violation is a defect of the node: it stops
 * before the block becomes durable rather than let a wrong state be built upon.
 */
import { assert } from '../../basics/assert.ts';
import { int64Max, operationLimits, weightMax } from '../../limits/consensus.ts';
import type { Account, AssetStore, MetadataEntry } from '../../proto/ledger_pb.ts';
import { sourceOf } from '../checks/check-transaction.ts';
import { operationTypes } from '../terms/operation-types.ts';
import { accountOfKey, type StateChanges, type StateReader } from '../terms/state.ts';
import type { ExecutionRecord } from './execute-block.ts';

export function assertInvariants(
  before: StateReader,
  changes: StateChanges,
  { transactions, reward }: { transactions: readonly ExecutionRecord[]; reward: bigint },
): void {
  let gasDelta = 0n;
  const assetDelta = new Map<string, bigint>();
  for (const [key, entry] of changes) {
    const old = before.read(key);
    if (key.startsWith('account/')) {
      gasDelta += assertAccount(old as Account | undefined, entry as Account | null);
    } else if (key.startsWith('asset/')) {
      const asset = key.slice(`asset/${accountOfKey(key)}/`.length);
      const amount = amountOf(entry as AssetStore | null);
      assert(isInRange(amount, int64Max), `${key}: ${amount}`);
      const delta = amount - amountOf(old as AssetStore | undefined);
      assetDelta.set(asset, (assetDelta.get(asset) ?? 0n) + delta);
    } else if (entry) {
      const { version } = entry as MetadataEntry;
      assert(version > 0n, `${key}: version ${version}`);
    }
  }
  assert(gasDelta === reward, `Gas is not conserved: ${gasDelta} appeared where ${reward} was due`);
  const issued = issuedAmounts(transactions);
  for (const [asset, delta] of assetDelta) {
    assert(delta === (issued.get(asset) ?? 0n), `asset ${asset} is not conserved: ${delta} appeared`);
  }
}

/** Checks one account and answers how much Gas it gained. */
function assertAccount(old: Account | undefined, account: Account | null): bigint {
  assert(account, 'accounts are never deleted');
  const { address, balance, nonce, priv } = account;
  assert(balance >= 0n && balance <= int64Max, `account ${address}: balance ${balance}`);
  assert(nonce >= (old?.nonce ?? 0n), `account ${address}: the nonce went back to ${nonce}`);
  assert(priv?.thresholds, `account ${address} has no thresholds`);
  assert(isInRange(priv.masterWeight, weightMax), `account ${address}: master weight ${priv.masterWeight}`);
  assert(isInRange(priv.thresholds.txThreshold, int64Max), `account ${address}: transaction threshold`);
  assert(
    priv.signers.length <= operationLimits.signersMax &&
      priv.signers.every(({ weight }) => weight > 0n && weight <= weightMax),
    `account ${address}: signers`,
  );
  assert(
    priv.thresholds.typeThresholds.every(({ threshold }) => threshold > 0n),
    `account ${address}: type thresholds`,
  );
  return balance - (old?.balance ?? 0n);
}

const isInRange = (value: bigint, max: bigint): boolean => value >= 0n && value <= max;

const amountOf = (entry: AssetStore | null | undefined): bigint => entry?.amount ?? 0n;

function issuedAmounts(transactions: readonly ExecutionRecord[]): Map<string, bigint> {
  const issued = new Map<string, bigint>();
  for (const { verified, outcome } of transactions) {
    if (outcome.failure) continue;
    for (const { transaction } of [verified.signed, ...outcome.triggered.map(({ signed }) => signed)]) {
      for (const operation of transaction.operations) {
        if (operation.type !== operationTypes.issueAsset || !operation.issueAsset) continue;
        const asset = `${sourceOf(operation, transaction)}/${operation.issueAsset.code}`;
        issued.set(asset, (issued.get(asset) ?? 0n) + operation.issueAsset.amount);
      }
    }
  }
  return issued;
}
