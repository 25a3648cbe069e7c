/**
 * Where everything stands in the index: one letter for the kind of row, then what orders the rows of that kind. The
 * state that blocks are executed on again has the rows that the chain's store gives it (`chain/rows.ts`): s, t, l, k.
 *
 *   H                          how far the index reaches, and what it has counted
 *   B <seq>                    the figures of a block, as JSON
 *   D <seq>, Y <hash>          a block's hash by its number, and the other way round
 *   T <seq> <index>            a transaction in short, as JSON
 *   S <seq> <index>            that it is a signed one; F, a failed one
 *   E <seq> <index>            what a signed transaction changed, as JSON
 *   X <hash>                   a transaction's place: <seq> <index>, and the index of the signed one that caused it
 *   A <address> 00 <seq> <index>   which part an account had in a transaction
 *   U <address>                what is known of an account
 *   N <seq> <ordinal>          the address of an account that a block created; C, of a contract
 */
import { concatBytes, encodeUtf8 } from '@symbolon/core/basics/bytes';
import { encodePosition } from '../chain/rows.ts';
import type { KeyRange } from '../store/store.ts';

/** Raised whenever rows come to mean something else: an index of another version is made anew. */
export const indexFormat = 1;

const letters = 'HBDYTSFEXAUNC';
type Letter = 'H' | 'B' | 'D' | 'Y' | 'T' | 'S' | 'F' | 'E' | 'X' | 'A' | 'U' | 'N' | 'C';
const tags = new Map([...letters].map((letter) => [letter, encodeUtf8(letter)]));
const tag = (letter: Letter): Uint8Array => tags.get(letter) as Uint8Array;

export const reachRow: Uint8Array = tag('H');
export const positionBytes = 12;

/** The rows of things that have a place in the chain: a block's number, and an index in it. */
export type PlacedLetter = 'T' | 'S' | 'F' | 'E' | 'N' | 'C';

export const placedRow = (letter: PlacedLetter, position: Uint8Array): Uint8Array =>
  concatBytes(tag(letter), position);

export const figuresRow = (seq: bigint): Uint8Array => concatBytes(tag('B'), numberBytes(seq));
export const blockHashRow = (seq: bigint): Uint8Array => concatBytes(tag('D'), numberBytes(seq));
export const blockOfHashRow = (hash: Uint8Array): Uint8Array => concatBytes(tag('Y'), hash);
export const placeRow = (hash: Uint8Array): Uint8Array => concatBytes(tag('X'), hash);
export const accountRow = (address: string): Uint8Array => encodeUtf8(`U${address}`);

const accountPrefix = (address: string): Uint8Array => encodeUtf8(`A${address}\0`);
export const accountTransactionRow = (address: string, position: Uint8Array): Uint8Array =>
  concatBytes(accountPrefix(address), position);

/** The place that a row's key ends in. */
export const positionOf = (key: Uint8Array): Uint8Array => key.subarray(-positionBytes);

/** Places from one up to but without another. */
export interface PlaceRange {
  readonly from?: Uint8Array | undefined;
  readonly to?: Uint8Array | undefined;
}

const firstPlace = new Uint8Array(positionBytes);
/** One byte longer than any place, so that the last possible one lies below it. */
const beyondPlaces = new Uint8Array(positionBytes + 1).fill(0xff);

const within = (prefix: Uint8Array, { from = firstPlace, to = beyondPlaces }: PlaceRange): KeyRange => ({
  gte: concatBytes(prefix, from),
  lt: concatBytes(prefix, to),
});

export const placedRows = (letter: PlacedLetter, range: PlaceRange = {}): KeyRange =>
  within(tag(letter), range);

export const accountTransactionRows = (address: string, range: PlaceRange = {}): KeyRange =>
  within(accountPrefix(address), range);

export const figuresRows = (from: bigint, to: bigint): KeyRange => ({
  gte: figuresRow(from),
  lt: figuresRow(to + 1n),
});

/** Rows of hashes that begin with these hex digits. */
export function hashRows(letter: 'X' | 'Y', digits: string): KeyRange {
  const [first, last] = ['0', 'f'].map((digit) => Buffer.from(digits.padEnd(64, digit), 'hex'));
  return { gte: concatBytes(tag(letter), first), lt: concatBytes(tag(letter), last, Uint8Array.of(0)) };
}

/** Rows of accounts whose address begins with this text. */
export function accountRows(beginning: string): KeyRange {
  const gte = accountRow(beginning);
  return { gte, lt: concatBytes(gte, Uint8Array.of(0xff)) };
}

/** The place after this one: what a page that goes on begins with. */
export function placeAfter(position: Uint8Array): Uint8Array {
  return concatBytes(position, Uint8Array.of(0));
}

export const placeOf = (seq: bigint, index: number): Uint8Array => encodePosition(seq, index);

function numberBytes(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value);
  return bytes;
}

/** Whole numbers one after the other, as rows hold them. */
export function encodeNumbers(values: readonly bigint[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 8);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of values.entries()) view.setBigUint64(index * 8, value);
  return bytes;
}

export function parseNumbers(bytes: Uint8Array, count: number): bigint[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: count }, (_, index) => view.getBigUint64(index * 8));
}
