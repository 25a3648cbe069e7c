/** One run of the `symbolon` command: the words parsed, the command called, a failure told in words and an exit code. */
import { type JsonObject, stringifyJson } from '@symbolon/wire/json/json';
import { CommanderError } from 'commander';
import { createProgram, withoutValues } from './program.ts';
import { exitCodes, failureOf } from './terminal/failure.ts';
import { processTerminal } from './terminal/terminal.ts';

const { print, remark } = processTerminal;

/** Whoever reads JSON reads standard output, and needs more than words. */
function tellPrograms(words: readonly string[], message: string, facts: JsonObject = {}): void {
  if (words.includes('--json')) print(stringifyJson({ error: { message, ...facts } }));
}

/** A group of commands that is named alone has printed its help already. */
const usageWords = ({ code, message }: CommanderError): string =>
  code === 'commander.help' ? 'A command is missing.' : withoutValues(message).replace(/^error: /, '');

/** Says what went wrong, and answers the exit code. */
export function tellFailure(error: unknown, words: readonly string[]): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    tellPrograms(words, usageWords(error), { code: 'usage' });
    return exitCodes.usage;
  }
  const { message, exitCode, facts } = failureOf(error);
  remark(message.split('\n'));
  tellPrograms(words, message, facts);
  return exitCode;
}

/** The words are those after the program's name. */
export async function runProgram(words: readonly string[]): Promise<void> {
  try {
    const program = await createProgram(words);
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    process.exitCode = tellFailure(error, words);
  }
}
