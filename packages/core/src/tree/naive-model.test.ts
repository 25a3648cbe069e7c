/**
 * The tree written down a second time, as plainly as its rules allow: a recursion over a sorted list, with
 * no pages, no cache and no batches. Other tests compare with it, and here it meets the fixed vectors that
 * other implementations can check themselves against.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Leaf, TreeReader } from './merkle-tree.ts';

export const sha256 = (bytes: Uint8Array): Uint8Array =>
  new Uint8Array(createHash('sha256').update(bytes).digest());

const tag = sha256(Buffer.from('symbolon/leaf/v1'));
const zeros = new Uint8Array(32);

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
export const bytesFrom = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'));

/** A set of leaves by the hex of their key. */
export type Leaves = Map<string, Uint8Array>;

export function naiveRoot(leaves: Leaves): Uint8Array {
  const sorted = [...leaves].sort(([a], [b]) => (a < b ? -1 : 1));
  return subtree(
    sorted.map(([key, valueHash]) => ({ key: bytesFrom(key), valueHash })),
    0,
  );
}

function subtree(leaves: Leaf[], depth: number): Uint8Array {
  if (leaves.length === 0) return zeros;
  if (leaves.length === 1) {
    const inner = sha256(Buffer.concat([leaves[0].key, leaves[0].valueHash]));
    return sha256(Buffer.concat([inner, tag]));
  }
  const isRight = ({ key }: Leaf): boolean => ((key[depth >> 3] >> (7 - (depth % 8))) & 1) === 1;
  const left = subtree(
    leaves.filter((leaf) => !isRight(leaf)),
    depth + 1,
  );
  return sha256(Buffer.concat([left, subtree(leaves.filter(isRight), depth + 1)]));
}

/** The rows of one tree as a store would keep them. */
export class MemoryRows implements TreeReader {
  readonly records = new Map<string, Uint8Array>();
  readonly values: Leaves = new Map();
  /** The keys of each bucket. */
  readonly buckets = new Map<string, readonly string[]>();
  readonly reads = { nodes: 0, records: 0, leaves: 0 };

  write(update: {
    nodes: readonly (readonly [string, Uint8Array | undefined])[];
    leaves: readonly (readonly [Uint8Array, Uint8Array | undefined])[];
    buckets: readonly (readonly [string, Uint8Array | undefined])[];
  }): void {
    for (const [path, record] of update.nodes) {
      if (record === undefined) this.records.delete(path);
      else this.records.set(path, record.slice());
    }
    for (const [key, valueHash] of update.leaves) {
      if (valueHash === undefined) this.values.delete(hexOf(key));
      else this.values.set(hexOf(key), valueHash);
    }
    for (const [path, keys] of update.buckets) {
      if (keys === undefined) this.buckets.delete(path);
      else this.buckets.set(path, hexOf(keys).match(/.{64}/g) ?? []);
    }
  }

  async nodes(paths: readonly string[]): Promise<(Uint8Array | undefined)[]> {
    this.reads.nodes++;
    this.reads.records += paths.length;
    return paths.map((path) => this.records.get(path));
  }

  async leaves(paths: readonly string[]): Promise<Leaf[][]> {
    this.reads.leaves += paths.length;
    return paths.map((path) =>
      (this.buckets.get(path) ?? []).flatMap((key) => {
        const valueHash = this.values.get(key);
        return valueHash ? [{ key: bytesFrom(key), valueHash }] : [];
      }),
    );
  }
}

export interface TreeVectors {
  tag: string;
  roots: { name: string; leaves: { key: string; valueHash: string }[]; root: string }[];
  proofs: { name: string; root: string; key: string; valueHash: string | null; proof: string }[];
}

export const readVectors = (): TreeVectors =>
  JSON.parse(readFileSync(new URL('../../vectors/tree.json', import.meta.url), 'utf8'));

test('the fixed vectors hold for the naive model', () => {
  const vectors = readVectors();
  assert.equal(vectors.tag, hexOf(tag));
  for (const { name, leaves, root } of vectors.roots) {
    const set: Leaves = new Map(leaves.map(({ key, valueHash }) => [key, bytesFrom(valueHash)]));
    assert.equal(hexOf(naiveRoot(set)), root, name);
  }
});

test('the root of nothing is zeros, and of one leaf that leaf', () => {
  assert.deepEqual(naiveRoot(new Map()), zeros);
  const key = sha256(Buffer.from('key'));
  const valueHash = sha256(Buffer.from('value'));
  const leaf = sha256(Buffer.concat([sha256(Buffer.concat([key, valueHash])), tag]));
  assert.deepEqual(naiveRoot(new Map([[hexOf(key), valueHash]])), leaf);
});
