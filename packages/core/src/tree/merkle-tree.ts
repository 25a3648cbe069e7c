/**
 * The authenticated state: a compressed binary sparse Merkle tree over 32-byte keys, whose root depends on
 * the set of keys and value hashes and on nothing else. On disk it is cut into pages of four levels: one
 * small record for each node at a nibble path and one row for each leaf, so a change writes only its leaf
 * row and the records above it. Which keys a bucket has stands in a row of its own, written when they change:
 * reading rows whose keys are known takes a quarter of looking for them. Reading is asynchronous, updating is not:
 *
 *   await tree.loadAndUpdate(changes) → write nodes, leaves and buckets of the update → tree.commit(update)
 *
 * Other loads may run meanwhile: those that the commit overtakes begin again. Where proofs are made beside the
 * updates, `load` and then `update` is not enough: see `loadAndUpdate`.
 * Hash rules: `tree-hash.ts`. Proofs and their check: `tree-proof.ts`.
 */
import { assert } from '../basics/assert.ts';
import { equalBytes } from '../basics/bytes.ts';
import { treeLimits } from '../limits/tree.ts';
import { bucketHashAt, bucketLeavesBound } from './bucket.ts';
import { bytesOf } from './key-words.ts';
import { isPage, leafCount, noNode } from './node-memory.ts';
import { heapOf, pageHashAt } from './page.ts';
import { TreeCache } from './tree-cache.ts';
import { emptyHash, type HashPairs } from './tree-hash.ts';
import { type TreeContext, type TreeReader, withLoaded } from './tree-loader.ts';
import type { TreeProof } from './tree-proof.ts';
import { proveKey } from './tree-prover.ts';
import { installUpdate, type PlannedUpdate, planUpdate, type TreeChange } from './tree-updater.ts';

export { TreeCache } from './tree-cache.ts';
export type { HashPairs } from './tree-hash.ts';
export type { TreeReader } from './tree-loader.ts';
export type { Leaf, TreeProof } from './tree-proof.ts';
export type { TreeChange } from './tree-updater.ts';

export interface TreeOptions {
  /** Shared by trees of different namespaces; a tree without one has its own. */
  readonly cache?: TreeCache;
  /** Keeps trees in one cache apart. */
  readonly namespace?: string;
  /** How many leaves stand in one bucket before it splits; no root depends on it. */
  readonly bucketLeavesMax?: number;
}

/** The next state of a tree: its root, the rows to write, and the changed nodes waiting for the commit. */
export class TreeUpdate {
  readonly root: Uint8Array;
  /** Node records to write; undefined deletes the record. */
  readonly nodes: PlannedUpdate['nodes'];
  /** Leaf rows to write; undefined deletes the row. Changes that change nothing are left out. */
  readonly leaves: PlannedUpdate['leaves'];
  /** The keys, one after the other, of each bucket whose keys changed; undefined where there is none any more. */
  readonly buckets: PlannedUpdate['buckets'];
  readonly #planned: PlannedUpdate | undefined;
  readonly #before: Uint8Array;
  #isCommitted = false;

  constructor(before: Uint8Array, planned: PlannedUpdate | undefined) {
    this.root = planned?.root ?? before;
    this.nodes = planned?.nodes ?? [];
    this.leaves = planned?.leaves ?? [];
    this.buckets = planned?.buckets ?? [];
    this.#planned = planned;
    this.#before = before;
  }

  /** Gives the changed nodes away, once, to a tree that still has the root this update started from. */
  takePlanned(current: Uint8Array | undefined): PlannedUpdate | undefined {
    assert(!this.#isCommitted, 'a tree update is committed once');
    const isNext = current === undefined || equalBytes(current, this.#before);
    assert(isNext, 'a tree update follows the state it started from');
    this.#isCommitted = true;
    return this.#planned;
  }
}

export class MerkleTree {
  readonly #context: TreeContext;

  constructor(reader: TreeReader, hashPairs: HashPairs, options: TreeOptions = {}) {
    const { cache = new TreeCache(), namespace = '', bucketLeavesMax = treeLimits.bucketLeavesMax } = options;
    assert(
      bucketLeavesMax >= 1 && bucketLeavesMax <= bucketLeavesBound,
      'a bucket holds one leaf to its bound',
    );
    this.#context = { reader, hashPairs, cache, tree: namespace, bucketLeavesMax };
  }

  /** Brings into the cache what updating or proving these keys needs, and always the root. */
  async load(keys: readonly Uint8Array[]): Promise<void> {
    await withLoaded(this.#context, keys, () => undefined);
  }

  /** The root of the committed state; loaded by any `load`. */
  root(): Uint8Array {
    const root = this.#cachedRoot();
    assert(root, `the tree '${this.#context.tree}' is loaded before it is used`);
    return root;
  }

  /** The state after these changes. The keys are loaded and each is named once; the tree itself stays as it is. */
  update(changes: readonly TreeChange[]): TreeUpdate {
    return new TreeUpdate(this.root(), planUpdate(this.#context, changes));
  }

  /** Makes an update the committed state, after its rows are durable. */
  commit(update: TreeUpdate): void {
    const planned = update.takePlanned(this.#cachedRoot());
    if (planned !== undefined) installUpdate(this.#context, planned);
    this.#context.cache.trim();
  }

  /** The proof for a loaded key, present or absent, against `root()`. */
  prove(key: Uint8Array): TreeProof {
    assert(this.#cachedRoot(), `the tree '${this.#context.tree}' is loaded before it is used`);
    return proveKey(this.#context, key);
  }

  /** Loads and updates as one step: nothing else runs between that could drop a node from the cache. */
  loadAndUpdate(changes: readonly TreeChange[]): Promise<TreeUpdate> {
    const keys = changes.map(({ key }) => key);
    return withLoaded(this.#context, keys, () => this.update(changes));
  }

  /** Loads and proves as one step. What it loaded is subject to the bound of the cache at once. */
  async loadAndProve(key: Uint8Array): Promise<{ readonly root: Uint8Array; readonly proof: TreeProof }> {
    const answer = await withLoaded(this.#context, [key], () => ({
      root: this.root(),
      proof: this.prove(key),
    }));
    this.#context.cache.trim();
    return answer;
  }

  #cachedRoot(): Uint8Array | undefined {
    const { cache, tree } = this.#context;
    const { words } = cache.memory;
    const node = cache.root(tree);
    if (node === noNode) return undefined;
    if (isPage(words, node)) return bytesOf(words, heapOf(node) + pageHashAt);
    return leafCount(words, node) === 0 ? emptyHash() : bytesOf(words, bucketHashAt(node));
  }
}
