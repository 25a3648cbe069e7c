/**
 * Brings into the cache what updating or proving some keys needs, level by level for all keys at once: node records and
 * buckets are read many at a time. Everything read is hashed and compared with the hash the node above it (or the root
 * record) names, so that damage in the store shows here.
 */
import { assert } from '../basics/assert.ts';
import { encodeHex, equalBytes } from '../basics/bytes.ts';
import { treeLimits } from '../limits/tree.ts';
import { bucketLeavesBound, runWords, valueAt } from './bucket.ts';
import type { BuiltNode, BuiltWords } from './built-nodes.ts';
import { applyPatches, emptyDigest } from './hash-plan.ts';
import { bytesOf, compareKeys } from './key-words.ts';
import { generationOf, isPage, markUsed, noNode } from './node-memory.ts';
import { decodeNodeRecord, hexDigits, leafClassOf, type NodeRecord } from './node-record.ts';
import {
  childHashAt,
  childIsPage,
  childLeaves,
  childOf,
  heapOf,
  heapWords,
  leavesBelow,
  noChildStates,
  onlyLeafChild,
  pageChildren,
  pageLevels,
  readChildStates,
} from './page.ts';
import type { TreeCache } from './tree-cache.ts';
import { type HashPairs, hashBytes } from './tree-hash.ts';
import type { Leaf } from './tree-proof.ts';
import type { TreeWorkspace } from './tree-workspace.ts';

/** The stored rows of one tree as last committed: what is written shows here no sooner than the commit, and with it. */
export interface TreeReader {
  /** The records of these nodes, undefined where there is none. */
  nodes(paths: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>;
  /** For each of these buckets its leaves, in key order. */
  leaves(paths: readonly string[]): Promise<readonly (readonly Leaf[])[]>;
}

/** One tree: its rows, its name in the cache, its way to hash. */
export interface TreeContext {
  readonly reader: TreeReader;
  readonly hashPairs: HashPairs;
  readonly cache: TreeCache;
  readonly tree: string;
  readonly bucketLeavesMax: number;
}

/** A node that is not cached, below one that is. */
interface MissingNode {
  readonly path: string;
  /** `noNode` for the root. */
  readonly parent: number;
  readonly parentGeneration: number;
  readonly child: number;
  /** What the node above says. */
  readonly record: NodeRecord;
}

interface FoundNode {
  readonly missing: MissingNode;
  /** Records of the children of a page. */
  readonly children: readonly NodeRecord[];
  /** Rows of a bucket. */
  readonly leaves: readonly Leaf[];
}

/** Loads and then calls `use` at once, before anything else can run and change the cache. */
export async function withLoaded<T>(
  context: TreeContext,
  keys: readonly Uint8Array[],
  use: () => T,
): Promise<T> {
  const { cache, tree } = context;
  for (const key of keys) assert(key.length === hashBytes, 'tree keys are 32 bytes long');
  const endLoad = cache.startLoad();
  try {
    let waiting = keys;
    for (let epoch = cache.epoch; ; ) {
      // The state has moved on: no key can be taken as complete.
      if (cache.epoch !== epoch) waiting = keys;
      epoch = cache.epoch;
      const root = cache.root(tree);
      const walk = new LoadWalk(cache);
      if (root !== noNode) {
        markUsed(cache.memory.words, root, cache.clock);
        waiting = waiting.filter((key) => !walk.isLoaded(root, key));
        if (waiting.length === 0) return use();
      }
      const missing = root === noNode ? [await readRoot(context)] : [...walk.missing.values()];
      const found = await readNodes(context, missing);
      // What was read while the state moved on may be of either state, or of both.
      if (cache.epoch === epoch) install(context, found);
    }
  } finally {
    endLoad();
  }
}

/** Follows keys through the cached nodes and notes, by path, where that ends too early. */
class LoadWalk {
  readonly missing = new Map<string, MissingNode>();
  readonly #words: Uint32Array;
  readonly #now: number;

  constructor({ memory, clock }: TreeCache) {
    this.#words = memory.words;
    this.#now = clock;
  }

  isLoaded(root: number, key: Uint8Array): boolean {
    const words = this.#words;
    let node = root;
    let isLoaded = true;
    for (let digit = 0; isPage(words, node); digit++) {
      markUsed(words, node, this.#now);
      const child = digitOf(key, digit);
      const isEmpty = childLeaves(words, node, child) === 0;
      if (isEmpty && !this.#isNeighbourLoaded(node, child, encodeHex(key).slice(0, digit))) isLoaded = false;
      const next = childOf(words, node, child);
      if (next === noNode) {
        if (isEmpty && !childIsPage(words, node, child)) return isLoaded;
        this.#miss(node, child, encodeHex(key).slice(0, digit + 1));
        return false;
      }
      node = next;
    }
    markUsed(words, node, this.#now);
    return isLoaded;
  }

  /** The proof that a key is absent names the leaf that stands alone in its place, wherever that is stored. */
  #isNeighbourLoaded(page: number, child: number, pagePath: string): boolean {
    const words = this.#words;
    let { classes } = readChildStates(words, page);
    let place = pageChildren + child;
    while (place > 1 && leavesBelow(classes, place) === 0) place >>= 1;
    if (leavesBelow(classes, place) !== 1) return true;
    let node = page;
    let path = pagePath;
    for (;;) {
      const only = onlyLeafChild(classes, place);
      path += hexDigits[only];
      const next = childOf(words, node, only);
      if (next === noNode) {
        this.#miss(node, only, path);
        return false;
      }
      markUsed(words, next, this.#now);
      if (!isPage(words, next)) return true;
      ({ classes } = readChildStates(words, next));
      place = 1;
      node = next;
    }
  }

  #miss(parent: number, child: number, path: string): void {
    if (this.missing.has(path)) return;
    const words = this.#words;
    const leaves = childLeaves(words, parent, child);
    const hash = leaves === 0 ? undefined : bytesOf(words, heapOf(parent) + childHashAt(child));
    const record = { isPage: childIsPage(words, parent, child), leaves, hash };
    this.missing.set(path, { path, parent, parentGeneration: generationOf(words, parent), child, record });
  }
}

async function readRoot({ reader }: TreeContext): Promise<MissingNode> {
  const [record] = await reader.nodes(['']);
  return { path: '', parent: noNode, parentGeneration: 0, child: 0, record: decodeNodeRecord(record) };
}

async function readNodes({ reader }: TreeContext, missing: readonly MissingNode[]): Promise<FoundNode[]> {
  const pages = missing.filter(({ record }) => record.isPage);
  const buckets = missing.filter(({ record }) => !record.isPage && record.leaves > 0);
  const empty = missing.filter(({ record }) => !record.isPage && record.leaves === 0);
  const found: FoundNode[] = empty.map((bucket) => ({ missing: bucket, children: [], leaves: [] }));
  const readPages = async (): Promise<void> => {
    const paths = pages.flatMap(({ path }) => Array.from(hexDigits, (digit) => path + digit));
    const records = await reader.nodes(paths);
    assert(records.length === paths.length, 'a tree reader answers for every path');
    for (const [index, page] of pages.entries()) {
      const from = index * pageChildren;
      const children = records.slice(from, from + pageChildren).map(decodeNodeRecord);
      found.push({ missing: page, children, leaves: [] });
    }
  };
  let next = 0;
  const readBuckets = async (): Promise<void> => {
    while (next < buckets.length) {
      const some = buckets.slice(next, next + treeLimits.bucketsPerRead);
      next += some.length;
      const leaves = await reader.leaves(some.map(({ path }) => path));
      assert(leaves.length === some.length, 'a tree reader answers for every bucket');
      for (const [index, bucket] of some.entries())
        found.push({ missing: bucket, children: [], leaves: leaves[index] });
    }
  };
  const reads = Array.from({ length: treeLimits.readsInFlightMax }, readBuckets);
  await Promise.all(pages.length > 0 ? [readPages(), ...reads] : reads);
  return found;
}

function install({ cache, tree, hashPairs }: TreeContext, found: readonly FoundNode[]): void {
  const { workspace, memory } = cache;
  const { plan, patches } = workspace;
  workspace.restart();
  const built = workspace.newBuiltWords();
  const planned = found.map((node) => ({
    ...node.missing,
    ...(node.missing.record.isPage ? planPage(node, workspace, built) : planBucket(node, workspace, built)),
  }));
  applyPatches(patches.finish(plan.run(hashPairs)), 0, patches.length, built.words);
  for (const { path, parent, parentGeneration, child, record, node, digest } of planned) {
    const holds = record.hash === undefined || equalBytes(plan.bytes(digest), record.hash);
    assert(holds, `the stored rows below node '${path}' of tree '${tree}' have another hash than its record`);
    // Meanwhile another load may have brought it, or its page may have been dropped.
    const isWanted =
      parent === noNode
        ? cache.root(tree) === noNode
        : generationOf(memory.words, parent) === parentGeneration &&
          childOf(memory.words, parent, child) === noNode;
    if (isWanted) cache.attach(node, built, { tree, parent, child });
  }
  workspace.recycle(built);
}

interface PlannedNode {
  readonly node: BuiltNode;
  readonly digest: number;
}

function planPage(
  { missing, children }: FoundNode,
  workspace: TreeWorkspace,
  built: BuiltWords,
): PlannedNode {
  const depth = missing.path.length * pageLevels;
  const offset = built.takeZeros(heapWords);
  const bytes = new Uint8Array(built.words.buffer);
  const frame = workspace.frameAt(depth).start(noChildStates);
  for (const [child, { hash, leaves, isPage }] of children.entries()) {
    const at = offset + childHashAt(child);
    if (hash !== undefined) bytes.set(hash, at * 4);
    const digest = leaves === 0 ? emptyDigest : workspace.plan.known(built.words, at);
    frame.change(child, { digest, leaves, isPage });
  }
  const { digest, leaves } = frame.plan(built.words, offset, depth, workspace);
  assert(
    leaves === missing.record.leaves,
    `tree page '${missing.path}' has as many leaves as its record says`,
  );
  return { node: { isPage: true, offset, childStates: frame.childStates, children: [] }, digest };
}

function planBucket(
  { missing, leaves }: FoundNode,
  workspace: TreeWorkspace,
  built: BuiltWords,
): PlannedNode {
  const { path, record } = missing;
  const count = leaves.length;
  assert(leafClassOf(count) === record.leaves, `tree bucket '${path}' has as many leaves as its record says`);
  assert(count <= bucketLeavesBound, `tree bucket '${path}' has a bounded number of leaves`);
  const depth = path.length * pageLevels;
  const offset = built.take(runWords(count));
  const bytes = new Uint8Array(built.words.buffer);
  const bucket = workspace.builtBucket.openRun(built.words, offset, count, depth);
  for (const [index, { key, valueHash }] of leaves.entries()) {
    const isWhole = key.length === hashBytes && valueHash.length === hashBytes;
    assert(isWhole, 'tree keys and value hashes are 32 bytes long');
    assert(isBelow(path, key), `the leaf rows below tree bucket '${path}' start with it`);
    const at = bucket.keyAt(index);
    bytes.set(key, at * 4);
    bytes.set(valueHash, (at + valueAt) * 4);
    const rises = index === 0 || compareKeys(built.words, bucket.keyAt(index - 1), built.words, at) < 0;
    assert(rises, `the leaf rows below tree bucket '${path}' come in key order`);
  }
  const digest = workspace.hashing.planAll(bucket.readHeads());
  return { node: { isPage: false, depth, count, offset }, digest };
}

const digitOf = (key: Uint8Array, digit: number): number =>
  (key[digit >> 1] >> (digit % 2 === 0 ? 4 : 0)) & 15;

/** Whether a key begins with a path: asked of every leaf that is read, so without making a text of it. */
function isBelow(path: string, key: Uint8Array): boolean {
  for (let digit = 0; digit < path.length; digit++) {
    if (hexDigits[digitOf(key, digit)] !== path[digit]) return false;
  }
  return true;
}
