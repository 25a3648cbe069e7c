/**
 * Makes the proof for one key out of cached nodes: the siblings on the way from the root to the place of the key, and
 * what stands there. Most siblings are cached; those inside a bucket that lie above a branching node are hashed here.
 * The check of a proof is in `tree-proof.ts` and shares nothing with this file.
 */
import { assert } from '../basics/assert.ts';
import { valueAt } from './bucket.ts';
import { emptyDigest } from './hash-plan.ts';
import { bytesOf, compareKeys, firstDifferingBit, hashWords, keyBit, wordsOf } from './key-words.ts';
import { isPage, noNode } from './node-memory.ts';
import {
  childOf,
  heapOf,
  leavesBelow,
  onlyLeafChild,
  pageChildren,
  pageLevels,
  readChildStates,
} from './page.ts';
import type { TreeContext } from './tree-loader.ts';
import type { Leaf, TreeProof } from './tree-proof.ts';
import type { TreeWorkspace } from './tree-workspace.ts';

/** Where a walk ends: at a leaf, the key's own or another, or at nothing. */
type WalkEnd = Leaf | undefined;

/** Proves a key of a loaded tree. */
export function proveKey({ cache, tree, hashPairs }: TreeContext, key: Uint8Array): TreeProof {
  const { workspace, memory } = cache;
  const { plan } = workspace;
  workspace.restart();
  const keyWords = wordsOf([key]);
  const walk = new ProofWalk(workspace, memory.words, keyWords);
  const end = walk.from(cache.root(tree));
  plan.run(hashPairs);
  const siblings = walk.siblings.map((digest) => plan.bytes(digest));
  const isFound = end !== undefined && compareKeys(wordsOf([end.key]), 0, keyWords, 0) === 0;
  return isFound ? { kind: 'included', siblings } : { kind: 'absent', siblings, other: end };
}

class ProofWalk {
  /** Digests of the plan, from the root down. */
  readonly siblings: number[] = [];
  readonly #workspace: TreeWorkspace;
  readonly #words: Uint32Array;
  readonly #key: Uint32Array;

  constructor(workspace: TreeWorkspace, words: Uint32Array, key: Uint32Array) {
    this.#workspace = workspace;
    this.#words = words;
    this.#key = key;
  }

  from(root: number): WalkEnd {
    let node = root;
    let depth = 0;
    for (; isPage(this.#words, node); depth += pageLevels) {
      const place = this.#throughPage(node, depth);
      const leaves = leavesBelow(readChildStates(this.#words, node).classes, place);
      if (leaves === 0) return undefined;
      if (leaves === 1) return this.#onlyLeaf(node, place);
      node = this.#cachedChild(node, place - pageChildren);
    }
    return this.#throughBucket(node, depth);
  }

  /** Goes down as long as there are two leaves or more, and answers the heap index where that ends. */
  #throughPage(page: number, depth: number): number {
    const { classes } = readChildStates(this.#words, page);
    const { plan } = this.#workspace;
    let place = 1;
    for (let level = 0; level < pageLevels && leavesBelow(classes, place) === 2; level++) {
      const bit = keyBit(this.#key, 0, depth + level);
      const sibling = 2 * place + 1 - bit;
      const hashAt = heapOf(page) + sibling * hashWords;
      this.siblings.push(leavesBelow(classes, sibling) === 0 ? emptyDigest : plan.known(this.#words, hashAt));
      place = 2 * place + bit;
    }
    return place;
  }

  /** The leaf of a subtree with one leaf, through as many pages as it takes. */
  #onlyLeaf(page: number, place: number): Leaf {
    let node = page;
    let within = place;
    while (isPage(this.#words, node)) {
      const { classes } = readChildStates(this.#words, node);
      node = this.#cachedChild(node, onlyLeafChild(classes, within));
      within = 1;
    }
    // Its heads are not needed, so the depth does not matter.
    this.#workspace.bucket.openCached(this.#words, node, 0);
    return this.#leaf(0);
  }

  #throughBucket(node: number, depth: number): WalkEnd {
    const { bucket, hashing } = this.#workspace;
    bucket.openCached(this.#words, node, depth);
    let top = depth;
    let lo = 0;
    let hi = bucket.count;
    while (hi - lo > 1) {
      const branch = bucket.branchBit(lo, hi);
      const departure = firstDifferingBit(bucket.words, bucket.keyAt(lo), this.#key, 0);
      // Until the leaves branch, or the key leaves them, the other side of each level is empty.
      for (; top < Math.min(branch, departure); top++) this.siblings.push(emptyDigest);
      if (departure < branch) {
        this.siblings.push(hashing.subtree(bucket, { from: lo, to: hi, top: departure + 1 }));
        return undefined;
      }
      const middle = bucket.branchStart(lo, hi, branch);
      const isRight = keyBit(this.#key, 0, branch) === 1;
      const sibling = isRight ? { from: lo, to: middle } : { from: middle, to: hi };
      this.siblings.push(hashing.subtree(bucket, { ...sibling, top: branch + 1 }));
      if (isRight) lo = middle;
      else hi = middle;
      top = branch + 1;
    }
    return hi === lo ? undefined : this.#leaf(lo);
  }

  #leaf(index: number): Leaf {
    const at = this.#workspace.bucket.keyAt(index);
    return { key: bytesOf(this.#words, at), valueHash: bytesOf(this.#words, at + valueAt) };
  }

  #cachedChild(page: number, child: number): number {
    const node = childOf(this.#words, page, child);
    assert(node !== noNode, 'a key is loaded before it is proved');
    return node;
  }
}
