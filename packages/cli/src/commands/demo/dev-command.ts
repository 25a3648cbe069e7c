/** The words of `symbolon dev`; what becomes of them is `dev.ts`. */
import type { Command } from 'commander';
import { portNumber } from '../../profile/options.ts';
import { logOption } from '../../servers/server-log.ts';
import { processTerminal, type Terminal } from '../../terminal/terminal.ts';
import type { DevWords } from './dev.ts';

export function addDevCommand(program: Command, terminal: Terminal = processTerminal): void {
  program
    .command('dev')
    .description('run everything in one process, with demo data')
    .option('--data <folder>', 'where the data lives', '.symbolon/dev')
    .option('--ledger-port <number>', 'port of the ledger node', portNumber)
    .option('--service-port <number>', 'port of the credential service', portNumber)
    .addOption(logOption())
    .option('--no-open', 'open no browser')
    .action(async (words: DevWords) => (await import('./dev.ts')).runDev(words, terminal));
}
