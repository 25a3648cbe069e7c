/**
 * What trees share: the nodes in memory, bounded by their approximate bytes, and the working memory of
 * hashing. A cached node hangs below its cached page, up to the root of its tree. Nodes leave only in
 * `trim`, at the end of a commit or of a proof, never while a load and its use are one step.
 *
 * The cache shows the committed state. A reader that looks at the store while a block is being written
 * might see rows of the next state, so whoever writes holds reads back from the start of the write until
 * the updates are committed; a load that was reading when the state moved on reads again.
 */
import { treeLimits } from '../limits.ts';
import { BucketHashing } from './bucket-hashing.ts';
import { BucketMerge } from './bucket-merge.ts';
import type { CachedNode } from './cached-node.ts';
import { HashPlan, PatchList } from './hash-plan.ts';
import { PageFrame, pageLevels } from './page.ts';
import { WordsPool } from './words-pool.ts';

/** Working memory: everything here is used from start to end without a pause, so that all trees share it. */
export class TreeWorkspace {
  readonly plan = new HashPlan();
  readonly patches = new PatchList();
  readonly merge = new BucketMerge();
  readonly pool = new WordsPool();
  readonly buckets = new BucketHashing(this.plan, this.patches);

  readonly #frames: PageFrame[] = [];

  /** The frame for pages at this depth: a page is finished before its neighbour starts. */
  frameAt(depth: number): PageFrame {
    const level = depth / pageLevels;
    while (this.#frames.length <= level) this.#frames.push(new PageFrame());
    return this.#frames[level];
  }

  restart(): void {
    this.plan.reset();
    this.patches.length = 0;
  }
}

/** Where a node hangs: below a page, or as the root of the tree with this name. */
export interface NodePlace {
  readonly tree: string;
  readonly parent: CachedNode | undefined;
  readonly child: number;
}

export class TreeCache {
  readonly workspace = new TreeWorkspace();
  readonly bytesMax: number;
  readonly #roots = new Map<string, CachedNode>();
  /** Every cached node, in no order; `trim` goes round. */
  readonly #ring: CachedNode[] = [];
  #hand = 0;
  #bytes = 0;
  #epoch = 0;
  #evictions = 0;
  #holds = 0;
  #waiting: (() => void)[] = [];

  constructor(bytesMax: number = treeLimits.cacheBytesMax) {
    this.bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Moves on whenever what was read from the store before may no longer be the committed state. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Counts the nodes dropped so far. */
  get evictions(): number {
    return this.#evictions;
  }

  root(tree: string): CachedNode | undefined {
    return this.#roots.get(tree);
  }

  /** Hangs a node, with all below it, in the place of whatever hangs there. */
  attach(node: CachedNode, { tree, parent, child }: NodePlace): void {
    const before = parent === undefined ? this.#roots.get(tree) : parent.children[child];
    if (before !== undefined) this.#drop(before);
    node.tree = tree;
    if (parent === undefined) this.#roots.set(tree, node);
    else parent.adopt(node, child);
    this.#count(node);
  }

  /** Forgets what is cached at a path and below. */
  forget(tree: string, path: string): void {
    let node = this.#roots.get(tree);
    for (let digit = 0; digit < path.length && node !== undefined; digit++) {
      node = node.isPage ? node.children[Number.parseInt(path[digit], 16)] : undefined;
    }
    if (node !== undefined) this.#drop(node);
  }

  /** Tells running loads that the committed state is another one now. */
  moveOn(): void {
    this.#epoch++;
  }

  /** Drops nodes not used lately, from the leaves up, until the rest fits. */
  trim(): void {
    while (this.#bytes > this.bytesMax && this.#ring.length > 0) {
      if (this.#hand >= this.#ring.length) this.#hand = 0;
      const node = this.#ring[this.#hand];
      const isNeeded = node.used || node.cachedChildren > 0;
      node.used = false;
      if (isNeeded) this.#hand++;
      else this.#drop(node);
    }
  }

  /** Holds back reads of the store; call the answer once the written updates are committed, or the write failed. */
  holdReads(): () => void {
    this.#holds++;
    this.#epoch++;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#epoch++;
      if (--this.#holds > 0) return;
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const wake of waiting) wake();
    };
  }

  /** Resolves when the store may be read. */
  async readable(): Promise<void> {
    while (this.#holds > 0) await new Promise<void>((wake) => this.#waiting.push(wake));
  }

  /** Takes a node and those below it into the books. */
  #count(node: CachedNode): void {
    node.ringIndex = this.#ring.length;
    this.#ring.push(node);
    this.#bytes += node.bytes;
    if (node.cachedChildren === 0) return;
    for (const child of node.children) if (child !== undefined) this.#count(child);
  }

  #drop(node: CachedNode): void {
    this.#evictions++;
    const { parent, tree, child } = node;
    if (parent === undefined) {
      this.#roots.delete(tree);
    } else {
      parent.children[child] = undefined;
      parent.cachedChildren--;
    }
    this.#uncount(node);
  }

  #uncount(node: CachedNode): void {
    const last = this.#ring.pop() as CachedNode;
    if (last !== node) {
      this.#ring[node.ringIndex] = last;
      last.ringIndex = node.ringIndex;
    }
    node.ringIndex = -1;
    this.#bytes -= node.bytes;
    if (!node.isPage) this.workspace.pool.give(node.words);
    if (node.cachedChildren === 0) return;
    for (const child of node.children) if (child !== undefined) this.#uncount(child);
  }
}
