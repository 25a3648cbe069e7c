/** Rounds of load on one node and what came of them. */
import { hash } from 'node:crypto';
import type { Turns } from '@symbolon/host/work/turns';
import { type Child, startChild } from '../child.ts';
import type { LoadOrder, LoadResult } from '../http-load.ts';
import { watchOthers } from '../machine.ts';
import { median, mediansOf, type Plan, percentile, perSecond } from '../statistics.ts';
import type { DirectOrder, DurableBlock, Usage } from './node-process.ts';
import { readBodies } from './transfers.ts';

export interface Round {
  readonly transfers: number;
  /** From the first submission until the last transfer was durable. */
  readonly wallMs: number;
  readonly rate: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly blocks: number;
  readonly nodeCpuMs: number;
  readonly mainCpuMs: number;
  /** Of the load generator, where it is a process of its own. */
  readonly loadCpuMs: number;
  /** Which share of the processors other programs took meanwhile. */
  readonly othersShare: number;
}

export interface RoundPlan extends Plan {
  readonly file: string;
  /** Taken for each round, where rounds of others come in between. */
  readonly turns?: Turns;
}

/** How transfers reach the node; what has to be made ready is not measured. */
interface Way {
  prepare(from: number, to: number): Promise<unknown>;
  submit(from: number, to: number): Promise<{ submittedAt: Float64Array; loadCpuMs: number }>;
}

async function runRounds(node: Child, plan: RoundPlan, way: Way) {
  const rounds: Round[] = [];
  for (let round = -1; round < plan.rounds; round++) {
    const from = round < 0 ? 0 : plan.warmUp + round * plan.perRound;
    const to = round < 0 ? plan.warmUp : from + plan.perRound;
    const run = () => runRound(node, { ...plan, from, to }, way);
    const measured = await (plan.turns ? plan.turns.run(run) : run());
    if (round >= 0) rounds.push(measured);
  }
  const { rssBytesMax } = await node.call<Usage>('usage');
  const per = (pick: (round: Round) => number): number => median(rounds.map(pick));
  return {
    rounds,
    ...mediansOf(rounds, 'rate', 'p50Ms', 'p99Ms', 'othersShare'),
    cpuUsPerTransfer: per(({ nodeCpuMs, transfers }) => (nodeCpuMs * 1_000) / transfers),
    mainCpuUsPerTransfer: per(({ mainCpuMs, transfers }) => (mainCpuMs * 1_000) / transfers),
    loadCpuUsPerTransfer: per(({ loadCpuMs, transfers }) => (loadCpuMs * 1_000) / transfers),
    rssBytesMax,
  };
}
export type Rounds = Awaited<ReturnType<typeof runRounds>>;

async function runRound(
  node: Child,
  { file, from, to }: { file: string; from: number; to: number },
  way: Way,
): Promise<Round> {
  const hashes = await hashesOf(file, from, to);
  await way.prepare(from, to);
  const target = (await node.call<number>('durableCount')) + to - from;
  await node.call('takeBlocks');
  const before = await node.call<Usage>('usage');
  const others = watchOthers();
  const { submittedAt, loadCpuMs } = await way.submit(from, to);
  await node.call('untilDurable', target);
  const after = await node.call<Usage>('usage');
  const nodeCpuMs = after.cpuMs - before.cpuMs;
  const othersShare = others(nodeCpuMs + loadCpuMs);
  const blocks = await node.call<DurableBlock[]>('takeBlocks');
  const { waits, lastMs } = waitsOf(blocks, hashes, submittedAt);
  const wallMs = lastMs - submittedAt[0];
  return {
    transfers: to - from,
    wallMs,
    rate: perSecond(to - from, wallMs),
    p50Ms: median(waits),
    p99Ms: percentile(waits, 0.99),
    blocks: blocks.length,
    nodeCpuMs,
    mainCpuMs: after.mainCpuMs - before.mainCpuMs,
    loadCpuMs,
    othersShare,
  };
}

/** Where each transfer stands in the file, by its hash. */
async function hashesOf(file: string, from: number, to: number): Promise<Map<string, number>> {
  const bodies = await readBodies(file, { from, to });
  return new Map(
    bodies.map((body, index) => {
      const blob = Buffer.from(JSON.parse(body).items[0].transaction_blob, 'hex');
      return [hash('sha256', blob, 'hex'), index];
    }),
  );
}

function waitsOf(
  blocks: readonly DurableBlock[],
  hashes: ReadonlyMap<string, number>,
  submittedAt: Float64Array,
): { waits: number[]; lastMs: number } {
  const waits: number[] = [];
  let lastMs = 0;
  for (const block of blocks) {
    const bytes = Buffer.from(block.hashes);
    for (let at = 0; at < bytes.length; at += 32) {
      const index = hashes.get(bytes.toString('hex', at, at + 32));
      if (index === undefined) continue;
      waits.push(block.atMs - submittedAt[index]);
      lastMs = block.atMs;
    }
  }
  if (waits.length !== hashes.size)
    throw new Error(`${hashes.size - waits.length} transfers are not durable`);
  return { waits, lastMs };
}

/** Calls of the node's own `submit` in its own process. */
export function runDirect(node: Child, plan: RoundPlan, inFlightMax: number): Promise<Rounds> {
  const orderOf = (from: number, to: number): DirectOrder => ({ file: plan.file, from, to, inFlightMax });
  return runRounds(node, plan, {
    prepare: (from, to) => node.call('prepare', orderOf(from, to)),
    submit: async (from, to) => ({
      submittedAt: await node.call<Float64Array>('direct', orderOf(from, to)),
      loadCpuMs: 0,
    }),
  });
}

/** One HTTP request a transfer, from a load generator in a process of its own. */
export async function runHttp(
  node: Child,
  plan: RoundPlan,
  { port, connections }: { port: number; connections: number },
): Promise<Rounds> {
  const place = { port, path: '/submitTransaction', connections, expect: '"success_count":1' };
  const orderOf = (from: number, to: number): LoadOrder => ({ ...place, file: plan.file, from, to });
  const load = startChild(new URL('../http-load.ts', import.meta.url));
  try {
    return await runRounds(node, plan, {
      prepare: (from, to) => load.call('prepare', orderOf(from, to)),
      submit: async (from, to) => {
        const { sentAt, cpuMs, failures, firstFailure } = await load.call<LoadResult>(
          'run',
          orderOf(from, to),
        );
        if (failures > 0)
          throw new Error(`${failures} transfers were refused, the first with:\n${firstFailure}`);
        return { submittedAt: sentAt, loadCpuMs: cpuMs };
      },
    });
  } finally {
    await load.end();
  }
}
