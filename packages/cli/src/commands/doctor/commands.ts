/** `symbolon doctor`: looks at all that a node and a service need, one line each, and says what to do. */
import type { Command } from 'commander';
import { jsonOption, ledgerOption, profileOption, serviceOption } from '../../profile/options.ts';
import { processTerminal, type Terminal } from '../../terminal/terminal.ts';
import type { DoctorWords } from './world.ts';

export function addDoctorCommand(program: Command, terminal: Terminal = processTerminal): void {
  program
    .command('doctor')
    .description('look at machine, folders, node and service, and say what is wrong')
    .option('--data <folder>', 'folder of a node, of a service, or of the demo')
    .addOption(profileOption())
    .addOption(ledgerOption())
    .addOption(serviceOption())
    .addOption(jsonOption())
    .action(async (words: DoctorWords, command: Command) => {
      const [{ worldOf }, { examine }] = await Promise.all([import('./world.ts'), import('./examining.ts')]);
      const world = await worldOf(words, (option) => command.getOptionValueSource(option) === 'cli');
      await examine(world, words, terminal);
    });
}
