/** The numbers of the contracts benchmark as tables, and beside the target the project set itself. */
import { rateCells, rateHead } from '../ledger/report.ts';
import type { NamedPeer, PeerResult } from '../peer/hardhat.ts';
import { heading, mebibytes, oneDigit, print, printTable, targetRow, whole } from '../print.ts';
import { median, perSecond } from '../statistics.ts';
import type { TokenEngineResult } from './engine-process.ts';
import type { LedgerResult, TokenRounds } from './ledger-measure.ts';

const targetPerCoreSecond = 3_000;

const cpuUsOf = ({ rounds, perRound }: TokenEngineResult): number =>
  median(rounds.map(({ cpuMs }) => (cpuMs * 1_000) / perRound));

const coreSecondRate = (cpuUs: number): number => 1_000_000 / cpuUs;

export function printEngine(results: readonly TokenEngineResult[]): void {
  const [{ rounds, perRound }] = results;
  heading(`Inside the engine: ${rounds.length} rounds of ${whole(perRound)} transfers, storage in memory`);
  printTable(
    ['contract', 'per core-s', 'each round', 'per s', 'us CPU', 'gas', 'loads', 'stores', 'events'],
    results.map((result) => [
      result.name,
      whole(coreSecondRate(cpuUsOf(result))),
      result.rounds.map(({ cpuMs }) => whole(perSecond(perRound, cpuMs))).join(' / '),
      whole(median(result.rounds.map(({ wallMs }) => perSecond(perRound, wallMs)))),
      whole(cpuUsOf(result)),
      whole(result.gasPerCall),
      String(result.loadsPerCall),
      String(result.storesPerCall),
      String(result.eventsPerCall),
    ]),
  );
  heading(
    'Beginning, CPU ms: the interpreter into a process, the first call of a new engine, the first call of',
    'a contract. Memory of a contract that is kept compiled.',
  );
  printTable(
    ['contract', 'interpreter', 'new engine', 'new contract', 'KiB/image'],
    results.map(({ name, moduleMs, firstCallMs, compileCallMs, bytesPerImage }) => [
      name,
      oneDigit(moduleMs),
      oneDigit(firstCallMs),
      compileCallMs.toFixed(2),
      whole(bytesPerImage / 1_024),
    ]),
  );
}

const ledgerRow = (name: string, { rounds, ...middle }: TokenRounds): string[] => {
  const sum = (pick: (round: TokenRounds['rounds'][number]) => number): number =>
    rounds.reduce((total, round) => total + pick(round), 0);
  return [
    name,
    ...rateCells({ rounds, ...middle }),
    whole(sum(({ transfers }) => transfers) / sum(({ blocks }) => blocks)),
    whole(middle.cpuUsPerTransfer),
    whole(middle.mainCpuUsPerTransfer),
    whole(coreSecondRate(middle.cpuUsPerTransfer)),
    mebibytes(middle.rssBytes),
  ];
};

const peerRow = (name: string, peer: PeerResult): string[] => [
  name,
  ...rateCells(peer),
  '1',
  whole(peer.cpuUsPerTransfer),
  '',
  whole(coreSecondRate(peer.cpuUsPerTransfer)),
  mebibytes(peer.rssBytes),
];

export function printWhole({ direct, http }: LedgerResult, peers: readonly NamedPeer[]): void {
  heading(
    'The whole node: signed transfers of contracts/token.js, durable. hardhat: an ERC-20 token, in memory.',
  );
  printTable(
    ['node', ...rateHead, 'tx/block', 'us CPU/tx', 'main thread', 'per core-s', 'RSS MiB'],
    [
      ledgerRow('ledger, direct', direct),
      ledgerRow('ledger, HTTP', http),
      ...peers.map(({ name, result }) => peerRow(`hardhat ${result.version} ${name}, HTTP`, result)),
    ],
  );
  if (peers.length === 0) return;
  print();
  printTable(
    ['ledger over HTTP beside hardhat', 'transfers/s', 'per core-s'],
    peers.map(({ name, result }) => [
      name,
      `${(http.rate / result.rate).toFixed(2)}x`,
      `${(result.cpuUsPerTransfer / http.cpuUsPerTransfer).toFixed(2)}x`,
    ]),
  );
}

/** The target is for the reference machine of the project. */
export function printTarget(results: readonly TokenEngineResult[]): void {
  print();
  printTable(
    ['target: transfers per core-second inside the engine', 'here', 'wanted', ''],
    results.map((result) =>
      targetRow(result.name, coreSecondRate(cpuUsOf(result)), ['>=', targetPerCoreSecond]),
    ),
  );
}
