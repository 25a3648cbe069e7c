/** Waiting for the nodes of a network, no longer than somebody waits, and not for one that has ended. */
import { setTimeout as delay } from 'node:timers/promises';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import { shellWord } from '../terminal/quoting.ts';
import type { Network } from './network-file.ts';
import { endedPart, hasQuorum, lookAtNetwork, type NetworkLook, type NodeLook } from './observing.ts';
import { processLogOf, processParts } from './processes.ts';

const patienceMs = 120_000;
const lookMs = 250;

/** The first look at the network of which something holds. */
export async function untilLook(
  network: Network,
  {
    what,
    isDone,
  }: { readonly what: string; readonly isDone: (look: NetworkLook) => boolean | Promise<boolean> },
): Promise<NetworkLook> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const look = await lookAtNetwork(network);
    if (await isDone(look)) return look;
    if (performance.now() > deadline)
      throw new CommandFailure(
        `Waited in vain for two minutes: ${what}.\nSee how the nodes are: symbolon network status --dir ${shellWord(network.folder)}`,
        exitCodes.unreachable,
        { code: 'notReady' },
      );
    await delay(lookMs);
  }
}

/** Until so many of the nodes answer; where the others are needed for blocks, none of them is caught up before. */
export const untilAnswering = (network: Network, names: ReadonlySet<string>): Promise<NetworkLook> =>
  untilLook(network, {
    what: 'the nodes answer',
    isDone: ({ nodes }) => {
      const wanted = nodes.filter(({ node }) => names.has(node.name));
      for (const look of wanted) assertRuns(network, look);
      return wanted.every(({ block, height }) => block !== undefined && height !== undefined);
    },
  });

/** Until all nodes answer and blocks can be made. */
export const untilWorking = (network: Network): Promise<NetworkLook> =>
  untilLook(network, {
    what: 'the nodes have each other, and blocks go on',
    isDone: (look) => {
      for (const node of look.nodes) assertRuns(network, node);
      return look.nodes.every(({ block }) => block !== undefined) && hasQuorum(look);
    },
  });

export function assertRuns(network: Network, look: NodeLook): void {
  if (look.running.length === processParts.length) return;
  const part = endedPart(look) ?? 'ledger';
  throw new CommandFailure(
    `${look.node.name}: the ${part} process has ended.\nIts log says why: ${processLogOf(network, look.node, part)}`,
  );
}
