/**
 * Which Node runs the product, and how it is started. The launcher runs on any Node that a machine has (20.19 or newer);
 * the product needs one on which blocks are executed, which comes with the dependencies as a platform package.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import process from 'node:process';

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

/** No Node does, and the message says what to do about it. */
export class NoNode extends Error {}

/** The versions that `engines` of the package names that executes blocks. */
function rangeOf(engines) {
  const [, major, minor, before] = /^>=(\d+)\.(\d+) <(\d+)$/.exec(engines).map(Number);
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

export function assertLauncher() {
  if (process.platform === 'win32') {
    throw new NoNode('Symbolon runs on Linux and macOS. On Windows, run it inside WSL.');
  }
  if (!isAtLeast(process.versions.node, launcherMinimum)) {
    throw new NoNode(
      `This is Node ${process.versions.node}; the commands need ${inWords(launcherMinimum)} or newer.\n` +
        'Install a current Node (https://nodejs.org) and try again.',
    );
  }
}

function versionOf(file) {
  const probe = spawnSync(file, ['--version'], { encoding: 'utf8', timeout: 20_000 });
  return probe.status === 0 ? probe.stdout.trim().replace(/^v/, '') : undefined;
}

function namedNode(file, { fits, words }) {
  const version = versionOf(file);
  if (version === undefined) {
    throw new NoNode(`SYMBOLON_NODE names ${file}, which cannot be run.\nCorrect it or unset it.`);
  }
  if (!fits(version)) {
    throw new NoNode(
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
  throw new NoNode(
    `${file} is not the Node that this project pins (${nodePins.version} for ${platform}): it was changed, or damaged.\n` +
      'It was not run. Remove node_modules and install again: npm ci --ignore-scripts\n' +
      'To use a Node of your own, set SYMBOLON_NODE to its path.',
  );
}

function bundledNode(bundledFile) {
  const platform = `${process.platform}-${process.arch}`;
  const file = bundledFile(platform);
  if (file === undefined || !existsSync(file)) return undefined;
  return { file, version: nodePins.version, from: 'bundled' };
}

function pinnedNode(bundledFile, { fits }) {
  const bundled = bundledNode(bundledFile);
  if (!bundled) return undefined;
  assertPinned(bundled.file, `${process.platform}-${process.arch}`);
  const version = versionOf(bundled.file);
  return version && fits(version) ? { ...bundled, version } : undefined;
}

const runningNode = ({ fits }) =>
  fits(process.versions.node)
    ? { file: process.execPath, version: process.versions.node, from: 'system' }
    : undefined;

/**
 * The Node that the product runs on: the one that SYMBOLON_NODE names, else one of the dependencies or the one that runs
 * here. In a checkout (`isCheckout`) the first comes before the second and is looked at first, because a checkout is
 * changed; whoever could change an installed package could change this one. `bundledFile` says where that of a platform is.
 */
export function chooseNode({ engines, bundledFile, isCheckout }) {
  const range = rangeOf(engines);
  if (process.env.SYMBOLON_NODE) return namedNode(process.env.SYMBOLON_NODE, range);
  const found = isCheckout
    ? (pinnedNode(bundledFile, range) ?? runningNode(range))
    : (runningNode(range) ?? bundledNode(bundledFile));
  if (found) return found;
  throw new NoNode(
    `No Node ${range.words} is at hand: none comes bundled for ${process.platform}-${process.arch} and this is ` +
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
