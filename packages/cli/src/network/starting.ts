/** Nodes that are started together: where one of them does not run, none is left running that did not run before. */
import { CommandFailure } from '../terminal/failure.ts';
import { shellWord } from '../terminal/quoting.ts';
import { assertNotDue } from './due-upgrade.ts';
import type { Network, NetworkNode } from './network-file.ts';
import { whileLocked } from './network-lock.ts';
import { endNodeProcesses, type ProcessPart, runningParts, startNodeProcesses } from './processes.ts';
import { WaitedInVain } from './readiness.ts';

/** Nodes, and some of the processes of each. */
export type NodeParts = ReadonlyMap<NetworkNode, readonly ProcessPart[]>;

/** Starts what of the nodes does not run; answers what was started. */
export async function startTogether(network: Network, nodes: readonly NetworkNode[]): Promise<NodeParts> {
  await assertNotDue(network, nodes);
  return whileLocked(network.folder, async () => {
    const before = await partsOf(nodes, (node) => runningParts(network, node));
    const started: Promise<ProcessPart[]>[] = nodes.map((node) => startNodeProcesses(network, node));
    const outcomes = await Promise.allSettled(started);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (!failed) return partsOf(nodes, async (_, at) => (await started[at]) ?? []);
    const made = await partsOf(nodes, async (node) => {
      const now = await runningParts(network, node);
      return now.filter((part) => !before.get(node)?.includes(part));
    });
    throw await endStarted(failed.reason, network, made);
  });
}

async function partsOf(
  nodes: readonly NetworkNode[],
  look: (node: NetworkNode, at: number) => Promise<readonly ProcessPart[]>,
): Promise<NodeParts> {
  return new Map(await Promise.all(nodes.map(async (node, at) => [node, await look(node, at)] as const)));
}

/** Of nodes that were started and do not work: those that only take long run on, and it is said; else they end. */
export async function failedStart(error: unknown, network: Network, started: NodeParts): Promise<unknown> {
  if (!(error instanceof WaitedInVain))
    return whileLocked(network.folder, () => endStarted(error, network, started));
  return withWords(
    error,
    `The nodes run on. End them: symbolon network stop --dir ${shellWord(network.folder)}`,
  );
}

async function endStarted(error: unknown, network: Network, started: NodeParts): Promise<unknown> {
  const some = [...started].filter(([, parts]) => parts.length > 0);
  await Promise.all(
    some.map(([node, parts]) => endNodeProcesses(network, node, { signal: 'SIGTERM', parts })),
  );
  const names = some.map(([{ name }]) => name).join(', ');
  return names === '' ? error : withWords(error, `What this command had started is stopped again: ${names}.`);
}

const withWords = (error: unknown, words: string): unknown =>
  error instanceof CommandFailure
    ? new CommandFailure(`${error.message}\n${words}`, error.exitCode, error.facts)
    : error;
