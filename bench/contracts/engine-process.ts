/**
 * The contract engine alone, in a process of its own, so that its CPU time is nobody else's: transfers with a warm
 * engine, what it costs to begin, and the memory of the images it keeps. Needs `--expose-gc`.
 */
import { assert } from '@symbolon/core/basics/assert';
import { loadMeteredModule } from '@symbolon/ledger-node/contracts/engine/metering/metered-module';
import { QuickJsEngine } from '@symbolon/ledger-node/contracts/engine/quickjs-engine';
import { answerCalls } from '../child.ts';
import { cpuMs, median, nowMs, type Plan } from '../statistics.ts';
import { MemoryCalls } from './memory-calls.ts';
import { plainToken, sampleToken } from './token-contracts.ts';

export const tokens = { sample: sampleToken, plain: plainToken };

export interface EngineOrder extends Plan {
  readonly token: keyof typeof tokens;
}

/** All threads: what V8 compiles and collects in the background is part of the price. */
function timed(work: () => void) {
  const cpuBefore = process.cpuUsage();
  const began = nowMs();
  work();
  return { wallMs: nowMs() - began, cpuMs: cpuMs(cpuBefore) };
}

function measureTransfers({ token, warmUp, perRound, rounds }: EngineOrder) {
  const calls = new MemoryCalls(tokens[token]);
  const engine = new QuickJsEngine();
  let count = 0;
  let gas = 0n;
  const transfer = (times: number): void => {
    for (let index = 0; index < times; index++) gas += calls.run(engine);
    count += times;
  };
  transfer(warmUp);
  const measured = Array.from({ length: rounds }, () => timed(() => transfer(perRound)));
  calls.check();
  return {
    rounds: measured,
    gasPerCall: Number(gas) / count,
    loadsPerCall: calls.counts.loads / count,
    storesPerCall: calls.counts.stores / count,
    eventsPerCall: calls.counts.events / count,
  };
}
export type EngineResult = ReturnType<typeof measureTransfers>;

export interface ColdResult {
  /** The interpreter's WebAssembly into this process, once. */
  readonly moduleMs: number;
  /** The first call of a new engine, its world made and the contract compiled. */
  readonly firstCallMs: number;
  /** A call whose contract has to be compiled, on an engine that has run others. */
  readonly compileCallMs: number;
}

function measureCold({ token, repeats }: { token: keyof typeof tokens; repeats: number }): ColdResult {
  const calls = new MemoryCalls(tokens[token]);
  const forgetful = new QuickJsEngine({ codeImagesBytesMax: 0 });
  const each = (work: () => void): number => median(Array.from({ length: repeats }, () => timed(work).cpuMs));
  return {
    moduleMs: module.cpuMs,
    firstCallMs: each(() => calls.run(new QuickJsEngine())),
    compileCallMs: each(() => calls.run(forgetful)),
  };
}

/** Contracts that differ in a comment: each has an image of its own. */
function measureImages({ token, images }: { token: keyof typeof tokens; images: number }) {
  const collectGarbage = globalThis.gc;
  assert(collectGarbage, 'started with --expose-gc');
  const calls = new MemoryCalls(tokens[token]);
  const engine = new QuickJsEngine();
  const held = (): number => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers;
  };
  const run = (name: number): bigint => calls.run(engine, `${tokens[token].code}// ${1_000_000 + name}\n`);
  run(0);
  const before = held();
  for (let index = 1; index <= images; index++) run(index);
  const bytesPerImage = (held() - before) / images;
  // Without this the engine could go before it is measured.
  run(0);
  return { images, bytesPerImage };
}
export type ImagesResult = ReturnType<typeof measureImages>;

/** Everything that is measured of one token. */
export interface TokenEngineResult extends EngineResult, ColdResult, ImagesResult {
  readonly name: string;
  readonly perRound: number;
}

const module = timed(loadMeteredModule);

answerCalls({ transfers: measureTransfers, cold: measureCold, images: measureImages });
