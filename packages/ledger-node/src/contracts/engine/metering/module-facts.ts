/**
 * What the interpreter's module says of itself, as far as the metering needs it: counts, so that new entries can be
 * appended, the shape of every function, and where stack and memory start. A module built in another way than the one
 * the metering was written for is refused here.
 */
import { assert } from '@symbolon/core/basics/assert';
import { emptyBlockType, opcodes, type Section, sectionIds, valueTypes, WasmReader } from './wasm-binary.ts';

export interface FunctionShape {
  readonly parameters: number;
  /** The type of a block that gives what the function gives. */
  readonly blockType: number;
}

export interface ModuleFacts {
  readonly typeCount: number;
  readonly importedFunctions: number;
  /** Of the functions with a body, in their order. */
  readonly functions: readonly FunctionShape[];
  readonly globalCount: number;
  readonly memoryPages: number;
  readonly stackTop: number;
  /** The function that QuickJS calls when an allocation fails. */
  readonly outOfMemory: number;
}

function bodyOf(sections: readonly Section[], id: number): WasmReader {
  const found = sections.filter((section) => section.id === id);
  assert(found.length === 1, `section ${id} is not there once`);
  return new WasmReader((found[0] as Section).body);
}

function readTypes(reader: WasmReader): FunctionShape[] {
  return readList(reader, () => {
    assert(reader.byte() === 0x60, 'a type is not a function');
    const parameters = reader.take(reader.unsigned()).length;
    const results = reader.take(reader.unsigned());
    assert(results.length <= 1, 'a function gives more than one value');
    return { parameters, blockType: results[0] ?? emptyBlockType };
  });
}

function readList<Entry>(reader: WasmReader, readEntry: () => Entry): Entry[] {
  return Array.from({ length: reader.unsigned() }, readEntry);
}

function countImportedFunctions(reader: WasmReader): number {
  return readList(reader, () => {
    reader.name();
    reader.name();
    assert(reader.byte() === 0, 'something else than a function is imported');
    reader.unsigned();
  }).length;
}

/** The module has one global, the stack pointer, and the stack lies below all data. */
function readStackTop(reader: WasmReader): number {
  assert(reader.unsigned() === 1, 'the stack pointer is not the only global');
  assert(reader.byte() === valueTypes.i32 && reader.byte() === 1, 'the stack pointer is not a variable');
  assert(reader.byte() === opcodes.i32Const, 'the stack pointer has no plain start');
  return reader.unsigned();
}

function readMemoryPages(reader: WasmReader): number {
  assert(reader.unsigned() === 1 && reader.byte() === 0, 'the memory is not one without a maximum');
  return reader.unsigned();
}

function findExportedFunction(reader: WasmReader, wanted: string): number {
  const entries = readList(reader, () => ({
    name: reader.name(),
    kind: reader.byte(),
    index: reader.unsigned(),
  }));
  const found = entries.find(({ name, kind }) => name === wanted && kind === 0);
  assert(found, `${wanted} is not exported`);
  return found.index;
}

export function readFacts(sections: readonly Section[]): ModuleFacts {
  const types = readTypes(bodyOf(sections, sectionIds.types));
  const functions = bodyOf(sections, sectionIds.functions);
  return {
    typeCount: types.length,
    importedFunctions: countImportedFunctions(bodyOf(sections, sectionIds.imports)),
    functions: readList(functions, () => {
      const shape = types[functions.unsigned()];
      assert(shape, 'a function has no type');
      return shape;
    }),
    globalCount: bodyOf(sections, sectionIds.globals).unsigned(),
    memoryPages: readMemoryPages(bodyOf(sections, sectionIds.memory)),
    stackTop: readStackTop(bodyOf(sections, sectionIds.globals)),
    outOfMemory: findExportedFunction(bodyOf(sections, sectionIds.exports), 'JS_ThrowOutOfMemory'),
  };
}
