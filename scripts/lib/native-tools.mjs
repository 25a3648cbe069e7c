/**
 * The compiler and the linker of the native proof library, fetched into .cache and nowhere else: Debian's Rust with the
 * standard library of both processors, zig as linker for an old C library. One compiler for both, because only the
 * same compiler makes the same bytes.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { debianTools } from '../debian/tools.mjs';
import { runCollecting, Stopped } from './child.mjs';
import { cacheFolder, root } from './node.mjs';
import { Complaint } from './say.mjs';

export const sourceFolder = path.join(root, 'packages/native-proofs/rust');
const nativeFolder = path.join(cacheFolder, 'native');
const pinnedTools = path.join(sourceFolder, 'tools.txt');

const rustPackages = ['rustc-web', 'cargo-web'];
/** The standard library for the processor that this machine does not have. */
const otherLibrary = { x64: 'libstd-rust-web-dev:arm64', arm64: 'libstd-rust-web-dev:amd64' };

/** Runs to a good end and answers what was printed; what failed is said in the tool's own last words. */
export async function runTool(file, args, options) {
  const { code, output, stoppedBy } = await runCollecting(file, args, options).catch((error) => {
    throw new Complaint(`${file} could not be started (${error.code}).`);
  });
  if (stoppedBy) throw new Stopped(stoppedBy);
  if (code === 0) return output;
  throw new Complaint(
    `${path.basename(file)} ${args[0]} failed:\n${output.trimEnd().split('\n').slice(-12).join('\n')}`,
  );
}

/** zig and the program that lets cargo use it, as pip installs them. */
async function linker() {
  const place = path.join(nativeFolder, 'python');
  const programs = path.join(place, 'bin');
  if (existsSync(path.join(programs, 'cargo-zigbuild'))) return programs;
  await runTool('python3', ['-m', 'venv', place]);
  const words = ['install', '--quiet', '--no-deps', '--require-hashes', '--requirement', pinnedTools];
  await runTool(path.join(programs, 'pip'), words);
  return programs;
}

/**
 * Paths of this machine are in no binary. A program in front of the compiler says so to it, and not the flags that
 * cargo passes on: those become part of every name inside.
 */
function pathHider(cargoHome) {
  const file = path.join(nativeFolder, 'rustc-without-paths');
  const remap = (from, to) => `'--remap-path-prefix=${from}=${to}'`;
  const hidden = [remap(cargoHome, '/cargo'), remap(sourceFolder, '/source')].join(' ');
  writeFileSync(file, `#!/bin/sh\nexec "$@" ${hidden}\n`, { mode: 0o755 });
  return file;
}

/** What cargo is run with: { programs, env, versions }. */
export async function nativeTools() {
  // Said before anything is fetched: what is built for this machine on the way is linked by it.
  await runTool('cc', ['--version']).catch((error) => {
    throw error instanceof Stopped
      ? error
      : new Complaint('There is no C compiler (cc): install gcc or clang.');
  });
  const rust = await debianTools('rust', rustPackages, [otherLibrary[process.arch]]);
  mkdirSync(nativeFolder, { recursive: true });
  const programs = await linker();
  const rustPrograms = path.join(rust.root, 'usr/bin');
  const cargoHome = path.join(nativeFolder, 'cargo');
  const env = {
    ...process.env,
    PATH: [programs, rustPrograms, process.env.PATH].join(path.delimiter),
    LD_LIBRARY_PATH: rust.libraryFolders.join(path.delimiter),
    CARGO: path.join(rustPrograms, 'cargo'),
    RUSTC: path.join(rustPrograms, 'rustc'),
    RUSTC_WRAPPER: pathHider(cargoHome),
    RUSTFLAGS: '-C link-arg=-Wl,--build-id=none',
    CARGO_HOME: cargoHome,
    CARGO_TARGET_DIR: path.join(nativeFolder, 'target'),
    SOURCE_DATE_EPOCH: '0',
  };
  const rustc = await runTool(path.join(rustPrograms, 'rustc'), ['-vV'], { env });
  const version = (name) => new RegExp(`^${name}: (.+)$`, 'm').exec(rustc)?.[1];
  return { env, programs, versions: `rustc ${version('release')}, LLVM ${version('LLVM version')}` };
}
