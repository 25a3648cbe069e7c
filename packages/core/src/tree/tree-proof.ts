/**
 * Proofs that a key has a value in a tree, or that it is not there, their compact bytes and their check.
 * Pure: whoever holds a root and a proof needs nothing else but SHA-256. Bytes of a proof:
 *
 *   kind (1 the key is there, 2 its place is empty, 3 another leaf stands there)
 *   number of levels, two bytes, big-endian, then one bit a level from the root down: set where there is a sibling
 *   the siblings that are not empty, 32 bytes each; for kind 3 the other leaf's key and value hash
 */
import { assert } from '../basics/assert.ts';
import { equalBytes, type Sha256 } from '../basics/bytes.ts';
import { proofLevelsMax } from '../limits/consensus.ts';
import { emptyHash, hashBytes, isEmptyHash, leafHash, leafTag, pairBytes } from './tree-hash.ts';

export interface Leaf {
  readonly key: Uint8Array;
  readonly valueHash: Uint8Array;
}

export type TreeProof =
  | {
      readonly kind: 'included';
      /** From the root down; 32 zero bytes stand for an empty subtree. */
      readonly siblings: readonly Uint8Array[];
    }
  | {
      readonly kind: 'absent';
      readonly siblings: readonly Uint8Array[];
      /** The only leaf of the subtree the key would be in; undefined if that subtree is empty. */
      readonly other: Leaf | undefined;
    };

const kinds = { included: 1, empty: 2, other: 3 } as const;
const headBytes = 3;

export function encodeTreeProof(proof: TreeProof): Uint8Array {
  const { siblings } = proof;
  assert(siblings.length <= proofLevelsMax, 'a proof has no more levels than a key has bits');
  const present = siblings.filter((sibling) => !isEmptyHash(sibling));
  const other = proof.kind === 'absent' ? proof.other : undefined;
  const bitmapBytes = Math.ceil(siblings.length / 8);
  const hashesAt = headBytes + bitmapBytes;
  const bytes = new Uint8Array(hashesAt + (present.length + (other ? 2 : 0)) * hashBytes);
  bytes[0] = proof.kind === 'included' ? kinds.included : other ? kinds.other : kinds.empty;
  bytes[1] = siblings.length >> 8;
  bytes[2] = siblings.length & 0xff;
  for (const [level, sibling] of siblings.entries()) {
    if (!isEmptyHash(sibling)) bytes[headBytes + (level >> 3)] |= 0x80 >> (level & 7);
  }
  const hashes = other ? [...present, other.key, other.valueHash] : present;
  for (const [index, hash] of hashes.entries()) bytes.set(hash, hashesAt + index * hashBytes);
  return bytes;
}

/** Undefined for anything `encodeTreeProof` would not have written: each proof has exactly one encoding. */
export function decodeTreeProof(bytes: Uint8Array): TreeProof | undefined {
  if (bytes.length < headBytes) return undefined;
  const kind = bytes[0];
  const levels = (bytes[1] << 8) | bytes[2];
  if (kind < kinds.included || kind > kinds.other || levels > proofLevelsMax) return undefined;
  const hashesAt = headBytes + Math.ceil(levels / 8);
  const hashCount = (bytes.length - hashesAt) / hashBytes;
  if (!Number.isInteger(hashCount) || hashCount < 0) return undefined;
  const hashes = Array.from({ length: hashCount }, (_, index) =>
    bytes.slice(hashesAt + index * hashBytes, hashesAt + (index + 1) * hashBytes),
  );
  const isPresent = (level: number): boolean =>
    ((bytes[headBytes + (level >> 3)] << (level & 7)) & 0x80) !== 0;
  const siblings: Uint8Array[] = [];
  let next = 0;
  for (let level = 0; level < levels; level++) {
    const sibling = isPresent(level) ? hashes.at(next++) : emptyHash();
    if (sibling === undefined || isPresent(level) === isEmptyHash(sibling)) return undefined;
    siblings.push(sibling);
  }
  for (let level = levels; level < (hashesAt - headBytes) * 8; level++)
    if (isPresent(level)) return undefined;
  // A subtree with one leaf has no levels below it, so the deepest sibling is never empty.
  if (levels > 0 && !isPresent(levels - 1)) return undefined;
  if (hashCount - next !== (kind === kinds.other ? 2 : 0)) return undefined;
  if (kind === kinds.included) return { kind: 'included', siblings };
  const other = kind === kinds.other ? { key: hashes[next], valueHash: hashes[next + 1] } : undefined;
  return { kind: 'absent', siblings, other };
}

export function verifyInclusion(
  root: Uint8Array,
  key: Uint8Array,
  valueHash: Uint8Array,
  proof: TreeProof,
  sha256: Sha256,
): boolean {
  if (proof.kind !== 'included' || !areHashes([root, key, valueHash])) return false;
  return leadsToRoot(root, { key, siblings: proof.siblings, end: leafHash(key, valueHash, sha256) }, sha256);
}

export function verifyAbsence(root: Uint8Array, key: Uint8Array, proof: TreeProof, sha256: Sha256): boolean {
  if (proof.kind !== 'absent' || !areHashes([root, key])) return false;
  const { siblings, other } = proof;
  if (other === undefined) return leadsToRoot(root, { key, siblings, end: emptyHash() }, sha256);
  if (!areHashes([other.key, other.valueHash])) return false;
  // Another leaf proves something only where it stands on the key's own path.
  if (equalBytes(other.key, key) || !sharesPath(other.key, key, siblings.length)) return false;
  return leadsToRoot(root, { key, siblings, end: leafHash(other.key, other.valueHash, sha256) }, sha256);
}

/** Hashes from the end of a path up to the root. */
function leadsToRoot(
  root: Uint8Array,
  { key, siblings, end }: { key: Uint8Array; siblings: readonly Uint8Array[]; end: Uint8Array },
  sha256: Sha256,
): boolean {
  if (siblings.length > proofLevelsMax || !areHashes(siblings)) return false;
  // No subtree hashes to the tag. Allowed as a sibling, it would let a leaf pass for an inner node.
  if (siblings.some((sibling) => equalBytes(sibling, leafTag))) return false;
  const pair = new Uint8Array(pairBytes);
  let hash = end;
  for (let level = siblings.length - 1; level >= 0; level--) {
    const isRight = bitOf(key, level) === 1;
    pair.set(isRight ? siblings[level] : hash, 0);
    pair.set(isRight ? hash : siblings[level], hashBytes);
    hash = sha256(pair);
  }
  return equalBytes(hash, root);
}

function sharesPath(left: Uint8Array, right: Uint8Array, levels: number): boolean {
  for (let level = 0; level < levels; level++) if (bitOf(left, level) !== bitOf(right, level)) return false;
  return true;
}

const bitOf = (key: Uint8Array, level: number): number => (key[level >> 3] >> (7 - (level & 7))) & 1;

const areHashes = (values: readonly Uint8Array[]): boolean =>
  values.every(({ length }) => length === hashBytes);
