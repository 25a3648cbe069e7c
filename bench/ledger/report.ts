/** The numbers of the ledger benchmark as tables, and beside the targets the project set itself. */
import { findPeer, type PeerResult, peerTargets } from '../peer/peer.ts';
import { heading, mebibytes, oneDigit, printTable, targetRow, twoDigits, whole } from '../print.ts';
import { median, percentile } from '../statistics.ts';
import type { Rounds } from './rounds.ts';
import type { SizeOptions, SizeResult } from './sizes.ts';
import { changedKeys } from './tree-measure.ts';

export const rateHead = ['transfers/s', 'each round', 'p50 ms', 'p99 ms'];

/** What stands below `rateHead`. */
export const rateCells = ({ rate, rounds, p50Ms, p99Ms }: RateFacts): string[] => [
  whole(rate),
  rounds.map((round) => whole(round.rate)).join(' / '),
  whole(p50Ms),
  whole(p99Ms),
];

type RateFacts = Pick<Rounds, 'rate' | 'p50Ms' | 'p99Ms'> & { readonly rounds: readonly { rate: number }[] };

const loadHead = [
  'accounts',
  ...rateHead,
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
    ...rateCells({ rounds, ...middle }),
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
  heading(
    "The accounts are synthetic: written by the node's own code, but not by transactions. Everything shares",
    'the cores above: node, signature threads, load generator. Files are in the page cache.',
  );
  heading(
    `Direct: ${rounds} rounds of ${whole(perRound)} transfers, at most ${whole(inFlightMax)} not yet durable`,
  );
  printTable(
    loadHead,
    results.map((result) => loadRow(whole(result.accounts), result.direct)),
  );
  heading(
    `HTTP: ${rounds} rounds of ${whole(perRound)} transfers, one a request, ${connections} connections`,
  );
  printTable(
    loadHead,
    results.map((result) => loadRow(whole(result.accounts), result.http)),
  );
  heading('Start: a fresh copy (median of 3), and again after the direct rounds');
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
  heading(`State tree: the root of ${whole(changedKeys)} changed accounts, and proofs`);
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

export function printPeers(peers: readonly PeerResult[], results: readonly SizeResult[]): void {
  heading(
    'Peers: same load generator, one request a transfer, ms until it was answered. Not equal work: they run the',
    'EVM and secp256k1, in memory; anvil mines after it has answered. Ours: CPU of a transfer over HTTP ÷ theirs.',
  );
  printTable(
    [
      'peer',
      ...rateHead,
      'tx/block',
      'mined %',
      'us CPU/tx',
      'RSS MiB',
      ...results.map(({ accounts }) => `ours at ${whole(accounts)}`),
    ],
    peers.map((peer) => [
      `${peer.name} (${peer.version})`,
      ...rateCells(peer),
      whole(peer.transfersPerBlock),
      whole(peer.minedShare * 100),
      whole(peer.cpuUsPerTransfer),
      mebibytes(peer.rssBytes),
      ...results.map(({ http }) => twoDigits(http.cpuUsPerTransfer / peer.cpuUsPerTransfer)),
    ]),
  );
}

/** Rates and times are wanted of the reference machine of the project; what is beside a peer, of any. */
export function printTargets(results: readonly SizeResult[], peers: readonly PeerResult[]): void {
  const [smallest] = results;
  const largest = results[results.length - 1];
  const slowest = (pick: (result: SizeResult) => number): number => Math.min(...results.map(pick));
  const highest = (pick: (result: SizeResult) => number): number => Math.max(...results.map(pick));
  const p99 = highest(({ direct, http }) => Math.max(direct.p99Ms, http.p99Ms));
  const directRate = slowest(({ direct }) => direct.rate);
  const httpRate = slowest(({ http }) => http.rate);
  const rootMs = median(largest.roots.updateMs);
  const startSeconds = Math.max(largest.start.wallMs, largest.restart.wallMs) / 1_000;
  const proofBytes = highest(({ proofs }) => Math.max(...proofs.bytes));
  const hardhat = findPeer(peers, 'hardhat');
  const timesHardhat = hardhat
    ? [targetRow('times hardhat, slowest size', httpRate / hardhat.rate, ['>=', 6], oneDigit)]
    : [];
  heading();
  printTable(
    ['target', 'here', 'wanted', ''],
    [
      targetRow('direct transfers/s, slowest size', directRate, ['>=', 5_000]),
      targetRow('HTTP transfers/s, slowest size', httpRate, ['>=', 3_000]),
      targetRow('submit to durable, p99 ms, worst', p99, ['<=', 1_000]),
      ...timesHardhat,
      // At the smallest size: a peer has a hundred accounts.
      ...peerTargets(smallest.http.cpuUsPerTransfer, peers, [
        ['anvil, mining every second', 1.1],
        ['anvil, mining each', 0.6],
      ]),
      targetRow(`root of ${changedKeys} keys, ms, largest size`, rootMs, ['<=', 20], oneDigit),
      targetRow('start-up s, largest size', startSeconds, ['<=', 2], oneDigit),
      targetRow('largest proof, bytes', proofBytes, ['<=', 1_000]),
    ],
  );
}
