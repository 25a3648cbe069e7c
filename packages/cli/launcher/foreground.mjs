/**
 * A program in the foreground, with the terminal in its hands. Signals reach it, and its end becomes ours.
 */
import { spawn } from 'node:child_process';
import os from 'node:os';
import process from 'node:process';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** One signal often arrives twice, from the terminal's group and from npm; the second is an echo. */
const echoMs = 500;

export const exitCodeOf = (code, signal) => code ?? 128 + (os.constants.signals[signal] ?? 0);

const parentPollMs = 1_000;

/**
 * Passes signals on to the child. Ctrl-C at a terminal reaches every process of the foreground group by
 * itself, so SIGINT is passed on only where no terminal does it. Gives a function that stops it.
 */
export function forwardSignals(child, onSignal = () => {}) {
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

/** Gives the terminal to the program and returns its exit code (128 + n when signal n ended it); rejects if it does not start. */
export function runInForeground(file, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'inherit', ...options });
    const endings = [forwardSignals(child), endWithParent(child)];
    const letGo = () => {
      for (const end of endings) end();
    };
    child.once('error', (error) => {
      letGo();
      reject(error);
    });
    child.once('exit', (code, signal) => {
      letGo();
      resolve(exitCodeOf(code, signal));
    });
  });
}
