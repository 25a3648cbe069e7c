/**
 * A planned upgrade whose block is there: nodes of this program make no further one, and to start them again leads
 * nowhere. The plan stands in the folder of each node, and so does its last block, whether it runs or not.
 */
import { compareVersions } from '@symbolon/core/names/template-names';
import { readUpgradePlan, type UpgradePlan } from '@symbolon/ledger-node/drivers/comet/upgrade-plan';
import { storePath, upgradePath } from '@symbolon/ledger-node/node/node-folder';
import { nodeVersion } from '@symbolon/ledger-node/node/node-version';
import { confirmedBlock } from '@symbolon/ledger-node/store/head-file';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import { shellWord } from '../terminal/quoting.ts';
import { ledgerFolderOf, type Network, type NetworkNode } from './network-file.ts';

export interface DueUpgrade extends UpgradePlan {
  /** The newest block of the node. */
  readonly block: number;
}

/** Undefined where this program goes on. */
export async function dueUpgrade(network: Network, node: NetworkNode): Promise<DueUpgrade | undefined> {
  const folder = ledgerFolderOf(network, node);
  const plan = await readUpgradePlan(upgradePath(folder));
  if (!plan || compareVersions(nodeVersion, plan.version) >= 0) return undefined;
  const block = Number(confirmedBlock(storePath(folder)) ?? 0n);
  return block < plan.after ? undefined : { ...plan, block };
}

/** What happened, why, and what to do about it. */
export const dueWords = (
  { folder }: Pick<Network, 'folder'>,
  { after, block, version }: DueUpgrade,
): readonly [what: string, why: string, next: string] => [
  block === after
    ? `The network stopped at block ${block} for the planned upgrade to ${version}.`
    : `The network is at block ${block}, past the planned upgrade to ${version} after block ${after}.`,
  `This program is ${nodeVersion}, which makes no further block.`,
  `Install ${version} or a newer one, then run: symbolon network up --dir ${shellWord(folder)}. To go on without the upgrade: symbolon network upgrade --cancel --dir ${shellWord(folder)}`,
];

export const dueFailure = (network: Pick<Network, 'folder'>, due: DueUpgrade): CommandFailure =>
  new CommandFailure(dueWords(network, due).join('\n'), exitCodes.failed, {
    code: 'notReady',
    upgrade: { ...due },
  });

/** Before nodes are started. */
export async function assertNotDue(network: Network, nodes: readonly NetworkNode[]): Promise<void> {
  for (const node of nodes) {
    const due = await dueUpgrade(network, node);
    if (due) throw dueFailure(network, due);
  }
}
