/**
 * Child processes of the commands: one in the foreground with the terminal in its hands, or one whose
 * output is collected. Signals reach the child, its end becomes ours.
 */
import { spawn } from 'node:child_process';
import os from 'node:os';
import process from 'node:process';
import { Complaint } from './say.mjs';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** One signal often arrives twice, from the terminal's group and from npm; the second is an echo. */
const echoMs = 500;

const outputBytesMax = 4 * 1024 * 1024;

export const exitCodeOf = (code, signal) => code ?? 128 + (os.constants.signals[signal] ?? 0);

/** A program that only tidies up after a signal is given this long before it is ended. */
const patienceMs = 2_000;

const parentPollMs = 1_000;

/**
 * Passes signals on to the child. Ctrl-C at a terminal reaches every process of the foreground group by
 * itself, so SIGINT is passed on only where no terminal does it. Gives a function that stops it.
 */
function forwardSignals(child, onSignal = () => {}) {
  const lastMs = new Map();
  const forward = (signal) => {
    const now = Date.now();
    const isEcho = now - (lastMs.get(signal) ?? Number.NEGATIVE_INFINITY) < echoMs;
    lastMs.set(signal, now);
    if (isEcho) return;
    onSignal(signal);
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  };
  for (const signal of forwarded) process.on(signal, forward);
  return () => {
    for (const signal of forwarded) process.off(signal, forward);
  };
}

/**
 * npm runs a script through a shell, and a shell that is ended may leave us behind without a word. Under
 * npm, losing the parent therefore means the same as SIGTERM.
 */
function endWithParent(child) {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined) return () => {};
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, parentPollMs);
  return () => clearInterval(watch);
}

/** Gives the terminal to the program and returns its exit code (128 + n when signal n ended it). */
export function runInForeground(file, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'inherit', ...options });
    const endings = [forwardSignals(child), endWithParent(child)];
    const letGo = () => {
      for (const end of endings) end();
    };
    child.once('error', (error) => {
      letGo();
      reject(new Complaint(`${file} could not be started (${error.code ?? error.message}).`));
    });
    child.once('exit', (code, signal) => {
      letGo();
      resolve(exitCodeOf(code, signal));
    });
  });
}

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
