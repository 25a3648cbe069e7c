/**
 * The stored form of one node: a head byte with shape and count class, then the hash unless the subtree is
 * empty. A node is named by its nibble path, a text of hex digits, '' for the root. A missing record means
 * an empty bucket. The content of a page is its sixteen child records, that of a bucket its leaf rows.
 */
import { assert } from '../basics/assert.ts';
import { hashBytes } from './tree-hash.ts';

/** How many leaves a subtree has, as far as its hash depends on it: none, one, two or more. */
export type LeafClass = 0 | 1 | 2;

export const hexDigits = '0123456789abcdef';

const pageFlag = 0x04;

export interface NodeRecord {
  readonly isPage: boolean;
  readonly leaves: LeafClass;
  /** Absent where there are no leaves. */
  readonly hash: Uint8Array | undefined;
}

const emptyBucketRecord: NodeRecord = { isPage: false, leaves: 0, hash: undefined };

export const recordBytes = (leaves: LeafClass): number => (leaves === 0 ? 1 : 1 + hashBytes);

export const recordHead = (isPage: boolean, leaves: LeafClass): number =>
  isPage ? pageFlag | leaves : leaves;

/** A record that does not decode is damage in the store, so it is a broken invariant, not a refusal. */
export function decodeNodeRecord(record: Uint8Array | undefined): NodeRecord {
  if (record === undefined) return emptyBucketRecord;
  const head = record[0];
  const leaves = head & 0x03;
  assert(leaves <= 2 && (head & ~(pageFlag | 0x03)) === 0, 'a tree node record has a known head');
  assert(
    record.length === recordBytes(leaves as LeafClass),
    'a tree node record has the length of its class',
  );
  return {
    isPage: (head & pageFlag) !== 0,
    leaves: leaves as LeafClass,
    hash: leaves === 0 ? undefined : record.subarray(1),
  };
}

export const leafClassOf = (count: number): LeafClass => (count > 1 ? 2 : (count as LeafClass));
