/**
 * Memory as a PKCS#11 module wants it on 64-bit Linux (x64 and arm64 alike): eight bytes to a number or a pointer, the
 * lowest first, every member of a structure at a multiple of its size. Pure apart from asking where a piece lies.
 */
import koffi from 'koffi';
import { Pkcs11Error } from './pkcs11-error.ts';

export const wordBytes = 8;
/** What a module writes in place of a length it does not tell. */
const unavailable = 2n ** 64n - 1n;

/** Bytes that stay where they are, and the pieces that they point to. */
export interface NativeBlock {
  readonly bytes: Buffer;
  /** Nothing reads it: as long as the block lives, so does what it points to. */
  readonly holds: readonly NativeBlock[];
}

/** Zeroed memory. Memory of an `ArrayBuffer` of its own is never moved, which small arrays otherwise are. */
export const allocate = (size: number): NativeBlock => ({
  bytes: Buffer.from(new ArrayBuffer(Math.max(size, 1))),
  holds: [],
});

export function copyIn(bytes: Uint8Array): NativeBlock {
  const block = allocate(bytes.length);
  block.bytes.set(bytes);
  return block;
}

export const blockAddress = ({ bytes }: NativeBlock): bigint => koffi.address(bytes);

export function packWord(value: number): NativeBlock {
  const block = allocate(wordBytes);
  block.bytes.writeBigUInt64LE(BigInt(value));
  return block;
}

/** A word as a number; one that a number does not hold exactly is no length, handle or result. */
export function readWord(bytes: Buffer, offset = 0): number {
  const value = bytes.readBigUInt64LE(offset);
  if (value > BigInt(Number.MAX_SAFE_INTEGER))
    throw new Pkcs11Error('answerMalformed', 'The hardware module answered with a number out of all bounds.');
  return Number(value);
}

/** A structure of words only: numbers, and pointers to other blocks. */
export function packWords(words: readonly (number | NativeBlock)[]): NativeBlock {
  const bytes = Buffer.from(new ArrayBuffer(Math.max(words.length, 1) * wordBytes));
  const holds: NativeBlock[] = [];
  words.forEach((word, index) => {
    const isPointer = typeof word !== 'number';
    if (isPointer) holds.push(word);
    bytes.writeBigUInt64LE(isPointer ? blockAddress(word) : BigInt(word), index * wordBytes);
  });
  return { bytes, holds };
}

export type TokenAttribute = boolean | number | string | Uint8Array;

export type TokenTemplate = readonly (readonly [type: number, value: TokenAttribute])[];

/** CK_BBOOL is a byte, CK_ULONG a word, text is UTF-8 without an end mark. */
function packValue(value: TokenAttribute): { readonly block: NativeBlock; readonly size: number } {
  if (typeof value === 'number') return { block: packWord(value), size: wordBytes };
  const bytes =
    typeof value === 'boolean'
      ? Uint8Array.of(value ? 1 : 0)
      : typeof value === 'string'
        ? Buffer.from(value, 'utf8')
        : value;
  return { block: copyIn(bytes), size: bytes.length };
}

/** CK_ATTRIBUTE[]: type, pointer and length of each value. */
export function packTemplate(template: TokenTemplate): NativeBlock {
  return packWords(
    template.flatMap(([type, value]) => {
      const { block, size } = packValue(value);
      return [type, block, size];
    }),
  );
}

/** CK_ATTRIBUTE[] with room for answers. */
export function packQuery(wanted: readonly (readonly [type: number, sizeMax: number])[]): NativeBlock {
  return packWords(wanted.flatMap(([type, sizeMax]) => [type, allocate(sizeMax), sizeMax]));
}

/** What a module wrote into the room of a query; undefined for a value that it does not have or does not show. */
export function readAnswers({ bytes, holds }: NativeBlock): (Buffer | undefined)[] {
  return holds.map((room, index) => {
    const length = bytes.readBigUInt64LE((3 * index + 2) * wordBytes);
    if (length === unavailable) return undefined;
    if (length > BigInt(room.bytes.length))
      throw new Pkcs11Error('answerMalformed', 'The hardware module claims to have written past the end.');
    return Buffer.from(room.bytes.subarray(0, Number(length)));
  });
}

/** CK_MECHANISM. */
export const packMechanism = (type: number, parameters?: NativeBlock): NativeBlock =>
  packWords([type, parameters ?? 0, parameters ? parameters.bytes.length : 0]);

export interface GcmParameters {
  readonly iv: Uint8Array;
  readonly aad: Uint8Array;
  readonly tagBytes: number;
}

/** CK_GCM_PARAMS of version 2.40: pointer and lengths (bytes, bits) of the IV, of the further data, bits of the tag. */
export const packGcmParameters = ({ iv, aad, tagBytes }: GcmParameters): NativeBlock =>
  packWords([copyIn(iv), iv.length, iv.length * 8, copyIn(aad), aad.length, tagBytes * 8]);

const nullWord = 0;

/** CK_C_INITIALIZE_ARGS without functions of our own: the module locks with what the system has. */
export const packInitializeArguments = (flags: number): NativeBlock =>
  packWords([nullWord, nullWord, nullWord, nullWord, flags, nullWord]);

/** Overwrites a block that held a secret. */
export const erase = ({ bytes }: NativeBlock): void => void bytes.fill(0);
