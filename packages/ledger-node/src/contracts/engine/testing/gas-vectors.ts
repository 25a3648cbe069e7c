/**
 * The recorded gas of a set of calls: how arm64 and x64, today's machine and tomorrow's are held to the same
 * count. The calls stand in the file; run this file to record them anew, which only a new version of the engine
 * may need: a changed number is a changed protocol.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ContractEntry, ContractOutcome } from '@symbolon/core/ledger/terms/engine';
import { engineFolder, engineSha256 } from '../metering/metered-module.ts';
import { QuickJsEngine } from '../quickjs-engine.ts';
import { TinyChain } from './tiny-chain.ts';

export interface GasVector {
  readonly name: string;
  readonly entry: ContractEntry;
  readonly input: string;
  /** One line each. */
  readonly code: readonly string[];
  readonly outcome: ContractOutcome;
  readonly gas: string;
}

export interface GasVectors {
  readonly engine: typeof engineSha256;
  readonly vectors: readonly GasVector[];
}

const file = path.join(engineFolder, 'gas-vectors.json');

export const readGasVectors = (): GasVectors => JSON.parse(readFileSync(file, 'utf8')) as GasVectors;

/** Runs the call of a vector and gives the vector as it comes out; storage starts empty. */
export function replay(vector: GasVector, chain: TinyChain): GasVector {
  const { name, entry, input, code } = vector;
  chain.storage.clear();
  const { outcome, gas } = chain.run({ entry, input, code: code.join('\n') });
  return { name, entry, input, code, outcome, gas: String(gas) };
}

if (import.meta.main) {
  const vectors = readGasVectors().vectors.map((vector) =>
    replay(vector, new TinyChain(new QuickJsEngine())),
  );
  writeFileSync(file, `${JSON.stringify({ engine: engineSha256, vectors }, undefined, 2)}\n`);
}
