/**
 * The two processes of a node, started apart from whoever starts them, and known again by what the system says of their
 * beginning: a number alone may belong to a stranger by now, and nobody's process but ours is ever signalled.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { writeWhole } from '../machine/durable-files.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { findComet } from './comet-program.ts';
import {
  cometHomeOf,
  ledgerFolderOf,
  ledgerUrlOf,
  type Network,
  type NetworkNode,
  nodeFolderOf,
  processesFileOf,
} from './network-file.ts';

export const processParts = ['ledger', 'cometbft'] as const;
export type ProcessPart = (typeof processParts)[number];

const markSchema = z.strictObject({ pid: z.int().min(2), began: z.string().min(1) });
const processesSchema = z.strictObject({ ledger: markSchema.optional(), cometbft: markSchema.optional() });
type ProcessMark = z.infer<typeof markSchema>;
type Processes = z.infer<typeof processesSchema>;

/** How long a process may take to end before it is killed; neither loses anything by that. */
const endMs = 20_000;
const startMs = 15_000;
const lookMs = 50;

const run = promisify(execFile);

/** When a process began, in words that no other process of its number has; undefined when it is gone. */
export async function beganAt(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux')
    return run('ps', ['-o', 'lstart=', '-p', String(pid)]).then(
      ({ stdout }) => stdout.trim() || undefined,
      () => undefined,
    );
  try {
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
    const status = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may have anything in it; state is the first word after it, the beginning the twentieth.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : `${boot}/${fields[19]}`;
  } catch {
    return undefined;
  }
}

async function readProcesses(network: Network, node: NetworkNode): Promise<Processes> {
  const text = await readFile(processesFileOf(network, node), 'utf8').catch(() => '{}');
  const read = processesSchema.safeParse(JSON.parse(text));
  return read.success ? read.data : {};
}

/** The number of a process of ours that is there. */
export async function pidOf(
  network: Network,
  node: NetworkNode,
  part: ProcessPart,
): Promise<number | undefined> {
  const mark = (await readProcesses(network, node))[part];
  return mark && (await isOurs(mark)) ? mark.pid : undefined;
}

/** How long ago something of a node was started last. */
export const sinceStartMs = async (network: Network, node: NetworkNode): Promise<number> =>
  stat(processesFileOf(network, node)).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => Number.POSITIVE_INFINITY,
  );

export async function runningParts(network: Network, node: NetworkNode): Promise<readonly ProcessPart[]> {
  const pids = await Promise.all(processParts.map((part) => pidOf(network, node, part)));
  return processParts.filter((_, at) => pids[at] !== undefined);
}

const isOurs = async ({ pid, began }: ProcessMark): Promise<boolean> => (await beganAt(pid)) === began;

/** Starts what of a node does not run; answers what was started. */
export async function startNodeProcesses(network: Network, node: NetworkNode): Promise<ProcessPart[]> {
  const comet = await findComet();
  const started: ProcessPart[] = [];
  for (const part of processParts) {
    if ((await pidOf(network, node, part)) !== undefined) continue;
    const [program, words] =
      part === 'ledger'
        ? nodeProgram(network, node)
        : [comet, ['start', '--home', cometHomeOf(network, node)]];
    await startPart({ network, node, part }, program, words);
    started.push(part);
    // CometBFT that finds nobody tries again after three seconds.
    if (part === 'ledger') await untilItAnswers(network, node);
  }
  return started;
}

/** No longer than a node takes to start; whoever waits for blocks sees what has become of it. */
async function untilItAnswers(network: Network, node: NetworkNode): Promise<void> {
  const deadline = performance.now() + startMs;
  while (performance.now() < deadline && (await pidOf(network, node, 'ledger')) !== undefined) {
    const signal = AbortSignal.timeout(startMs);
    if (
      await fetch(ledgerUrlOf(node), { signal }).then(
        () => true,
        () => false,
      )
    )
      return;
    await delay(lookMs);
  }
}

/** This very program. */
function nodeProgram(network: Network, node: NetworkNode): [string, readonly string[]] {
  const own = process.argv[1];
  if (own === undefined)
    throw new CommandFailure('Which program this is cannot be told, so it starts no node.');
  const words = ['node', 'start', '--data', path.resolve(ledgerFolderOf(network, node))];
  return [process.execPath, [...process.execArgv, own, ...words]];
}

/** Settings in the environment are for one node; those of these nodes stand in their folders. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(SYMBOLON_LEDGER_|CMT_|TM)/.test(name)),
  );

interface Place {
  readonly network: Network;
  readonly node: NetworkNode;
  readonly part: ProcessPart;
}

async function startPart(
  { network, node, part }: Place,
  program: string,
  words: readonly string[],
): Promise<void> {
  const log = openSync(processLogOf(network, node, part), 'a', 0o600);
  try {
    const child = spawn(program, words, { detached: true, stdio: ['ignore', log, log], env: environment() });
    await once(child, 'spawn');
    child.unref();
    const pid = child.pid as number;
    const began = await beganAt(pid);
    if (began === undefined)
      throw new CommandFailure(
        `${node.name}: the ${part} process has ended at once.\nIts log says why: ${processLogOf(network, node, part)}`,
      );
    const file = processesFileOf(network, node);
    const all = { ...(await readProcesses(network, node)), [part]: { pid, began } };
    await writeWhole(file, `${JSON.stringify(all)}\n`, `${file}.${process.pid}.new`);
  } finally {
    closeSync(log);
  }
}

export const processLogOf = (network: Network, node: NetworkNode, part: ProcessPart): string =>
  path.join(nodeFolderOf(network, node), `${part}.log`);

interface EndOrder {
  readonly signal: 'SIGTERM' | 'SIGKILL';
  readonly parts?: readonly ProcessPart[];
}

/**
 * Ends what of a node runs, or some of it, CometBFT first, since it ends badly without its node. `SIGTERM` asks and waits,
 * and kills what does not end. Answers what had been running.
 */
export async function endNodeProcesses(
  network: Network,
  node: NetworkNode,
  { signal, parts = processParts }: EndOrder,
): Promise<ProcessPart[]> {
  const marks = await readProcesses(network, node);
  const ended: ProcessPart[] = [];
  for (const part of processParts.toReversed().filter((one) => parts.includes(one))) {
    const mark = marks[part];
    if (!mark || !(await isOurs(mark))) continue;
    ended.push(part);
    if (signal === 'SIGTERM' && (await ends(mark, 'SIGTERM'))) continue;
    if (await ends(mark, 'SIGKILL')) continue;
    throw new CommandFailure(
      `${node.name}: process ${mark.pid} does not end.\nThe system holds it, for example at a disk.`,
    );
  }
  return ended;
}

async function ends(mark: ProcessMark, signal: NodeJS.Signals): Promise<boolean> {
  const deadline = performance.now() + endMs;
  if (!(await isOurs(mark))) return true;
  // A process that was stopped hears of its end only when it goes on.
  for (const one of [signal, 'SIGCONT'] as const) send(mark.pid, one);
  while (performance.now() < deadline) {
    if (!(await isOurs(mark))) return true;
    await delay(lookMs);
  }
  return false;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
