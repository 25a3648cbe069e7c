/**
 * What the commands say to a person: one line per step with its seconds, and complaints instead of stack
 * traces. Everything goes to stderr, so that the output of a started program stays clean on stdout.
 */
import process from 'node:process';

/** Something the reader can act on: printed as it is, without a stack, and the command ends with `code`. */
export class Complaint extends Error {
  constructor(message, code = 1) {
    super(message);
    this.name = 'Complaint';
    this.code = code;
  }
}

export function say(line = '') {
  process.stderr.write(`${line}\n`);
}

export function seconds(sinceMs) {
  return `${((Date.now() - sinceMs) / 1000).toFixed(1)}s`;
}

export function stepLine(mark, name, took, note = '') {
  return `  ${mark} ${name.padEnd(40)} ${took.padStart(7)}${note ? `   ${note}` : ''}`;
}

/** Runs one step and prints one line about it; on a terminal the line is there while the step runs. */
export async function step(name, work, note) {
  const began = Date.now();
  const live = process.stderr.isTTY === true;
  if (live) process.stderr.write(`  … ${name}`);
  const startOver = live ? '\r\x1b[K' : '';
  try {
    const result = await work();
    say(startOver + stepLine('✔', name, seconds(began), note));
    return result;
  } catch (error) {
    say(startOver + stepLine('✖', name, seconds(began)));
    throw error;
  }
}

/** Runs a command's main function: its number is the exit code, a complaint is printed plainly. */
export async function main(work) {
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    if (!(error instanceof Complaint)) throw error;
    say();
    for (const line of error.message.split('\n')) say(`  ${line}`);
    process.exitCode = error.code;
  }
}
