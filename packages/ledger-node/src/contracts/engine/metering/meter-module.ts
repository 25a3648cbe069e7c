/**
 * Turns the interpreter's WebAssembly module into the metered one that contracts run in. Out of gas, out of stack or
 * out of memory the metered module traps, so that no contract can catch it, and says why in its exported globals.
 * Memory has its full size from the start and grows by a counter, so that a host can set it back exactly. New entries
 * are appended, so no existing index moves; nothing else changes.
 */
import { assert } from '@symbolon/core/basics/assert';
import {
  chargeBulkBody,
  exhaustedReasons,
  growMemoryBody,
  lowerStackBody,
  type Meters,
  meterFunction,
  trapFor,
} from './meter-function.ts';
import { type ModuleFacts, readFacts } from './module-facts.ts';
import {
  opcodes,
  readSections,
  sectionIds,
  signed,
  unsigned,
  valueTypes,
  WasmReader,
  wasmName,
  writeSections,
} from './wasm-binary.ts';

export interface MeteringOptions {
  /** How far the stack may reach below where it starts, and what all frames together may take. */
  readonly stackBytesMax: number;
  /** How far the memory may grow beyond what the module starts with. */
  readonly heapBytesMax: number;
  /** Copying or filling memory costs one gas for every 2^n bytes. */
  readonly bulkBytesPerGasLog2: number;
}

export const pageBytes = 65_536;

const withLength = (bytes: readonly number[]) => Buffer.from([...unsigned(bytes.length), ...bytes]);

function meterCode(body: Uint8Array, facts: ModuleFacts, { meters, extra }: Additions): Uint8Array {
  const reader = new WasmReader(body);
  const count = reader.unsigned();
  const bodies: Uint8Array[] = [Buffer.from(unsigned(count + extra.length))];
  for (const [index, shape] of facts.functions.entries()) {
    const original = reader.take(reader.unsigned());
    const isOutOfMemory = facts.importedFunctions + index === facts.outOfMemory;
    const metered = isOutOfMemory
      ? [0, ...trapFor(meters, exhaustedReasons.memory), opcodes.end]
      : meterFunction(original, shape, meters);
    bodies.push(withLength(metered));
  }
  assert(reader.isAtEnd && count === facts.functions.length, 'functions and bodies do not match');
  for (const { body: instructions } of extra) bodies.push(withLength([0, ...instructions]));
  return new Uint8Array(Buffer.concat(bodies));
}

/** A list section with entries added at its end. */
function append(body: Uint8Array, entries: readonly (readonly number[])[]): Uint8Array {
  const reader = new WasmReader(body);
  const count = unsigned(reader.unsigned() + entries.length);
  return new Uint8Array([...count, ...body.subarray(reader.at), ...entries.flat()]);
}

const { end, i32Const, i64Const } = opcodes;
const i32Variable = (value: number) => [valueTypes.i32, 1, i32Const, ...signed(value), end];
const i64Variable = (value: number) => [valueTypes.i64, 1, i64Const, ...signed(value), end];

interface Additions {
  readonly meters: Meters;
  /** Exported globals by name, in the order of their indexes. */
  readonly globals: readonly (readonly [string, readonly number[]])[];
  readonly types: readonly (readonly number[])[];
  /** Further functions: the index of the type, and the body. */
  readonly extra: readonly { readonly type: number; readonly body: readonly number[] }[];
  readonly memoryPagesMax: number;
}

function planAdditions(facts: ModuleFacts, options: MeteringOptions): Additions {
  const { globalCount, stackTop } = facts;
  assert(options.stackBytesMax < stackTop, 'the stack is smaller than its bound');
  const memoryPagesMax = facts.memoryPages + Math.floor(options.heapBytesMax / pageBytes);
  const functions = facts.importedFunctions + facts.functions.length;
  const meters = {
    gasLeft: globalCount,
    framesLeft: globalCount + 1,
    memoryPages: globalCount + 2,
    exhausted: globalCount + 3,
    stackLow: globalCount + 4,
    chargeBulk: functions,
    growMemory: functions + 1,
    lowerStack: functions + 2,
  };
  const [i32ToI32, nothing] = [facts.typeCount, facts.typeCount + 1];
  const floor = stackTop - options.stackBytesMax;
  return {
    meters,
    memoryPagesMax,
    globals: [
      ['gas_left', i64Variable(0)],
      ['frames_left', i32Variable(options.stackBytesMax)],
      ['memory_pages', i32Variable(facts.memoryPages)],
      ['exhausted', i32Variable(exhaustedReasons.none)],
      ['stack_low', i32Variable(stackTop)],
    ],
    types: [
      [0x60, 1, valueTypes.i32, 1, valueTypes.i32],
      [0x60, 0, 0],
    ],
    extra: [
      { type: i32ToI32, body: chargeBulkBody(meters, options.bulkBytesPerGasLog2) },
      { type: i32ToI32, body: growMemoryBody(meters, memoryPagesMax) },
      { type: nothing, body: lowerStackBody(meters, floor) },
    ],
  };
}

export function meterModule(module: Uint8Array, options: MeteringOptions): Uint8Array {
  const sections = readSections(module);
  const facts = readFacts(sections);
  const additions = planAdditions(facts, options);
  const { extra, globals, memoryPagesMax, types } = additions;
  const rewrites: Record<number, (body: Uint8Array) => Uint8Array> = {
    [sectionIds.types]: (body) => append(body, types),
    [sectionIds.functions]: (body) =>
      append(
        body,
        extra.map(({ type }) => unsigned(type)),
      ),
    [sectionIds.memory]: () =>
      new Uint8Array([1, 1, ...unsigned(memoryPagesMax), ...unsigned(memoryPagesMax)]),
    [sectionIds.globals]: (body) =>
      append(
        body,
        globals.map(([, definition]) => definition),
      ),
    [sectionIds.exports]: (body) =>
      append(
        body,
        globals.map(([text], index) => [...wasmName(text), 3, ...unsigned(facts.globalCount + index)]),
      ),
    [sectionIds.code]: (body) => meterCode(body, facts, additions),
  };
  return writeSections(sections.map(({ id, body }) => ({ id, body: rewrites[id]?.(body) ?? body })));
}
