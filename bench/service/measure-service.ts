/**
 * The credential service under load: a new chain, a node, a service and those who call it, each in a process of its
 * own. From one connection up until more connections bring nothing, then at four fifths of what is aimed at, and if
 * that is asked for over minutes, to see whether memory stays where it is.
 */
import { join } from 'node:path';
import { initServiceFolder } from '@symbolon/credential-service/wiring/service-folder';
import { demoGenesisSeed } from '@symbolon/demo/keys';
import { initNodeFolder } from '@symbolon/ledger-node/node/node-folder';
import { type Child, startChild } from '../child.ts';
import type { Ready, Usage } from '../ledger/node-process.ts';
import { watchOthers } from '../machine.ts';
import { note } from '../print.ts';
import { percentile, perSecond } from '../statistics.ts';
import type { JourneyName } from './journeys.ts';
import type { LoadOrder, LoadResult } from './load-process.ts';
import type { ProcessUsage } from './process-usage.ts';
import { aims, printMemory, printSteps, printTargets } from './report.ts';
import type { ServiceReady } from './service-process.ts';

export interface ServiceOptions {
  readonly scratch: string;
  readonly isQuick: boolean;
  /** Minutes of load at the end. */
  readonly soakMinutes: number;
  /** For the Node of service and node. */
  readonly flags: string[];
}

export interface Step {
  readonly journey: JourneyName;
  readonly connections: number;
  readonly rate: number | undefined;
  readonly count: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** CPU time of one journey, by part. */
  readonly cpuMs: {
    readonly main: number;
    readonly proofs: number;
    readonly rest: number;
    readonly node: number;
    readonly load: number;
  };
  readonly othersShare: number;
  /** At its end. */
  readonly serviceBytes: number;
  readonly nodeBytes: number;
}

interface Processes {
  readonly node: Child;
  readonly service: Child;
  readonly load: Child;
}

const usageOf = async ({ node, service }: Processes) => ({
  node: await node.call<Usage>('usage'),
  service: await service.call<ProcessUsage>('usage'),
});

async function measureStep(processes: Processes, order: LoadOrder): Promise<Step> {
  const before = await usageOf(processes);
  const othersOf = watchOthers();
  const { times, ms, cpuMs } = await processes.load.call<LoadResult>('run', order);
  const after = await usageOf(processes);
  const of = (share: number): number => percentile([...times], share);
  const [main, proofs, rest] = (['mainMs', 'proofsMs', 'restMs'] as const).map(
    (part) => after.service[part] - before.service[part],
  );
  const node = after.node.cpuMs - before.node.cpuMs;
  const all = main + proofs + rest + node + cpuMs;
  const each = (part: number): number => part / times.length;
  return {
    journey: order.journey,
    connections: order.connections,
    rate: order.rate,
    count: times.length,
    perSecond: perSecond(times.length, ms),
    ...{ p50: of(0.5), p95: of(0.95), p99: of(0.99) },
    cpuMs: {
      ...{ main: each(main), proofs: each(proofs), rest: each(rest) },
      ...{ node: each(node), load: each(cpuMs) },
    },
    othersShare: othersOf(all),
    serviceBytes: after.service.rssBytes,
    nodeBytes: after.node.rssBytes,
  };
}

async function start({ scratch, flags }: ServiceOptions): Promise<Processes> {
  const [chain, folder] = [join(scratch, 'ledger'), join(scratch, 'service')];
  await initNodeFolder(chain, { genesisSeed: demoGenesisSeed() });
  await initServiceFolder(folder, {});
  const node = startChild(new URL('../ledger/node-process.ts', import.meta.url), { args: [chain], flags });
  const { port } = await node.call<Ready>('ready');
  const service = startChild(new URL('service-process.ts', import.meta.url), {
    args: [folder, `http://127.0.0.1:${port}`],
    flags,
  });
  const { url, demo } = await service.call<ServiceReady>('ready');
  const load = startChild(new URL('load-process.ts', import.meta.url));
  const dids = await load.call<string[]>('holderDids');
  const apiKeys = await service.call<string[]>('apiKeys', { dids });
  await load.call('prepare', { url, demo, apiKeys });
  return { node, service, load };
}

const journeyNames = ['issue', 'derive', 'verify'] as const;
const connectionSteps = [1, 2, 4, 8, 16, 32, 64];
const connectionsMax = 64;
/** The share of the aim at which answers must be quick. */
const pacedShare = 0.8;

/** Up to where twice the connections bring less than a twentieth more. */
async function measureSteps(
  processes: Processes,
  journey: JourneyName,
  seconds: number,
  steps: readonly number[],
): Promise<Step[]> {
  const measured: Step[] = [];
  for (const connections of steps) {
    note(`${journey}: ${connections} connections`);
    const step = await measureStep(processes, { journey, connections, seconds });
    const isSaturated = step.perSecond < 1.05 * (measured.at(-1)?.perSecond ?? 0);
    measured.push(step);
    if (isSaturated) break;
  }
  return measured;
}

export async function measureService(options: ServiceOptions): Promise<void> {
  const { isQuick, soakMinutes } = options;
  const seconds = isQuick ? 2 : 10;
  note('starting a node, a service and those who call it');
  const processes = await start(options);
  for (const journey of journeyNames)
    await processes.load.call('run', { journey, connections: 4, seconds: isQuick ? 1 : 8 });
  const steps: Step[] = [];
  for (const journey of journeyNames)
    steps.push(...(await measureSteps(processes, journey, seconds, isQuick ? [1, 8] : connectionSteps)));
  printSteps('From one connection to saturation', steps);
  const paced: Step[] = [];
  for (const journey of ['issue', 'verify'] as const) {
    const rate = pacedShare * aims[journey];
    note(`${journey}: ${rate} a second`);
    paced.push(
      await measureStep(processes, { journey, connections: connectionsMax, seconds: 2 * seconds, rate }),
    );
  }
  printSteps('At four fifths of the aim, whatever was answered before', paced);
  if (soakMinutes > 0) printMemory(await soak(processes, soakMinutes));
  printTargets(steps, paced);
  for (const child of [processes.load, processes.service, processes.node]) await child.end();
}

/** Issues and verifications in turn, for so many minutes: what memory is after each. */
async function soak(processes: Processes, minutes: number): Promise<Step[]> {
  const steps: Step[] = [];
  for (let minute = 0; minute < minutes; minute++) {
    note(`minute ${minute + 1} of ${minutes}`);
    for (const journey of ['issue', 'verify'] as const) {
      const rate = pacedShare * aims[journey];
      steps.push(await measureStep(processes, { journey, connections: connectionsMax, seconds: 30, rate }));
    }
  }
  return steps;
}
