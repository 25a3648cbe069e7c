/** `symbolon network upgrade`: the block after which only newer programs go on, told to all nodes before it comes. */
import { rm } from 'node:fs/promises';
import { compareVersions } from '@symbolon/core/names/template-names';
import type { UpgradePlan } from '@symbolon/ledger-node/drivers/comet/upgrade-plan';
import { upgradePath } from '@symbolon/ledger-node/node/node-folder';
import { nodeVersion } from '@symbolon/ledger-node/node/node-version';
import { writeWhole } from '../../machine/durable-files.ts';
import { furthestNode } from '../../network/council.ts';
import { ledgerFolderOf, type Network, readNetwork } from '../../network/network-file.ts';
import { whileLocked } from '../../network/network-lock.ts';
import { lookAtNetwork } from '../../network/observing.ts';
import { usageFailure } from '../../terminal/failure.ts';
import { printFields } from '../../terminal/layout.ts';
import { printJson, processTerminal } from '../../terminal/terminal.ts';

interface UpgradeWords {
  readonly dir: string;
  readonly after?: number;
  readonly to?: string;
  readonly cancel?: boolean;
  readonly json?: boolean;
}

export async function planUpgrade({ dir, after, to, cancel, json }: UpgradeWords): Promise<void> {
  if (cancel ? after !== undefined || to !== undefined : after === undefined || to === undefined)
    throw usageFailure(
      'An upgrade is planned with --after and --to, both of them, or given up with --cancel.',
    );
  const plan = after === undefined || to === undefined ? undefined : { after, version: to };
  if (plan) await assertAhead(await readNetwork(dir), plan);
  const nodes = await whileLocked(dir, async () => {
    const network = await readNetwork(dir);
    for (const node of network.nodes) await keep(upgradePath(ledgerFolderOf(network, node)), plan);
    return network.nodes.length;
  });
  if (json)
    return printJson(processTerminal, { nodes, after: plan?.after ?? null, version: plan?.version ?? null });
  if (!plan)
    return processTerminal.print(
      'No upgrade is planned any longer. Nodes that have ended for it can be started again.',
    );
  printFields(processTerminal, `Programs older than ${plan.version} make no block after ${plan.after}.`, {
    nodes,
  });
  processTerminal.remark(
    'Nodes of older programs end there. Install the new program, and start them again: it takes over with the next block.',
  );
}

async function keep(file: string, plan: UpgradePlan | undefined): Promise<void> {
  if (plan) await writeWhole(file, `${JSON.stringify(plan)}\n`, `${file}.${process.pid}.new`);
  else await rm(file, { force: true });
}

/** A block that was made already can be nobody's last one, and this program itself is what is to be left behind. */
async function assertAhead(network: Network, { after, version }: UpgradePlan): Promise<void> {
  if (compareVersions(version, nodeVersion) <= 0)
    throw usageFailure(
      `${version} is not newer than this program, which is ${nodeVersion}; nothing was planned.`,
    );
  const look = await lookAtNetwork(network);
  const furthest = furthestNode(
    look,
    network,
    'A plan names a block that is not there yet, and only a node that runs knows how far they are.',
  );
  const block = look.nodes.find(({ node }) => node.name === furthest.name)?.block ?? 0;
  if (after <= block)
    throw usageFailure(
      `Block ${after} is there already; nothing was planned.\nThe newest one is ${block}.\nName one that is far enough ahead for everybody to hear of it.`,
    );
}
