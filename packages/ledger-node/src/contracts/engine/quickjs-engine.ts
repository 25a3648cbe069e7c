/**
 * The ContractEngine on QuickJS inside metered WebAssembly. Every run starts from an image of the world with the
 * contract's code compiled, so nothing survives a run and the same call gives the same outcome and gas whatever ran
 * before. The code's top level runs in every call, before the entry function: it may use built-ins like any other code
 * and pays like any other code.
 *
 * A run inside a run takes another machine; gas is one count for all of them, and so are the frames that calls take:
 * however contracts are nested, together they take no more of the thread's stack than is set aside for them.
 */
import { hash } from 'node:crypto';
import { assert } from '@symbolon/core/basics/assert';
import { RecentMap } from '@symbolon/core/basics/recent-map';
import {
  type ContractCall,
  type ContractEngine,
  ContractException,
  type ContractOutcome,
  type GasMeter,
} from '@symbolon/core/ledger/terms/engine';
import { contractLimits } from '@symbolon/core/limits/consensus';
import { contractWorkLimits } from '../../limits/node-limits.ts';
import { type CodeImage, CodeImages } from './code-images.ts';
import { contractFileName, describeException, type Exhausted, type Threw } from './exceptions.ts';
import { type HostCall, Machine, ownGas } from './machine.ts';
import { loadMeteredModule, meteringOptions } from './metering/metered-module.ts';
import { webAssembly } from './metering/web-assembly.ts';
import { fillWorld, makeWorld, type World } from './world.ts';

/** A trap that no meter explains: a fault of the interpreter, the same on every node. */
const interpreterFault: Threw = { kind: 'threw', exception: 'the interpreter failed' };

const gasSpent: Exhausted = { kind: 'exhausted', limit: 'gas' };
const stackSpent: Exhausted = { kind: 'exhausted', limit: 'stack' };

/** Far beyond any transaction, and safe to multiply in 64 bits. */
const gasLeftMax = 1n << 48n;

/** Different sets of functions and values; there are three: queries, payments of coins, payments of assets. */
const worldsMax = 8;

/** Up to here the platform finds a text in a map by all of its characters, and beyond by their number alone. */
const rememberedCodeCharsMax = 16_383;

/**
 * The parser's many small functions take half of what the metering counts for them, so it may count higher: code
 * with a hundred levels of brackets, calls or functions is compiled wherever it is called from.
 */
const compilingFrameBytesMax = (3 * contractLimits.stackBytesMax) / 2;
const compilingStackBytes = compilingFrameBytesMax / 2;

export interface QuickJsEngineOptions {
  readonly codeImagesBytesMax?: number;
  /** What the calls of all runs under way may take together. A number of the protocol; tests take less. */
  readonly nestedStackBytesMax?: number;
}

/** A run that is under way: what it may take of the thread's stack, and what it leaves to those inside it. */
interface Running {
  readonly machine: Machine;
  readonly stackBytes: number;
  readonly stackBytesLeft: number;
}

export class QuickJsEngine implements ContractEngine {
  readonly #machines: Machine[] = [];
  readonly #worlds: World[] = [];
  readonly #images: CodeImages;
  /** Of codes that ran lately, for each world: how their image is called. */
  readonly #imageKeys: RecentMap<string, string>[] = [];
  readonly #nestedStackBytesMax: number;
  readonly #running: Running[] = [];

  constructor({
    codeImagesBytesMax = contractWorkLimits.codeImagesBytesMax,
    nestedStackBytesMax = contractLimits.nestedStackBytesMax,
  }: QuickJsEngineOptions = {}) {
    this.#images = new CodeImages(codeImagesBytesMax);
    this.#nestedStackBytesMax = nestedStackBytesMax;
  }

  run(call: ContractCall): ContractOutcome {
    const depth = this.#running.length;
    assert(depth < contractLimits.callDepthMax, 'contracts are nested too deeply');
    assert(call.meter.left <= gasLeftMax, 'more gas than the engine counts');
    const stackBytesLeft = this.#stackBytesLeft();
    // Before anything that could be kept for other runs: what is kept must not depend on who asked for it.
    if (stackBytesLeft < compilingStackBytes) return stackSpent;
    const machine = this.#machineAt(depth);
    const stackBytes = Math.min(contractLimits.stackBytesMax, stackBytesLeft);
    this.#running.push({ machine, stackBytes, stackBytesLeft });
    try {
      return this.#runOn(machine, call, stackBytes);
    } finally {
      machine.onHostCall = undefined;
      this.#running.pop();
    }
  }

  /** What the runs under way leave of the stack to one inside of them. */
  #stackBytesLeft(): number {
    const outer = this.#running.at(-1);
    if (!outer) return this.#nestedStackBytesMax;
    return outer.stackBytesLeft - (outer.stackBytes - outer.machine.framesLeftToHost);
  }

  #machineAt(depth: number): Machine {
    this.#machines[depth] ??= new Machine(loadMeteredModule());
    return this.#machines[depth];
  }

  #runOn(machine: Machine, call: ContractCall, stackBytes: number): ContractOutcome {
    const { meter } = call;
    const loaded = this.#load(machine, call);
    if (!loaded || loaded.gas > meter.left) {
      meter.left = -1n;
      return gasSpent;
    }
    meter.left -= loaded.gas;
    if ('failure' in loaded) return loaded.failure;
    const { world } = loaded;
    machine.restore(loaded.image);
    machine.gas = ownGas;
    fillWorld(machine, world, call.values);
    machine.onHostCall = hostCallsOf(machine, call);
    machine.gas = meter.left;
    machine.framesLeft = stackBytes;
    return guarded(machine, meter, () => {
      const input = machine.newString(call.input);
      const started = machine.runScript(loaded.script);
      const entry = started ? machine.property(world.global, world.entryNames[call.entry]) : undefined;
      const isThere = entry !== undefined && machine.isFunction(entry);
      const result = isThere ? machine.call(entry, [input]) : undefined;
      const value = result === undefined ? undefined : machine.readPrimitive(result);
      meter.left = machine.gas;
      if (result !== undefined) return { kind: 'returned', value };
      return entry !== undefined && !isThere ? { kind: 'missing' } : describeException(machine, world);
    });
  }

  /** The image of the code, made if it is not at hand; nothing when the gas does not suffice for that. */
  #load(machine: Machine, { code, builtIns, values, meter }: ContractCall): CodeImage | undefined {
    const world = this.#worldOf(builtIns, Object.keys(values));
    const key = this.#imageKeyOf(world, code);
    const known = this.#images.get(key);
    if (known) return known;
    const made = compileInto(machine, world, code, meter.left);
    if (made) this.#images.add(key, made);
    return made;
  }

  #imageKeyOf(world: World, code: string): string {
    this.#imageKeys[world.id] ??= new RecentMap(contractWorkLimits.imageKeysMax);
    const keys = this.#imageKeys[world.id] as RecentMap<string, string>;
    const known = keys.get(code);
    if (known !== undefined) return known;
    const key = `${world.id} ${hash('sha256', code, 'base64')}`;
    if (code.length <= rememberedCodeCharsMax) keys.set(code, key);
    return key;
  }

  #worldOf(builtInNames: readonly string[], valueNames: readonly string[]): World {
    const known = this.#worlds.find(
      (world) => isSameList(world.builtInNames, builtInNames) && isSameList(world.valueNames, valueNames),
    );
    if (known) return known;
    assert(this.#worlds.length < worldsMax, 'too many different sets of built-in functions and values');
    const machine = new Machine(loadMeteredModule());
    const world = makeWorld(machine, this.#worlds.length, { builtInNames, valueNames });
    this.#worlds.push(world);
    return world;
  }
}

function isSameList(left: readonly string[], right: readonly string[]): boolean {
  if (left === right) return true;
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index += 1) if (left[index] !== right[index]) return false;
  return true;
}

/** Runs `work`; a trap becomes the outcome it stands for, anything else passes through. */
function guarded<Result>(machine: Machine, meter: GasMeter, work: () => Result): Result | Exhausted | Threw {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof webAssembly.RuntimeError)) throw error;
    meter.left = machine.gas;
    const limit = machine.exhausted;
    return limit === undefined ? interpreterFault : { kind: 'exhausted', limit };
  }
}

/**
 * What loading costs: a share of compiling, and copying the image. Rounded up: a meter that is
 * too small to compile the code is also too small to load an image that was compiled before.
 */
const loadingGas = (compiling: bigint, imageBytes: number) => {
  const discount = contractLimits.compilingDiscount;
  return (compiling + discount - 1n) / discount + BigInt(imageBytes >> meteringOptions.bulkBytesPerGasLog2);
};

/** Nothing when the gas does not suffice. */
function compileInto(machine: Machine, world: World, code: string, gasLeft: bigint): CodeImage | undefined {
  const allowance = gasLeft * contractLimits.compilingDiscount;
  const meter = { left: allowance };
  machine.restore(world.image);
  machine.framesLeft = compilingFrameBytesMax;
  machine.gas = allowance;
  const compiled = guarded(machine, meter, () => {
    const script = machine.compile(code, contractFileName);
    meter.left = machine.gas;
    return script ?? describeException(machine, world);
  });
  const compiling = allowance - meter.left;
  if (typeof compiled === 'number') {
    const image = machine.takeImage();
    return { world, image, script: compiled, gas: loadingGas(compiling, image.bytes.length) };
  }
  const isShort = compiled.kind === 'exhausted' && compiled.limit === 'gas';
  return isShort ? undefined : { world, failure: compiled, gas: loadingGas(compiling, 0) };
}

/** The calls of built-in functions from inside: arguments out, gas in step, result or exception back. */
function hostCallsOf(machine: Machine, { callBuiltIn, meter }: ContractCall): HostCall {
  return (id, count, addresses) => {
    // Arguments that nobody reads cost the contract next to nothing, but they would fill the memory here.
    const args = machine.readArguments(Math.min(count, contractLimits.argumentsMax), addresses);
    if (!args) return undefined;
    meter.left = machine.gas;
    try {
      const result = callBuiltIn(id, args);
      machine.gas = meter.left;
      return machine.newValue(result);
    } catch (error) {
      if (!(error instanceof ContractException)) throw error;
      machine.gas = meter.left;
      machine.throwIn(error.message);
      return undefined;
    }
  };
}
