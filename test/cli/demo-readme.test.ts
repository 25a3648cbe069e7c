/**
 * The first five minutes of README.md, command by command: the commands are read from there and run in their order by
 * a shell, in a folder of their own. Only `npm` is replaced, by one that starts this checkout's program on free ports.
 * What is to be left running is, until everything else is done, and then gets its Ctrl-C.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Owner } from '../support/owner.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const root = path.resolve(import.meta.dirname, '../..');
const readme = readFileSync(path.join(root, 'README.md'), 'utf8');

/** Commands stand indented in the section, each with what a reader should know of it behind a number sign. */
function documentedCommands(): string[] {
  const section = /\n## The first five minutes\n([\s\S]*?)\nFrom here/.exec(readme)?.[1] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('    '))
    .map((line) => line.trim());
}

interface Shell {
  readonly child: ChildProcess;
  readonly printed: () => string;
  readonly ended: Promise<number | null>;
}

function shell(owner: Owner, command: string, folder: string): Shell {
  const env = { ...process.env, PATH: [folder, path.dirname(process.execPath), process.env.PATH].join(':') };
  // A process group, as a terminal makes one: Ctrl-C reaches all of it.
  const child = spawn('bash', ['-c', command], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  owner.after(async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), 'SIGKILL');
    await ended;
  });
  return { child, printed: () => text, ended };
}

/** `npm run symbolon [-s] -- …` and `npm start`, as package.json has them. */
function replaceNpm(folder: string): void {
  const main = path.join(root, 'packages/cli/src/main.ts');
  const script = `#!/bin/bash
if [ "$1" = start ]; then exec node '${main}' dev --ledger-port 0 --service-port 0 --no-open; fi
while [ "$1" != -- ]; do shift; done
shift; exec node '${main}' "$@"
`;
  writeFileSync(path.join(folder, 'npm'), script, { mode: 0o755 });
}

test('the first five minutes of the README work command by command', async (context) => {
  const folder = path.join(tempFolder(context), 'checkout');
  mkdirSync(folder);
  replaceNpm(folder);
  const commands = documentedCommands();
  const names = commands.map((command) => command.replace(/ *#.*$/, ''));
  for (const wanted of ['npm start', 'npm run symbolon -- demo', 'npm run symbolon -- tail'])
    assert.ok(names.includes(wanted), wanted);
  const running: Shell[] = [];
  const endRunning = async (): Promise<void> => {
    for (const { child, ended, printed } of running.splice(0).reverse()) {
      process.kill(-(child.pid as number), 'SIGINT');
      assert.equal(await ended, 0, printed());
    }
  };
  const outputs = new Map<string, string>();
  for (const [index, command] of commands.entries()) {
    if (command.includes('after Ctrl-C')) await endRunning();
    const started = shell(context, command, folder);
    if (command.includes('leave it running')) {
      running.push(started);
      await until(`${command} to be up`, () => /Ctrl-C (stops|ends)/.test(started.printed()));
    } else {
      assert.equal(await started.ended, 0, `${command}\n${started.printed()}`);
      outputs.set(names[index] as string, started.printed());
    }
  }
  assert.equal(running.length, 0, 'the last command starts over');
  assert.match(outputs.get('npm run symbolon -- demo') ?? '', /NOT VERIFIED +status: credential revoked/);
  assert.match(outputs.get('npm run symbolon -- vc held') ?? '', /University degree/);
  assert.match(outputs.get('bash .symbolon/story.sh') ?? '', /"verified":false.*revoked in ledger/);
  assert.ok(!existsSync(path.join(folder, '.symbolon/dev')), 'reset leaves nothing');
});
