/**
 * How values lie in the interpreter's memory: a value is eight bytes, with its kind in the upper four; the members of an
 * object stand in a row of values; a text is its length, what kind of text it is, and its characters. To read and write
 * them where they lie takes a fraction of what a call of the interpreter takes. The interpreter is known by its hash, so
 * that none of this moves; `world.ts` has the interpreter confirm it all the same whenever it makes a world.
 */
import { assert } from '@symbolon/core/basics/assert';

/** What stands in the upper half of a value. Everything else is the upper half of a number with a fraction. */
export const kinds = {
  text: -7,
  /** A text in parts, which only the interpreter can put together. */
  joinedText: -6,
  object: -1,
  integer: 0,
  boolean: 1,
  null: 2,
} as const;
const kindFirst = -9;
const kindLast = 7;

/** Taken off the upper half of a number with a fraction, so that no usual one looks like another kind. */
const numberOffset = 0x7ff8_000a;

/** Of a text: its length with a mark for two bytes a character, then its kind, and further on its characters. */
const textKindAt = 4;
const textCharsAt = 24;
const wideMark = 0x8000_0000;
const lengthMask = 0x7fff_ffff;
/** A text whose characters stand in another one has this set. */
const elsewhereMask = 0x3000_0000;

/** Of an object: where its members are. */
const membersAt = 16;
/** More than any object has that is looked into. */
const membersMax = 1_024;

/** The handle of a value is its address. Addresses of values and texts are multiples of four. */
export class ValueMemory {
  readonly bytes: Buffer;
  readonly #words: Uint32Array;
  /** One number, as such and in halves; the machine is little-endian, as WebAssembly is. */
  readonly #number = new Float64Array(1);
  readonly #halves = new Uint32Array(this.#number.buffer);

  constructor(memory: ArrayBuffer) {
    this.bytes = Buffer.from(memory);
    this.#words = new Uint32Array(memory);
  }

  wordAt(address: number): number {
    return this.#words[address >> 2];
  }

  putWord(address: number, word: number): void {
    this.#words[address >> 2] = word;
  }

  kindAt(address: number): number {
    return this.#words[(address >> 2) + 1] | 0;
  }

  copyValue(from: number, to: number): void {
    this.#words[to >> 2] = this.#words[from >> 2];
    this.#words[(to >> 2) + 1] = this.#words[(from >> 2) + 1];
  }

  /** Nothing for a value that is no number. */
  numberAt(address: number): number | undefined {
    const kind = this.kindAt(address);
    if (kind === kinds.integer) return this.wordAt(address) | 0;
    if (kind >= kindFirst && kind <= kindLast) return undefined;
    this.#halves[0] = this.wordAt(address);
    this.#halves[1] = kind + numberOffset;
    return this.#number[0];
  }

  /** A whole number of 32 bits is written as the interpreter writes it: as such. */
  putNumber(address: number, value: number): void {
    const at = address >> 2;
    if ((value | 0) === value && !Object.is(value, -0)) {
      this.#words[at] = value;
      this.#words[at + 1] = kinds.integer;
      return;
    }
    this.#number[0] = value;
    this.#words[at] = this.#halves[0];
    this.#words[at + 1] = this.#halves[1] - numberOffset;
  }

  /** Nothing where the characters of the text at `text` stand elsewhere. */
  textAt(text: number): string | undefined {
    if (this.wordAt(text + textKindAt) & elsewhereMask) return undefined;
    const word = this.wordAt(text);
    const length = word & lengthMask;
    const start = text + textCharsAt;
    return word & wideMark
      ? this.bytes.toString('utf16le', start, start + 2 * length)
      : this.bytes.toString('latin1', start, start + length);
  }

  /** Writes other characters into a text that was made to hold at least as many; whether all of them are ASCII. */
  putText(text: number, characters: string): boolean {
    this.putWord(text, characters.length);
    return this.putAscii(text + textCharsAt, characters);
  }

  /** The characters and a zero after them; false, and nothing to rely on, if not all are ASCII. */
  putAscii(address: number, characters: string): boolean {
    const { length } = characters;
    const { bytes } = this;
    let all = 0;
    for (let index = 0; index < length; index += 1) {
      const unit = characters.charCodeAt(index);
      bytes[address + index] = unit;
      all |= unit;
    }
    bytes[address + length] = 0;
    return all < 0x80;
  }

  /** Two bytes a character. */
  putUnits(address: number, characters: string): void {
    this.bytes.write(characters, address, 'utf16le');
  }

  /** Where the member of an object stands that is this number: the first, since what lies behind may be anything. */
  memberThatIs(object: number, value: number): number {
    let address = this.wordAt(this.wordAt(object) + membersAt);
    const end = address + 8 * membersMax;
    while (address < end && this.numberAt(address) !== value) address += 8;
    assert(address < end, 'a member of an object stands where it is expected');
    return address;
  }
}
