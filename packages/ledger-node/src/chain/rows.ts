/**
 * Where everything stands in the store: one letter for the kind of row, then what orders the rows of that
 * kind. Numbers are big-endian, so that rows of one block and blocks of one chain lie in order.
 *
 *   h                          the head
 *   b <seq>                    a block: header, consensus value, proof
 *   a                          the header of the block whose snapshot the chain begins with here; empty until it is whole
 *   p <seq>                    hash and reserve of that block, and of blocks before it
 *   c <seq>                    what the validators of a network said of a block, noted after it
 *   r <seq> <index>            what history keeps of a transaction
 *   x <hash>                   a transaction's place: <seq> <index>
 *   s <state key>              an entry of the state
 *   t <namespace> 00 <path>    a node of a state tree
 *   l <namespace> 00 <key>     a leaf of a state tree
 *   k <namespace> 00 <path>    the keys of the leaves in one bucket of a state tree
 *   f <hash>, v <hash>         fee configurations and validator sets by the hash that headers carry
 */
import { concatBytes, decodeUtf8, encodeUtf8 } from '@symbolon/core/basics/bytes';

const tag = (letter: string): Uint8Array => encodeUtf8(letter);
const tags = {
  block: tag('b'),
  commit: tag('c'),
  earlier: tag('p'),
  record: tag('r'),
  place: tag('x'),
  fees: tag('f'),
  validators: tag('v'),
};

export const headRow = tag('h');

export const baseRow = tag('a');

export const earlierRow = (seq: bigint): Uint8Array => concatBytes(tags.earlier, seqBytes(seq));

const hashBytes = 32;

export const encodeEarlier = ({ hash, reserve }: { hash: Uint8Array; reserve: string }): Uint8Array =>
  concatBytes(hash, encodeUtf8(reserve));

export const parseEarlier = (bytes: Uint8Array): { hash: Uint8Array; reserve: string } => ({
  hash: bytes.subarray(0, hashBytes),
  reserve: decodeUtf8(bytes.subarray(hashBytes)),
});

export const blockRow = (seq: bigint): Uint8Array => concatBytes(tags.block, seqBytes(seq));

export const commitRow = (seq: bigint): Uint8Array => concatBytes(tags.commit, seqBytes(seq));

export const recordRow = (seq: bigint, index: number): Uint8Array =>
  concatBytes(tags.record, encodePosition(seq, index));

/** All history rows, in the order of execution. */
export const recordRows = { gte: tags.record, lt: tag('s') };

export const positionRow = (hash: Uint8Array): Uint8Array => concatBytes(tags.place, hash);

export const stateRow = (key: string): Uint8Array => encodeUtf8(`s${key}`);

/** All rows whose state key starts with a text (which must not end in the highest character). */
export function stateRows(prefix: string): { gte: Uint8Array; lt: Uint8Array } {
  const gte = stateRow(prefix);
  const lt = gte.slice();
  lt[lt.length - 1]++;
  return { gte, lt };
}

export const treeNodeRow = (namespace: string, path: string): Uint8Array =>
  encodeUtf8(`t${namespace}\0${path}`);

export const treeLeafRow = (namespace: string, key: Uint8Array): Uint8Array =>
  concatBytes(encodeUtf8(`l${namespace}\0`), key);

export const treeBucketRow = (namespace: string, path: string): Uint8Array =>
  encodeUtf8(`k${namespace}\0${path}`);

/** The leaves below a path of nibbles, written as hex digits. */
export function treeLeafRows(namespace: string, path: string): { gte: Uint8Array; lt: Uint8Array } {
  const prefix = encodeUtf8(`l${namespace}\0`);
  const first = new Uint8Array(32);
  const last = new Uint8Array(33).fill(0xff);
  for (let index = 0; index < path.length; index++) {
    const nibble = Number.parseInt(path[index], 16);
    const shift = index % 2 === 0 ? 4 : 0;
    first[index >> 1] |= nibble << shift;
    last[index >> 1] = (last[index >> 1] & (shift === 4 ? 0x0f : 0xf0)) | (nibble << shift);
  }
  // One byte longer than any key, so that the last possible key lies below it.
  return { gte: concatBytes(prefix, first), lt: concatBytes(prefix, last) };
}

/** All entries of the state, in the order of their keys. */
export const allStateRows = { gte: tag('s'), lt: tag('t') };

/** Everything that is derived from executing blocks: state entries, tree nodes, tree leaves. */
export const rowsOfState = [allStateRows, { gte: tag('t'), lt: tag('u') }, { gte: tag('l'), lt: tag('m') }];

/** What helps to read the trees. A store that an older version wrote may lack some of it. */
export const rowsOfBuckets = { gte: tag('k'), lt: tag('l') };

/** The first bytes of rows that hold history and nothing else. */
export const recordTags: readonly number[] = [tags.record[0], tags.place[0]];

export const feesRow = (hash: Uint8Array): Uint8Array => concatBytes(tags.fees, hash);
export const validatorsRow = (hash: Uint8Array): Uint8Array => concatBytes(tags.validators, hash);

/** A transaction's place in the chain, as rows spell it. */
export function encodePosition(seq: bigint, index: number): Uint8Array {
  const bytes = new Uint8Array(12);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, seq);
  view.setUint32(8, index);
  return bytes;
}

export function parsePosition(bytes: Uint8Array): { seq: bigint; index: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { seq: view.getBigUint64(0), index: view.getUint32(8) };
}

function seqBytes(seq: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, seq);
  return bytes;
}
