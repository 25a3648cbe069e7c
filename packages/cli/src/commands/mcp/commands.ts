/**
 * `symbolon mcp`: a wallet for an agent, over standard input and output (`docs/mcp.md`). What the agent may reveal,
 * spend and call is said here, by the owner, when it starts; by default it is nothing. Standard output belongs to the
 * protocol: whatever else there is to say goes to standard error.
 */
import { once } from 'node:events';
import { credentialLimits } from '@symbolon/core/limits/documents';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { walletLimits } from '../../limits/command-limits.ts';
import { type ConnectionWords, connect } from '../../profile/connection.ts';
import {
  accountAddress,
  amount,
  coinAmount,
  keyOption,
  ledgerOption,
  personOption,
  profileOption,
  serviceOption,
  walletOption,
} from '../../profile/options.ts';
import { usageFailure } from '../../terminal/failure.ts';
import { processTerminal, remarkConsole, type Terminal } from '../../terminal/terminal.ts';
import { parseOrigin } from '../../wallet/calling-policy.ts';
import { type Cap, type Caps, nativeAsset } from '../../wallet/spending.ts';
import type { WalletPolicy } from '../../wallet/wallet.ts';

interface McpWords extends ConnectionWords {
  readonly wallet: string;
  readonly spendPerPayment: bigint;
  readonly spendPerDay: bigint;
  readonly token: Caps;
  readonly mayReveal: ReadonlySet<string>;
  readonly mayCall: readonly string[];
}

export function addMcpCommand(program: Command, terminal: Terminal = processTerminal): void {
  program
    .command('mcp')
    .description('serve a wallet to an agent over the Model Context Protocol, on standard input and output')
    .addOption(profileOption())
    .addOption(ledgerOption())
    .addOption(serviceOption())
    .addOption(personOption('holder'))
    .addOption(keyOption())
    .addOption(walletOption())
    .addOption(
      new Option('--spend-per-payment <amount>', 'the most Gas that one payment may cost, its fee included')
        .argParser(coinAmount)
        .default(0n, '0: nothing'),
    )
    .addOption(
      new Option('--spend-per-day <amount>', 'the most Gas that a day (UTC) may cost, fees included')
        .argParser(coinAmount)
        .default(0n, '0: nothing'),
    )
    .addOption(
      new Option(
        '--token <address=number>',
        'a token that may be spent: so much a day; address=number:number says a payment and a day; repeatable',
      )
        .argParser(addToken)
        .default(new Map(), 'none'),
    )
    .addOption(
      new Option(
        '--may-reveal <names>',
        'attributes that verifiers may be shown, with commas between; repeatable',
      )
        .argParser(addNames)
        .default(new Set(), 'none: ranges are proved, values are not shown'),
    )
    .addOption(
      new Option('--may-call <host>', 'a host beside the service that may be called and paid; repeatable')
        .argParser(addOrigin)
        .default([], 'none'),
    )
    .action((words: McpWords) => runMcp(words, terminal));
}

const tooMany = (what: string) =>
  new InvalidArgumentError(`There may be at most ${walletLimits.policyEntriesMax} ${what}.`);

/** `ADDRESS=N`, or `ADDRESS=N:M` for a payment and a day. */
export function addToken(text: string, before: Caps): Caps {
  const [address = '', numbers = '', ...rest] = text.split('=');
  const [first = '', second = first, ...more] = numbers.split(':');
  if (rest.length > 0 || more.length > 0)
    throw new InvalidArgumentError('It must be like <address>=100, or <address>=100:500.');
  if (before.size >= walletLimits.policyEntriesMax) throw tooMany('tokens');
  const cap: Cap = { perPayment: amount(first), perDay: amount(second) };
  return new Map([...before, [accountAddress(address), cap]]);
}

export function addNames(text: string, before: ReadonlySet<string>): ReadonlySet<string> {
  const names = text.split(',').map((name) => name.trim());
  if (names.some((name) => name === '' || name.length > credentialLimits.attributeKeyCharsMax))
    throw new InvalidArgumentError('It must be names of attributes with commas between.');
  const all = new Set([...before, ...names]);
  if (all.size > walletLimits.policyEntriesMax) throw tooMany('attributes');
  return all;
}

function addOrigin(text: string, before: readonly string[]): readonly string[] {
  if (before.length >= walletLimits.policyEntriesMax) throw tooMany('hosts');
  return [...before, parseOrigin(text)];
}

function policyOf(words: McpWords): WalletPolicy {
  const { spendPerPayment, spendPerDay, token, mayReveal, mayCall } = words;
  if (spendPerPayment > spendPerDay)
    throw usageFailure(
      'The caps do not fit.\nOne payment may cost more than a whole day.\nRaise --spend-per-day.',
    );
  const native = { perPayment: spendPerPayment, perDay: spendPerDay };
  return { caps: new Map([[nativeAsset, native], ...token]), mayReveal, mayCall };
}

async function runMcp(words: McpWords, { remark, ...terminal }: Terminal): Promise<void> {
  const policy = policyOf(words);
  const connection = await connect(words, { remark, ...terminal });
  const signer = await connection.walletSigner();
  // A library that prints something must not break the protocol.
  globalThis.console = remarkConsole();
  const [{ serveStdio }, { openWallet }, { createWalletServer }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('../../wallet/wallet.ts'),
    import('./wallet-server.ts'),
  ]);
  const { ledger, serviceUrl, pins } = connection;
  const wallet = await openWallet({ folder: words.wallet, signer, ledger, serviceUrl, pins, policy });
  try {
    const ended = endOfInput();
    const handle = serveStdio(() => createWalletServer(wallet, remark), {
      onerror: (error) => remark(`The agent's message was not understood: ${error.message}`),
    });
    remark(`The wallet ${signer.address} serves an agent. It ends with its input.`);
    await ended;
    await handle.close();
  } finally {
    // A payment that is under way is waited for: its outcome belongs into the wallet.
    await wallet.close();
  }
}

/** The agent has gone, or somebody stops the wallet. */
async function endOfInput(): Promise<void> {
  const gone = new AbortController();
  const { signal } = gone;
  try {
    await Promise.race([
      once(process.stdin, 'end', { signal }),
      once(process.stdin, 'close', { signal }),
      once(process, 'SIGTERM', { signal }),
      once(process, 'SIGINT', { signal }),
    ]);
  } finally {
    gone.abort();
    process.stdin.pause();
  }
}
