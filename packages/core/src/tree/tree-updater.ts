/**
 * The update of a tree: one pass over the sorted changes down to the buckets and back, which plans every hash, then the
 * hashing, then the rows to write. A bucket or page that keeps its shape is patched when the update is committed; one
 * that does not is built anew. Until then the cache stays as it is.
 */
import { assert } from '../basics/assert.ts';
import { treeLimits } from '../limits/tree.ts';
import { type BucketView, runWords } from './bucket.ts';
import type { SortedChanges } from './bucket-merge.ts';
import type { BuiltNode, BuiltWords } from './built-nodes.ts';
import { applyPatches, type Patches } from './hash-plan.ts';
import {
  bytesOf,
  compareKeys,
  copyHash,
  hashWords,
  keyNibble,
  nibbleEnd,
  sortKeys,
  wordsOf,
} from './key-words.ts';
import { generationOf, isPage, noNode } from './node-memory.ts';
import { hexDigits, leafClassOf, recordBytes, recordHead } from './node-record.ts';
import {
  type ChangedNode,
  type ChildStates,
  childIsPage,
  childLeaves,
  childOf,
  heapOf,
  heapWords,
  noChildStates,
  pageLevels,
  readChildStates,
  writeChildStates,
} from './page.ts';
import { emptyHash, hashBytes } from './tree-hash.ts';
import type { TreeContext } from './tree-loader.ts';
import type { TreeWorkspace } from './tree-workspace.ts';

export interface TreeChange {
  readonly key: Uint8Array;
  /** Undefined removes the key. */
  readonly valueHash: Uint8Array | undefined;
}

/** A cached node and its place in the tree. */
interface NamedNode {
  /** `noNode` for an empty bucket that is not cached. */
  readonly node: number;
  readonly path: string;
  /** `noNode` for the root. */
  readonly parent: number;
  readonly child: number;
}

/** A node whose hashes change in place, with its run of the saved patches. */
interface PatchedNode {
  readonly node: number;
  readonly generation: number;
  readonly path: string;
  readonly from: number;
  readonly to: number;
  /** For a page. */
  readonly childStates: ChildStates | undefined;
}

/** A node that takes the place of another, or of none. */
interface CreatedNode {
  readonly built: BuiltNode;
  readonly path: string;
  readonly parent: number;
  readonly parentGeneration: number;
  readonly child: number;
}

export interface PlannedUpdate {
  readonly root: Uint8Array;
  readonly nodes: readonly (readonly [path: string, record: Uint8Array | undefined])[];
  readonly leaves: readonly (readonly [key: Uint8Array, valueHash: Uint8Array | undefined])[];
  readonly buckets: readonly (readonly [path: string, keys: Uint8Array | undefined])[];
  readonly patched: readonly PatchedNode[];
  readonly patches: Patches;
  readonly created: readonly CreatedNode[];
  /** The words of the created nodes. */
  readonly built: BuiltWords | undefined;
}

/** Plans the update of a loaded tree; undefined if no change makes a difference. */
export function planUpdate(context: TreeContext, changes: readonly TreeChange[]): PlannedUpdate | undefined {
  const { workspace } = context.cache;
  const { plan, patches } = workspace;
  workspace.restart();
  const { sorted, order } = sortChanges(changes);
  const pass = new UpdatePass(context, sorted);
  const changed = pass.updateRoot();
  if (changed === undefined) return undefined;
  const finished = patches.finish(plan.run(context.hashPairs));
  pass.finishCreated(finished);
  const leaves: [Uint8Array, Uint8Array | undefined][] = [];
  for (let index = 0; index < sorted.length; index++) {
    if (sorted.effective[index] === 0) continue;
    const { key, valueHash } = changes[order[index]];
    leaves.push([key, valueHash]);
  }
  const { buckets, patched, created, built } = pass;
  return {
    root: plan.bytes(changed.digest),
    nodes: pass.records(finished.digests),
    leaves,
    buckets,
    patched,
    patches: finished,
    created,
    built,
  };
}

/** Makes a planned update the cached state. */
export function installUpdate({ cache, tree }: TreeContext, update: PlannedUpdate): void {
  const { memory } = cache;
  const isThere = (node: number, generation: number): boolean =>
    generationOf(memory.words, node) === generation;
  for (const { node, generation, path, from, to, childStates } of update.patched) {
    // A node that left the cache may have come back from the store before the write.
    if (!isThere(node, generation)) {
      cache.forget(tree, path);
      continue;
    }
    applyPatches(update.patches, from, to, memory.words);
    if (childStates !== undefined) writeChildStates(memory.words, node, childStates);
  }
  if (update.built !== undefined) {
    for (const { built, path, parent, parentGeneration, child } of update.created) {
      const hasPlace = parent === noNode || isThere(parent, parentGeneration);
      if (hasPlace) cache.attach(built, update.built, { tree, parent, child });
      else cache.forget(tree, path);
    }
    cache.workspace.recycle(update.built);
  }
  cache.moveOn();
}

function sortChanges(changes: readonly TreeChange[]): { sorted: SortedChanges; order: Uint32Array } {
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

function copyBytes(from: Uint8Array, fromAt: number, to: Uint8Array, toAt: number): void {
  for (let byte = 0; byte < hashBytes; byte++) to[toAt + byte] = from[fromAt + byte];
}

function keysOf(bucket: BucketView): Uint8Array {
  const keys = new Uint8Array(bucket.count * hashBytes);
  for (let leaf = 0; leaf < bucket.count; leaf++) {
    keys.set(bytesOf(bucket.words, bucket.keyAt(leaf)), leaf * hashBytes);
  }
  return keys;
}

class UpdatePass {
  readonly buckets: [path: string, keys: Uint8Array | undefined][] = [];
  readonly patched: PatchedNode[] = [];
  readonly created: CreatedNode[] = [];
  built: BuiltWords | undefined;
  readonly #context: TreeContext;
  readonly #workspace: TreeWorkspace;
  readonly #words: Uint32Array;
  readonly #changes: SortedChanges;
  /** The patches of created nodes: pairs of where a run starts and ends. */
  readonly #builtPatches: number[] = [];
  /** Every changed node. */
  readonly #recordPaths: string[] = [];
  readonly #recordStates: ChangedNode[] = [];

  constructor(context: TreeContext, changes: SortedChanges) {
    this.#context = context;
    this.#workspace = context.cache.workspace;
    this.#words = context.cache.memory.words;
    this.#changes = changes;
  }

  updateRoot(): ChangedNode | undefined {
    const { cache, tree } = this.#context;
    const root = { node: cache.root(tree), path: '', parent: noNode, child: 0 };
    return this.#updateNode(root, 0, this.#changes.length);
  }

  /** Puts the computed hashes into the created nodes. */
  finishCreated(patches: Patches): void {
    if (this.built === undefined) return;
    for (let run = 0; run < this.#builtPatches.length; run += 2) {
      applyPatches(patches, this.#builtPatches[run], this.#builtPatches[run + 1], this.built.words);
    }
  }

  records(digests: Uint32Array): [string, Uint8Array | undefined][] {
    const { plan } = this.#workspace;
    const digestBytes = new Uint8Array(digests.buffer, digests.byteOffset, digests.byteLength);
    const states = this.#recordStates;
    const bytes = new Uint8Array(states.reduce((total, { leaves }) => total + recordBytes(leaves), 0));
    let at = 0;
    return states.map(({ digest, leaves, isPage }, index) => {
      const path = this.#recordPaths[index];
      if (leaves === 0 && !isPage) return [path, undefined];
      const from = at;
      at += recordBytes(leaves);
      bytes[from] = recordHead(isPage, leaves);
      if (leaves > 0) copyBytes(digestBytes, plan.placeOf(digest) * 4, bytes, from + 1);
      return [path, bytes.subarray(from, at)];
    });
  }

  #updateNode(named: NamedNode, lo: number, hi: number): ChangedNode | undefined {
    const isAPage = named.node !== noNode && isPage(this.#words, named.node);
    const changed = isAPage ? this.#updatePage(named, lo, hi) : this.#updateBucket(named, lo, hi);
    if (changed !== undefined) this.#noteRecord(named.path, changed);
    return changed;
  }

  #updatePage({ node: page, path }: NamedNode, lo: number, hi: number): ChangedNode | undefined {
    const words = this.#words;
    const { patches } = this.#workspace;
    const depth = path.length * pageLevels;
    const frame = this.#workspace.frameAt(depth).start(readChildStates(words, page));
    const { keys } = this.#changes;
    for (let at = lo; at < hi; ) {
      const child = keyNibble(keys, at * hashWords, depth);
      const end = nibbleEnd(keys, at, hi, depth);
      const named = { node: childOf(words, page, child), path: path + hexDigits[child], parent: page, child };
      const isLoaded =
        named.node !== noNode || (childLeaves(words, page, child) === 0 && !childIsPage(words, page, child));
      assert(isLoaded, `tree node '${named.path}' is loaded before it is updated`);
      const changed = this.#updateNode(named, at, end);
      if (changed !== undefined) frame.change(child, changed);
      at = end;
    }
    if (!frame.hasChanges) return undefined;
    const from = patches.length;
    const changed = frame.plan(words, heapOf(page), depth, this.#workspace);
    const { childStates } = frame;
    const generation = generationOf(words, page);
    this.patched.push({ node: page, generation, path, from, to: patches.length, childStates });
    return changed;
  }

  #updateBucket({ node, path, parent, child }: NamedNode, lo: number, hi: number): ChangedNode | undefined {
    const words = this.#words;
    const { bucket, merge, hashing, patches } = this.#workspace;
    const depth = path.length * pageLevels;
    if (node === noNode) bucket.openRun(words, 0, 0, depth);
    else bucket.openCached(words, node, depth);
    const touched = merge.merge(this.#changes, lo, hi);
    if (touched === 'nothing') return undefined;
    if (touched === 'keys') {
      const { built, changed } = this.#build(path, 0, merge.length);
      if (changed.isPage && node !== noNode) this.buckets.push([path, undefined]);
      this.created.push({ built, path, parent, parentGeneration: generationOf(words, parent), child });
      return changed;
    }
    const from = patches.length;
    const digest = hashing.planMerged(bucket, merge, 0);
    const generation = generationOf(words, node);
    this.patched.push({ node, generation, path, from, to: patches.length, childStates: undefined });
    return { digest, leaves: leafClassOf(bucket.count), isPage: false };
  }

  /** A range of the merged leaves: a bucket, or a page of buckets if they are too many for one. */
  #build(path: string, from: number, to: number): { built: BuiltNode; changed: ChangedNode } {
    const count = to - from;
    if (count > this.#context.bucketLeavesMax) return this.#buildPage(path, from, to);
    const { builtBucket, merge, hashing, patches } = this.#workspace;
    this.built ??= this.#workspace.newBuiltWords();
    const depth = path.length * pageLevels;
    const offset = this.built.take(runWords(count));
    merge.copy(from, to, builtBucket.openRun(this.built.words, offset, count, depth));
    this.buckets.push([path, count === 0 ? undefined : keysOf(builtBucket)]);
    const patchesFrom = patches.length;
    const digest = hashing.planMerged(builtBucket, merge, from);
    this.#builtPatches.push(patchesFrom, patches.length);
    const built = { isPage: false, depth, count, offset } as const;
    return { built, changed: { digest, leaves: leafClassOf(count), isPage: false } };
  }

  #buildPage(path: string, from: number, to: number): { built: BuiltNode; changed: ChangedNode } {
    const { merge, patches } = this.#workspace;
    const depth = path.length * pageLevels;
    const frame = this.#workspace.frameAt(depth).start(noChildStates);
    const children: [number, BuiltNode][] = [];
    for (let at = from; at < to; ) {
      const child = merge.nibble(at, depth);
      let end = at + 1;
      while (end < to && merge.nibble(end, depth) === child) end++;
      const childPath = path + hexDigits[child];
      const { built, changed } = this.#build(childPath, at, end);
      children.push([child, built]);
      frame.change(child, changed);
      this.#noteRecord(childPath, changed);
      at = end;
    }
    this.built ??= this.#workspace.newBuiltWords();
    const offset = this.built.takeZeros(heapWords);
    const patchesFrom = patches.length;
    const changed = frame.plan(this.built.words, offset, depth, this.#workspace);
    this.#builtPatches.push(patchesFrom, patches.length);
    return { built: { isPage: true, offset, childStates: frame.childStates, children }, changed };
  }

  #noteRecord(path: string, changed: ChangedNode): void {
    this.#recordPaths.push(path);
    this.#recordStates.push(changed);
  }
}
