/**
 * Which Node runs what. The scripts themselves run on any Node the machine has (20.19 or newer); the
 * product needs one on which blocks are executed, which comes with the dependencies as a platform package.
 * Decides only; the install is install.mjs.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Complaint, say } from './say.mjs';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const cacheFolder = path.join(root, '.cache');

const launcherMinimum = [20, 19, 0];

/**
 * The bundled Node as it must be: the SHA-256 of its program for each platform that has one. Taken from the packages
 * whose hashes stand in package-lock.json; a new version of Node needs new ones here.
 */
export const nodePins = {
  version: '24.21.0',
  sha256: {
    'linux-arm64': '0f8949d1028f6d61506b2d5bc57e7e6fe893d7b1997509b7847294fc9c616584',
    'linux-x64': '7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c',
  },
};

const chunkBytes = 4 * 1024 * 1024;

/** What the package that executes blocks says of its Node, as `symbolon doctor` reads it, too. */
function productRange() {
  const file = path.join(root, 'packages', 'ledger-node', 'package.json');
  const { node } = JSON.parse(readFileSync(file, 'utf8')).engines;
  const [, major, minor, before] = /^>=(\d+)\.(\d+) <(\d+)$/.exec(node).map(Number);
  const oldest = [major, minor, 0];
  return {
    fits: (version) => isAtLeast(version, oldest) && !isAtLeast(version, [before, 0, 0]),
    words: `${inWords(oldest)} or newer, but older than ${before}`,
  };
}

const inWords = (minimum) => minimum.slice(0, 2).join('.');

/** Whether a version text ("v24.21.0", "24.21.0") is at least `minimum`; anything unreadable is not. */
export function isAtLeast(version, minimum) {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);
  if (!parts) return false;
  const at = parts.findIndex((part, index) => part !== minimum[index]);
  return at === -1 || parts[at] > minimum[at];
}

export function checkLauncher() {
  if (process.platform === 'win32') {
    throw new Complaint('Symbolon runs on Linux and macOS. On Windows, run it inside WSL.');
  }
  if (!isAtLeast(process.versions.node, launcherMinimum)) {
    throw new Complaint(
      `This is Node ${process.versions.node}; the commands need ${inWords(launcherMinimum)} or newer.\n` +
        'Install a current Node (https://nodejs.org) and try again.',
    );
  }
}

function versionOf(file) {
  const probe = spawnSync(file, ['--version'], { encoding: 'utf8', timeout: 20_000 });
  return probe.status === 0 ? probe.stdout.trim().replace(/^v/, '') : undefined;
}

function chosenNode(file) {
  const version = versionOf(file);
  if (version === undefined) {
    throw new Complaint(`SYMBOLON_NODE names ${file}, which cannot be run.\nCorrect it or unset it.`);
  }
  const { fits, words } = productRange();
  if (!fits(version)) {
    throw new Complaint(
      `SYMBOLON_NODE names Node ${version}; Symbolon needs ${words}.\nName such a one or unset it.`,
    );
  }
  return { file, version, from: 'SYMBOLON_NODE' };
}

function sha256OfFile(file) {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(chunkBytes);
  const handle = openSync(file, 'r');
  try {
    for (let count = readSync(handle, buffer); count > 0; count = readSync(handle, buffer))
      hash.update(buffer.subarray(0, count));
  } finally {
    closeSync(handle);
  }
  return hash.digest('hex');
}

/** Looked at every time, because it takes a moment only: nobody else's program is run, not even for its version. */
function assertPinned(file, platform) {
  if (sha256OfFile(file) === nodePins.sha256[platform]) return;
  throw new Complaint(
    `${file} is not the Node that this project pins (${nodePins.version} for ${platform}): it was changed, or damaged.\n` +
      'It was not run. Remove node_modules and install again: npm ci --ignore-scripts\n' +
      'To use a Node of your own, set SYMBOLON_NODE to its path.',
  );
}

/** The Node the product runs on: the chosen one, else the one among the dependencies, else this one. */
export function findNode() {
  if (process.env.SYMBOLON_NODE) return chosenNode(process.env.SYMBOLON_NODE);
  const { fits, words } = productRange();
  const platform = `${process.platform}-${process.arch}`;
  const bundled = path.join(root, 'node_modules', `node-${platform}`, 'bin', 'node');
  if (existsSync(bundled)) {
    assertPinned(bundled, platform);
    const version = versionOf(bundled);
    if (version && fits(version)) return { file: bundled, version, from: 'bundled' };
  }
  if (fits(process.versions.node)) {
    return { file: process.execPath, version: process.versions.node, from: 'system' };
  }
  throw new Complaint(
    `No Node ${words} is at hand: none comes bundled for ${platform} and this is ` +
      `${process.versions.node}.\n` +
      'Install such a Node (https://nodejs.org), or set SYMBOLON_NODE to the path of one.',
  );
}

/**
 * Contracts nested to their limits fit the stack that a program has by default, with little to spare. The product runs
 * with three times as much, where the system grants its threads more than that.
 */
const stackKibibytes = 3072;
const systemStackBytesMin = 4 * 1024 * 1024;

export function stackFlags() {
  const soft = process.report?.getReport().userLimits?.stack_size_bytes?.soft;
  return soft === 'unlimited' || soft >= systemStackBytesMin ? [`--stack-size=${stackKibibytes}`] : [];
}

/**
 * What a request or a transaction leaves behind is forgotten within a second. With room for that much, V8 need not copy
 * it on: four times its usual room takes a tenth off what a node computes for a transfer.
 */
const youngMebibytes = 64;

/**
 * How the product's Node is started. What little survives in that room one thread copies with less work than four that
 * share it, a twelfth of what a node computes for a token transfer.
 */
export const productFlags = () => [
  ...stackFlags(),
  `--max-semi-space-size=${youngMebibytes}`,
  '--no-parallel-scavenge',
];

/** The environment for the product: compiled code is kept between runs, inside the folder if it can be. */
export function nodeEnvironment() {
  const compiled = path.join(cacheFolder, 'v8');
  try {
    mkdirSync(compiled, { recursive: true });
    accessSync(compiled, constants.W_OK);
    return { ...process.env, NODE_COMPILE_CACHE: compiled };
  } catch (error) {
    say(
      `  ! ${compiled} cannot be written (${error.code}): every start compiles anew and takes a little longer`,
    );
    return { ...process.env };
  }
}
