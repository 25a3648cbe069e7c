/**
 * Child processes of the commands: one in the foreground with the terminal in its hands, or one whose
 * output is collected.
 */
import { spawn } from 'node:child_process';
import {
  exitCodeOf,
  forwardSignals,
  runInForeground as run,
} from '../../packages/cli/launcher/foreground.mjs';
import { Complaint } from './say.mjs';

export { exitCodeOf } from '../../packages/cli/launcher/foreground.mjs';

const outputBytesMax = 4 * 1024 * 1024;

/** A program that only tidies up after a signal is given this long before it is ended. */
const patienceMs = 2_000;

/** As the launcher's, with a complaint where it does not start. */
export const runInForeground = (file, args, options) =>
  run(file, args, options).catch((error) => {
    throw new Complaint(`${file} could not be started (${error.code ?? error.message}).`);
  });

/** Somebody ended the command, and there is nothing to try instead. */
export class Stopped extends Complaint {
  constructor(signal) {
    super('Stopped.', exitCodeOf(null, signal));
  }
}

/**
 * Runs a program to its end and returns { code, output, stoppedBy }: both streams in order, the first 4 MB;
 * `stoppedBy` is the signal that ended us, and with us the program. It is ended after `timeout` milliseconds.
 */
export function runCollecting(file, args, { timeout, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    // A timer of spawn itself would hold us up when the program is not there.
    const limit = timeout === undefined ? undefined : setTimeout(() => child.kill(), timeout);
    let stoppedBy;
    let impatience;
    const letGo = forwardSignals(child, (signal) => {
      stoppedBy = signal;
      impatience ??= setTimeout(() => child.kill('SIGKILL'), patienceMs);
    });
    const chunks = [];
    let bytes = 0;
    const collect = (chunk) => {
      if (bytes < outputBytesMax) chunks.push(chunk);
      bytes += chunk.length;
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) => {
      letGo();
      clearTimeout(limit);
      reject(error);
    });
    child.once('close', (code, signal) => {
      letGo();
      clearTimeout(limit);
      clearTimeout(impatience);
      const output = Buffer.concat(chunks).toString('utf8');
      resolve({ code: exitCodeOf(code, signal), output, stoppedBy });
    });
  });
}
