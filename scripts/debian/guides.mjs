/**
 * What five new users do, run inside the bare Debian by its Node 20: somebody packs command and SDK in the checkout, the
 * command is installed as docs/cli.md says, and the five persons of the guides begin in empty folders. Says what it saw as
 * one line of JSON for each step on standard output; everything else goes to the other output.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const tell = (fact) => process.stdout.write(`${JSON.stringify(fact)}\n`);

class Disappointment extends Error {}

/** Runs to its end. What it prints goes to the other output, or where `stdout` says. */
async function run(title, [file, ...args], { env = process.env, stdout = 2 } = {}) {
  const began = performance.now();
  const child = spawn(file, args, { env, stdio: ['ignore', stdout, 2] });
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (number, signal) => resolve(number ?? signal));
  });
  if (code !== 0) throw new Disappointment(`${title} ended with ${code}`);
  return (performance.now() - began) / 1000;
}

/** The block of a page that tells how to install the command. */
function installBlock() {
  const page = readFileSync('docs/cli.md', 'utf8');
  const [, block] = /^## Install the command\n[\s\S]*?^```sh\n([\s\S]*?)^```$/m.exec(page) ?? [];
  if (block === undefined) throw new Disappointment('docs/cli.md does not say how to install the command');
  return block;
}

// Whoever sent us is gone: with us, as the first of them all, everything in here ends.
process.stdin.resume().once('end', () => process.exit(1));
process.stdin.unref();

try {
  const { HOME: home } = process.env;
  for (const script of ['pack-cli', 'pack-sdk'])
    tell({
      kind: 'step',
      title: script,
      seconds: await run(script, ['npm', 'run', script, '--', '--out', home]),
    });
  // A login shell, as a new terminal is: it has what the installation has put on the path, or it has not.
  const login = (text) => ['bash', '-lec', text];
  tell({ kind: 'step', title: 'install', seconds: await run('the installation', login(installBlock())) });
  await run('symbolon', login('symbolon --version'));
  const files = readdirSync(home).filter((name) => name.endsWith('.tgz'));
  const words = ['test/support/play-persons.ts', ...files.map((name) => path.join(home, name))];
  const node = path.resolve('node_modules', `node-${process.platform}-${process.arch}`, 'bin/node');
  // The persons have the system's Node; only who plays them has the checkout's.
  await run('a guide', login(`exec '${node}' ${words.map((word) => `'${word}'`).join(' ')}`), { stdout: 1 });
} catch (error) {
  if (!(error instanceof Disappointment)) throw error;
  tell({ kind: 'failure', message: error.message });
  process.exitCode = 1;
}
