/** A node beyond those that a network began with, and one of these that begins anew. */
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setStateSync, type TrustedStart } from '@symbolon/ledger-node/node/comet-home';
import { folderFiles, upgradePath } from '@symbolon/ledger-node/node/node-folder';
import { chooseNodePorts, portsOf } from './free-ports.ts';
import { makeNodeKeys, writeHome, writeLedgerFolder } from './make-network.ts';
import {
  cometHomeOf,
  indexOf,
  ledgerFolderOf,
  type Network,
  type NetworkNode,
  nodeFolderOf,
  nodeName,
  processesFileOf,
  writeNetwork,
} from './network-file.ts';

/**
 * A further node, with the genesis documents of the first one. It calls the others, which need not know of it before.
 * `isAdded`: it is to validate, and is gone on with where that comes to nothing.
 */
export async function makeNode(
  network: Network,
  { isAdded = false }: { readonly isAdded?: boolean } = {},
): Promise<[Network, NetworkNode]> {
  const { folder, nodes, snapshotEvery } = network;
  const first = nodes[0] as NetworkNode;
  const index = await freeIndex(network);
  const name = nodeName(index);
  const [ports] = await chooseNodePorts(1, { taken: portsOf(nodes) });
  const genesis = await readFile(path.join(ledgerFolderOf(network, first), 'genesis.json'), 'utf8');
  const cometGenesis = await readFile(
    path.join(cometHomeOf(network, first), 'config', 'genesis.json'),
    'utf8',
  );
  const made = await makeNodeKeys(folder, name, ports as NonNullable<typeof ports>);
  const { node } = made;
  const changed: Network = { ...network, nodes: [...nodes, node], ...(isAdded && { adding: index }) };
  await writeLedgerFolder(ledgerFolderOf(network, node), { node, genesis, snapshotEvery });
  await writeHome(changed, made, cometGenesis);
  await writeNetwork(folder, changed);
  return [changed, node];
}

/** The number after the last one. What a making that was cut short has left is removed: nothing of it has ever run. */
async function freeIndex(network: Network): Promise<number> {
  for (let index = Math.max(...network.nodes.map(indexOf)) + 1; ; index++) {
    const left = nodeFolderOf(network, { name: nodeName(index) });
    if (existsSync(processesFileOf(network, { name: nodeName(index) }))) continue;
    await rm(left, { recursive: true, force: true });
    return index;
  }
}

/** What of a node's two folders makes it the node that it is: whoever loses what it has signed may sign against itself. */
const keptOfLedger: readonly string[] = [
  folderFiles.genesis,
  folderFiles.settings,
  path.basename(upgradePath('')),
];
const keptOfComet: readonly string[] = ['priv_validator_state.json'];

const cometDataOf = (network: Network, node: NetworkNode): string =>
  path.join(cometHomeOf(network, node), 'data');

/** Whether there is anything that `removeBlocks` removes. */
export async function hasBlocks(network: Network, node: NetworkNode): Promise<boolean> {
  const names = [
    ...(await leftOf(ledgerFolderOf(network, node), keptOfLedger)),
    ...(await leftOf(cometDataOf(network, node), keptOfComet)),
  ];
  return names.length > 0;
}

/** Everything of a stopped node is gone but its settings, its keys and what it has signed. */
export async function removeBlocks(network: Network, node: NetworkNode): Promise<void> {
  // What CometBFT has goes first: a node with blocks begins with no snapshot, and this can be said again.
  for (const file of await leftOf(cometDataOf(network, node), keptOfComet))
    await rm(file, { recursive: true });
  for (const file of await leftOf(ledgerFolderOf(network, node), keptOfLedger))
    await rm(file, { recursive: true });
}

async function leftOf(folder: string, kept: readonly string[]): Promise<string[]> {
  const names = await readdir(folder);
  return names.filter((name) => !kept.includes(name)).map((name) => path.join(folder, name));
}

export const beginWith = (
  network: Network,
  node: NetworkNode,
  start: TrustedStart | undefined,
): Promise<void> => setStateSync(cometHomeOf(network, node), start);
