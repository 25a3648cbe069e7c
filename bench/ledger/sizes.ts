/** Everything measured at one number of accounts. */
import { Turns } from '@symbolon/host/work/turns';
import { type Child, startChild } from '../child.ts';
import type { MeasureBeside, PeerResult } from '../peer/peer.ts';
import { note, whole } from '../print.ts';
import { mediansOf, nowMs, type Plan } from '../statistics.ts';
import type { Ready, Usage } from './node-process.ts';
import { copyChain, folderBytes, prepareChain } from './prepared-chain.ts';
import { type RoundPlan, type Rounds, runDirect, runHttp } from './rounds.ts';
import { prepareTransfers } from './transfers.ts';
import type { ProofSizes, RootTimes } from './tree-measure.ts';

const starts = 3;

export interface SizeOptions extends Plan {
  /** Where prepared chains and transfers are kept. */
  readonly cache: string;
  /** A folder for the copies that are measured on. */
  readonly scratch: string;
  readonly connections: number;
  readonly inFlightMax: number;
  /** Flags for the Node of the node under test, for profiling. */
  readonly nodeFlags: string[];
}

export interface StartTimes {
  /** From starting the process until its interfaces answer. */
  readonly wallMs: number;
  /** The part that is not Node and loading the program. */
  readonly openMs: number;
  readonly openCpuMs: number;
  readonly cpuMs: number;
  readonly rssBytes: number;
}

export interface SizeResult {
  readonly accounts: number;
  readonly storeBytes: number;
  readonly start: StartTimes;
  /** Of the same node after the direct rounds, with what they left in its log. */
  readonly restart: StartTimes;
  readonly roots: RootTimes;
  readonly proofs: ProofSizes;
  readonly direct: Rounds;
  readonly http: Rounds;
  readonly peers: readonly PeerResult[];
}

const nodeScript = new URL('./node-process.ts', import.meta.url);

interface Started extends StartTimes {
  readonly node: Child;
  readonly port: number;
}

export async function startNode(
  folder: string,
  flags: string[] = [],
  { withIndex = false }: { withIndex?: boolean } = {},
): Promise<Started> {
  const began = nowMs();
  const node = startChild(nodeScript, { args: [folder, ...(withIndex ? ['with index'] : [])], flags });
  const { openMs, openCpuMs, port } = await node.call<Ready>('ready');
  const wallMs = nowMs() - began;
  const { cpuMs, rssBytes } = await node.call<Usage>('usage');
  return { node, port, wallMs, openMs, openCpuMs, cpuMs, rssBytes };
}

/** Several first openings of fresh copies, because one alone says little. */
async function measureStart(prepared: string, scratch: string): Promise<StartTimes> {
  const all: Started[] = [];
  for (let index = 0; index < starts; index++) {
    const started = await startNode(await copyChain(prepared, scratch));
    await started.node.end();
    all.push(started);
  }
  return mediansOf(all, 'wallMs', 'openMs', 'openCpuMs', 'cpuMs', 'rssBytes');
}

async function measureTree(prepared: string, scratch: string, accounts: number) {
  return withNode(await copyChain(prepared, scratch), [], async ({ node }) => ({
    proofs: await node.call<ProofSizes>('proofs', accounts),
    roots: await node.call<RootTimes>('roots', accounts),
  }));
}

export async function measureSize(
  accounts: number,
  options: SizeOptions,
  measureBeside: MeasureBeside,
): Promise<SizeResult> {
  const { cache, scratch, warmUp, perRound, rounds, connections, inFlightMax, nodeFlags } = options;
  const prepared = await prepareChain(cache, accounts);
  const file = await prepareTransfers(cache, accounts, warmUp + rounds * perRound);
  const plan: RoundPlan = { file, warmUp, perRound, rounds };

  note(`${whole(accounts)} accounts: starting`);
  const start = await measureStart(prepared, scratch);
  note(`${whole(accounts)} accounts: roots and proofs`);
  const { roots, proofs } = await measureTree(prepared, scratch, accounts);

  note(`${whole(accounts)} accounts: direct transfers`);
  await copyChain(prepared, scratch);
  const direct = await withNode(scratch, nodeFlags, ({ node }) => runDirect(node, plan, inFlightMax));
  const { node: again, ...restart } = await startNode(scratch);
  await again.end();

  note(`${whole(accounts)} accounts: transfers over HTTP`);
  await copyChain(prepared, scratch);
  const turns = new Turns(1);
  const [http, peers] = await Promise.all([
    withNode(scratch, nodeFlags, ({ node, port }) =>
      runHttp(node, { ...plan, turns }, { port, connections }),
    ),
    measureBeside(turns),
  ]);
  const storeBytes = await folderBytes(prepared);
  return { accounts, storeBytes, start, restart, roots, proofs, direct, http, peers };
}

export async function withNode<Result>(
  folder: string,
  flags: string[],
  work: (started: Started) => Promise<Result>,
): Promise<Result> {
  const started = await startNode(folder, flags);
  try {
    return await work(started);
  } finally {
    await started.node.end();
  }
}
