import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { BrokenInvariant } from '@symbolon/core/basics/assert';
import { sha256Hex } from '@symbolon/host/work/sha256';
import fc from 'fast-check';
import { buildMeteredModule, type Provenance, provenanceFile } from './build.ts';
import { meterModule } from './meter-module.ts';
import {
  checked,
  engineSha256,
  meteredModuleFile,
  meteringOptions,
  readWorldText,
} from './metered-module.ts';
import {
  readSections,
  sectionIds,
  signed,
  skipInstruction,
  unsigned,
  WasmReader,
  writeSections,
} from './wasm-binary.ts';

const original = () =>
  new Uint8Array(readFileSync(createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm')));

describe('the committed module', () => {
  test('is what the build makes of the installed interpreter, byte for byte', () => {
    const { module, provenance } = buildMeteredModule();
    assert.equal(sha256Hex(module), engineSha256.module);
    assert.equal(sha256Hex(readFileSync(meteredModuleFile)), engineSha256.module);
    assert.deepEqual(JSON.parse(readFileSync(provenanceFile, 'utf8')) as Provenance, provenance);
  });

  test('another one is refused', () => {
    const bytes = readFileSync(meteredModuleFile);
    bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1;
    assert.throws(() => checked(bytes, 'module'), BrokenInvariant);
    assert.throws(() => checked(Buffer.from(original()), 'module'), BrokenInvariant);
    assert.throws(() => checked(Buffer.from(`${readWorldText()}\n`), 'world'), BrokenInvariant);
  });
});

describe('metering refuses what it was not written for', () => {
  const refused = (module: Uint8Array, pattern: RegExp) =>
    assert.throws(() => meterModule(module, meteringOptions), pattern);
  const withSection = (id: number, body: readonly number[]) =>
    writeSections(
      readSections(original()).map((section) =>
        section.id === id ? { id, body: new Uint8Array(body) } : section,
      ),
    );

  test('no module at all, and half of one', () => {
    refused(new Uint8Array(), /ends early/);
    refused(new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]), /not a WebAssembly module/);
    refused(original().subarray(0, 300_000), /ends early/);
  });

  test('a module that is metered already', () => {
    refused(
      new Uint8Array(readFileSync(meteredModuleFile)),
      /stack pointer is not the only global|memory is not one/,
    );
  });

  test('other memories, globals and imports', () => {
    refused(withSection(sectionIds.memory, [1, 1, 18, 32]), /memory is not one/);
    refused(withSection(sectionIds.globals, [1, 0x7f, 0, 0x41, 0, 0x0b]), /not a variable/);
    refused(withSection(sectionIds.globals, [0]), /not the only global/);
    refused(withSection(sectionIds.imports, [1, 1, 0x65, 1, 0x6d, 2, 0, 1]), /else than a function/);
    refused(withSection(sectionIds.exports, [0]), /JS_ThrowOutOfMemory is not exported/);
    refused(withSection(sectionIds.code, [0]), /ends early|do not match/);
  });

  test('a stack that is smaller than its bound', () => {
    assert.throws(
      () => meterModule(original(), { ...meteringOptions, stackBytesMax: 2 ** 30 }),
      /smaller than its bound/,
    );
  });

  for (const [name, bytes] of [
    ['vector instructions', [0xfd, 0x0c]],
    ['atomic instructions', [0xfe, 0x00]],
    ['a tail call', [0x12, 0x00]],
    ['exceptions', [0x06, 0x40]],
    ['a second memory', [0x3f, 0x01]],
    ['bulk copies of tables', [0xfc, 14, 0, 0]],
    ['copies between memories', [0xfc, 10, 0, 1]],
    ['an instruction without its operand', [0x41]],
    ['a number that is too long', [0x20, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00]],
  ] as const) {
    test(name, () =>
      assert.throws(() => skipInstruction(new WasmReader(new Uint8Array(bytes))), BrokenInvariant),
    );
  }
});

describe('numbers of the format', () => {
  test('are read as they were written', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 31 - 1 }), (value) => {
        assert.equal(new WasmReader(new Uint8Array(unsigned(value))).unsigned(), value);
        const reader = new WasmReader(new Uint8Array([...signed(value), 0xff]));
        reader.skipSigned();
        assert.equal(reader.bytes.length - reader.at, 1);
        assert.equal((signed(value).at(-1) as number) & 0x40, 0);
      }),
    );
  });

  test('sections come back as they were', () => {
    assert.equal(sha256Hex(writeSections(readSections(original()))), sha256Hex(original()));
  });
});
