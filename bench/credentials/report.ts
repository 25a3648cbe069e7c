/** The numbers of the credentials benchmark as tables, and beside the targets the project set itself. */
import type { EngineName } from '@symbolon/credential-service/proofs/proof-engines';
import { heading, oneDigit, printTable, targetRow } from '../print.ts';
import type { RoundTimes } from './rounds.ts';
import type { Variant } from './symbolon-process.ts';

export interface Measured extends RoundTimes {
  readonly name: string;
  readonly kind: `${EngineName}, ${Variant}` | 'our bbs-2023' | 'bbs-2023' | 'bbs-2020';
  readonly fullMs: number;
}

/** How often the native engine does a full round in the time of the other's one. */
const timesFaster = { 'bbs-2023': 20, 'bbs-2020': 8 } as const;
/** How often our rounds of bbs-2023 itself are done in the time of the library's one. */
const sameFormatTimes = 6;
/** Of the native engine, on a machine where a round of bbs-2023 takes this long. */
const referenceMs = 700;
const rangeMs = {
  bulletproofs: { deriveMs: 180, verifyMs: 60 },
  'set-membership': { deriveMs: 35, verifyMs: 45 },
} as const;
/** On WebAssembly: how many times what it takes without a commitment, and with nothing kept. */
const commitmentTimes = 1.45;

const perCoreSecond = (ms: number): string => oneDigit(1_000 / ms);
const columns = ['issueMs', 'deriveMs', 'verifyMs', 'fullMs'] as const;
const head = ['', 'issue', 'derive', 'verify', 'full round'];
const steps = { deriveMs: 'derive', verifyMs: 'verify' } as const;
const stepNames = Object.keys(steps) as (keyof typeof steps)[];

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
  printTargets(new Map(measured.map((each) => [each.kind, each])));
}

type ByKind = ReadonlyMap<Measured['kind'], Measured>;

/** Targets are the native engine's; what the one on WebAssembly reaches stands beside. */
function printTargets(of: ByKind): void {
  const reference = of.get('bbs-2023');
  if (reference === undefined) return;
  const rows: string[][] = [];
  const add = (name: string, read: (engine: EngineName) => number, target: Parameters<typeof targetRow>[2]) =>
    rows.push([...targetRow(name, read('native'), target, oneDigit), oneDigit(read('webassembly'))]);
  for (const [kind, target] of Object.entries(timesFaster)) {
    const peerMs = of.get(kind as keyof typeof timesFaster)?.fullMs ?? Number.NaN;
    const times = (engine: EngineName): number => peerMs / (of.get(`${engine}, no range`) as Measured).fullMs;
    add(`full rounds, times those of ${kind}`, times, ['>=', target]);
  }
  const scale = reference.fullMs / referenceMs;
  for (const method of ['bulletproofs', 'set-membership'] as const)
    for (const step of stepNames) {
      const read = (engine: EngineName): number => (of.get(`${engine}, ${method}`) as Measured)[step];
      add(`${method}, ${steps[step]}, CPU ms`, read, ['<=', rangeMs[method][step] * scale]);
    }
  heading(
    `Targets; times for a machine where a round of bbs-2023 takes ${referenceMs} ms, scaled to this one (${oneDigit(reference.fullMs)})`,
  );
  printTable(['target', 'native', 'wanted', '', 'WebAssembly'], rows);
  printCommitment(of);
  const ours = (of.get('our bbs-2023') as Measured).fullMs;
  heading('bbs-2023 itself, on WebAssembly');
  printTable(
    ['target', 'here', 'wanted', ''],
    [
      targetRow(
        "full rounds, times the library's",
        reference.fullMs / ours,
        ['>=', sameFormatTimes],
        oneDigit,
      ),
    ],
  );
}

function printCommitment(of: ByKind): void {
  const [bound, unbound] = (['no range', 'unbound'] as const).map(
    (variant) => of.get(`webassembly, ${variant}`) as Measured,
  );
  heading('On WebAssembly with a commitment, times without one (and with points decoded for every proof)');
  printTable(
    ['target', 'here', 'wanted', ''],
    stepNames.map((step) =>
      targetRow(steps[step], bound[step] / unbound[step], ['<=', commitmentTimes], (value) =>
        value.toFixed(2),
      ),
    ),
  );
}
