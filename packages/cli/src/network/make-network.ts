/**
 * The folder of a network, made whole under another name and then given its own: keys, genesis documents of both sides
 * and the homes of all nodes. A node that is added later gets its home the same way.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { cometGenesis, peerIdOf, writeCometHome } from '@symbolon/ledger-node/node/comet-home';
import { cometChainIdOf, networkGenesis, writeMemberFolder } from '@symbolon/ledger-node/node/network-folder';
import { publicKeyOf } from '@symbolon/ledger-node/signatures/ed25519';
import { stringifyJson } from '@symbolon/wire/json/json';
import { isFree, makeFolder } from '../machine/durable-files.ts';
import { makeKeyFile } from '../profile/key-file.ts';
import { usageFailure } from '../terminal/failure.ts';
import { removeIfInterrupted } from '../terminal/interruption.ts';
import { shellWord } from '../terminal/quoting.ts';
import { chooseNodePorts } from './free-ports.ts';
import {
  cometHomeOf,
  councilKeyFile,
  genesisKeyFile,
  ledgerFolderOf,
  type NetworkFacts,
  type NetworkNode,
  type NodePorts,
  nodeFolderOf,
  nodeName,
  payeeKeyFile,
  writeNetwork,
} from './network-file.ts';

/** The power of a validator that nobody has said another of. */
export const usualPower = 10;

export interface NetworkOrder {
  readonly validators: number;
  readonly commitMs: number;
  readonly snapshotEvery: number;
  readonly portsFrom?: number | undefined;
}

/** A node whose keys are made, and whose home is not. */
export interface NewNode {
  readonly node: NetworkNode;
  readonly validatorSeed: Uint8Array;
  readonly peerSeed: Uint8Array;
}

export async function makeNetwork(folder: string, order: NetworkOrder): Promise<NetworkFacts> {
  if (!(await isFree(folder)))
    throw usageFailure(
      `${folder} is not an empty folder.\nA network gets a folder of its own, and nothing that is there is touched.\nName another one, or start the network that is in it: symbolon network up --dir ${shellWord(folder)}`,
    );
  await makeFolder(path.dirname(path.resolve(folder)));
  const unfinished = `${path.resolve(folder)}.${randomBytes(4).toString('hex')}.new`;
  const whole = removeIfInterrupted(unfinished);
  try {
    const facts = await fillFolder(unfinished, order);
    await rename(unfinished, folder);
    return facts;
  } finally {
    whole();
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function fillFolder(
  folder: string,
  { validators, commitMs, snapshotEvery, portsFrom }: NetworkOrder,
): Promise<NetworkFacts> {
  await mkdir(folder, { mode: 0o700 });
  const council = await makeKeyFile(councilKeyFile(folder));
  const genesisAccount = await makeKeyFile(genesisKeyFile(folder));
  const ports = await chooseNodePorts(validators, { from: portsFrom });
  const made: NewNode[] = [];
  for (const [index, own] of ports.entries()) made.push(await makeNodeKeys(folder, nodeName(index + 1), own));
  const nodes = made.map(({ node }) => node);
  const genesis = networkGenesis({
    genesisAddress: genesisAccount.address,
    council: council.address,
    validators: nodes.map(({ publicKey, payTo }) => ({ publicKey, power: usualPower, payTo })),
  });
  for (const node of nodes)
    await writeLedgerFolder(ledgerFolderOf({ folder }, node), { node, genesis, snapshotEvery });
  const chainId = await cometChainIdOf(ledgerFolderOf({ folder }, nodes[0] as NetworkNode));
  const validatorsNamed = nodes.map(({ publicKey, name }) => ({ publicKey, power: usualPower, name }));
  const cometGenesisText = stringifyJson(cometGenesis(chainId, validatorsNamed, new Date()), 2);
  const addresses = { council: council.address, genesisAddress: genesisAccount.address };
  const facts = { chainId, ...addresses, commitMs, snapshotEvery, nodes };
  for (const one of made) await writeHome({ folder, ...facts }, one, cometGenesisText);
  await writeNetwork(folder, facts);
  return facts;
}

/** Keys of a node, and its folder with the one that gets its fees. */
export async function makeNodeKeys(folder: string, name: string, ports: NodePorts): Promise<NewNode> {
  const nodeFolder = nodeFolderOf({ folder }, { name });
  await mkdir(nodeFolder, { mode: 0o700 });
  const payee = await makeKeyFile(payeeKeyFile(nodeFolder));
  const [validatorSeed, peerSeed] = [randomBytes(32), randomBytes(32)];
  const publicKey = encodeHex(publicKeyOf(validatorSeed));
  const node = { name, publicKey, peerId: peerIdOf(peerSeed), payTo: payee.address, ports };
  return { node, validatorSeed, peerSeed };
}

interface MemberOrder {
  readonly node: NetworkNode;
  readonly genesis: string;
  readonly snapshotEvery: number;
}

const abciOf = ({ ports }: NetworkNode): string => `tcp://127.0.0.1:${ports.abci}`;

export const writeLedgerFolder = (
  folder: string,
  { node, genesis, snapshotEvery }: MemberOrder,
): Promise<void> => {
  const { http, socket, rpc } = node.ports;
  const cometbft = { abci: abciOf(node), rpc: `http://127.0.0.1:${rpc}`, snapshotEvery };
  return writeMemberFolder(folder, { genesis, settings: { port: http, socketPort: socket, cometbft } });
};

/** Nodes beyond so many call a few of the others, by whom they hear of the rest. */
const peersMax = 10;

export function writeHome(
  network: NetworkFacts & { readonly folder: string },
  { node, validatorSeed, peerSeed }: NewNode,
  genesis: string,
): Promise<void> {
  const at = network.nodes.findIndex(({ name }) => name === node.name);
  const others = [...network.nodes.slice(at + 1), ...network.nodes.slice(0, at)];
  return writeCometHome(cometHomeOf(network, node), {
    name: node.name,
    abci: abciOf(node),
    rpcPort: node.ports.rpc,
    p2pPort: node.ports.p2p,
    peers: others.slice(0, peersMax).map(({ peerId, ports }) => `${peerId}@127.0.0.1:${ports.p2p}`),
    genesis,
    validatorSeed,
    peerSeed,
    commitMs: network.commitMs,
  });
}
