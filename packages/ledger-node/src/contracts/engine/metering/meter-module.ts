/**
 * Turns the interpreter's WebAssembly module into the metered one. Five things change, and nothing else:
 * every function entry and loop head takes one from `gas_left`; copying and filling memory takes one for every
 * few bytes; the stack has a floor; memory grows by a counter that can be set back, inside a memory of fixed
 * size; and running out of memory ends the run. Below zero, below the floor or beyond the memory the module
 * traps, so that no contract can catch it. New entries are appended, so no existing index moves.
 */
import { assert } from '@symbolon/core/assert';
import {
  bulkOpcodes,
  emptyBlockType,
  name,
  opcodes as op,
  Reader,
  readSections,
  type Section,
  sectionIds,
  signed,
  skipInstruction,
  unsigned,
  valueTypes,
  writeSections,
} from './wasm-binary.ts';

export interface MeteringOptions {
  /** How far the stack may reach below where it starts. */
  readonly stackBytesMax: number;
  /** The whole memory: stack, data and heap. */
  readonly memoryPagesMax: number;
  /** Copying or filling memory costs one gas for every 2^n bytes. */
  readonly bulkBytesPerGasLog2: number;
}

/** The values of the exported global `exhausted`. */
export const exhaustedReasons = { none: 0, memory: 1, stack: 2 } as const;

const stackPointer = 0;

/** Indexes of what is appended. */
interface Appended {
  readonly gasLeft: number;
  readonly memoryPages: number;
  readonly exhausted: number;
  readonly chargeBulk: number;
  readonly growMemory: number;
}

/** What the original module says, as far as the metering needs it. */
interface Facts {
  readonly typeCount: number;
  readonly importedFunctions: number;
  readonly functionCount: number;
  readonly globalCount: number;
  readonly memoryPages: number;
  readonly stackTop: number;
  readonly outOfMemory: number;
}

const trap = [op.unreachable];
const trapWith = (appended: Appended, reason: number) => [
  ...[op.i32Const, ...signed(reason), op.globalSet, ...unsigned(appended.exhausted)],
  ...trap,
];

function bodyOf(sections: readonly Section[], id: number): Uint8Array {
  const found = sections.filter((section) => section.id === id);
  assert(found.length === 1, `section ${id} is not there once`);
  return (found[0] as Section).body;
}

const countOf = (body: Uint8Array) => new Reader(body).unsigned();

function countImportedFunctions(body: Uint8Array): number {
  const reader = new Reader(body);
  const count = reader.unsigned();
  for (let index = 0; index < count; index += 1) {
    reader.name();
    reader.name();
    assert(reader.byte() === 0, 'something else than a function is imported');
    reader.unsigned();
  }
  return count;
}

/** The module has one global, the stack pointer, and the stack lies below all data. */
function readStackTop(body: Uint8Array): number {
  const reader = new Reader(body);
  assert(reader.unsigned() === 1, 'the stack pointer is not the only global');
  assert(reader.byte() === valueTypes.i32 && reader.byte() === 1, 'the stack pointer is not a variable');
  assert(reader.byte() === op.i32Const, 'the stack pointer has no plain start');
  return reader.unsigned();
}

function readMemoryPages(body: Uint8Array): number {
  const reader = new Reader(body);
  assert(reader.unsigned() === 1 && reader.byte() === 0, 'the memory is not one without a maximum');
  return reader.unsigned();
}

function findExportedFunction(body: Uint8Array, wanted: string): number {
  const reader = new Reader(body);
  for (let left = reader.unsigned(); left > 0; left -= 1) {
    const found = reader.name();
    const kind = reader.byte();
    const index = reader.unsigned();
    if (found === wanted && kind === 0) return index;
  }
  assert(false, `${wanted} is not exported`);
}

function readFacts(sections: readonly Section[]): Facts {
  return {
    typeCount: countOf(bodyOf(sections, sectionIds.types)),
    importedFunctions: countImportedFunctions(bodyOf(sections, sectionIds.imports)),
    functionCount: countOf(bodyOf(sections, sectionIds.functions)),
    globalCount: countOf(bodyOf(sections, sectionIds.globals)),
    memoryPages: readMemoryPages(bodyOf(sections, sectionIds.memory)),
    stackTop: readStackTop(bodyOf(sections, sectionIds.globals)),
    outOfMemory: findExportedFunction(bodyOf(sections, sectionIds.exports), 'JS_ThrowOutOfMemory'),
  };
}

/** Takes a number of type i64 that `amount` pushes from the gas and traps below zero. */
const charge = ({ gasLeft }: Appended, amount: readonly number[]) => [
  ...[op.globalGet, ...unsigned(gasLeft), ...amount, op.i64Sub, op.globalSet, ...unsigned(gasLeft)],
  ...[op.globalGet, ...unsigned(gasLeft), op.i64Const, 0, op.i64LtS],
  ...[op.if, emptyBlockType, ...trap, op.end],
];

/** i32 → i32: charges for a number of bytes and gives it back. */
const chargeBulkBody = (appended: Appended, { bulkBytesPerGasLog2 }: MeteringOptions) => [
  ...charge(appended, [
    ...[op.localGet, 0, op.i32Const, ...signed(bulkBytesPerGasLog2), op.i32ShrU, op.i64ExtendI32U],
  ]),
  ...[op.localGet, 0],
];

/** i32 → i32: as `memory.grow`, by the counter. */
const growMemoryBody = (appended: Appended, { memoryPagesMax }: MeteringOptions) => [
  ...[op.localGet, 0, op.i32Const, ...signed(memoryPagesMax)],
  ...[op.globalGet, ...unsigned(appended.memoryPages), op.i32Sub, op.i32GtU],
  ...[op.if, emptyBlockType, ...trapWith(appended, exhaustedReasons.memory), op.end],
  ...[op.globalGet, ...unsigned(appended.memoryPages)],
  ...[op.globalGet, ...unsigned(appended.memoryPages), op.localGet, 0, op.i32Add],
  ...[op.globalSet, ...unsigned(appended.memoryPages)],
];

const stackCheck = (appended: Appended, floor: number) => [
  ...[op.globalGet, stackPointer, op.i32Const, ...signed(floor), op.i32LtU],
  ...[op.if, emptyBlockType, ...trapWith(appended, exhaustedReasons.stack), op.end],
];

interface FunctionContext {
  readonly appended: Appended;
  readonly stackFloor: number;
}

/** Rewrites the instructions of one function; `reader` stands behind its locals. */
function meterInstructions(reader: Reader, { appended, stackFloor }: FunctionContext): number[] {
  const out = charge(appended, [op.i64Const, 1]);
  let previous: number = op.end;
  while (!reader.isAtEnd) {
    const start = reader.at;
    const opcode = skipInstruction(reader);
    const bytes = reader.bytes.subarray(start, reader.at);
    if (opcode === op.memorySize) out.push(op.globalGet, ...unsigned(appended.memoryPages));
    else if (opcode === op.memoryGrow) out.push(op.call, ...unsigned(appended.growMemory));
    else {
      if (isBulk(bytes)) out.push(op.call, ...unsigned(appended.chargeBulk));
      out.push(...bytes);
    }
    if (opcode === op.loop) out.push(...charge(appended, [op.i64Const, 1]));
    if (opcode === op.globalSet) {
      assert(bytes[1] === stackPointer, 'a global other than the stack pointer is set');
      // A frame is left by adding its size back, or subtracting a negative one, without keeping the result.
      const isLeaving = previous === op.i32Add || previous === op.i32Sub;
      if (!isLeaving) out.push(...stackCheck(appended, stackFloor));
    }
    previous = opcode;
  }
  return out;
}

const isBulk = ([first, second]: Uint8Array) =>
  first === op.prefixFc && (second === bulkOpcodes.memoryCopy || second === bulkOpcodes.memoryFill);

const withLength = (bytes: readonly number[] | Uint8Array) => [...unsigned(bytes.length), ...bytes];

/** The locals of a function body as they stand, and a reader for what follows. */
function splitLocals(body: Uint8Array): { locals: Uint8Array; instructions: Reader } {
  const reader = new Reader(body);
  for (let groups = reader.unsigned(); groups > 0; groups -= 1) {
    reader.unsigned();
    reader.byte();
  }
  return { locals: body.subarray(0, reader.at), instructions: new Reader(body.subarray(reader.at)) };
}

function meterCode(body: Uint8Array, facts: Facts, context: FunctionContext & { options: MeteringOptions }) {
  const { appended, options } = context;
  const reader = new Reader(body);
  const count = reader.unsigned();
  const bodies: Uint8Array[] = [Buffer.from(unsigned(count + 2))];
  for (let index = 0; index < count; index += 1) {
    const { locals, instructions } = splitLocals(reader.take(reader.unsigned()));
    const isOutOfMemory = facts.importedFunctions + index === facts.outOfMemory;
    const first = isOutOfMemory ? trapWith(appended, exhaustedReasons.memory) : [];
    bodies.push(Buffer.from(withLength([...locals, ...first, ...meterInstructions(instructions, context)])));
  }
  for (const extra of [chargeBulkBody(appended, options), growMemoryBody(appended, options)]) {
    bodies.push(Buffer.from(withLength([0, ...extra, op.end])));
  }
  return new Uint8Array(Buffer.concat(bodies));
}

/** A list section with entries added at its end. */
function append(body: Uint8Array, entries: readonly (readonly number[])[]): Uint8Array {
  const reader = new Reader(body);
  const count = reader.unsigned();
  return new Uint8Array([
    ...unsigned(count + entries.length),
    ...body.subarray(reader.at),
    ...entries.flat(),
  ]);
}

const exportedGlobal = (text: string, index: number) => [...name(text), 3, ...unsigned(index)];
const variable = (type: number, opcode: number, value: number) => [type, 1, opcode, ...signed(value), op.end];
const constant = (value: number) => [valueTypes.i32, 0, op.i32Const, ...signed(value), op.end];

export function meterModule(module: Uint8Array, options: MeteringOptions): Uint8Array {
  const sections = readSections(module);
  const facts = readFacts(sections);
  const { globalCount, memoryPages, stackTop, typeCount } = facts;
  assert(options.stackBytesMax < stackTop, 'the stack is smaller than its bound');
  assert(options.memoryPagesMax > memoryPages, 'the memory starts beyond its bound');
  const functions = facts.importedFunctions + facts.functionCount;
  const appended: Appended = {
    gasLeft: globalCount,
    memoryPages: globalCount + 1,
    exhausted: globalCount + 2,
    chargeBulk: functions,
    growMemory: functions + 1,
  };
  const code = { appended, options, stackFloor: stackTop - options.stackBytesMax };
  const i32ToI32 = [0x60, 1, valueTypes.i32, 1, valueTypes.i32];
  const rewritten: Record<number, (body: Uint8Array) => Uint8Array> = {
    [sectionIds.types]: (body) => append(body, [i32ToI32]),
    [sectionIds.functions]: (body) => append(body, [unsigned(typeCount), unsigned(typeCount)]),
    [sectionIds.memory]: () =>
      new Uint8Array([1, 1, ...unsigned(options.memoryPagesMax), ...unsigned(options.memoryPagesMax)]),
    [sectionIds.globals]: (body) =>
      append(body, [
        variable(valueTypes.i64, op.i64Const, 0),
        variable(valueTypes.i32, op.i32Const, memoryPages),
        variable(valueTypes.i32, op.i32Const, exhaustedReasons.none),
        constant(code.stackFloor),
        constant(options.memoryPagesMax),
      ]),
    [sectionIds.exports]: (body) =>
      append(body, [
        exportedGlobal('gas_left', appended.gasLeft),
        exportedGlobal('memory_pages', appended.memoryPages),
        exportedGlobal('exhausted', appended.exhausted),
        exportedGlobal('stack_floor', globalCount + 3),
        exportedGlobal('memory_pages_max', globalCount + 4),
      ]),
    [sectionIds.code]: (body) => meterCode(body, facts, code),
  };
  return writeSections(
    sections.map(({ id, body }) => ({ id, body: rewritten[id] === undefined ? body : rewritten[id](body) })),
  );
}
