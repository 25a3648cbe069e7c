/** One run of the `symbolon` command: the words parsed, the command called, a failure told in words and an exit code. */
import { stringifyJson } from '@symbolon/wire/json/json';
import { CommanderError } from 'commander';
import { createProgram, withoutValues } from './program.ts';
import { errorJson, exitCodes, type Failure, failureOf } from './terminal/failure.ts';
import { endOnInterrupt } from './terminal/interruption.ts';
import { processTerminal } from './terminal/terminal.ts';

const { print, remark, isWatched } = processTerminal;

/** Whoever reads JSON reads standard output, and needs more than words. */
function tellPrograms(words: readonly string[], failure: Failure): void {
  if (words.includes('--json')) print(stringifyJson({ error: errorJson(failure) }));
}

/** A group of commands that is named alone has printed its help already. */
const usageWords = ({ code, message }: CommanderError): string =>
  code === 'commander.help' ? 'A command is missing.' : withoutValues(message).replace(/^error: /, '');

/** Says what went wrong, and answers the exit code. */
export function tellFailure(error: unknown, words: readonly string[]): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    tellPrograms(words, { message: usageWords(error), exitCode: exitCodes.usage });
    return exitCodes.usage;
  }
  const failure = failureOf(error);
  remark(failure.message.split('\n'));
  tellPrograms(words, failure);
  return failure.exitCode;
}

/** Ctrl-C ends a command in words too. */
export function listenForInterrupt(words: readonly string[]): void {
  endOnInterrupt({
    tell: (lines) => {
      // The terminal has written ^C where the cursor was.
      remark(isWatched ? ['', ...lines] : lines);
      // A command that ends by itself tells its own result.
      if (process.listenerCount('SIGINT') === 1)
        tellPrograms(words, { message: lines.join('\n'), exitCode: exitCodes.interrupted });
    },
    end: () => process.exit(exitCodes.interrupted),
  });
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
