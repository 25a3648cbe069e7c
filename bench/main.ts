/**
 * `npm run bench -- ledger|contracts|credentials|fairness`: the ledger node measured on this machine beside a hardhat
 * node, credentials beside two libraries, a caller of the service beside a greedy one. What the numbers mean stands in README.md beside this file.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureContracts } from './contracts/measure-contracts.ts';
import { tokenSenders } from './contracts/token-transactions.ts';
import { measureFairness } from './credentials/fairness.ts';
import { measureCredentials } from './credentials/measure-credentials.ts';
import { senders } from './ledger/people.ts';
import { printPeer, printSizes, printTargets } from './ledger/report.ts';
import { measureSize, type SizeOptions, type SizeResult } from './ledger/sizes.ts';
import { printMachine } from './machine.ts';
import { measurePeers } from './peer/hardhat.ts';
import { note, print } from './print.ts';

const usage = `Usage: npm run bench -- ledger|contracts|credentials|fairness [options]

  --accounts 10000,100000,1000000   ledger: sizes to measure, at least 10000 each
  --quick                           10^4 accounts and short rounds: to see that it works, not to quote
  --no-peer                         without hardhat, or without the other libraries
  --in-flight 3000                  direct: transfers handed in and not yet durable
  --connections 256                 HTTP: connections, a divisor of ${senders} (ledger) or ${tokenSenders} (contracts)
  --profile                         V8 CPU profiles of the node under test into .cache/bench/profiles`;

const cache = fileURLToPath(new URL('../.cache/bench/', import.meta.url));
const scratch = `${cache}under-test-${process.pid}`;
const accountsMin = 10_000;

class UsageError extends Error {}

function wholeNumber(name: string, text: string, min: number): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < min)
    throw new UsageError(`--${name}: ${text} is not ${min} or more`);
  return value;
}

const subjects = ['ledger', 'contracts', 'credentials', 'fairness'] as const;
const isSubject = (text: string): text is (typeof subjects)[number] =>
  (subjects as readonly string[]).includes(text);

function readArguments(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    allowNegative: true,
    options: {
      accounts: { type: 'string' },
      quick: { type: 'boolean', default: false },
      peer: { type: 'boolean', default: true },
      'in-flight': { type: 'string', default: '3000' },
      connections: { type: 'string', default: '256' },
      profile: { type: 'boolean', default: false },
    },
  });
  const [what] = positionals;
  if (positionals.length !== 1 || what === undefined || !isSubject(what))
    throw new UsageError('What to measure: ledger, contracts, credentials or fairness');
  const sizes = values.accounts ?? (values.quick ? '10000' : '10000,100000,1000000');
  const connections = wholeNumber('connections', values.connections, 1);
  const inTurn = what === 'ledger' ? senders : tokenSenders;
  if (inTurn % connections !== 0)
    throw new UsageError(`--connections: ${connections} does not divide ${inTurn}`);
  const options: SizeOptions = {
    cache,
    scratch,
    connections,
    warmUp: values.quick ? senders : 4 * senders,
    perRound: values.quick ? senders : 8 * senders,
    rounds: 3,
    inFlightMax: wholeNumber('in-flight', values['in-flight'], 1),
    nodeFlags: values.profile ? ['--cpu-prof', `--cpu-prof-dir=${cache}profiles`] : [],
  };
  return {
    what,
    options,
    sizes: sizes.split(',').map((text) => wholeNumber('accounts', text, accountsMin)),
    isQuick: values.quick,
    withPeer: values.peer,
  };
}

async function measure(args: string[]): Promise<void> {
  const { what, options, sizes, isQuick, withPeer } = readArguments(args);
  mkdirSync(cache, { recursive: true });
  printMachine(cache);
  if (what === 'credentials') return measureCredentials({ isQuick, withPeer });
  if (what === 'fairness') return measureFairness({ isQuick });
  if (what === 'contracts') return measureContracts({ ...options, isQuick, withPeer });
  const results: SizeResult[] = [];
  for (const accounts of sizes) results.push(await measureSize(accounts, options));
  printSizes(results, options);
  const peers = withPeer ? await measurePeers(cache, isQuick, 'coin') : [];
  if (withPeer) printPeer(peers, results);
  printTargets(results, peers[0]?.result);
}

process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

try {
  await measure(process.argv.slice(2));
} catch (error) {
  const isUsage =
    error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  if (!isUsage) throw error;
  note((error as Error).message);
  print(usage);
  process.exitCode = 2;
}
