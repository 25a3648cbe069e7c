/**
 * Runs many `symbolon` commands in one process, one after the other, and tells what each printed: starting a process for
 * each would take minutes. Reads the lists of words from standard input as JSON, and whether to act as on a terminal with
 * colours; answers in JSON.
 */
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ManyCommands {
  readonly commands: readonly (readonly string[])[];
  readonly isTerminal: boolean;
}

export interface PrintedByCommand {
  readonly words: readonly string[];
  readonly out: string;
  readonly err: string;
}

/** A command that goes on is left alone; what it has printed until then counts. */
const patienceMs = 4_000;

const { commands, isTerminal }: ManyCommands = JSON.parse(await text(process.stdin));
if (isTerminal) {
  Object.assign(process.stdout, { isTTY: true, hasColors: () => true });
  Object.assign(process.stderr, { isTTY: true });
}
// Colours are decided when it is loaded.
const { runProgram } = await import('@symbolon/cli/run-program');
const write = process.stdout.write.bind(process.stdout);
let printed = { out: '', err: '' };
process.stdout.write = (chunk: unknown) => {
  printed.out += String(chunk);
  return true;
};
process.stderr.write = (chunk: unknown) => {
  printed.err += String(chunk);
  return true;
};
process.on('uncaughtException', (error) => {
  printed.err += `uncaught ${error.message}`;
});
const told: PrintedByCommand[] = [];
for (const words of commands) {
  printed = { out: '', err: '' };
  const before = printed;
  await Promise.race([runProgram(words), sleep(patienceMs)]);
  told.push({ words, ...before });
}
write(JSON.stringify(told), () => process.exit(0));
