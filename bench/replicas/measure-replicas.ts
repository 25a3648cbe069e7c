/**
 * `npm run bench -- replicas`: one process of the service and three of it, on one PostgreSQL and one node, in turn: what
 * they do in a second, and what a request costs all of their processes and the database's.
 */
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchOthers } from '../machine.ts';
import { heading, mebibytes, note, oneDigit, printTable, targetRow, twoDigits } from '../print.ts';
import type { JourneyName } from '../service/journeys.ts';
import type { LoadResult } from '../service/load-process.ts';
import { median, nowMs, percentile, perSecond } from '../statistics.ts';
import {
  proofWorkersOf,
  type ReplicaCount,
  type ReplicaWorld,
  replicaCounts,
  startReplicaWorld,
} from './replica-world.ts';

export interface ReplicaBenchOptions {
  readonly scratch: string;
  readonly isQuick: boolean;
  readonly flags: string[];
}

/** A part of the journey's CPU time. */
const parts = ['mainMs', 'proofsMs', 'restMs', 'databaseMs', 'nodeMs'] as const;
type Part = (typeof parts)[number];

interface Round extends Readonly<Record<Part, number>> {
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
  /** Of all processes of the service and of the database. */
  readonly cpuMs: number;
  /** The same without what they do by themselves, whoever asks or not. */
  readonly ownMs: number;
  readonly othersShare: number;
  readonly rssBytes: number;
}

type Rounds = Record<ReplicaCount, Round[]>;

/** As many go to each of the three. */
const connections = 12;
/** Requests that every process has answered before it is measured: what a platform compiles takes hundreds. */
const warmUpEach = 150;
const idleSeconds = 10;
/** A round is done long before. */
const roundSecondsMax = 600;
/** The share by which a request may cost more where the cores do not allow more work. */
const costShareMax = 1.05;
const rateRatioMin = 2.5;
/** Below this, three processes and those who call have no cores of their own. */
const coresMin = 8;
const journeyNames: readonly JourneyName[] = ['verify', 'issue'];

export async function measureReplicas({ scratch, isQuick, flags }: ReplicaBenchOptions): Promise<void> {
  const world = await startReplicaWorld({ scratch, flags, counts: replicaCounts });
  const [rounds, perRound] = isQuick ? [2, 24] : [5, 120];
  const results = {} as Record<JourneyName, Rounds>;
  const idle = {} as Record<ReplicaCount, number>;
  for (const journey of journeyNames) {
    const taken: Rounds = { 1: [], 3: [] };
    for (const count of replicaCounts) {
      note(`${journey}: warming up ${count}`);
      const requests = count * (isQuick ? 8 : warmUpEach);
      await measureRound(world, { journey, count, requests, idleMs: 0 });
      idle[count] ??= await idleMsASecond(world, count);
    }
    for (let round = 1; round <= rounds; round++) {
      note(`${journey}: round ${round} of ${rounds}`);
      // Who begins changes, because what a round leaves behind is the next one's.
      const order = round % 2 === 0 ? replicaCounts : [...replicaCounts].reverse();
      for (const count of order) {
        const terms = { journey, count, requests: perRound, idleMs: idle[count] };
        taken[count].push(await measureRound(world, terms));
      }
    }
    results[journey] = taken;
    note(`${journey}: CPU three to one ${spreadOf(ratiosOf(taken, 'ownMs'))}`);
  }
  await world.end();
  printRounds(results, idle);
  printVerdict(results);
}

const serviceParts = ['mainMs', 'proofsMs', 'restMs', 'databaseMs'] as const;

/** What services and database do in a second while nobody asks. */
async function idleMsASecond(world: ReplicaWorld, count: ReplicaCount): Promise<number> {
  const before = await world.usage(count);
  const began = nowMs();
  await sleep(idleSeconds * 1_000);
  const after = await world.usage(count);
  return perSecond(
    serviceParts.reduce((sum, part) => sum + after[part] - before[part], 0),
    nowMs() - began,
  );
}

interface RoundOrder {
  readonly journey: JourneyName;
  readonly count: ReplicaCount;
  readonly requests: number;
  /** What goes on by itself in a second. */
  readonly idleMs: number;
}

async function measureRound(
  world: ReplicaWorld,
  { journey, count, requests, idleMs }: RoundOrder,
): Promise<Round> {
  await world.choose(count);
  const before = await world.usage(count);
  const othersOf = watchOthers();
  const order = { journey, connections, count: requests, seconds: roundSecondsMax };
  const { times, ms, cpuMs: loadMs } = await world.load.call<LoadResult>('run', order);
  const after = await world.usage(count);
  const each = Object.fromEntries(
    parts.map((part) => [part, (after[part] - before[part]) / times.length]),
  ) as Record<Part, number>;
  const cpuMs = serviceParts.reduce((sum, part) => sum + each[part], 0);
  return {
    ...each,
    perSecond: perSecond(times.length, ms),
    ...{ p50: percentile([...times], 0.5), p95: percentile([...times], 0.95) },
    cpuMs,
    ownMs: cpuMs - (idleMs * ms) / 1_000 / times.length,
    othersShare: othersOf((cpuMs + each.nodeMs) * times.length + loadMs),
    rssBytes: after.rssBytes,
  };
}

const medianOf = (rounds: readonly Round[], name: keyof Round): number =>
  median(rounds.map((round) => round[name]));

/** Of three to one, round by round: both had the same minute of the machine. */
const ratiosOf = ({ 1: one, 3: three }: Rounds, name: keyof Round): readonly number[] =>
  three.map((round, index) => round[name] / (one[index] as Round)[name]);

const spreadOf = (ratios: readonly number[]): string =>
  `${twoDigits(median(ratios))} (${twoDigits(Math.min(...ratios))} to ${twoDigits(Math.max(...ratios))})`;

function printRounds(
  results: Readonly<Record<JourneyName, Rounds>>,
  idle: Readonly<Record<ReplicaCount, number>>,
): void {
  const workers = replicaCounts.map((count) => `${count}: ${proofWorkersOf(count)} each`).join(', ');
  heading(
    `One service and three on one PostgreSQL and one node, in turn, ${connections} connections; workers for proofs of any length: ${workers}`,
    'CPU in ms a journey, of all processes together: services (main threads, proofs, rest), database; node beside them',
  );
  printTable(
    [
      ...['', 'services', 'a second', 'p50 ms', 'p95 ms', 'main', 'proofs', 'rest', 'database'],
      ...['sum', 'without idle', 'node', 'RSS MiB', 'others %'],
    ],
    journeyNames.flatMap((journey) =>
      replicaCounts.map((count) => {
        const rounds = results[journey][count];
        const of = (name: keyof Round): number => medianOf(rounds, name);
        return [
          ...[journey, String(count), oneDigit(of('perSecond')), oneDigit(of('p50')), oneDigit(of('p95'))],
          ...(['mainMs', 'proofsMs', 'restMs', 'databaseMs', 'cpuMs', 'ownMs', 'nodeMs'] as const).map(
            (name) => twoDigits(of(name)),
          ),
          ...[mebibytes(of('rssBytes')), oneDigit(100 * of('othersShare'))],
        ];
      }),
    ),
  );
  const idleOf = replicaCounts.map((count) => `${count}: ${oneDigit(idle[count])}`).join(', ');
  heading(`By themselves, services and database, CPU ms a second: ${idleOf}`);
  heading('Three to one: median of the rounds, smallest to largest');
  printTable(
    ['', 'a second', 'CPU of services and database', 'without idle', 'CPU of the node'],
    journeyNames.map((journey) => [
      journey,
      ...(['perSecond', 'cpuMs', 'ownMs', 'nodeMs'] as const).map((name) =>
        spreadOf(ratiosOf(results[journey], name)),
      ),
    ]),
  );
}

function printVerdict({ verify }: Readonly<Record<JourneyName, Rounds>>): void {
  const cores = availableParallelism();
  const isRoomy = cores >= coresMin;
  heading(`Target, on ${cores} cores: ${isRoomy ? 'more work' : 'too few for more work, so what it costs'}`);
  const ratio = median(ratiosOf(verify, isRoomy ? 'perSecond' : 'ownMs'));
  printTable(
    ['three to one', 'measured', 'target', ''],
    [
      isRoomy
        ? targetRow('verifications a second', ratio, ['>=', rateRatioMin], twoDigits)
        : targetRow('CPU of a verification', ratio, ['<=', costShareMax], twoDigits),
    ],
  );
}
