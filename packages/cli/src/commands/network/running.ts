/** `symbolon network up|status|start|stop|kill`: the processes of a network, and how its nodes are. */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { dueFailure } from '../../network/due-upgrade.ts';
import { indexOf, type Network, type NetworkNode, nodeOf, readNetwork } from '../../network/network-file.ts';
import { whileLocked } from '../../network/network-lock.ts';
import { conclusions, dueLines, lookJson, tableRows } from '../../network/network-table.ts';
import { hasQuorum, lookAtNetwork, type NetworkLook } from '../../network/observing.ts';
import { endNodeProcesses } from '../../network/processes.ts';
import { untilAnswering, untilWorking } from '../../network/readiness.ts';
import { failedStart, type NodeParts, startTogether } from '../../network/starting.ts';
import { CommandFailure, exitCodes, unsuccessful } from '../../terminal/failure.ts';
import { ifInterrupted } from '../../terminal/interruption.ts';
import { printTable, sentenceLines, tableLines } from '../../terminal/layout.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { drawOver, printJson, processTerminal } from '../../terminal/terminal.ts';

const { print, remark } = processTerminal;

interface NetworkWords {
  readonly dir: string;
  readonly json?: boolean;
}

/** How often the table is drawn anew. */
const tableMs = 1_000;

const nameAll = (nodes: readonly NetworkNode[]): ReadonlySet<string> =>
  new Set(nodes.map(({ name }) => name));

export async function bringUp({
  dir,
  json,
  detach,
}: NetworkWords & { readonly detach?: boolean }): Promise<void> {
  const network = await readNetwork(dir);
  ifInterrupted(
    `Interrupted. Nodes that were started run on. End them: symbolon network stop --dir ${shellWord(dir)}`,
  );
  const stopped = detach ? undefined : untilToldToStop(dir);
  const started = await startTogether(network, network.nodes);
  if (!stopped) {
    tellLook(network, await whileStarted(network, started, untilWorking(network)), json);
    return remark(`They run on. End them: symbolon network stop --dir ${shellWord(dir)}`);
  }
  try {
    if (isTableLive() && !json) return await showTable(dir, stopped);
    const look = await Promise.race([untilWorking(network), stopped]);
    if (look) tellLook(network, look, json);
    await stayUntil(stopped);
  } finally {
    await endAll(await readNetwork(dir), 'SIGTERM');
  }
}

/** What is waited for of nodes that this command has started. */
const whileStarted = <Look>(network: Network, started: NodeParts, look: Promise<Look>): Promise<Look> =>
  look.catch(async (error) => {
    throw await failedStart(error, network, started);
  });

const isTableLive = (): boolean => process.stdout.isTTY === true;

/** Resolves when somebody presses Ctrl-C or ends this process. */
function untilToldToStop(dir: string): Promise<undefined> {
  ifInterrupted(`The nodes stop. The network stays in ${dir}.`);
  return Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal))).then(() => undefined);
}

/** Waiting for a signal alone keeps no process. */
async function stayUntil(stopped: Promise<undefined>): Promise<void> {
  const stay = setInterval(() => undefined, 60_000);
  await stopped.finally(() => clearInterval(stay));
}

async function showTable(dir: string, stopped: Promise<undefined>): Promise<void> {
  const done = new AbortController();
  const end = stopped.then(() => done.abort());
  let drawn = 0;
  while (!done.signal.aborted) {
    // Read again each time: nodes are added while it is shown.
    const network = await readNetwork(dir);
    const look = await lookAtNetwork(network);
    if (done.signal.aborted) break;
    const lines = [
      ...tableLines(processTerminal, tableRows(look, processTerminal)),
      ...[...conclusions(network, look), ...dueLines(network, look).slice(1)].flatMap((line) =>
        sentenceLines(processTerminal, line),
      ),
      'Ctrl-C stops all of them.',
    ];
    drawOver(lines, drawn);
    drawn = lines.length;
    await delay(tableMs, undefined, { signal: done.signal }).catch(() => undefined);
  }
  await end;
}

const endAll = (
  network: Network,
  signal: 'SIGTERM' | 'SIGKILL',
  nodes: readonly NetworkNode[] = network.nodes,
): Promise<NodeParts> =>
  whileLocked(network.folder, async () => {
    const ended = nodes.map(
      async (node) => [node, await endNodeProcesses(network, node, { signal })] as const,
    );
    return new Map(await Promise.all(ended));
  });

const chosen = (network: Network, index: number | undefined): readonly NetworkNode[] =>
  index === undefined ? network.nodes : [nodeOf(network, index)];

export async function startNodes(index: number | undefined, { dir, json }: NetworkWords): Promise<void> {
  const network = await readNetwork(dir);
  const nodes = chosen(network, index);
  const started = await startTogether(network, nodes);
  await whileStarted(network, started, untilAnswering(network, nameAll(nodes)));
  tellDone(started, { json, did: 'started', nothing: 'runs already' });
}

export async function endNodes(
  index: number | undefined,
  { dir, json, signal }: NetworkWords & { readonly signal: 'SIGTERM' | 'SIGKILL' },
): Promise<void> {
  const network = await readNetwork(dir);
  const ended = await endAll(network, signal, chosen(network, index));
  tellDone(ended, { json, did: signal === 'SIGKILL' ? 'killed' : 'stopped', nothing: 'did not run' });
}

function tellDone(
  done: NodeParts,
  {
    json,
    did,
    nothing,
  }: { readonly json: boolean | undefined; readonly did: string; readonly nothing: string },
): void {
  const nodes = [...done].map(([node, parts]) => ({
    node: indexOf(node),
    name: node.name,
    [did]: [...parts],
  }));
  if (json) return printJson(processTerminal, { nodes });
  print([...done].map(([{ name }, parts]) => `${name}  ${parts.length > 0 ? did : nothing}`));
}

export async function showNetworkStatus({ dir, json }: NetworkWords): Promise<void> {
  const network = await readNetwork(dir);
  tellLook(network, await lookAtNetwork(network), json);
}

/** Whoever asks in a script learns from the exit code whether blocks are made, and of one past. */
function tellLook(network: Network, look: NetworkLook, json: boolean | undefined): void {
  const problem = problemOf(look, network);
  if (json) {
    printJson(processTerminal, {
      ...lookJson(network, look),
      ...(problem && unsuccessful(problem.message, problem.exitCode, problem.facts)),
    });
    if (problem) process.exitCode = problem.exitCode;
    return;
  }
  printTable(processTerminal, tableRows(look, processTerminal));
  print(conclusions(network, look).flatMap((line) => sentenceLines(processTerminal, line)));
  if (problem) throw problem;
}

function problemOf(look: NetworkLook, network: Network): CommandFailure | undefined {
  if (look.agreement?.isSame === false)
    return new CommandFailure(
      'The nodes do not have the same chain.\nOne of them has another state or another past than the others.\nKeep the folders as they are, and compare: symbolon node verify --data <folder of a stopped node>',
      exitCodes.damaged,
      { code: 'fork' },
    );
  if (hasQuorum(look)) return undefined;
  const due = look.nodes.find((node) => node.due)?.due;
  if (due) return dueFailure(network, due);
  const { folder } = network;
  return new CommandFailure(
    `The network makes no blocks.\nValidators with more than two thirds of the power have to run.\nStart those that do not: symbolon network start --dir ${shellWord(folder)}`,
    exitCodes.failed,
    { code: 'notReady' },
  );
}
