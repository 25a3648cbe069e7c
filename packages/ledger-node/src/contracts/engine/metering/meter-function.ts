/**
 * Rewrites the body of one function. Entry and every loop head take one from the gas; copying and filling memory pay by
 * the byte; moving the stack pointer down is noted in `stack_low` and ends at a floor; and a function that calls others
 * takes the size of its frame from `frames_left` while it runs.
 *
 * The last one keeps the machine underneath out of the result: a frame of compiled WebAssembly lives on the thread's
 * own stack, whose size differs between machines and compilers, so a deep recursion must end at a count of ours long
 * before it ends there.
 */
import type { FunctionShape } from './module-facts.ts';
import {
  bulkOpcodes,
  emptyBlockType,
  opcodes as op,
  signed,
  skipInstruction,
  unsigned,
  WasmReader,
} from './wasm-binary.ts';

/** The values of the exported global `exhausted`. */
export const exhaustedReasons = { none: 0, memory: 1, stack: 2 } as const;

/** Indexes of the globals and functions that are appended to the module. */
export interface Meters {
  readonly gasLeft: number;
  readonly framesLeft: number;
  readonly memoryPages: number;
  readonly exhausted: number;
  readonly stackLow: number;
  readonly chargeBulk: number;
  readonly growMemory: number;
  readonly lowerStack: number;
}

const stackPointer = 0;

/**
 * What a call takes on the thread's stack, more rather than less: V8 gives every local a slot of eight bytes,
 * and the fixed part covers saved registers, spilled operands and arguments. Measured against both of V8's
 * compilers with fifty kinds of recursion, the sum is 1.1 to 2.5 times what is really used.
 */
const slotBytes = 8;
const frameFixedBytes = 160;

const readGlobal = (index: number) => [op.globalGet, ...unsigned(index)];
const writeGlobal = (index: number) => [op.globalSet, ...unsigned(index)];
const i32 = (value: number) => [op.i32Const, ...signed(value)];
const when = (instructions: readonly number[]) => [op.if, emptyBlockType, ...instructions, op.end];

/** Ends the run, saying why. */
export const trapFor = ({ exhausted }: Meters, reason: number): number[] => [
  ...[...i32(reason), ...writeGlobal(exhausted)],
  op.unreachable,
];

/** Takes the number (i64) that `amount` pushes from the gas; below zero the gas itself says why. */
const charge = ({ gasLeft }: Meters, amount: readonly number[]) => [
  ...[...readGlobal(gasLeft), ...amount, op.i64Sub, ...writeGlobal(gasLeft)],
  ...[...readGlobal(gasLeft), op.i64Const, 0, op.i64LtS, ...when([op.unreachable])],
];

const chargeOne = (meters: Meters) => charge(meters, [op.i64Const, 1]);

/** A function i32 → i32: charges for a number of bytes and gives it back. */
export const chargeBulkBody = (meters: Meters, bytesPerGasLog2: number): number[] => [
  ...charge(meters, [op.localGet, 0, ...i32(bytesPerGasLog2), op.i32ShrU, op.i64ExtendI32U]),
  ...[op.localGet, 0, op.end],
];

/** A function i32 → i32 that stands for `memory.grow`; the memory has its full size from the start. */
export const growMemoryBody = (meters: Meters, memoryPagesMax: number): number[] => [
  ...[op.localGet, 0, ...i32(memoryPagesMax), ...readGlobal(meters.memoryPages), op.i32Sub, op.i32GtU],
  ...when(trapFor(meters, exhaustedReasons.memory)),
  ...readGlobal(meters.memoryPages),
  ...[...readGlobal(meters.memoryPages), op.localGet, 0, op.i32Add, ...writeGlobal(meters.memoryPages)],
  op.end,
];

/** How closely `stack_low` follows the stack: to whole blocks of 2^n bytes. */
const stackBlockLog2 = 12;

/** A function without arguments: notes how low the stack pointer stands, and traps below the floor. */
export const lowerStackBody = (meters: Meters, floor: number): number[] => [
  ...[...readGlobal(stackPointer), ...i32(floor), op.i32LtU],
  ...when(trapFor(meters, exhaustedReasons.stack)),
  ...[...readGlobal(stackPointer), ...i32(stackBlockLog2), op.i32ShrU, ...i32(stackBlockLog2), op.i32Shl],
  ...[...writeGlobal(meters.stackLow), op.end],
];

const enterFrame = (meters: Meters, bytes: number, { blockType }: FunctionShape) => [
  ...[...readGlobal(meters.framesLeft), ...i32(bytes), op.i32Sub, ...writeGlobal(meters.framesLeft)],
  ...[...readGlobal(meters.framesLeft), ...i32(0), op.i32LtS],
  ...when(trapFor(meters, exhaustedReasons.stack)),
  ...[op.block, blockType],
];

const leaveFrame = ({ framesLeft }: Meters, bytes: number) => [
  ...[...readGlobal(framesLeft), ...i32(bytes), op.i32Add, ...writeGlobal(framesLeft)],
];

const checkStack = ({ stackLow, lowerStack }: Meters) => [
  ...[...readGlobal(stackPointer), ...readGlobal(stackLow), op.i32LtU],
  ...when([op.call, ...unsigned(lowerStack)]),
];

/** One instruction as it stands in the metered module, its bytes copied unless it is replaced. */
function meterInstruction(bytes: Uint8Array, previous: number, meters: Meters): number[] {
  switch (bytes[0]) {
    case op.loop:
      return [...bytes, ...chargeOne(meters)];
    case op.memorySize:
      return readGlobal(meters.memoryPages);
    case op.memoryGrow:
      return [op.call, ...unsigned(meters.growMemory)];
    case op.prefixFc: {
      const isBulk = bytes[1] === bulkOpcodes.memoryCopy || bytes[1] === bulkOpcodes.memoryFill;
      return isBulk ? [op.call, ...unsigned(meters.chargeBulk), ...bytes] : [...bytes];
    }
    case op.globalSet: {
      // A frame is left by adding its size back (or subtracting a negative one) and writing just that.
      const isLeaving = previous === op.i32Add || previous === op.i32Sub;
      return isLeaving ? [...bytes] : [...bytes, ...checkStack(meters)];
    }
    default:
      return [...bytes];
  }
}

/** `return` leaves through the block that `enterFrame` opened, so that the frame is given back. */
function meterInstructions(code: Uint8Array, meters: Meters, hasFrame: boolean): number[] {
  const reader = new WasmReader(code);
  const out: number[] = [];
  let previous: number = op.end;
  let depth = 0;
  while (!reader.isAtEnd) {
    const start = reader.at;
    const opcode = skipInstruction(reader);
    if (opcode === op.block || opcode === op.loop || opcode === op.if) depth += 1;
    if (opcode === op.end) depth -= 1;
    if (opcode === op.return && hasFrame) out.push(op.br, ...unsigned(depth));
    else out.push(...meterInstruction(code.subarray(start, reader.at), previous, meters));
    previous = opcode;
  }
  return out;
}

function callsOthers(code: Uint8Array): boolean {
  const reader = new WasmReader(code);
  while (!reader.isAtEnd) {
    const opcode = skipInstruction(reader);
    if (opcode === op.call || opcode === op.callIndirect) return true;
  }
  return false;
}

/** A function's body, from its locals to its end. */
export function meterFunction(body: Uint8Array, shape: FunctionShape, meters: Meters): number[] {
  const reader = new WasmReader(body);
  let locals = shape.parameters;
  for (let groups = reader.unsigned(); groups > 0; groups -= 1) {
    locals += reader.unsigned();
    reader.byte();
  }
  const declarations = body.subarray(0, reader.at);
  const code = body.subarray(reader.at);
  const start = [...declarations, ...chargeOne(meters)];
  if (!callsOthers(code)) return [...start, ...meterInstructions(code, meters, false)];
  const bytes = frameFixedBytes + slotBytes * locals;
  return [
    ...[...start, ...enterFrame(meters, bytes, shape)],
    ...meterInstructions(code, meters, true),
    ...[...leaveFrame(meters, bytes), op.end],
  ];
}
