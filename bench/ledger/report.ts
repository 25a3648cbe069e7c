/** The numbers of the ledger benchmark as tables, and beside the targets the project set itself. */
import type { PeerResult } from '../peer/hardhat.ts';
import { mebibytes, oneDigit, print, printTable, whole } from '../print.ts';
import { median, percentile } from '../statistics.ts';
import type { Rounds } from './rounds.ts';
import type { SizeOptions, SizeResult } from './sizes.ts';
import { changedKeys } from './tree-measure.ts';

const loadHead = [
  'accounts',
  'transfers/s',
  'each round',
  'p50 ms',
  'p99 ms',
  'tx/block',
  'wall s',
  'CPU s node',
  'CPU s load',
  'us CPU/tx',
  'main thread',
  'others %',
  'RSS MiB',
];

function loadRow(name: string, { rounds, ...middle }: Rounds): string[] {
  const sum = (pick: (round: Rounds['rounds'][number]) => number): number =>
    rounds.reduce((total, round) => total + pick(round), 0);
  return [
    name,
    whole(middle.rate),
    rounds.map(({ rate }) => whole(rate)).join(' / '),
    whole(middle.p50Ms),
    whole(middle.p99Ms),
    whole(sum(({ transfers }) => transfers) / sum(({ blocks }) => blocks)),
    oneDigit(sum(({ wallMs }) => wallMs) / 1_000),
    oneDigit(sum(({ nodeCpuMs }) => nodeCpuMs) / 1_000),
    oneDigit(sum(({ loadCpuMs }) => loadCpuMs) / 1_000),
    whole(middle.cpuUsPerTransfer),
    whole(middle.mainCpuUsPerTransfer),
    whole(middle.othersShare * 100),
    mebibytes(middle.rssBytesMax),
  ];
}

export function printSizes(results: readonly SizeResult[], options: SizeOptions): void {
  const { rounds, perRound, inFlightMax, connections } = options;
  print();
  print(
    "The accounts are synthetic: written by the node's own code, but not by transactions. Everything shares",
  );
  print('the cores above: node, signature threads, load generator. Files are in the page cache.');
  print();
  print(
    `Direct: ${rounds} rounds of ${whole(perRound)} transfers, at most ${whole(inFlightMax)} not yet durable`,
  );
  printTable(
    loadHead,
    results.map((result) => loadRow(whole(result.accounts), result.direct)),
  );
  print();
  print(`HTTP: ${rounds} rounds of ${whole(perRound)} transfers, one a request, ${connections} connections`);
  printTable(
    loadHead,
    results.map((result) => loadRow(whole(result.accounts), result.http)),
  );
  print();
  print('Start: a fresh copy (median of 3), and again after the direct rounds');
  printTable(
    [
      'accounts',
      'wall s',
      'open s',
      'CPU s',
      'RSS MiB',
      'again: wall s',
      'open s',
      'CPU s',
      'RSS MiB',
      'store MiB',
    ],
    results.map(({ accounts, start, restart, storeBytes }) => [
      whole(accounts),
      ...[start, restart].flatMap(({ wallMs, openMs, cpuMs, rssBytes }) => [
        ...[wallMs, openMs, cpuMs].map((ms) => (ms / 1_000).toFixed(2)),
        mebibytes(rssBytes),
      ]),
      mebibytes(storeBytes),
    ]),
  );
  print();
  print(`State tree: the root of ${whole(changedKeys)} changed accounts, and proofs`);
  printTable(
    ['accounts', 'root ms', 'p99', 'load ms', 'first', 'proof B', 'largest', 'prove ms'],
    results.map(({ accounts, roots, proofs }) => [
      whole(accounts),
      oneDigit(median(roots.updateMs)),
      oneDigit(percentile(roots.updateMs, 0.99)),
      oneDigit(median(roots.loadMs)),
      oneDigit(roots.loadMs[0]),
      whole(median(proofs.bytes)),
      whole(Math.max(...proofs.bytes)),
      median(proofs.ms).toFixed(2),
    ]),
  );
}

export function printPeer(
  peers: readonly { name: string; result: PeerResult }[],
  results: readonly SizeResult[],
): void {
  const [{ result }] = peers;
  print();
  print(
    `hardhat ${result.version}, same load generator, one request a transfer, mined when answered. Not equal`,
  );
  print('work: it runs the EVM and secp256k1, one block a transfer, in memory.');
  printTable(
    [
      'hardhat',
      'transfers/s',
      'each round',
      'p50 ms',
      'p99 ms',
      'us CPU/tx',
      'RSS MiB',
      ...results.map(ratioTitle),
    ],
    peers.map(({ name, result: peer }) => [
      name,
      whole(peer.rate),
      peer.rounds.map(({ rate }) => whole(rate)).join(' / '),
      whole(peer.p50Ms),
      whole(peer.p99Ms),
      whole(peer.cpuUsPerTransfer),
      mebibytes(peer.rssBytes),
      ...results.map(({ http }) => {
        const rate = http.rate / peer.rate;
        const cpu = peer.cpuUsPerTransfer / http.cpuUsPerTransfer;
        return `${oneDigit(rate)}x (CPU ${oneDigit(cpu)}x)`;
      }),
    ]),
  );
}

const ratioTitle = ({ accounts }: SizeResult): string => `we at ${whole(accounts)}`;

/** The targets are for the reference machine of the project, where hardhat as it comes does about 460/s. */
export function printTargets(results: readonly SizeResult[], peer: PeerResult | undefined): void {
  const largest = results[results.length - 1];
  const slowest = (pick: (result: SizeResult) => number): number => Math.min(...results.map(pick));
  const highest = (pick: (result: SizeResult) => number): number => Math.max(...results.map(pick));
  const p99 = highest(({ direct, http }) => Math.max(direct.p99Ms, http.p99Ms));
  const rows: [string, string, boolean, string][] = [];
  const atLeast = (name: string, value: number, target: number, digits = whole): void => {
    rows.push([name, digits(value), value >= target, `>= ${digits(target)}`]);
  };
  const atMost = (name: string, value: number, target: number, digits = whole): void => {
    rows.push([name, digits(value), value <= target, `<= ${digits(target)}`]);
  };
  atLeast(
    'direct transfers/s, slowest size',
    slowest(({ direct }) => direct.rate),
    5_000,
  );
  atLeast(
    'HTTP transfers/s, slowest size',
    slowest(({ http }) => http.rate),
    3_000,
  );
  atMost('submit to durable, p99 ms, worst', p99, 1_000);
  if (peer)
    atLeast(
      'times hardhat as it comes, slowest size',
      slowest(({ http }) => http.rate) / peer.rate,
      6,
      oneDigit,
    );
  atMost(`root of ${changedKeys} keys, ms, largest size`, median(largest.roots.updateMs), 20, oneDigit);
  atMost(
    'start-up s, largest size',
    Math.max(largest.start.wallMs, largest.restart.wallMs) / 1_000,
    2,
    oneDigit,
  );
  atMost(
    'largest proof, bytes',
    highest(({ proofs }) => Math.max(...proofs.bytes)),
    1_000,
  );
  print();
  printTable(
    ['target', 'here', 'wanted', ''],
    rows.map(([name, value, isMet, wanted]) => [name, value, wanted, isMet ? 'met' : 'missed']),
  );
}
