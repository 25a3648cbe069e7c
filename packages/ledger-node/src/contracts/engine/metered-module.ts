/**
 * The metered interpreter as it is committed beside this package: made by `scripts/build-contract-engine.mjs`,
 * known by its hash. The hash is part of the protocol: a node with another module would count other gas, so it
 * refuses to start.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { assert } from '@symbolon/core/assert';
import { type Module, webAssembly } from './web-assembly.ts';

export const engineFolder = path.resolve(import.meta.dirname, '../../../contract-engine');
export const meteredModuleFile = path.join(engineFolder, 'quickjs-metered.wasm');

/** Of quickjs-metered.wasm. */
export const meteredModuleSha256 = 'de9c608330dad19cf74a19697588919efb5853cf95b5bb7ac1f1159698262bae';

export const sha256Hex = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

export function checkedModule(bytes: Uint8Array): Uint8Array {
  const found = sha256Hex(bytes);
  assert(found === meteredModuleSha256, `the contract engine is ${found}, not ${meteredModuleSha256}`);
  return bytes;
}

let compiled: Module | undefined;

/** Compiled once in a process: it has no state, and compiling takes longer than thousands of calls. */
export function loadMeteredModule(): Module {
  compiled ??= new webAssembly.Module(checkedModule(readFileSync(meteredModuleFile)));
  return compiled;
}
