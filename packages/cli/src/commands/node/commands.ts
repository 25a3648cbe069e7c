/** `symbolon node init|start|status|export|verify`: a ledger node from its first block to its audit. */
import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { codes } from '@symbolon/core/ledger/terms/codes';
import { chainGone, isChainGone } from '@symbolon/ledger-node/node/chain-mark';
import { initNodeFolder, readGenesis, storePath } from '@symbolon/ledger-node/node/node-folder';
import { developmentSlogan } from '@symbolon/ledger-node/operation/development-chain';
import { exportChain } from '@symbolon/ledger-node/operation/export-chain';
import { verifyStore } from '@symbolon/ledger-node/operation/verify-chain';
import { type Checkpoint, CheckpointDamaged } from '@symbolon/ledger-node/operation/verify-checkpoint';
import { LevelStore } from '@symbolon/ledger-node/store/level-store';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { ledgerAddress, type PartyWords } from '../../profile/connection.ts';
import { jsonOption, ledgerOption, portNumber, profileOption, urlOption } from '../../profile/options.ts';
import { askReadiness, unanswered } from '../../servers/readiness.ts';
import { logOption } from '../../servers/server-log.ts';
import { startNode } from '../../servers/start-node.ts';
import { CommandFailure, exitCodes, unsuccessful, usageFailure } from '../../terminal/failure.ts';
import { ifInterrupted, removeIfInterrupted } from '../../terminal/interruption.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { printAll, printable, processTerminal } from '../../terminal/terminal.ts';

const { print, remark } = processTerminal;

export function addNodeCommands(program: Command): void {
  const node = program.command('node').description('run and examine a ledger node');

  node
    .command('init')
    .description('make the folder of a new chain: genesis document, keys, settings')
    .requiredOption('--data <folder>', 'where the node lives; must be empty')
    .option('--chain-id <number>', 'the chain id transactions must carry', wholeNumber)
    .option('--gas-price <number>', 'the lowest gas price, in UGas', wholeNumber)
    .option('--base-reserve <number>', 'what an account must keep, in UGas', wholeNumber)
    .addOption(new Option('--slogan <text>', 'a text for the first header').conflicts('development'))
    .option('--development', 'a chain to try things on, whose time and state can be moved: symbolon chain')
    .option('--json', 'print JSON')
    .action(initNode);

  node
    .command('start')
    .description('run the node of a folder until it is told to stop')
    .requiredOption('--data <folder>', "the node's folder")
    .option('--port <number>', 'port of the HTTP interface', portNumber)
    .option('--socket-port <number>', 'port of the WebSocket interface', portNumber)
    .option(
      '--begin-again',
      'the chain of the folder is gone: begin it again, without anything that was on it',
    )
    .addOption(logOption())
    .action(async ({ data, port, socketPort, beginAgain, log }) => {
      ifInterrupted(`The node stops. Its chain stays in ${data}.`);
      const running = await startNode(data, { port, socketPort, beginAgain, logFile: log });
      print([
        `Ledger node    ${running.httpUrl}`,
        `WebSocket      ${running.socketUrl}`,
        'The node is ready. Ctrl-C stops it.',
      ]);
      await running.ended;
    });

  node
    .command('status')
    .description('ask a running node how it is')
    .addOption(profileOption())
    .addOption(ledgerOption())
    .addOption(urlOption())
    .addOption(jsonOption())
    .action(showStatus);

  node
    .command('export')
    .description('write the chain as JSON lines, one block a line')
    .requiredOption('--data <folder>', "the node's folder; the node must not be running")
    .option('--from <block>', 'first block', wholeNumber)
    .option('--to <block>', 'last block', wholeNumber)
    .option('--out <file>', 'a file instead of standard output')
    .action(exportNode);

  node
    .command('verify')
    .description('execute the chain again from its first block and compare every root')
    .requiredOption('--data <folder>', "the node's folder; the node must not be running")
    .option('--save <folder>', 'keep the state that was proved, as a checkpoint')
    .option(
      '--from <checkpoint>',
      'execute the blocks after a checkpoint alone, and trust it for those before',
    )
    .option('--json', 'print JSON')
    .action(verifyNode);
}

type InitWords = Parameters<typeof initNodeFolder>[1] & {
  data: string;
  json?: boolean;
  development?: boolean;
};

async function initNode({ data, json, development, ...options }: InitWords): Promise<void> {
  const made = await initNodeFolder(data, { ...options, ...(development && { slogan: developmentSlogan }) });
  if (json) return print(JSON.stringify(made));
  print(`A new chain is in ${data}.`);
  print(`  genesis account  ${made.genesisAddress}  (its key: ${made.genesisKeyFile})`);
  print(`  validator        ${made.validatorAddress}`);
  print(`Start it with: symbolon node start --data ${shellWord(data)}`);
}

async function showStatus({ json, ...words }: PartyWords): Promise<void> {
  const url = await ledgerAddress(words);
  const address = URL.parse('/getModulesStatus', url);
  if (!address) throw usageFailure(`${url} is not an address, like http://127.0.0.1:36002`);
  const status = await fetchJson(address);
  const ledger = status.ledger_manager as Record<string, unknown> | undefined;
  const queue = status.glue_manager as Record<string, unknown> | undefined;
  if (status.error_code === codes.queueFull)
    throw new CommandFailure(
      `The node at ${address.origin} is busy: it has as many connections as it takes.\nTry again in a moment.`,
    );
  if (!ledger || !queue) {
    throw new CommandFailure(
      `What answers at ${address.origin} is not a ledger node.`,
      exitCodes.unreachable,
    );
  }
  const readiness = await askReadiness(new URL('/readyz', address), 'node');
  const isReady = readiness.status !== 503;
  if (json) {
    const problem = unsuccessful('The node is not ready.', exitCodes.failed, { code: 'notReady' });
    print(
      JSON.stringify({
        ...status,
        ready: isReady,
        ...(isReady ? {} : { problem: readiness.text, ...problem }),
      }),
    );
    // One document: what is wrong stands in it.
    if (!isReady) process.exitCode = exitCodes.failed;
    return;
  }
  print([
    `block         ${ledger.ledger_sequence}`,
    `transactions  ${ledger.tx_count}`,
    `accounts      ${ledger.account_count}`,
    `waiting       ${queue.transaction_size}`,
  ]);
  if (!isReady) throw new CommandFailure(`The node is not ready: ${printable(readiness.text)}`);
}

async function fetchJson(url: URL): Promise<Record<string, unknown>> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    return (await response.json()) as Record<string, unknown>;
  } catch (error) {
    throw await unanswered(error, { what: 'node', address: url });
  }
}

/** The store of a folder that has one: asking about a chain must not make a new one. */
async function openStore(data: string): Promise<LevelStore> {
  await readGenesis(data);
  if (isChainGone(data)) throw chainGone(data);
  const path = storePath(data);
  if (!existsSync(path)) throw new CommandFailure(`${path} is missing: this node has never been started.`);
  return LevelStore.open(path);
}

type ExportWords = Parameters<typeof exportChain>[1] & { data: string; out?: string };

async function exportNode({ data, from, to, out }: ExportWords): Promise<void> {
  const store = await openStore(data);
  const lines = exportChain(store, { from, to });
  async function* fileLines() {
    for await (const line of lines) yield `${line}\n`;
  }
  try {
    if (out === undefined) await printAll(lines);
    else {
      const whole = removeIfInterrupted(out);
      ifInterrupted('Interrupted. There is no export; what was begun of it is removed.');
      await pipeline(fileLines, createWriteStream(out));
      whole();
      processTerminal.remark(`The blocks are in ${printable(out)}, one a line.`);
    }
  } finally {
    await store.close();
  }
}

interface VerifyWords {
  readonly data: string;
  readonly save?: string;
  readonly from?: string;
  readonly json?: boolean;
}

async function verifyNode({ data, save, from, json }: VerifyWords): Promise<void> {
  const rules = await readGenesis(data);
  const store = await openStore(data);
  try {
    const onProgress = json ? undefined : reportProgress();
    const order = { store, rules, onProgress, save, from };
    const verified = await verifyStore(join(data, `verify-${randomUUID()}`), order).catch((error) => {
      if (error instanceof CheckpointDamaged) throw new CommandFailure(error.message, exitCodes.damaged);
      throw error;
    });
    const { blocks, transactions, stateRows, head, checkpoint } = verified;
    const trustedBlocks = checkpoint?.block ?? 0n;
    const hash = encodeHex(head.hash);
    if (json)
      return print(
        `{"blocks":${blocks},"trustedBlocks":${trustedBlocks},"transactions":${transactions},"stateRows":${stateRows},"hash":"${hash}"}`,
      );
    print(`The chain holds: ${blocks} blocks, ${transactions} transactions, ${stateRows} state rows.`);
    print(`Head: block ${head.seq} ${hash}`);
    if (checkpoint) print(trustWords(checkpoint));
    if (save !== undefined) print(`Checkpoint of block ${head.seq}: ${save}`);
  } finally {
    await store.close();
  }
}

/** What was not computed again, and whose word stands for it. */
function trustWords({ block, savedAt, begunAt }: Checkpoint): string[] {
  const before = begunAt > 1n ? `, which began at another one, of block ${begunAt}` : '';
  return [
    `Blocks 2 to ${block} were hashed and not executed: headers and transactions are the ones that block ${block} binds.`,
    `That they lead to the state of that block is the word of the checkpoint of ${savedAt}${before}.`,
  ];
}

/** One line for every tenth of the way. */
function reportProgress(): (done: bigint, total: bigint) => void {
  let reported = 0n;
  return (done, total) => {
    const tenth = (done * 10n) / total;
    if (tenth === reported) return;
    reported = tenth;
    remark(`verified ${done} of ${total} blocks`);
  };
}

function wholeNumber(text: string): bigint {
  if (!/^[0-9]{1,19}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return BigInt(text);
}
