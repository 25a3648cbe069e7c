/**
 * Brings into the cache what updating or proving some keys needs, level by level for all keys at once: one
 * read of node records a level, and one scan for each bucket. Everything read is hashed and compared with
 * the hash the node above it (or the root record) names, so that damage in the store shows here.
 */
import { assert } from '../assert.ts';
import { encodeHex, equalBytes } from '../bytes.ts';
import { treeLimits } from '../limits.ts';
import { recordAt, valueAt, writeHeads } from './bucket.ts';
import { CachedNode } from './cached-node.ts';
import { emptySlot } from './hash-plan.ts';
import { bytesOf, compareKeys } from './key-words.ts';
import { decodeNodeRecord, hexDigits, leafClassOf, type NodeRecord } from './node-record.ts';
import {
  childHashAt,
  childIsPage,
  childLeaves,
  onlyLeafChild,
  pageChildren,
  pageLevels,
  readClasses,
  writeChildStates,
} from './page.ts';
import type { TreeCache, TreeWorkspace } from './tree-cache.ts';
import { type HashPairs, hashBytes } from './tree-hash.ts';
import type { Leaf } from './tree-proof.ts';

/** The stored rows of one tree. */
export interface TreeReader {
  /** The records of these nodes, undefined where there is none. */
  nodes(paths: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>;
  /** The leaf rows whose key starts with the hex digits of the path, in key order. */
  leaves(path: string): Promise<readonly Leaf[]>;
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
  readonly parent: CachedNode | undefined;
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

/** Loads and then calls `use` at once, before anything else can run and drop a node again. */
export async function withLoaded<T>(
  context: TreeContext,
  keys: readonly Uint8Array[],
  use: () => T,
): Promise<T> {
  const { cache, tree } = context;
  for (const key of keys) assert(key.length === hashBytes, 'tree keys are 32 bytes long');
  let waiting = keys;
  let { epoch, evictions } = cache;
  for (;;) {
    // The state has moved on, or a node on the way of a key that was complete has been dropped.
    if (cache.epoch !== epoch || cache.evictions !== evictions) waiting = keys;
    ({ epoch, evictions } = cache);
    const root = cache.root(tree);
    const walk = new LoadWalk();
    if (root !== undefined) {
      root.used = true;
      waiting = waiting.filter((key) => !walk.isLoaded(root, key));
      if (waiting.length === 0) return use();
    }
    await cache.readable();
    if (cache.epoch !== epoch) continue;
    const missing = root === undefined ? [await readRoot(context)] : [...walk.missing.values()];
    const found = await readNodes(context, missing);
    // What was read while the state moved on may be of either state, or of both.
    if (cache.epoch === epoch) install(context, found);
  }
}

/** Follows keys through the cached nodes and notes, by path, where that ends too early. */
class LoadWalk {
  readonly missing = new Map<string, MissingNode>();
  readonly #classes = new Uint8Array(2 * pageChildren);

  isLoaded(root: CachedNode, key: Uint8Array): boolean {
    let node = root;
    let isLoaded = true;
    for (let digit = 0; node.isPage; digit++) {
      node.used = true;
      const child = (key[digit >> 1] >> (digit % 2 === 0 ? 4 : 0)) & 15;
      const isEmpty = childLeaves(node.words, child) === 0;
      if (isEmpty && !this.#isNeighbourLoaded(node, child, () => encodeHex(key).slice(0, digit)))
        isLoaded = false;
      const next = node.children[child];
      if (next === undefined) {
        if (isEmpty && !childIsPage(node.words, child)) return isLoaded;
        this.#miss(node, child, encodeHex(key).slice(0, digit + 1));
        return false;
      }
      node = next;
    }
    node.used = true;
    return isLoaded;
  }

  /** The proof that a key is absent names the leaf that stands alone in its place, wherever that is stored. */
  #isNeighbourLoaded(page: CachedNode, child: number, pathOf: () => string): boolean {
    readClasses(page.words, this.#classes);
    let place = pageChildren + child;
    while (place > 1 && this.#classes[place] === 0) place >>= 1;
    if (this.#classes[place] !== 1) return true;
    let node = page;
    let path = pathOf();
    while (node.isPage) {
      const only = onlyLeafChild(this.#classes, place);
      path += hexDigits[only];
      const next = node.children[only];
      if (next === undefined) {
        this.#miss(node, only, path);
        return false;
      }
      next.used = true;
      if (next.isPage) readClasses(next.words, this.#classes);
      place = 1;
      node = next;
    }
    return true;
  }

  #miss(parent: CachedNode, child: number, path: string): void {
    if (this.missing.has(path)) return;
    const leaves = childLeaves(parent.words, child);
    const hash = leaves === 0 ? undefined : bytesOf(parent.words, childHashAt(child));
    const record = { isPage: childIsPage(parent.words, child), leaves, hash };
    this.missing.set(path, { path, parent, child, record });
  }
}

async function readRoot({ reader }: TreeContext): Promise<MissingNode> {
  const [record] = await reader.nodes(['']);
  return { path: '', parent: undefined, child: 0, record: decodeNodeRecord(record) };
}

async function readNodes({ reader }: TreeContext, missing: readonly MissingNode[]): Promise<FoundNode[]> {
  const pages = missing.filter(({ record }) => record.isPage);
  const buckets = missing.filter(({ record }) => !record.isPage);
  const found: FoundNode[] = [];
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
  const scanBuckets = async (): Promise<void> => {
    while (next < buckets.length) {
      const bucket = buckets[next++];
      const leaves = bucket.record.leaves === 0 ? [] : await reader.leaves(bucket.path);
      found.push({ missing: bucket, children: [], leaves });
    }
  };
  const scans = Array.from({ length: Math.min(buckets.length, treeLimits.scansInFlightMax) }, scanBuckets);
  await Promise.all(pages.length > 0 ? [readPages(), ...scans] : scans);
  return found;
}

function install({ cache, tree, hashPairs }: TreeContext, found: readonly FoundNode[]): void {
  const { workspace } = cache;
  const { plan, patches } = workspace;
  workspace.restart();
  const planned = found.map((node) => {
    const from = patches.length;
    const cached = node.missing.record.isPage ? planPage(node, workspace) : planBucket(node, workspace);
    return { node, cached, from, to: patches.length };
  });
  plan.run(hashPairs);
  for (const { node, cached, from, to } of planned) {
    const { path, parent, child, record } = node.missing;
    patches.apply(from, to, cached.words, plan);
    const holds = record.hash === undefined || equalBytes(cached.hash, record.hash);
    assert(holds, `the stored rows below node '${path}' of tree '${tree}' have another hash than its record`);
    // Meanwhile another load may have brought it, or its page may have been dropped.
    const isWanted = parent === undefined ? !cache.root(tree) : parent.isCached && !parent.children[child];
    if (isWanted) cache.attach(cached, { tree, parent, child });
  }
}

function planPage({ missing, children }: FoundNode, workspace: TreeWorkspace): CachedNode {
  const page = CachedNode.page();
  const bytes = new Uint8Array(page.words.buffer);
  const depth = missing.path.length * pageLevels;
  const frame = workspace.frameAt(depth).start(page.words);
  for (const [child, { hash, leaves, isPage }] of children.entries()) {
    if (hash !== undefined) bytes.set(hash, childHashAt(child) * 4);
    const slot = leaves === 0 ? emptySlot : workspace.plan.put(page.words, childHashAt(child));
    frame.change(child, { slot, leaves, isPage });
  }
  writeChildStates(page.words, frame.childStates);
  const { leaves } = frame.plan(page.words, depth, workspace);
  assert(
    leaves === missing.record.leaves,
    `tree page '${missing.path}' has as many leaves as its record says`,
  );
  return page;
}

function planBucket({ missing, leaves }: FoundNode, { buckets, pool }: TreeWorkspace): CachedNode {
  const { path, record } = missing;
  assert(
    leafClassOf(leaves.length) === record.leaves,
    `tree bucket '${path}' has as many leaves as its record says`,
  );
  const bucket = CachedNode.bucket(leaves.length, pool);
  const { words } = bucket;
  const bytes = new Uint8Array(words.buffer);
  for (const [index, { key, valueHash }] of leaves.entries()) {
    assert(
      key.length === hashBytes && valueHash.length === hashBytes,
      'tree keys and value hashes are 32 bytes long',
    );
    const at = recordAt(words, index);
    bytes.set(key, at * 4);
    bytes.set(valueHash, (at + valueAt) * 4);
    const rises = index === 0 || compareKeys(words, recordAt(words, index - 1), words, at) < 0;
    assert(rises, `the leaf rows below tree bucket '${path}' come in key order`);
    assert(encodeHex(key).startsWith(path), `the leaf rows below tree bucket '${path}' start with it`);
  }
  const depth = path.length * pageLevels;
  writeHeads(words, leaves.length, depth);
  buckets.planAll(words, depth, leaves.length);
  return bucket;
}
