import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { attribute } from './constants.ts';
import {
  allocate,
  blockAddress,
  copyIn,
  erase,
  packGcmParameters,
  packInitializeArguments,
  packMechanism,
  packQuery,
  packTemplate,
  packWord,
  readAnswers,
  readWord,
} from './native-memory.ts';
import { Pkcs11Error } from './pkcs11-error.ts';

const words = (bytes: Buffer) =>
  Array.from({ length: bytes.length / 8 }, (_, index) => bytes.readBigUInt64LE(index * 8));

const isMalformed = (error: unknown) => error instanceof Pkcs11Error && error.code === 'answerMalformed';

describe('memory for a module', () => {
  test('stays where it is, however small', () => {
    const blocks = Array.from({ length: 50 }, (_, size) => allocate(size));
    const before = blocks.map(blockAddress);
    assert.equal(new Set(before).size, blocks.length, 'each has a place of its own');
    const garbage = Array.from({ length: 2_000 }, () => Buffer.alloc(4_096));
    assert.equal(garbage.length, 2_000);
    assert.deepEqual(blocks.map(blockAddress), before);
  });

  test('is a copy that can be erased', () => {
    const secret = Uint8Array.of(1, 2, 3);
    const block = copyIn(secret);
    secret[0] = 9;
    assert.deepEqual([...block.bytes], [1, 2, 3]);
    erase(block);
    assert.deepEqual([...block.bytes], [0, 0, 0]);
  });

  test('holds words exactly, and no word beyond what a number holds', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        assert.equal(readWord(packWord(value).bytes), value);
      }),
    );
    for (const value of [2n ** 53n, 2n ** 64n - 1n]) {
      const block = allocate(8);
      block.bytes.writeBigUInt64LE(value);
      assert.throws(() => readWord(block.bytes), isMalformed);
    }
  });
});

describe('structures', () => {
  test('of attributes: type, pointer, length', () => {
    const block = packTemplate([
      [attribute.token, true],
      [attribute.extractable, false],
      [attribute.valueLength, 32],
      [attribute.label, 'ключ'],
      [attribute.id, Uint8Array.of(7, 8)],
    ]);
    const [truth, lie, number, text, bytes] = block.holds;
    assert.deepEqual(words(block.bytes), [
      ...[0x001n, blockAddress(truth!), 1n],
      ...[0x162n, blockAddress(lie!), 1n],
      ...[0x161n, blockAddress(number!), 8n],
      ...[0x003n, blockAddress(text!), 8n],
      ...[0x102n, blockAddress(bytes!), 2n],
    ]);
    assert.deepEqual([truth!.bytes[0], lie!.bytes[0], readWord(number!.bytes)], [1, 0, 32]);
    assert.equal(text!.bytes.toString('utf8'), 'ключ');
    assert.deepEqual([...bytes!.bytes], [7, 8]);
  });

  test('of a mechanism with and without parameters', () => {
    assert.deepEqual(words(packMechanism(0x1057).bytes), [0x1057n, 0n, 0n]);
    const parameters = packGcmParameters({ iv: new Uint8Array(12), aad: new Uint8Array(5), tagBytes: 16 });
    const [iv, aad] = parameters.holds;
    assert.deepEqual(words(parameters.bytes), [blockAddress(iv!), 12n, 96n, blockAddress(aad!), 5n, 128n]);
    assert.deepEqual(words(packMechanism(0x1087, parameters).bytes), [
      0x1087n,
      blockAddress(parameters),
      48n,
    ]);
  });

  test('of the arguments of C_Initialize: no functions of our own, the flags, a null', () => {
    assert.deepEqual(words(packInitializeArguments(2).bytes), [0n, 0n, 0n, 0n, 2n, 0n]);
  });
});

describe('answers of a module', () => {
  const asked = [
    [attribute.id, 4],
    [attribute.label, 4],
  ] as const;

  test('are read to the length that it tells', () => {
    const query = packQuery(asked);
    query.holds[0]!.bytes.set([1, 2, 3, 4]);
    query.bytes.writeBigUInt64LE(2n, 16);
    query.bytes.writeBigUInt64LE(2n ** 64n - 1n, 40);
    assert.deepEqual(readAnswers(query), [Buffer.from([1, 2]), undefined]);
  });

  test('are refused when it tells a length beyond the room', () => {
    for (const length of [5n, 2n ** 32n, 2n ** 64n - 2n]) {
      const query = packQuery(asked);
      query.bytes.writeBigUInt64LE(length, 16);
      assert.throws(() => readAnswers(query), isMalformed);
    }
  });
});
