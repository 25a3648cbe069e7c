/** `symbolon completion`: prints the script by which a shell completes the command. */
import { Argument, type Command } from 'commander';
import { processTerminal, type Terminal } from '../../terminal/terminal.ts';
import { completionScript, type Shell, shells } from './script.ts';

export function addCompletionCommand(program: Command, terminal: Terminal = processTerminal): void {
  program
    .command('completion')
    .description('print what lets a shell complete commands and options')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .action((shell: Shell) => terminal.print(completionScript(program, shell)));
}
