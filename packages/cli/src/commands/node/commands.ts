/** `symbolon node init|start|status|export|verify`: a ledger node from its first block to its audit. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  coinAmount,
  jsonOption,
  ledgerOption,
  portNumber,
  profileOption,
  urlOption,
} from '../../profile/options.ts';
import { logOption } from '../../servers/server-log.ts';

// Loaded when one of the commands is said.
const running = () => import('./running.ts');
const examining = () => import('./examining.ts');

export function addNodeCommands(program: Command): void {
  const node = program.command('node').description('run and examine a ledger node');

  node
    .command('init')
    .description('make the folder of a new chain: genesis document, keys, settings')
    .requiredOption('--data <folder>', 'where the node lives; must be empty')
    .option('--chain-id <number>', 'the chain id transactions must carry', wholeNumber)
    .option('--gas-price <amount>', 'the lowest price of a unit of work, such as 0.000005gas', coinAmount)
    .option('--base-reserve <amount>', 'what an account must keep, such as 0.1gas', coinAmount)
    .option('--port <number>', 'port of the HTTP interface, kept in the settings', portNumber)
    .option('--socket-port <number>', 'port of the WebSocket interface, kept in the settings', portNumber)
    .addOption(new Option('--slogan <text>', 'a text for the first header').conflicts('development'))
    .option('--development', 'a chain to try things on, whose time and state can be moved: symbolon chain')
    .option('--json', 'print JSON')
    .action(async (words) => (await running()).initNode(words));

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
    .action(async (words) => (await running()).runNode(words));

  node
    .command('status')
    .description('ask a running node how it is')
    .addOption(profileOption())
    .addOption(ledgerOption())
    .addOption(urlOption())
    .addOption(jsonOption())
    .action(async (words) => (await import('./status.ts')).showNodeStatus(words));

  node
    .command('export')
    .description('write the chain as JSON lines, one block a line')
    .requiredOption('--data <folder>', "the node's folder; the node must not be running")
    .option('--from <block>', 'first block', wholeNumber)
    .option('--to <block>', 'last block', wholeNumber)
    .option('--out <file>', 'a file instead of standard output')
    .action(async (words) => (await examining()).exportNode(words));

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
    .action(async (words) => (await examining()).verifyNode(words));
}

function wholeNumber(text: string): bigint {
  if (!/^[0-9]{1,19}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return BigInt(text);
}
