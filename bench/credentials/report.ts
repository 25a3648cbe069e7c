/** The numbers of the credentials benchmark as tables, and beside the targets the project set itself. */
import { heading, oneDigit, printTable } from '../print.ts';
import type { RoundTimes } from './rounds.ts';

export interface Measured extends RoundTimes {
  readonly name: string;
  readonly kind: 'ours' | 'unbound' | 'bulletproofs' | 'set-membership' | 'bbs-2023' | 'bbs-2020';
  readonly fullMs: number;
}

/** How often ours does a full round in the time of the other's one. */
const timesFaster = { 'bbs-2023': 4, 'bbs-2020': 2 } as const;
/** With a set-membership range, on a machine where the first of them takes this long for a round. */
const range = { referenceMs: 700, deriveMs: 250, verifyMs: 360 };

/** How many times what it takes without a commitment, and with nothing kept. */
const commitmentTimes = 1.45;

const perCoreSecond = (ms: number): string => oneDigit(1_000 / ms);
const columns = ['issueMs', 'deriveMs', 'verifyMs', 'fullMs'] as const;
const head = ['', 'issue', 'derive', 'verify', 'full round'];

export function printCredentials(measured: readonly Measured[], rounds: number): void {
  heading(`12 attributes, 3 revealed; medians of ${rounds} rounds each, in turn`, '', 'Per core-second:');
  printTable(
    head,
    measured.map((each) => [each.name, ...columns.map((column) => perCoreSecond(each[column]))]),
  );
  heading('CPU ms:');
  printTable(
    head,
    measured.map((each) => [each.name, ...columns.map((column) => oneDigit(each[column]))]),
  );
  printCommitment(measured);
  printTargets(measured);
}

function printCommitment(measured: readonly Measured[]): void {
  const [ours, unbound] = (['ours', 'unbound'] as const).map((kind) =>
    measured.find((each) => each.kind === kind),
  );
  if (ours === undefined || unbound === undefined) return;
  const rows = (['deriveMs', 'verifyMs'] as const).map((column) => {
    const ratio = ours[column] / unbound[column];
    const isReached = ratio <= commitmentTimes ? 'yes' : 'no';
    return [
      column === 'deriveMs' ? 'derive' : 'verify',
      `<= ${commitmentTimes}`,
      ratio.toFixed(2),
      isReached,
    ];
  });
  heading('With a commitment, times without one (and with points decoded for every proof)');
  printTable(['', 'target', 'measured', 'reached'], rows);
}

function printTargets(measured: readonly Measured[]): void {
  const of = (kind: Measured['kind']): Measured | undefined => measured.find((each) => each.kind === kind);
  const [ours, ranged, reference] = [of('ours'), of('set-membership'), of('bbs-2023')];
  if (ours === undefined || ranged === undefined || reference === undefined) return;
  const rows = Object.entries(timesFaster).map(([kind, target]) => {
    const ratio = (of(kind as Measured['kind'])?.fullMs ?? Number.NaN) / ours.fullMs;
    return [
      `full rounds, times those of ${kind}`,
      `>= ${target}`,
      oneDigit(ratio),
      ratio >= target ? 'yes' : 'no',
    ];
  });
  const scale = reference.fullMs / range.referenceMs;
  for (const column of ['deriveMs', 'verifyMs'] as const) {
    const limit = range[column] * scale;
    const step = column === 'deriveMs' ? 'derive' : 'verify';
    rows.push([
      `${step} with a range, CPU ms (set membership)`,
      `<= ${oneDigit(limit)}`,
      oneDigit(ranged[column]),
      ranged[column] <= limit ? 'yes' : 'no',
    ]);
  }
  heading(
    `Targets; times for a machine where a round of bbs-2023 takes ${range.referenceMs} ms, scaled to this one`,
  );
  printTable(['', 'target', 'measured', 'reached'], rows);
}
