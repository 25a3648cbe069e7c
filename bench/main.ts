/**
 * `npm run bench -- ledger|network|contracts|credentials|service|replicas|storage|lists|fairness|startup|explorer`: the
 * ledger node measured on this machine beside hardhat and anvil, validators beside CometBFT's own application, credentials
 * beside two libraries, a caller of the service beside a greedy one, the service under load, one of it beside three, what it
 * and its ledger take on disk, its lists with many records, a node's opening at two lengths of history, its explorer. What the
 * numbers mean stands in README.md beside this file.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { unknownName } from '@symbolon/core/basics/known-names';
import { OptionError, parseOptions } from '@symbolon/host/config/options';
import { measureContracts } from './contracts/measure-contracts.ts';
import { tokenSenders } from './contracts/token-transactions.ts';
import { measureFairness } from './credentials/fairness.ts';
import { measureCredentials } from './credentials/measure-credentials.ts';
import { measureSdJwt } from './credentials/sd-jwt/measure-sd-jwt.ts';
import { measureExplorer } from './explorer/measure-explorer.ts';
import { senders } from './ledger/people.ts';
import { printPeers, printSizes, printTargets } from './ledger/report.ts';
import { measureSize, type SizeOptions, type SizeResult } from './ledger/sizes.ts';
import { measureLists } from './lists/measure-lists.ts';
import { printMachine } from './machine.ts';
import { measureNetwork } from './network/measure-network.ts';
import { peerRounds, peersBeside } from './peer/measure-peers.ts';
import { note, print } from './print.ts';
import { measureReplicas } from './replicas/measure-replicas.ts';
import { measureService } from './service/measure-service.ts';
import { measureStartup } from './startup/measure-startup.ts';
import { measureStorage } from './storage/measure-storage.ts';

const usage = `Usage: npm run bench -- ledger|network|contracts|credentials|service|replicas|storage|lists|fairness|startup|explorer [options]

  --accounts 10000,100000,1000000   ledger: sizes to measure, at least 10000 each
  --validators 1,4,7                network: how many there are
  --quick                           10^4 accounts and short rounds: to see that it works, not to quote
  --no-peer                         without the other nodes, or without the other libraries
  --record                          network: keep the figures in bench/network and draw them
  --in-flight 3000                  direct: transfers handed in and not yet durable
  --connections 256                 HTTP: connections, a divisor of ${senders} (ledger) or ${tokenSenders} (contracts)
  --soak 10                         service: minutes of load at the end, to see what memory does
  --profile                         V8 CPU profiles of node and service under test into .cache/bench/profiles`;

/** As `npm start` and `npm run symbolon` start the product. */
const launcher = new URL('../scripts/lib/node.mjs', import.meta.url).href;
const { productFlags } = (await import(launcher)) as { productFlags: () => string[] };

const cache = fileURLToPath(new URL('../.cache/bench/', import.meta.url));
const scratch = `${cache}under-test-${process.pid}`;
const accountsMin = 10_000;

function wholeNumber(name: string, text: string, min: number): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < min)
    throw new OptionError(`--${name}: ${text} is not ${min} or more`);
  return value;
}

const subjects = [
  'ledger',
  'network',
  'contracts',
  'credentials',
  'service',
  'replicas',
  'storage',
  'lists',
  'fairness',
  'startup',
  'explorer',
] as const;
type Subject = (typeof subjects)[number];

/** What each can be told besides `--quick`. */
const optionsOf: Readonly<Record<Subject, readonly string[]>> = {
  ledger: ['accounts', 'peer', 'in-flight', 'connections', 'profile'],
  network: ['accounts', 'validators', 'peer', 'record', 'profile'],
  contracts: ['peer', 'in-flight', 'connections', 'profile'],
  credentials: ['peer'],
  service: ['soak', 'profile'],
  replicas: ['profile'],
  storage: [],
  lists: [],
  fairness: [],
  startup: [],
  explorer: [],
};

function subjectOf([what, ...more]: readonly string[]): Subject {
  const known = subjects.find((subject) => subject === what);
  if (what !== undefined && known === undefined) throw new OptionError(unknownName(what, subjects));
  if (known === undefined || more.length > 0)
    throw new OptionError(`One of these is measured at a time: ${subjects.join(', ')}`);
  return known;
}

function readArguments(args: string[]) {
  const { values, positionals, tokens } = parseOptions({
    args,
    allowPositionals: true,
    allowNegative: true,
    tokens: true,
    options: {
      accounts: { type: 'string' },
      validators: { type: 'string' },
      quick: { type: 'boolean', default: false },
      peer: { type: 'boolean', default: true },
      'in-flight': { type: 'string', default: '3000' },
      connections: { type: 'string', default: '256' },
      soak: { type: 'string', default: '0' },
      record: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
    },
  });
  const what = subjectOf(positionals);
  const known = ['quick', ...optionsOf[what]];
  for (const token of tokens)
    if (token.kind === 'option' && !known.includes(token.name))
      throw new OptionError(`${token.rawName} means nothing to ${what}`);
  const sizes = values.accounts ?? (values.quick ? '10000' : '10000,100000,1000000');
  const validators = values.validators ?? (values.quick ? '4' : '1,4,7');
  const connections = wholeNumber('connections', values.connections, 1);
  const inTurn = what === 'ledger' ? senders : tokenSenders;
  if (inTurn % connections !== 0)
    throw new OptionError(`--connections: ${connections} does not divide ${inTurn}`);
  const options: SizeOptions = {
    cache,
    scratch,
    connections,
    warmUp: values.quick ? senders : 4 * senders,
    perRound: values.quick ? senders : 8 * senders,
    rounds: peerRounds,
    inFlightMax: wholeNumber('in-flight', values['in-flight'], 1),
    nodeFlags: [
      ...productFlags(),
      ...(values.profile ? ['--cpu-prof', `--cpu-prof-dir=${cache}profiles`] : []),
    ],
  };
  return {
    what,
    options,
    sizes: sizes.split(',').map((text) => wholeNumber('accounts', text, accountsMin)),
    validators: validators.split(',').map((text) => wholeNumber('validators', text, 1)),
    isQuick: values.quick,
    withPeer: values.peer,
    isRecorded: values.record,
    soakMinutes: wholeNumber('soak', values.soak, 0),
  };
}

async function measure(args: string[]): Promise<void> {
  const { what, options, sizes, validators, isQuick, withPeer, isRecorded, soakMinutes } =
    readArguments(args);
  mkdirSync(cache, { recursive: true });
  printMachine(cache);
  if (what === 'credentials') {
    await measureSdJwt({ isQuick, withPeer });
    return measureCredentials({ isQuick, withPeer });
  }
  if (what === 'service') return measureService({ scratch, isQuick, soakMinutes, flags: options.nodeFlags });
  if (what === 'replicas') return measureReplicas({ scratch, isQuick, flags: options.nodeFlags });
  if (what === 'storage') return measureStorage({ scratch, isQuick, flags: options.nodeFlags });
  if (what === 'lists') return measureLists({ scratch, isQuick, flags: options.nodeFlags });
  if (what === 'fairness') return measureFairness({ isQuick });
  if (what === 'startup') return measureStartup({ cache, scratch, isQuick });
  if (what === 'explorer') return measureExplorer({ ...options, isQuick });
  if (what === 'contracts') return measureContracts({ ...options, isQuick, withPeer });
  if (what === 'network') {
    const { nodeFlags: flags } = options;
    const chosen = { validators, accounts: sizes, withPeer, isRecorded };
    return measureNetwork({ cache, scratch, isQuick, flags, ...chosen });
  }
  const results: SizeResult[] = [];
  for (const accounts of sizes) {
    const isBeside = withPeer && results.length === 0;
    const beside = isBeside ? peersBeside({ cache, isQuick, work: 'coin' }) : async () => [];
    results.push(await measureSize(accounts, options, beside));
  }
  const [{ peers }] = results;
  printSizes(results, options);
  if (withPeer) printPeers(peers, results);
  printTargets(results, peers);
}

process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

try {
  await measure(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof OptionError)) throw error;
  if (!error.isHelp) note(error.message);
  print(usage);
  process.exitCode = error.isHelp ? 0 : 2;
}
