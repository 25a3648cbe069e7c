/**
 * What was measured of networks and is quoted: `figures.json` beside this file, one entry for each number of accounts and
 * validators, so that large sizes can be measured one by one, and `figures.svg`, drawn from it. `npm run bench -- network
 * --record` writes both.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { drawFigures } from './network-plot.ts';
import { medianOf, type NetworkResult, type NetworkRound } from './report.ts';

type Medians = Readonly<Record<keyof NetworkRound, number>>;

export interface Figure {
  readonly accounts: number;
  readonly validators: number;
  readonly ledger: Medians;
  readonly kvstore?: Medians | undefined;
}

const file = new URL('figures.json', import.meta.url);
const picture = new URL('figures.svg', import.meta.url);

const names = [
  'rate',
  'cpuUs',
  'nodesUs',
  'perBlock',
  'memoryMiB',
  'othersShare',
] as const satisfies readonly (keyof NetworkRound)[];

const mediansOf = (taken: readonly NetworkRound[]): Medians =>
  Object.fromEntries(names.map((name) => [name, Number(medianOf(taken, name).toPrecision(4))])) as Medians;

const figureOf = ({ accounts, validators, ledger, kvstore }: NetworkResult): Figure => ({
  accounts,
  validators,
  ledger: mediansOf(ledger),
  ...(kvstore.length > 0 && { kvstore: mediansOf(kvstore) }),
});

export const readFigures = (): Figure[] =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Figure[]) : [];

/** An earlier figure of the same size gives way. */
export function recordFigures(results: readonly NetworkResult[]): void {
  const measured = results.map(figureOf);
  const isAgain = (old: Figure): boolean =>
    measured.some(({ accounts, validators }) => old.accounts === accounts && old.validators === validators);
  const all = [...readFigures().filter((old) => !isAgain(old)), ...measured].sort(
    (left, right) => left.accounts - right.accounts || left.validators - right.validators,
  );
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
  writeFileSync(picture, drawFigures(all));
}
