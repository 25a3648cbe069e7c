/** The tables of docs/scale.md, from its figures: `npm run documents` puts them where the document names them. */
import {
  blockRoomRate,
  numbers,
  ofCredentials,
  ofIssues,
  ofValidators,
  ofVerifications,
  processRate,
  registrarRate,
  transactionRoomRate,
  transferRate,
} from './arithmetic.ts';
import { figures } from './figures.ts';

type Row = readonly string[];

const table = (head: Row, rows: readonly Row[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');

/** Two digits that count: more would promise what nobody knows. */
const rounded = (value: number): number => (value === 0 ? 0 : Number(value.toPrecision(2)));
export const count = (value: number): string => rounded(value).toLocaleString('en-US');

const scaled = (
  value: number,
  [small, ...larger]: readonly (readonly [size: number, unit: string])[],
): string => {
  const [size, unit] =
    larger.findLast(([least]) => rounded(value) >= least) ?? (small as readonly [number, string]);
  return `${count(value / size)} ${unit}`;
};
export const bytes = (value: number): string =>
  scaled(value, [
    [1, 'B'],
    [1e3, 'kB'],
    [1e6, 'MB'],
    [1e9, 'GB'],
    [1e12, 'TB'],
    [1e15, 'PB'],
  ]);
export const time = (seconds: number): string =>
  scaled(seconds, [
    [1e-3, 'ms'],
    [1, 's'],
    [60, 'min'],
    [3_600, 'h'],
    [86_400, 'days'],
    [365 * 86_400, 'years'],
  ]);

const power = (value: number): string => `10^${Math.log10(value)}`;

const figureTable = (): string =>
  table(
    ['name', 'value', 'what', 'source', 'from'],
    Object.entries(figures).map(([name, { value, unit, about, source, from }]) => [
      ...[`\`${name}\``, `${value.toLocaleString('en-US')} ${unit}`.trimEnd(), about, source, from],
    ]),
  );

const credentialTable = (): string =>
  table(
    [
      'credentials',
      'PostgreSQL',
      'ledger, at each node',
      'each alone in a block',
      'state',
      'a snapshot of it',
      'a proof',
      'sent to a light client: 4, 100 validators',
    ],
    [1e3, 1e6, 1e9].map((many) => {
      const of = ofCredentials(many);
      return [
        ...[power(many), bytes(of.databaseBytes), bytes(of.ledgerBytes), bytes(of.ledgerBytesAlone)],
        ...[bytes(of.stateBytes), time(of.snapshotSeconds), bytes(of.proofBytes)],
        [4, 100].map((validators) => bytes(of.lightBytes(validators))).join(', '),
      ];
    }),
  );

const fillingTable = (): string =>
  table(
    [
      'credentials',
      'CPU of the service',
      'by one registrar, a node alone',
      'by one registrar, a network',
      'as fast as a network has room',
    ],
    [1e3, 1e6, 1e9].map((many) => {
      const of = ofCredentials(many);
      const whole = [of.issueCoreSeconds, of.soloSeconds, of.networkSeconds, many / blockRoomRate()];
      const [cpu, ...rest] = whole.map(time);
      return [power(many), `${cpu} of one core`, ...rest];
    }),
  );

const rates = [1e2, 1e3, 1e4, 1e5];

const verificationTable = (): string =>
  table(
    [
      'verifications a second',
      'cores',
      'replicas',
      'connections of PostgreSQL',
      'with a range each: cores',
      'replicas',
    ],
    rates.map((rate) => {
      const of = ofVerifications(rate);
      return [
        power(rate),
        ...[of.cores, of.replicas, of.connections, of.coresWithRange, of.replicasWithRange].map(count),
      ];
    }),
  );

const issueTable = (): string =>
  table(
    [
      'issues a second',
      'cores',
      'replicas',
      'connections of PostgreSQL',
      'registrars: a node alone',
      'a network',
      'ledgers (networks)',
      'cores of a validator, all on one ledger',
      'PostgreSQL a day',
      'ledgers a day',
    ],
    rates.map((rate) => {
      const of = ofIssues(rate);
      return [
        power(rate),
        ...[of.cores, of.replicas, of.connections, of.registrarsSolo, of.registrarsNetwork, of.ledgers].map(
          count,
        ),
        ...[count(of.coresAValidator), bytes(of.databaseBytesADay), bytes(of.ledgerBytesADay)],
      ];
    }),
  );

const validatorTable = (): string =>
  table(
    [
      'validators',
      'may fail',
      'votes to each, a block',
      'to all',
      'votes to each, a second',
      'checking them, a block',
      'empty blocks, a year',
      'a light block',
      'a coin transfer, at all',
    ],
    [4, 7, 25, 100].map((validators) => {
      const of = ofValidators(validators);
      return [
        ...[count(validators), count(of.mayFail), count(of.votes), count(of.votesOfAll)],
        ...[bytes(of.voteBytesASecond), time(of.checkMs / 1_000), bytes(of.blockBytesAYear)],
        ...[bytes(of.lightBytes), time(of.transferUsOfAll / 1e6)],
      ];
    }),
  );

const postgresConnections = [100, 500] as const;

/** In the order in which they are met by a service whose issues grow. */
const limitTable = (): string => {
  const n = numbers;
  const replicas = postgresConnections.map((most) => Math.floor(most / n.connectionsEach));
  const rows: readonly (readonly [what: string, at: string, then: string])[] = [
    [
      'the registrar: one account, one transaction on its way, in a network',
      `${count(registrarRate(n.networkTurnMs))} issues a second`,
      'shorter blocks (`--block-ms`); then several transactions with consecutive numbers on their way, or several registrars for one service, an account each: neither is built',
    ],
    [
      'PostgreSQL as it comes, 100 connections',
      `${replicas[0]} replicas`,
      `\`max_connections\` of ${postgresConnections[1]}, for ${replicas[1]} replicas; more of them behind a pooler by sessions`,
    ],
    [
      'the main thread of a replica',
      `${count(processRate(n.issueMainMs))} issues or ${count(processRate(n.verifyMs * n.verifyMainShare))} verifications a second`,
      'more replicas, on the same machine as long as it has cores',
    ],
    [
      'contracts in the blocks of a network',
      `${count(blockRoomRate())} issues a second`,
      'shorter blocks; then a ledger for each group of issuers. A rule of the chain: more steps a block are a new version of the chain',
    ],
    ['the registrar, with a node alone', `${count(registrarRate(n.soloTurnMs))} issues a second`, 'as above'],
    [
      'transactions in the blocks of a network',
      `${count(transactionRoomRate())} transactions a second`,
      'shorter blocks; a rule of the chain as well',
    ],
    [
      'CPU of a validator, of 2 and of 8 cores, in coin transfers',
      `${count(transferRate(2))} and ${count(transferRate(8))} a second`,
      'more cores help until the main thread of the node is busy; then another ledger',
    ],
    [
      'the main thread of a node, transfers alone, without HTTP and consensus',
      `${count(processRate(n.transferMainUs / 1_000))} a second`,
      'other nodes for reading (any number, without a vote); writing takes another ledger',
    ],
    [
      'writes of one PostgreSQL',
      'not measured; before it the size of its tables',
      'parts by issuer: a service and a database of its own for each group of issuers, on the same ledger or on another; they share nothing',
    ],
    [
      'validators',
      count(n.validatorsMax),
      'nodes that only read: whoever verifies needs no vote; the bound is a rule of the chain',
    ],
  ];
  return table(['limit', 'met at', 'what to change then'], rows);
};

export const scaleTables: Readonly<Record<string, () => string>> = {
  figures: figureTable,
  credentials: credentialTable,
  filling: fillingTable,
  verifications: verificationTable,
  issues: issueTable,
  validators: validatorTable,
  limits: limitTable,
};

/** The document with its tables as they are reckoned now. */
export function fillScaleTables(text: string): string {
  return Object.entries(scaleTables).reduce((filled, [name, draw]) => {
    const place = new RegExp(`(?<=<!-- ${name} -->\\n)[\\s\\S]*?(?=<!-- end of ${name} -->)`);
    if (!place.test(filled)) throw new Error(`the document has no place for the table ${name}`);
    return filled.replace(place, () => `\n${draw()}\n`);
  }, text);
}
