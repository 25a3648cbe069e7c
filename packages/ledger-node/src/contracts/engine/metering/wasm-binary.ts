/**
 * Reads and writes the parts of the WebAssembly binary format that the metering needs: sections, numbers, and the
 * length of every instruction. It knows no more than the interpreter's module uses and refuses the rest, so that an
 * instruction it does not understand can never slip through unmetered.
 */
import { assert } from '@symbolon/core/basics/assert';

export interface Section {
  readonly id: number;
  readonly body: Uint8Array;
}

export const sectionIds = {
  custom: 0,
  types: 1,
  imports: 2,
  functions: 3,
  memory: 5,
  globals: 6,
  exports: 7,
  code: 10,
} as const;

export const opcodes = {
  unreachable: 0x00,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  end: 0x0b,
  br: 0x0c,
  return: 0x0f,
  call: 0x10,
  callIndirect: 0x11,
  localGet: 0x20,
  globalGet: 0x23,
  globalSet: 0x24,
  memorySize: 0x3f,
  memoryGrow: 0x40,
  i32Const: 0x41,
  i64Const: 0x42,
  i32LtS: 0x48,
  i32LtU: 0x49,
  i32GtU: 0x4b,
  i64LtS: 0x53,
  i32Add: 0x6a,
  i32Sub: 0x6b,
  i32Shl: 0x74,
  i32ShrU: 0x76,
  i64Sub: 0x7d,
  i64ExtendI32U: 0xad,
  prefixFc: 0xfc,
} as const;

/** Of the prefix 0xfc. */
export const bulkOpcodes = { memoryCopy: 10, memoryFill: 11 } as const;

export const valueTypes = { i32: 0x7f, i64: 0x7e } as const;
export const emptyBlockType = 0x40;

const magicAndVersion = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/** A cursor over bytes. */
export class WasmReader {
  readonly bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  byte(): number {
    const value = this.bytes[this.at];
    assert(value !== undefined, 'the module ends early');
    this.at += 1;
    return value;
  }

  take(length: number): Uint8Array {
    assert(this.at + length <= this.bytes.length, 'the module ends early');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  unsigned(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const next = this.byte();
      value += (next & 0x7f) * 2 ** shift;
      if (next < 0x80) return value;
      assert(shift < 28, 'a number of the module is too long');
    }
  }

  /** Over a signed number whose value does not matter. */
  skipSigned(): void {
    while (this.byte() >= 0x80);
  }

  name(): string {
    return Buffer.from(this.take(this.unsigned())).toString('utf8');
  }
}

export function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80);
    rest = Math.floor(rest / 128);
  }
  return [...bytes, rest];
}

/** For the operand of a constant: not negative here, but the format reads it as signed. */
export function signed(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x40) {
    bytes.push((rest & 0x7f) | 0x80);
    rest = Math.floor(rest / 128);
  }
  return [...bytes, rest];
}

export const wasmName = (text: string): number[] => [
  ...unsigned(Buffer.byteLength(text)),
  ...Buffer.from(text),
];

export function readSections(module: Uint8Array): Section[] {
  const reader = new WasmReader(module);
  const start = reader.take(magicAndVersion.length);
  assert(
    magicAndVersion.every((byte, index) => start[index] === byte),
    'not a WebAssembly module',
  );
  const sections: Section[] = [];
  while (!reader.isAtEnd) {
    const id = reader.byte();
    sections.push({ id, body: reader.take(reader.unsigned()) });
  }
  return sections;
}

export function writeSections(sections: readonly Section[]): Uint8Array {
  const parts = sections.map(({ id, body }) =>
    Buffer.concat([Buffer.from([id, ...unsigned(body.length)]), body]),
  );
  return new Uint8Array(Buffer.concat([Buffer.from(magicAndVersion), ...parts]));
}

function skipBulkOperands(reader: WasmReader): void {
  const opcode = reader.unsigned();
  if (opcode <= 7) return;
  const { memoryCopy, memoryFill } = bulkOpcodes;
  assert(opcode === memoryCopy || opcode === memoryFill, `bulk instruction ${opcode} is not understood`);
  const memories = opcode === memoryCopy ? 2 : 1;
  for (const memory of reader.take(memories)) assert(memory === 0, 'more than one memory');
}

function skipBranchTable(reader: WasmReader): void {
  const count = reader.unsigned();
  for (let label = 0; label <= count; label += 1) reader.unsigned();
}

/** Moves the reader over one instruction and gives its first byte. */
export function skipInstruction(reader: WasmReader): number {
  const opcode = reader.byte();
  if (opcode <= 0x01 || opcode === 0x05 || opcode === 0x0b || opcode === 0x0f) return opcode;
  if (opcode >= 0x45 && opcode <= 0xc4) return opcode;
  if (opcode === 0x1a || opcode === 0x1b) return opcode;
  if (opcode === opcodes.prefixFc) skipBulkOperands(reader);
  else if (opcode === 0x0e) skipBranchTable(reader);
  else if (opcode >= 0x02 && opcode <= 0x04) reader.skipSigned();
  else if (opcode === 0x0c || opcode === 0x0d || opcode === 0x10) reader.unsigned();
  else if (opcode >= 0x20 && opcode <= 0x24) reader.unsigned();
  else if (opcode === 0x11 || (opcode >= 0x28 && opcode <= 0x3e)) {
    reader.unsigned();
    reader.unsigned();
  } else if (opcode === 0x3f || opcode === 0x40) assert(reader.byte() === 0, 'more than one memory');
  else if (opcode === 0x41 || opcode === 0x42) reader.skipSigned();
  else if (opcode === 0x43) reader.take(4);
  else if (opcode === 0x44) reader.take(8);
  else assert(false, `instruction 0x${opcode.toString(16)} is not understood`);
  return opcode;
}
