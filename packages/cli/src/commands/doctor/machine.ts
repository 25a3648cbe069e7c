/**
 * The machine as `symbolon doctor` sees it: Node, the disk under the data, and the ports that are to be listened on.
 */
import { open, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import {
  checkExecutionHost,
  type ExecutionHost,
  ExecutionHostUnfit,
  executionNodeWords,
  isExecutionNode,
  thisHost,
} from '@symbolon/ledger-node/chain/execution-host';
import { ownName, startName } from '../../machine/own-name.ts';
import { freePortFrom, ownerOfPort } from '../../machine/ports.ts';
import { type Finding, fine, notice, wrong } from './finding.ts';

const bringsNode = `Start with "${startName}" or "${ownName} COMMAND": they bring the right Node along.`;

/** Whether blocks can be executed by whatever runs this command. */
export function checkHost(host: ExecutionHost = thisHost()): Finding {
  if (!isExecutionNode(host.node))
    return wrong('Node', `${host.node} executes no blocks; ${executionNodeWords} is needed`, bringsNode);
  try {
    checkExecutionHost(host);
    return fine('Node', host.node);
  } catch (error) {
    if (!(error instanceof ExecutionHostUnfit)) throw error;
    const [what = '', ...advice] = error.message.split('\n');
    return wrong('Node', what, advice.join(' '));
  }
}

/** The folder, or the nearest one above it that exists: what is not made yet will be made there. */
export async function nearestFolder(folder: string): Promise<string> {
  const isThere = await stat(folder).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
  const above = path.dirname(path.resolve(folder));
  return isThere || above === path.resolve(folder) ? folder : nearestFolder(above);
}

const syncedBytes = 4_096;
const syncsCount = 9;
/** A block waits for one of these; what takes longer than this is felt. */
const slowSyncMs = 25;

export async function checkDiskSync(folder: string): Promise<Finding> {
  const file = path.join(folder, `.symbolon-doctor-${process.pid}`);
  try {
    const durations = await timeSyncs(file);
    const median = durations.toSorted((a, b) => a - b)[Math.floor(syncsCount / 2)];
    const detail = `a synced write takes ${median.toFixed(1)} ms`;
    if (median <= slowSyncMs) return fine('disk sync', detail);
    const advice = 'Blocks wait for the disk: put the data on a local disk, best an SSD.';
    return notice('disk sync', detail, advice);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return wrong(
      'disk sync',
      `${folder} cannot be written (${code})`,
      'Make it writable, or name another --data.',
    );
  } finally {
    // Where nothing could be written there is nothing to remove, and that is told already.
    await rm(file, { force: true }).catch(() => undefined);
  }
}

async function timeSyncs(file: string): Promise<number[]> {
  await using handle = await open(file, 'wx', 0o600);
  const durations: number[] = [];
  for (let index = 0; index < syncsCount; index++) {
    const startedAt = performance.now();
    await handle.write(Buffer.alloc(syncedBytes, index));
    await handle.datasync();
    durations.push(performance.now() - startedAt);
  }
  return durations;
}

const gibibyte = 2 ** 30;
const freeBytesMin = gibibyte;

export async function checkFreeDisk(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const detail = `${(free / gibibyte).toFixed(1)} GiB free`;
  if (free >= freeBytesMin) return fine('free disk', detail);
  return wrong('free disk', detail, 'A full disk stops the chain: make room, or name another --data.');
}

export interface PortOrder {
  readonly name: string;
  readonly port: number;
  /** Whether what should listen there answers already. */
  readonly isOurs: boolean;
  readonly option: string;
}

export async function checkPort({ name, port, isOurs, option }: PortOrder): Promise<Finding> {
  const title = `port ${port}`;
  if (isOurs) return fine(title, `${name} listens there`);
  if (port === 0 || (await freePortFrom(port)) === port) return fine(title, `free for ${name}`);
  const owner = ownerOfPort(port);
  const who = owner ? `${owner.name} (process ${owner.pid})` : 'another program';
  const advice = `Stop that program, or choose another port with ${option}. The demo takes a free one by itself.`;
  return notice(title, `${who} listens there, and ${name} would like to`, advice);
}
