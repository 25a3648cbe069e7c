/** `symbolon network add-validator|remove-validator`: who validates, by a transaction of the council. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type CouncilEntry,
  clientOf,
  furthestNode,
  readCouncilEntry,
  writeCouncilEntry,
} from '../../network/council.ts';
import { chooseNodePorts, portsOf } from '../../network/free-ports.ts';
import { makeNodeKeys, usualPower, writeHome, writeLedgerFolder } from '../../network/make-network.ts';
import {
  cometHomeOf,
  indexOf,
  ledgerFolderOf,
  type Network,
  type NetworkNode,
  nodeName,
  nodeOf,
  readNetwork,
  writeNetwork,
} from '../../network/network-file.ts';
import { whileLocked } from '../../network/network-lock.ts';
import { lookAtNetwork, validatorPowers } from '../../network/observing.ts';
import { startNodeProcesses } from '../../network/processes.ts';
import { assertRuns, untilLook } from '../../network/readiness.ts';
import { usageFailure } from '../../terminal/failure.ts';
import { ifInterrupted } from '../../terminal/interruption.ts';
import { printFields } from '../../terminal/layout.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { printJson, processTerminal } from '../../terminal/terminal.ts';
import { receiptFacts, receiptFields } from '../../transactions/sending.ts';

interface ValidatingWords {
  readonly dir: string;
  readonly json?: boolean;
}

/** The node has all blocks before it counts: a validator that is away is one that has failed. */
export async function addValidator(index: number | undefined, words: ValidatingWords): Promise<void> {
  const { dir } = words;
  const found = await readNetwork(dir);
  furthestNode(await lookAtNetwork(found), found);
  const { network, node } = await whileLocked(dir, async () => {
    const before = await readNetwork(dir);
    const [all, one] = index === undefined ? await makeNode(before) : [before, nodeOf(before, index)];
    await startNodeProcesses(all, one);
    return { network: all, node: one };
  });
  const again = `symbolon network add-validator ${indexOf(node)} --dir ${shellWord(dir)}`;
  ifInterrupted(`Interrupted. ${node.name} runs, and is no validator yet. Go on with: ${again}`);
  await untilLook(network, {
    what: `${node.name} has the blocks of the others`,
    isDone: ({ nodes }) => {
      const own = nodes.find(({ node: { name } }) => name === node.name);
      if (own) assertRuns(network, own);
      // A single validator may stay a few blocks ahead of whoever follows; it waits as soon as there are two.
      return own?.state === 'runs';
    },
  });
  await change(network, { node, words, validates: true });
}

export async function removeValidator(index: number, words: ValidatingWords): Promise<void> {
  const network = await readNetwork(words.dir);
  await change(network, { node: nodeOf(network, index), words, validates: false });
}

interface Change {
  readonly node: NetworkNode;
  readonly words: ValidatingWords;
  readonly validates: boolean;
}

async function change(network: Network, { node, words: { dir, json }, validates }: Change): Promise<void> {
  const asked = furthestNode(await lookAtNetwork(network), network);
  const client = clientOf(asked);
  const { entries, version } = await readCouncilEntry(client, network);
  const isThere = entries.some(({ publicKey }) => publicKey === node.publicKey);
  const next = changedEntries({ entries, version }, { node, validates, dir });
  const receipt = isThere === validates ? undefined : await writeCouncilEntry(client, network, next);
  await untilLook(network, {
    what: `${node.name} ${validates ? 'validates' : 'validates no longer'}`,
    isDone: async () => (await validatorPowers(asked))?.has(node.publicKey) === validates,
  });
  const terminal = processTerminal;
  const facts = { node: indexOf(node), name: node.name, validates, validators: next.entries.length };
  if (json) return printJson(terminal, { ...facts, ...(receipt && receiptFacts(receipt)) });
  const done = validates ? `${node.name} validates.` : `${node.name} validates no longer, and follows.`;
  printFields(terminal, done, { validators: next.entries.length, ...(receipt && receiptFields(receipt)) });
  if (!validates)
    terminal.remark(
      `End it, if it is not needed: symbolon network stop ${indexOf(node)} --dir ${shellWord(dir)}`,
    );
}

function changedEntries(
  { entries, version }: CouncilEntry,
  { node, validates, dir }: Pick<Change, 'node' | 'validates'> & { readonly dir: string },
): CouncilEntry {
  const { publicKey, payTo } = node;
  const others = entries.filter((entry) => entry.publicKey !== publicKey);
  if (validates) {
    const own = entries.find((entry) => entry.publicKey === publicKey);
    return { entries: [...others, own ?? { publicKey, power: usualPower, payTo }], version };
  }
  if (others.some(({ jailed }) => !jailed)) return { entries: others, version };
  throw usageFailure(
    `${node.name} is the last validator; nothing was sent.\nWithout one no block would ever be made again.\nAdd another one first: symbolon network add-validator --dir ${shellWord(dir)}`,
  );
}

/** A further node, with the genesis documents of the first one. It calls the others, which need not know of it before. */
async function makeNode(network: Network): Promise<[Network, NetworkNode]> {
  const { folder, nodes } = network;
  const first = nodes[0] as NetworkNode;
  const name = nodeName(Math.max(...nodes.map(indexOf)) + 1);
  const [ports] = await chooseNodePorts(1, { taken: portsOf(nodes) });
  const genesis = await readFile(path.join(ledgerFolderOf(network, first), 'genesis.json'), 'utf8');
  const cometGenesis = await readFile(
    path.join(cometHomeOf(network, first), 'config', 'genesis.json'),
    'utf8',
  );
  const made = await makeNodeKeys(folder, name, ports as NonNullable<typeof ports>);
  const { node } = made;
  const changed: Network = { ...network, nodes: [...nodes, node] };
  await writeLedgerFolder(ledgerFolderOf(network, node), { node, genesis });
  await writeHome(changed, made, cometGenesis);
  await writeNetwork(folder, changed);
  return [changed, node];
}
