/**
 * The update of a tree: one pass over the sorted changes down to the buckets and back, which plans every
 * hash, then the hashing, then the rows to write. A bucket or page that keeps its shape is patched when the
 * update is committed; one that does not is built anew. Until then the cache stays as it is.
 */
import { assert } from '../assert.ts';
import { treeLimits } from '../limits.ts';
import type { SortedChanges } from './bucket-merge.ts';
import { CachedNode } from './cached-node.ts';
import { applySaved } from './hash-plan.ts';
import { compareKeys, copyHash, hashWords, keyNibble, nibbleEnd, sortKeys, wordsOf } from './key-words.ts';
import { hexDigits, leafClassOf, recordBytes, recordHead } from './node-record.ts';
import {
  type ChangedNode,
  type ChildStates,
  childIsPage,
  childLeaves,
  pageLevels,
  writeChildStates,
} from './page.ts';
import type { TreeWorkspace } from './tree-cache.ts';
import { emptyHash } from './tree-hash.ts';
import type { TreeContext } from './tree-loader.ts';

export interface TreeChange {
  readonly key: Uint8Array;
  /** Undefined removes the key. */
  readonly valueHash: Uint8Array | undefined;
}

/** A node whose hashes change in place, with its run of the saved patches. */
interface PatchedNode {
  readonly node: CachedNode;
  readonly path: string;
  readonly from: number;
  readonly to: number;
  /** For a page. */
  readonly childStates: ChildStates | undefined;
}

/** A node that takes the place of another, or of none. */
interface CreatedNode {
  readonly node: CachedNode;
  readonly path: string;
  readonly parent: CachedNode | undefined;
  readonly child: number;
}

export interface PlannedUpdate {
  readonly root: Uint8Array;
  readonly nodes: readonly (readonly [path: string, record: Uint8Array | undefined])[];
  readonly leaves: readonly (readonly [key: Uint8Array, valueHash: Uint8Array | undefined])[];
  readonly patched: readonly PatchedNode[];
  readonly patches: Uint32Array;
  readonly created: readonly CreatedNode[];
}

const noPatches = new Uint32Array(0);

export function planUpdate(
  context: TreeContext,
  root: CachedNode,
  changes: readonly TreeChange[],
): PlannedUpdate {
  const { workspace } = context.cache;
  const { plan, patches } = workspace;
  workspace.restart();
  const { sorted, order } = sortChanges(changes);
  const pass = new UpdatePass(context, sorted);
  const changed = pass.updateRoot(root);
  if (changed === undefined) {
    return { root: root.hash, nodes: [], leaves: [], patched: [], patches: noPatches, created: [] };
  }
  plan.run(context.hashPairs);
  pass.finishCreated();
  const leaves: [Uint8Array, Uint8Array | undefined][] = [];
  for (let index = 0; index < sorted.length; index++) {
    if (sorted.effective[index] === 0) continue;
    const { key, valueHash } = changes[order[index]];
    leaves.push([key, valueHash]);
  }
  const { patched, created } = pass;
  return {
    root: plan.bytes(changed.slot),
    nodes: pass.records(),
    leaves,
    patched,
    patches: patched.length > 0 ? patches.save(plan) : noPatches,
    created,
  };
}

/** Makes a planned update the cached state. */
export function installUpdate(
  { cache, tree }: TreeContext,
  { patched, patches, created }: PlannedUpdate,
): void {
  for (const { node, path, from, to, childStates } of patched) {
    // A node that left the cache may have come back from the store before the write.
    if (!node.isCached) {
      cache.forget(tree, path);
      continue;
    }
    applySaved(patches, from, to, node.words);
    if (childStates !== undefined) writeChildStates(node.words, childStates);
  }
  for (const { node, path, parent, child } of created) {
    if (parent === undefined || parent.isCached) cache.attach(node, { tree, parent, child });
    else cache.forget(tree, path);
  }
  cache.moveOn();
  cache.trim();
}

/** Where a node stands in the tree as it is cached. */
interface Place {
  readonly path: string;
  readonly parent: CachedNode | undefined;
  readonly child: number;
}

function sortChanges(changes: readonly TreeChange[]): { sorted: SortedChanges; order: readonly number[] } {
  assert(changes.length <= treeLimits.updateKeysMax, 'an update has a bounded number of keys');
  const { words, order } = sortKeys(changes.map(({ key }) => key));
  for (let index = 1; index < order.length; index++) {
    const rises = compareKeys(words, (index - 1) * hashWords, words, index * hashWords) < 0;
    assert(rises, 'an update changes each key once');
  }
  const none = emptyHash();
  const given = wordsOf(changes.map(({ valueHash }) => valueHash ?? none));
  const values = new Uint32Array(given.length);
  const removed = new Uint8Array(order.length);
  for (let index = 0; index < order.length; index++) {
    copyHash(given, order[index] * hashWords, values, index * hashWords);
    removed[index] = changes[order[index]].valueHash === undefined ? 1 : 0;
  }
  const effective = new Uint8Array(order.length);
  return { sorted: { length: order.length, keys: words, values, removed, effective }, order };
}

class UpdatePass {
  readonly patched: PatchedNode[] = [];
  readonly created: CreatedNode[] = [];
  readonly #context: TreeContext;
  readonly #workspace: TreeWorkspace;
  readonly #changes: SortedChanges;
  /** Every created node, those below other created ones too, with its run of the patches. */
  readonly #builds: { readonly node: CachedNode; readonly from: number; readonly to: number }[] = [];
  readonly #recordPaths: string[] = [];
  readonly #recordStates: ChangedNode[] = [];

  constructor(context: TreeContext, changes: SortedChanges) {
    this.#context = context;
    this.#workspace = context.cache.workspace;
    this.#changes = changes;
  }

  /** Plans everything; undefined if no change makes a difference. */
  updateRoot(root: CachedNode): ChangedNode | undefined {
    return this.#updateNode(root, { path: '', parent: undefined, child: 0 }, 0, this.#changes.length);
  }

  /** Puts the computed hashes into the created nodes, which nobody sees before the commit. */
  finishCreated(): void {
    const { plan, patches } = this.#workspace;
    for (const { node, from, to } of this.#builds) patches.apply(from, to, node.words, plan);
  }

  records(): [string, Uint8Array | undefined][] {
    const { plan } = this.#workspace;
    const states = this.#recordStates;
    const bytes = new Uint8Array(states.reduce((total, { leaves }) => total + recordBytes(leaves), 0));
    let at = 0;
    return states.map(({ slot, leaves, isPage }, index) => {
      const path = this.#recordPaths[index];
      if (leaves === 0 && !isPage) return [path, undefined];
      const from = at;
      at += recordBytes(leaves);
      bytes[from] = recordHead(isPage, leaves);
      if (leaves > 0) plan.copyBytes(slot, bytes, from + 1);
      return [path, bytes.subarray(from, at)];
    });
  }

  #updateNode(node: CachedNode, place: Place, lo: number, hi: number): ChangedNode | undefined {
    const changed = node.isPage
      ? this.#updatePage(node, place, lo, hi)
      : this.#updateBucket(node, place, lo, hi);
    if (changed !== undefined) this.#noteRecord(place.path, changed);
    return changed;
  }

  #updatePage(page: CachedNode, { path }: Place, lo: number, hi: number): ChangedNode | undefined {
    const depth = path.length * pageLevels;
    const frame = this.#workspace.frameAt(depth).start(page.words);
    const { keys } = this.#changes;
    for (let at = lo; at < hi; ) {
      const child = keyNibble(keys, at * hashWords, depth);
      const end = nibbleEnd(keys, at, hi, depth);
      const place = { path: path + hexDigits[child], parent: page, child };
      const changed = this.#updateNode(childOf(page, place), place, at, end);
      if (changed !== undefined) frame.change(child, changed);
      at = end;
    }
    if (!frame.hasChanges) return undefined;
    const from = this.#workspace.patches.length;
    const changed = frame.plan(page.words, depth, this.#workspace);
    const to = this.#workspace.patches.length;
    this.patched.push({ node: page, path, from, to, childStates: frame.childStates });
    return changed;
  }

  #updateBucket(bucket: CachedNode, place: Place, lo: number, hi: number): ChangedNode | undefined {
    const { merge, buckets, patches } = this.#workspace;
    const { path, parent, child } = place;
    const depth = path.length * pageLevels;
    const { words, count } = bucket;
    const touched = merge.merge({ words, count, depth, changes: this.#changes, lo, hi });
    if (touched === 'nothing') return undefined;
    if (touched === 'keys') {
      const { node, changed } = this.#build(path, 0, merge.length);
      this.created.push({ node, path, parent, child });
      return changed;
    }
    const from = patches.length;
    const slot = buckets.planMerged(words, depth, { merge, from: 0, to: count });
    this.patched.push({ node: bucket, path, from, to: patches.length, childStates: undefined });
    return { slot, leaves: leafClassOf(count), isPage: false };
  }

  /** A range of the merged leaves: a bucket, or a page of buckets if they are too many for one. */
  #build(path: string, from: number, to: number): { node: CachedNode; changed: ChangedNode } {
    if (to - from > this.#context.bucketLeavesMax) return this.#buildPage(path, from, to);
    const { merge, buckets, patches, pool } = this.#workspace;
    const node = CachedNode.bucket(to - from, pool);
    const depth = path.length * pageLevels;
    merge.copy(from, to, node.words, depth);
    const patchesFrom = patches.length;
    const slot = buckets.planMerged(node.words, depth, { merge, from, to });
    this.#builds.push({ node, from: patchesFrom, to: patches.length });
    return { node, changed: { slot, leaves: leafClassOf(to - from), isPage: false } };
  }

  #buildPage(path: string, from: number, to: number): { node: CachedNode; changed: ChangedNode } {
    const { merge, patches } = this.#workspace;
    const depth = path.length * pageLevels;
    const page = CachedNode.page();
    const frame = this.#workspace.frameAt(depth).start(page.words);
    for (let at = from; at < to; ) {
      const child = merge.nibble(at, depth);
      let end = at + 1;
      while (end < to && merge.nibble(end, depth) === child) end++;
      const childPath = path + hexDigits[child];
      const { node, changed } = this.#build(childPath, at, end);
      page.adopt(node, child);
      frame.change(child, changed);
      this.#noteRecord(childPath, changed);
      at = end;
    }
    writeChildStates(page.words, frame.childStates);
    const patchesFrom = patches.length;
    const changed = frame.plan(page.words, depth, this.#workspace);
    this.#builds.push({ node: page, from: patchesFrom, to: patches.length });
    return { node: page, changed };
  }

  #noteRecord(path: string, state: ChangedNode): void {
    this.#recordPaths.push(path);
    this.#recordStates.push(state);
  }
}

function childOf(page: CachedNode, { path, child }: Place): CachedNode {
  const node = page.children[child];
  if (node !== undefined) return node;
  const isEmptyBucket = childLeaves(page.words, child) === 0 && !childIsPage(page.words, child);
  assert(isEmptyBucket, `tree node '${path}' is loaded before it is updated`);
  return CachedNode.emptyBucket;
}
