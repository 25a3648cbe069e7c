#!/usr/bin/env node
/**
 * `symbolon` where it is installed as a package: runs the command on a Node that fits. One that executes blocks gets a
 * process of its own with the flags for that; any other runs here, because starting twice takes longer than most of them.
 */
import { readFileSync } from 'node:fs';
import module from 'node:module';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { runInForeground } from './foreground.mjs';
import { assertLauncher, chooseNode, NoNode, productFlags } from './node-choice.mjs';

const folder = path.dirname(fileURLToPath(import.meta.url));
const program = path.join(folder, '..', 'dist', 'main.js');
const { resolve } = module.createRequire(import.meta.url);

const executing = ['dev', 'node', 'service', 'contract', 'restore'];

/** Whether blocks may be executed: not to say how one of these is, nor what it takes. */
const executes = ([first, second, ...more]) =>
  executing.includes(first) &&
  second !== 'status' &&
  ![second, ...more].some((word) => /^(--help|-h)$/.test(word));

/** Installers put it beside us or above; where it was left out there is none. */
function bundledFile(platform) {
  try {
    return path.join(path.dirname(resolve(`node-${platform}/package.json`)), 'bin', 'node');
  } catch {
    return undefined;
  }
}

/** Compiled code is kept between runs, where nobody else can put any: Node itself would take a folder that all share. */
const compiledFolder = () =>
  path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'symbolon', 'compiled');

const executor = path.join(folder, '..', 'node_modules', '@symbolon', 'ledger-node', 'package.json');
const { node: engines } = JSON.parse(readFileSync(executor, 'utf8')).engines;

try {
  assertLauncher();
  const { file } = chooseNode({ engines, bundledFile, isCheckout: false });
  const words = process.argv.slice(2);
  const cache = process.env.NODE_COMPILE_CACHE ?? compiledFolder();
  module.enableCompileCache?.(cache);
  if (file === process.execPath && !executes(words)) await import(program);
  else {
    const env = { ...process.env, NODE_COMPILE_CACHE: cache };
    process.exitCode = await runInForeground(file, [...productFlags(), program, ...words], { env });
  }
} catch (error) {
  if (!(error instanceof NoNode)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
