/**
 * A network on this machine: `network.json` in its folder says which nodes there are and where they listen; each has a
 * folder with those of its two processes, `ledger` and `cometbft`. No secret stands in `network.json`.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { writeWhole } from '../machine/durable-files.ts';
import { CommandFailure, exitCodes, usageFailure } from '../terminal/failure.ts';
import { shellWord } from '../terminal/quoting.ts';

const port = z.int().min(1).max(65_535);
const name = z.string().regex(/^node-[1-9][0-9]{0,3}$/);

const nodeSchema = z.strictObject({
  name,
  /** With which it votes, where it is a validator: raw Ed25519 in hex. */
  publicKey: z.string().regex(/^[0-9a-f]{64}$/),
  /** By which its peers know it. */
  peerId: z.string().regex(/^[0-9a-f]{40}$/),
  /** Who gets the fees of the blocks that it proposes. */
  payTo: z.string(),
  ports: z.strictObject({ http: port, socket: port, abci: port, rpc: port, p2p: port }),
});

const networkSchema = z.strictObject({
  chainId: z.string(),
  council: z.string(),
  genesisAddress: z.string(),
  commitMs: z.int().min(1).max(60_000),
  snapshotEvery: z.int().min(1).max(1_000_000_000),
  nodes: z.array(nodeSchema).min(1),
  /** The number of the node that was made to validate and does not yet: whoever adds a validator goes on with it. */
  adding: z.int().min(1).max(9_999).optional(),
});

export type NetworkNode = Readonly<z.infer<typeof nodeSchema>>;
export type NetworkFacts = Readonly<z.infer<typeof networkSchema>>;
export type NodePorts = NetworkNode['ports'];

export interface Network extends NetworkFacts {
  readonly folder: string;
}

export const networkFile = 'network.json';
export const councilKeyFile = (folder: string): string => path.join(folder, 'council.key');
export const genesisKeyFile = (folder: string): string => path.join(folder, 'genesis-account.key');
export const payeeKeyFile = (nodeFolder: string): string => path.join(nodeFolder, 'payee.key');

type Placed = Pick<Network, 'folder'>;
export const nodeFolderOf = ({ folder }: Placed, node: Pick<NetworkNode, 'name'>): string =>
  path.join(folder, node.name);
export const ledgerFolderOf = (network: Placed, node: Pick<NetworkNode, 'name'>): string =>
  path.join(nodeFolderOf(network, node), 'ledger');
export const cometHomeOf = (network: Placed, node: Pick<NetworkNode, 'name'>): string =>
  path.join(nodeFolderOf(network, node), 'cometbft');

/** Which of its processes were started, and when: it is there as soon as one of them was. */
export const processesFileOf = (network: Placed, node: Pick<NetworkNode, 'name'>): string =>
  path.join(nodeFolderOf(network, node), 'processes.json');

export const nodeName = (index: number): string => `node-${index}`;
export const indexOf = ({ name: text }: Pick<NetworkNode, 'name'>): number =>
  Number(text.slice('node-'.length));

export const ledgerUrlOf = ({ ports }: NetworkNode): string => `http://127.0.0.1:${ports.http}`;
export const rpcUrlOf = ({ ports }: NetworkNode): string => `http://127.0.0.1:${ports.rpc}`;

export async function readNetwork(folder: string): Promise<Network> {
  const file = path.join(folder, networkFile);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailure(
      `${folder} has no network: ${file} cannot be read (${error.code}).\nName the folder of one with --dir, or make one: symbolon network init --dir ${shellWord(folder)}`,
      exitCodes.config,
    );
  });
  const read = networkSchema.safeParse(parsed(text));
  if (read.success) return { folder, ...read.data };
  throw new CommandFailure(
    `${file} is not what it should be:\n${z.prettifyError(read.error)}`,
    exitCodes.config,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export async function writeNetwork(folder: string, facts: NetworkFacts): Promise<void> {
  const { chainId, council, genesisAddress, commitMs, snapshotEvery, nodes, adding } = facts;
  const ordered = { chainId, council, genesisAddress, commitMs, snapshotEvery, nodes, adding };
  const text = JSON.stringify(ordered, null, 2);
  const file = path.join(folder, networkFile);
  await writeWhole(file, `${text}\n`, `${file}.${process.pid}.new`);
}

/** The node of a number; those that there are, where there is none of it. */
export function nodeOf({ nodes }: NetworkFacts, index: number): NetworkNode {
  const found = nodes.find((node) => indexOf(node) === index);
  if (found) return found;
  throw usageFailure(
    `There is no node ${index} in this network.\nThere are: ${nodes.map(indexOf).join(', ')}.\nName one of them.`,
  );
}
