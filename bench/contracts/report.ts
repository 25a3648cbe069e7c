/** The numbers of the contracts benchmark as tables, and beside the targets the project set itself. */
import { rateCells, rateHead } from '../ledger/report.ts';
import { type PeerResult, peerTargets } from '../peer/peer.ts';
import { heading, mebibytes, oneDigit, print, printTable, targetRow, whole } from '../print.ts';
import { median, perSecond } from '../statistics.ts';
import type { TokenEngineResult } from './engine-process.ts';
import type { LedgerResult, TokenRounds } from './ledger-measure.ts';

const targetPerCoreSecond = 12_000;

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

const peerRow = (peer: PeerResult): string[] => [
  `${peer.name} (${peer.version})`,
  ...rateCells(peer),
  whole(peer.transfersPerBlock),
  whole(peer.cpuUsPerTransfer),
  '',
  whole(coreSecondRate(peer.cpuUsPerTransfer)),
  mebibytes(peer.rssBytes),
];

export function printWhole({ direct, http, peers }: LedgerResult): void {
  heading(
    'The whole node: signed transfers of contracts/token.js, durable. Peers: an ERC-20 token over HTTP, in memory.',
  );
  printTable(
    ['node', ...rateHead, 'tx/block', 'us CPU/tx', 'main thread', 'per core-s', 'RSS MiB'],
    [ledgerRow('ledger, direct', direct), ledgerRow('ledger, HTTP', http), ...peers.map(peerRow)],
  );
}

/** What is counted by core-seconds is wanted of the reference machine of the project; what is beside a peer, of any. */
export function printTargets(results: readonly TokenEngineResult[], { http, peers }: LedgerResult): void {
  print();
  printTable(
    ['target', 'here', 'wanted', ''],
    [
      ...results.map((result) =>
        targetRow(`inside the engine, per core-second: ${result.name}`, coreSecondRate(cpuUsOf(result)), [
          '>=',
          targetPerCoreSecond,
        ]),
      ),
      ...peerTargets(http.cpuUsPerTransfer, peers, [
        ['anvil, mining each', 1],
        ['hardhat without its log', 0.5],
      ]),
    ],
  );
}
