/** `symbolon node init|start`: the folder of a new chain, and its node until it is told to stop. */
import { given } from '@symbolon/core/basics/plain-values';
import { type InitOptions, initNodeFolder } from '@symbolon/ledger-node/node/node-folder';
import { developmentSlogan } from '@symbolon/ledger-node/operation/development-chain';
import { startNode } from '../../servers/start-node.ts';
import { ifInterrupted } from '../../terminal/interruption.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { processTerminal } from '../../terminal/terminal.ts';

const { print } = processTerminal;

interface InitWords extends Pick<InitOptions, 'chainId' | 'gasPrice' | 'baseReserve' | 'slogan'> {
  readonly data: string;
  readonly port?: number;
  readonly socketPort?: number;
  readonly json?: boolean;
  readonly development?: boolean;
}

export async function initNode(words: InitWords): Promise<void> {
  const { data, json, development, port, socketPort, ...options } = words;
  const settings = given({ port, socketPort });
  const made = await initNodeFolder(data, {
    ...options,
    ...(development && { slogan: developmentSlogan }),
    settings,
  });
  if (json) return print(JSON.stringify(made));
  print(`A new chain is in ${data}.`);
  print(`  genesis account  ${made.genesisAddress}  (its key: ${made.genesisKeyFile})`);
  print(`  validator        ${made.validatorAddress}`);
  print(`Start it with: symbolon node start --data ${shellWord(data)}`);
}

interface StartWords {
  readonly data: string;
  readonly port?: number;
  readonly socketPort?: number;
  readonly beginAgain?: boolean;
  readonly log?: string;
}

export async function runNode({ data, port, socketPort, beginAgain, log }: StartWords): Promise<void> {
  ifInterrupted(`The node stops. Its chain stays in ${data}.`);
  const running = await startNode(data, { port, socketPort, beginAgain, logFile: log });
  print([
    `Ledger node    ${running.httpUrl}`,
    `WebSocket      ${running.socketUrl}`,
    'The node is ready. Ctrl-C stops it.',
  ]);
  await running.ended;
}
