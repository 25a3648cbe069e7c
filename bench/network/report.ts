/** What was measured of networks, as a table: medians of the rounds. */
import { heading, oneDigit, printTable, targetRow, twoDigits, whole } from '../print.ts';
import { median } from '../statistics.ts';

export interface NetworkRound {
  /** Committed in a second. */
  readonly rate: number;
  /** CPU time of one on all validators, and what of it their nodes take, without CometBFT. */
  readonly cpuUs: number;
  readonly nodesUs: number;
  readonly perBlock: number;
  /** Of both processes of a validator. */
  readonly memoryMiB: number;
  readonly othersShare: number;
}

export interface NetworkResult {
  readonly validators: number;
  readonly accounts: number;
  readonly ledger: readonly NetworkRound[];
  /** None where the benchmark was told to leave it out. */
  readonly kvstore: readonly NetworkRound[];
}

interface Terms {
  readonly rounds: number;
  readonly connections: number;
  readonly commitMs: number;
}

export const medianOf = (taken: readonly NetworkRound[], name: keyof NetworkRound): number =>
  median(taken.map((round) => round[name]));

export const rateRatio = ({ ledger, kvstore }: NetworkResult): number =>
  medianOf(ledger, 'rate') / medianOf(kvstore, 'rate');

/** How many transfers cost as much as one pair, the other way round: what the rates come to where cores are all there is. */
export const cpuRatio = ({ ledger, kvstore }: NetworkResult): number =>
  medianOf(kvstore, 'cpuUs') / medianOf(ledger, 'cpuUs');

const head = [
  'accounts',
  'validators',
  'ledger/s',
  'each round',
  'tx/block',
  'us CPU/tx',
  'of it nodes',
  'MiB each',
  'kvstore/s',
  'each round',
  'us CPU/tx',
  'ratio/s',
  'ratio CPU',
  'others %',
];

export function printResults(results: readonly NetworkResult[], terms: Terms): void {
  const { rounds, connections, commitMs } = terms;
  heading(
    `Committed in a second, from the first request until the last is in a block; ${rounds} rounds each, in turn, ${connections} connections`,
    `to each validator, ${whole(commitMs)} ms after a block. All validators, and the load, share the cores above.`,
  );
  printTable(head, results.map(rowOf));
  const four = results.find(({ validators, kvstore }) => validators === 4 && kvstore.length > 0);
  if (!four) return;
  heading();
  printTable(
    ['target', 'here', 'wanted', ''],
    [
      targetRow(
        'transfers/s of four validators ÷ those of the key-value store',
        rateRatio(four),
        ['>=', 0.7],
        twoDigits,
      ),
    ],
  );
}

function rowOf(result: NetworkResult): string[] {
  const { accounts, validators, ledger, kvstore } = result;
  const eachRound = (taken: readonly NetworkRound[]): string =>
    taken.map(({ rate }) => whole(rate)).join(' / ');
  const others = [ledger, kvstore].flatMap((taken) =>
    taken.length > 0 ? medianOf(taken, 'othersShare') : [],
  );
  return [
    whole(accounts),
    String(validators),
    whole(medianOf(ledger, 'rate')),
    eachRound(ledger),
    whole(medianOf(ledger, 'perBlock')),
    whole(medianOf(ledger, 'cpuUs')),
    whole(medianOf(ledger, 'nodesUs')),
    whole(medianOf(ledger, 'memoryMiB')),
    ...(kvstore.length === 0
      ? ['', '', '', '', '']
      : [
          whole(medianOf(kvstore, 'rate')),
          eachRound(kvstore),
          whole(medianOf(kvstore, 'cpuUs')),
          twoDigits(rateRatio(result)),
          twoDigits(cpuRatio(result)),
        ]),
    oneDigit(100 * Math.max(...others)),
  ];
}
