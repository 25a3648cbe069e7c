/**
 * The `symbolon` command: parses words, calls a command, turns failures into one message and an exit code. Which
 * commands there are is `program.ts`.
 */
import { type JsonObject, stringifyJson } from '@symbolon/wire/json';
import { CommanderError } from 'commander';
import { endQuietlyWithoutReader } from './closed-pipe.ts';
import { exitCodes, failureOf } from './failure.ts';
import { keepProxiesOut } from './own-machine.ts';
import { createProgram, withoutValues } from './program.ts';

endQuietlyWithoutReader();
keepProxiesOut();

/** Whoever reads JSON reads standard output, and needs more than words. */
function tellPrograms(message: string, facts: JsonObject = {}): void {
  if (!process.argv.includes('--json')) return;
  process.stdout.write(`${stringifyJson({ error: { message, ...facts } })}\n`);
}

/** A group of commands that is named alone has printed its help already. */
const usageWords = ({ code, message }: CommanderError): string =>
  code === 'commander.help' ? 'A command is missing.' : withoutValues(message).replace(/^error: /, '');

try {
  const program = await createProgram(process.argv.slice(2));
  await program.parseAsync(process.argv);
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
    if (error.exitCode !== 0) tellPrograms(usageWords(error), { code: 'usage' });
  } else {
    const { message, exitCode, facts } = failureOf(error);
    process.stderr.write(`${message}\n`);
    tellPrograms(message, facts);
    process.exitCode = exitCode;
  }
}
