/**
 * The state trees' rows in memory, for tests: written and read as a node's store does it, so that a tree can be
 * opened again from its rows alone.
 */
import { encodeHex, type Sha256 } from '../../basics/bytes.ts';
import { type Leaf, MerkleTree, TreeCache } from '../../tree/merkle-tree.ts';
import { hashPairsWith } from '../../tree/tree-hash.ts';
import type { HashedState, TreeOf } from '../execution/state-trees.ts';

/** Few enough that small trees have several pages. */
const bucketLeavesMax = 2;

export class MemoryTrees {
  readonly #sha256: Sha256;
  readonly #nodes = new Map<string, Uint8Array>();
  readonly #leaves = new Map<string, Leaf>();
  readonly #buckets = new Map<string, Uint8Array>();
  #treeOf: TreeOf;

  constructor(sha256: Sha256) {
    this.#sha256 = sha256;
    this.#treeOf = this.#open();
  }

  readonly treeOf: TreeOf = (namespace) => this.#treeOf(namespace);

  /** Writes the rows of a hashed state, then makes it the trees' own. */
  commit({ updates }: HashedState): void {
    for (const { namespace, update } of updates) {
      for (const [path, record] of update.nodes) put(this.#nodes, `${namespace}:${path}`, record);
      for (const [key, valueHash] of update.leaves) {
        put(this.#leaves, `${namespace}:${encodeHex(key)}`, valueHash && { key, valueHash });
      }
      for (const [path, keys] of update.buckets) put(this.#buckets, `${namespace}:${path}`, keys);
    }
    for (const { tree, update } of updates) tree.commit(update);
  }

  /** Forgets everything but the rows. */
  reopen(): void {
    this.#treeOf = this.#open();
  }

  #open(): TreeOf {
    const cache = new TreeCache();
    const hashPairs = hashPairsWith(this.#sha256);
    return (namespace) =>
      new MerkleTree(
        {
          nodes: async (paths) => paths.map((path) => this.#nodes.get(`${namespace}:${path}`)),
          leaves: async (paths) =>
            paths.map((path) => {
              const keys = encodeHex(this.#buckets.get(`${namespace}:${path}`) ?? new Uint8Array(0));
              return (keys.match(/.{64}/g) ?? []).map(
                (key) => this.#leaves.get(`${namespace}:${key}`) as Leaf,
              );
            }),
        },
        hashPairs,
        { cache, namespace, bucketLeavesMax },
      );
  }
}

function put<Value>(rows: Map<string, Value>, key: string, value: Value | undefined): void {
  if (value === undefined) rows.delete(key);
  else rows.set(key, value);
}
