/**
 * The `symbolon` command: parses words, calls a command, turns failures into one message and an exit code. What
 * the commands do lives beside it, one file each.
 */
import { Command, CommanderError } from 'commander';
import { addContractCommands } from './contract-commands.ts';
import { addDevCommand } from './dev.ts';
import { addDidCommands } from './did-commands.ts';
import { exitCodes, failureOf } from './failure.ts';
import { addNodeCommands } from './node-commands.ts';
import { addServiceCommands } from './service-commands.ts';

const program = new Command('symbolon')
  .description('A ledger node and the verifiable-credential service that records to it')
  .version('0.1.0')
  .showHelpAfterError('Run with --help to see what there is.')
  .exitOverride();

addDevCommand(program);
addNodeCommands(program);
addServiceCommands(program);
addContractCommands(program);
addDidCommands(program);

try {
  await program.parseAsync(process.argv);
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
  } else {
    const failure = failureOf(error);
    process.stderr.write(`${failure.message}\n`);
    process.exitCode = failure.exitCode;
  }
}
