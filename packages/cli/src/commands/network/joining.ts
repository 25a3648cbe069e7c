/** `symbolon network snapshot|join`: the state of the chain, handed from nodes that have it to one that has not. */
import { furthestNode } from '../../network/council.ts';
import { beginWith, hasBlocks, makeNode, removeBlocks } from '../../network/further-node.ts';
import { indexOf, type Network, type NetworkNode, nodeOf, readNetwork } from '../../network/network-file.ts';
import { whileLocked } from '../../network/network-lock.ts';
import { askForSnapshot, type TrustedBlock, trustedStart } from '../../network/network-snapshots.ts';
import { lookAtNetwork, type NetworkLook, type NodeLook } from '../../network/observing.ts';
import { pidOf, processParts, startNodeProcesses } from '../../network/processes.ts';
import { assertRuns, untilLook } from '../../network/readiness.ts';
import { usageFailure } from '../../terminal/failure.ts';
import { ifInterrupted } from '../../terminal/interruption.ts';
import { printFields } from '../../terminal/layout.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { printJson, processTerminal } from '../../terminal/terminal.ts';

interface SnapshotWords {
  readonly dir: string;
  readonly json?: boolean;
}

interface JoinWords extends SnapshotWords {
  readonly height?: number;
  readonly hash?: string;
  readonly yes?: boolean;
}

const takerWords = 'A snapshot is taken by a node that runs and has all blocks.';

const lookOf = ({ nodes }: NetworkLook, node: NetworkNode): NodeLook =>
  nodes.find((look) => look.node.name === node.name) as NodeLook;

/** Of one node, or of the furthest: whoever joins needs one from one of them. */
export async function snapshotNetwork(
  index: number | undefined,
  { dir, json }: SnapshotWords,
): Promise<void> {
  const network = await readNetwork(dir);
  const look = await lookAtNetwork(network);
  const node = index === undefined ? furthestNode(look, network, takerWords) : nodeOf(network, index);
  const own = lookOf(look, node);
  if (own.block === undefined)
    throw usageFailure(
      `${node.name} does not answer, and takes no snapshot.\nStart it first: symbolon network start ${indexOf(node)} --dir ${shellWord(dir)}`,
    );
  ifInterrupted('Interrupted. The node goes on with the snapshot.');
  const block = Number(await askForSnapshot(network, own));
  if (json) return printJson(processTerminal, { node: indexOf(node), name: node.name, block });
  printFields(processTerminal, `${node.name} has a snapshot, and hands it to whoever joins.`, { block });
}

/** A new node, or one whose blocks are given up: it begins with what the others have, and believes them from one block on. */
export async function joinNetwork(index: number | undefined, words: JoinWords): Promise<void> {
  const { dir, json, yes } = words;
  const named = namedBlock(words);
  const found = await readNetwork(dir);
  const chosen = index === undefined ? undefined : nodeOf(found, index);
  if (chosen) await assertGivesUp(found, chosen, { dir, yes });
  const look = await lookAtNetwork(found);
  const source = lookOf(look, furthestNode(look, found, takerWords));
  const running = look.nodes.filter(({ block }) => block !== undefined).map(({ node }) => node);
  const start = await trustedStart(running, await askForSnapshot(found, source), named);
  const { network, node } = await whileLocked(dir, async () => {
    const before = await readNetwork(dir);
    const [all, one] = chosen ? [before, chosen] : await makeNode(before);
    if (chosen) {
      await assertGivesUp(before, chosen, { dir, yes });
      await removeBlocks(before, chosen);
    }
    await beginWith(all, one, start);
    await startNodeProcesses(all, one);
    return { network: all, node: one };
  });
  ifInterrupted(
    `Interrupted. ${node.name} goes on. See how it is: symbolon network status --dir ${shellWord(dir)}`,
  );
  const last = await untilLook(network, {
    what: `${node.name} has the state of the others`,
    isDone: ({ nodes }) => {
      const own = nodes.find(({ node: { name } }) => name === node.name);
      if (own) assertRuns(network, own);
      return own?.state === 'runs';
    },
  });
  // What was trusted grows old: should it ever begin again, then from a newer block.
  await beginWith(network, node, undefined);
  const { height = null, first = null } = lookOf(last, node);
  const facts = { node: indexOf(node), name: node.name, first, height, trusted: Number(start.height) };
  if (json) return printJson(processTerminal, facts);
  printFields(processTerminal, `${node.name} has begun with a snapshot, and follows.`, {
    'first block': first,
    height,
    'trusted from block': Number(start.height),
  });
  if (!chosen)
    processTerminal.remark(
      `Have it validate: symbolon network add-validator ${indexOf(node)} --dir ${shellWord(dir)}`,
    );
}

function namedBlock({ height, hash }: JoinWords): TrustedBlock | undefined {
  if (height !== undefined && hash !== undefined) return { height, hash };
  if (height === undefined && hash === undefined) return undefined;
  throw usageFailure('A block that is trusted is named by --height and --hash, both of them.');
}

async function assertGivesUp(
  network: Network,
  node: NetworkNode,
  { dir, yes }: { readonly dir: string; readonly yes: boolean | undefined },
): Promise<void> {
  for (const part of processParts)
    if ((await pidOf(network, node, part)) !== undefined)
      throw usageFailure(
        `${node.name} runs; nothing was removed.\nA node that joins begins without blocks.\nStop it first: symbolon network stop ${indexOf(node)} --dir ${shellWord(dir)}`,
      );
  if (!yes && (await hasBlocks(network, node)))
    throw usageFailure(
      `${node.name} has blocks, which this removes; its keys, its settings and what it has signed stay.\nNothing was removed.\nSay --yes if that is what you want.`,
    );
}
