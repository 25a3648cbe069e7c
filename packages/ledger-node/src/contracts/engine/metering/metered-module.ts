/**
 * The two files a contract's run depends on, each known by its hash: the metered interpreter, committed beside
 * this package and made by `scripts/build-contract-engine.mjs`, and world-script.js. The hashes are part of the
 * protocol: a node with other files would count other gas, so it refuses to start. Even a comment in world-script.js
 * counts, because its text lies in the memory of every contract.
 */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { assert } from '@symbolon/core/basics/assert';
import { contractLimits } from '@symbolon/core/limits/consensus';
import { sha256Hex } from '@symbolon/host/work/sha256';
import type { MeteringOptions } from './meter-module.ts';
import { type Module, webAssembly } from './web-assembly.ts';

export const engineFolder = path.resolve(import.meta.dirname, '../../../../contract-engine');
export const meteredModuleFile = path.join(engineFolder, 'quickjs-metered.wasm');
const worldFile = path.join(import.meta.dirname, '..', 'world-script.js');

export const engineSha256 = {
  module: 'de9c608330dad19cf74a19697588919efb5853cf95b5bb7ac1f1159698262bae',
  world: 'b107d9acd3d883f67a197366a45b6adfe9f7fac9cb49c54f6cc5d3953258d6cd',
} as const;

/** What the committed module is metered with. To change a number is to change the protocol. */
export const meteringOptions: MeteringOptions = {
  stackBytesMax: contractLimits.stackBytesMax,
  heapBytesMax: contractLimits.memoryBytesMax,
  // A copy moves some ten bytes in a nanosecond and one gas stands for a few nanoseconds.
  bulkBytesPerGasLog2: 5,
};

/** The bytes, if they are the ones that belong here. */
export function checked(bytes: Buffer, part: keyof typeof engineSha256): Buffer {
  const found = sha256Hex(bytes);
  const expected = engineSha256[part];
  assert(found === expected, `the ${part} of the contract engine is ${found}, not ${expected}`);
  return bytes;
}

export const readWorldText = (): string => checked(readFileSync(worldFile), 'world').toString('utf8');

let compiled: Module | undefined;

/** Compiled once in a process: it has no state, and compiling takes longer than thousands of calls. */
export function loadMeteredModule(): Module {
  compiled ??= new webAssembly.Module(checked(readFileSync(meteredModuleFile), 'module'));
  return compiled;
}
