/**
 * The `symbolon` program: what of its commands a run needs, and how mistyped words are answered. Which commands there are
 * is `command-list.ts`; what they do is in `commands/`, one folder each; one run is `run-program.ts`.
 */
import type { EventEmitter } from 'node:events';
import { Command, Option } from 'commander';
import { commandGroups, type ListedCommand, nameOf } from './command-list.ts';
import { addHelpExamples } from './help-examples.ts';
import { processTerminal, widen } from './terminal/terminal.ts';

/** A value that does not fit may be a key that was pasted into the wrong place. */
export const withoutValues = (text: string): string =>
  text
    .replace(/command-argument value '[\s\S]*?' is invalid for argument '(.*?)'\./, "'$1' does not fit.")
    .replace(/option '(.*?)' argument '[\s\S]*?' is invalid\./, "'$1' does not fit.")
    .replace(/(argument|value) '[\s\S]*?' (is invalid|from env)/, '$1 $2')
    .replace(/(but got \d+): [\s\S]*?\.\n/, '$1.\n');

const textLines = (text: string): readonly string[] => text.replace(/\n$/, '').split('\n');

/**
 * What a run needs of the commands: one of them, nothing but their lines in the help, or all. Completion needs all; so
 * does whatever begins with an option, since a command may stand after it.
 */
function wantedOf(words: readonly string[]): 'all' | 'lines' | ListedCommand {
  const [first = '--help', second] = words;
  const isHelpWord = first === 'help';
  const asked = isHelpWord ? (second ?? '') : first;
  const one = Object.values(commandGroups)
    .flat()
    .find((command) => nameOf(command) === asked);
  if (one !== undefined) return asked === 'completion' ? 'all' : one;
  const isAlone = words.length <= 1 && ['--help', '-h', '--version', '-V'].includes(first);
  return isAlone || !asked.startsWith('-') ? 'lines' : 'all';
}

/** A command of which nothing is known but what the help says. */
function addLine(program: Command, { term, description }: ListedCommand): void {
  const [name = '', ...more] = term.split(' ');
  const line = program.command(name).description(description);
  // An option of its own is what the help announces.
  if (more[0] === '[options]') line.addOption(new Option('--any').hideHelp());
  for (const argument of more.filter((word) => word.startsWith('<'))) line.argument(argument);
}

/** The program with the command that the words ask for, or with all of them where nothing is asked for. */
export async function createProgram(words?: readonly string[]): Promise<Command> {
  const program = new Command('symbolon')
    .description('A ledger node and the verifiable-credential service that records to it')
    .version('0.1.0')
    // Commands may have an option of the same name as one of the program, such as --version.
    .enablePositionalOptions()
    .configureHelp({ minWidthToWrap: 20 })
    .showHelpAfterError('Run with --help to see what there is.')
    .commandsGroup('Begin:')
    .configureOutput({
      writeOut: (text) => processTerminal.print(textLines(text)),
      writeErr: (text) => processTerminal.remark(textLines(text)),
      outputError: (text, write) => write(withoutValues(text)),
    })
    .exitOverride();
  const wanted = words === undefined ? 'all' : wantedOf(words);
  for (const [group, commands] of Object.entries(commandGroups))
    for (const command of commands) {
      if (typeof wanted === 'object' && command !== wanted) continue;
      if (wanted === 'lines') addLine(program, command);
      else (await command.load())(program);
      program.commands.find((added) => added.name() === nameOf(command))?.helpGroup(group);
    }
  addHelpExamples(program);
  addWideOption(program);
  refuseRepetition(program);
  return program;
}

/** Whatever prints a result prints it whole on request. */
function addWideOption(command: Command): void {
  if (command.options.some(({ long }) => long === '--json'))
    command.option('--wide', 'shorten nothing to fit the screen').on('option:wide', widen);
  for (const child of command.commands) addWideOption(child);
}

/** Of two values that an option takes one of, nobody can say which was meant; what adds up says so in its help. */
function refuseRepetition(command: Command): void {
  // A command is one, though its types do not say so.
  const events = command as unknown as EventEmitter;
  for (const option of command.options) {
    if (!takesOneValue(option)) continue;
    // Before the value is kept, so that a kept one is from an earlier place on the command line.
    events.prependListener(`option:${option.name()}`, () => {
      if (command.getOptionValueSource(option.attributeName()) === 'cli')
        command.error(`error: option '${option.flags}' is given twice: it takes one value`);
    });
  }
  for (const child of command.commands) refuseRepetition(child);
}

const takesOneValue = ({ required, optional, variadic, description }: Option): boolean =>
  (required || optional) && !variadic && !/\brepeatable\b/.test(description);
