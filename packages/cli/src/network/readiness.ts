/** Waiting for the nodes of a network, no longer than somebody waits, and not for one that has ended. */
import { setTimeout as delay } from 'node:timers/promises';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import { shellWord } from '../terminal/quoting.ts';
import { dueFailure } from './due-upgrade.ts';
import type { Network } from './network-file.ts';
import { endedPart, hasQuorum, lookAtNetwork, type NetworkLook, type NodeLook } from './observing.ts';
import { processLogOf, processParts } from './processes.ts';

const patienceMs = 120_000;
const lookMs = 250;

/** What was waited for may still come. */
export class WaitedInVain extends CommandFailure {
  override name = 'WaitedInVain';
}

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
      throw new WaitedInVain(
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

/** How long blocks are enough, where nodes are still behind. */
const caughtUpMs = 15_000;

/** Until blocks are made and all nodes have caught up, or are busy with it for a while. */
export function untilWorking(network: Network): Promise<NetworkLook> {
  const beganAt = performance.now();
  return untilLook(network, {
    what: 'the nodes have each other, and blocks go on',
    isDone: (look) => {
      for (const node of look.nodes) assertRuns(network, node);
      const isLong = performance.now() - beganAt > caughtUpMs;
      return (
        hasQuorum(look) &&
        look.nodes.every(({ state }) => state === 'runs' || (isLong && state !== 'starting'))
      );
    },
  });
}

export function assertRuns(network: Network, look: NodeLook): void {
  if (look.running.length === processParts.length) return;
  if (look.due) throw dueFailure(network, look.due);
  const part = endedPart(look) ?? 'ledger';
  throw new CommandFailure(
    `${look.node.name}: the ${part} process has ended.\nIts log says why: ${processLogOf(network, look.node, part)}`,
  );
}
