/** The numbers of the service benchmark as tables, beside what a published peer states and what the project aims at. */
import { heading, mebibytes, oneDigit, printTable, targetRow, whole } from '../print.ts';
import type { Step } from './measure-service.ts';

/** Journeys a second on two cores. */
export const aims = { issue: 60, derive: Number.NaN, verify: 80 } as const;

/** What a vendor of the trade publishes of its own service; on which hardware is not said. */
const peer = { perSecond: 49, p95: 485 };
const p95Max = 300;

const loadOf = ({ connections, rate }: Step): string =>
  rate === undefined ? `${connections} connections` : `${rate} a second`;

export function printSteps(title: string, steps: readonly Step[]): void {
  heading(title, 'CPU in ms a journey: service (main thread, proofs, rest), node, those who call');
  printTable(
    [
      ...['', 'load', 'a second', 'p50 ms', 'p95 ms', 'p99 ms'],
      ...['main', 'proofs', 'rest', 'node', 'callers', 'others %'],
    ],
    steps.map((step) => [
      ...[step.journey, loadOf(step), oneDigit(step.perSecond)],
      ...[step.p50, step.p95, step.p99].map(whole),
      ...(['main', 'proofs', 'rest', 'node', 'load'] as const).map((part) => oneDigit(step.cpuMs[part])),
      oneDigit(100 * step.othersShare),
    ]),
  );
}

export function printMemory(steps: readonly Step[]): void {
  heading('Memory while it goes on, RSS in MiB');
  printTable(
    ['', 'a second', 'p95 ms', 'service', 'node'],
    steps.map((step) => [
      ...[step.journey, oneDigit(step.perSecond), whole(step.p95)],
      ...[step.serviceBytes, step.nodeBytes].map(mebibytes),
    ]),
  );
}

export function printTargets(steps: readonly Step[], paced: readonly Step[]): void {
  const best = (journey: Step['journey']): number =>
    Math.max(...steps.filter((step) => step.journey === journey).map((step) => step.perSecond));
  const rows = (['issue', 'verify'] as const).map((journey) =>
    targetRow(`${journey} a second`, best(journey), ['>=', aims[journey]], oneDigit),
  );
  for (const step of paced)
    rows.push(targetRow(`${step.journey}, p95 ms at ${loadOf(step)}`, step.p95, ['<=', p95Max]));
  heading(
    `Targets, for two cores; a published peer states ${peer.perSecond} a second of each and a p95 of ${peer.p95} ms`,
  );
  printTable(['', 'measured', 'target', ''], rows);
}
