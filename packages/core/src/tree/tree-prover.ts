/**
 * Makes the proof for one key out of cached nodes: the siblings on the way from the root to the place of
 * the key, and what stands there. Most siblings are cached; those inside a bucket that lie above a branching
 * node are hashed here. The check of a proof is in `tree-proof.ts` and shares nothing with this file.
 */
import { assert } from '../assert.ts';
import { branchBit, branchStart, recordAt, valueAt } from './bucket.ts';
import type { CachedNode } from './cached-node.ts';
import { emptySlot } from './hash-plan.ts';
import { bytesOf, compareKeys, firstDifference, hashWords, keyBit, wordsOf } from './key-words.ts';
import { onlyLeafChild, pageChildren, pageLevels, readClasses } from './page.ts';
import type { TreeContext } from './tree-loader.ts';
import type { Leaf, TreeProof } from './tree-proof.ts';

/** Where a walk ends: at a leaf, the key's own or another, or at nothing. */
type WalkEnd = Leaf | undefined;

export function proveKey(context: TreeContext, root: CachedNode, key: Uint8Array): TreeProof {
  const { plan } = context.cache.workspace;
  context.cache.workspace.restart();
  const walk = new ProofWalk(context, wordsOf([key]));
  const end = walk.from(root);
  plan.run(context.hashPairs);
  const siblings = walk.siblings.map((slot) => plan.bytes(slot));
  const isFound = end !== undefined && compareKeys(wordsOf([end.key]), 0, wordsOf([key]), 0) === 0;
  return isFound ? { kind: 'included', siblings } : { kind: 'absent', siblings, other: end };
}

class ProofWalk {
  /** Slots, from the root down. */
  readonly siblings: number[] = [];
  readonly #context: TreeContext;
  readonly #key: Uint32Array;
  readonly #classes = new Uint8Array(2 * pageChildren);

  constructor(context: TreeContext, key: Uint32Array) {
    this.#context = context;
    this.#key = key;
  }

  from(root: CachedNode): WalkEnd {
    let node = root;
    let depth = 0;
    for (; node.isPage; depth += pageLevels) {
      const place = this.#throughPage(node.words, depth);
      const leaves = this.#classes[place];
      if (leaves === 0) return undefined;
      if (leaves === 1) return this.#onlyLeaf(node, place);
      node = cachedChild(node, place - pageChildren);
    }
    return this.#throughBucket(node, depth);
  }

  /** Goes down as long as there are two leaves or more, and answers the heap index where that ends. */
  #throughPage(words: Uint32Array, depth: number): number {
    const { plan } = this.#context.cache.workspace;
    readClasses(words, this.#classes);
    let place = 1;
    for (let level = 0; level < pageLevels && this.#classes[place] === 2; level++) {
      const bit = keyBit(this.#key, 0, depth + level);
      const sibling = 2 * place + 1 - bit;
      this.siblings.push(this.#classes[sibling] === 0 ? emptySlot : plan.put(words, sibling * hashWords));
      place = 2 * place + bit;
    }
    return place;
  }

  /** The leaf of a subtree with one leaf, through as many pages as it takes. */
  #onlyLeaf(page: CachedNode, place: number): Leaf {
    let node = cachedChild(page, onlyLeafChild(this.#classes, place));
    while (node.isPage) {
      readClasses(node.words, this.#classes);
      node = cachedChild(node, onlyLeafChild(this.#classes, 1));
    }
    return leafOf(node.words, 0);
  }

  #throughBucket({ words, count }: CachedNode, depth: number): WalkEnd {
    const { buckets } = this.#context.cache.workspace;
    let top = depth;
    let lo = 0;
    let hi = count;
    while (hi - lo > 1) {
      const branch = branchBit(words, depth, lo, hi);
      const departure = firstDifference(words, recordAt(words, lo), this.#key, 0);
      // Until the leaves branch, or the key leaves them, the other side of each level is empty.
      for (; top < Math.min(branch, departure); top++) this.siblings.push(emptySlot);
      if (departure < branch) {
        this.siblings.push(buckets.subtree(words, depth, { from: lo, to: hi, top: departure + 1 }));
        return undefined;
      }
      const middle = branchStart(words, depth, lo, hi);
      const isRight = keyBit(this.#key, 0, branch) === 1;
      const sibling = isRight ? { from: lo, to: middle } : { from: middle, to: hi };
      this.siblings.push(buckets.subtree(words, depth, { ...sibling, top: branch + 1 }));
      if (isRight) lo = middle;
      else hi = middle;
      top = branch + 1;
    }
    return hi === lo ? undefined : leafOf(words, lo);
  }
}

function cachedChild(page: CachedNode, child: number): CachedNode {
  const node = page.children[child];
  assert(node, 'a key is loaded before it is proved');
  return node;
}

function leafOf(words: Uint32Array, index: number): Leaf {
  const at = recordAt(words, index);
  return { key: bytesOf(words, at), valueHash: bytesOf(words, at + valueAt) };
}
