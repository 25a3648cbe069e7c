/**
 * What trees share: the nodes in memory, bounded by their bytes, and the working memory of hashing. A cached node hangs
 * below its cached page, up to the root of its tree. Nodes leave only in `trim`, at the end of a commit or of a proof,
 * and never those that a running load has touched.
 *
 * The cache shows the committed state. A reader that looks at the store while a block is being written might see rows
 * of the next state, so whoever writes holds reads back from the start of the write until the updates are committed; a
 * load that was reading when the state moved on reads again.
 */
import { treeLimits } from '../limits/tree.ts';
import { releaseBucket, storeBucket } from './bucket.ts';
import type { BuiltNode, BuiltWords } from './built-nodes.ts';
import {
  addCachedChildren,
  cachedChildren,
  cellBytes,
  cellWords,
  childIndexOf,
  firstCell,
  isNode,
  isPage,
  lastUseOf,
  markUsed,
  NodeMemory,
  noNode,
  parentOf,
  setPosition,
  takeUsed,
} from './node-memory.ts';
import { childOf, heapOf, heapWords, pageChildren, setChild, writeChildStates } from './page.ts';
import { TreeWorkspace } from './tree-workspace.ts';

/** Where a node hangs: below a page, or as the root of the tree with this name. */
export interface NodePosition {
  readonly tree: string;
  /** `noNode` for a root. */
  readonly parent: number;
  readonly child: number;
}

export class TreeCache {
  readonly memory = new NodeMemory();
  readonly workspace = new TreeWorkspace();
  readonly bytesMax: number;
  readonly #roots = new Map<string, number>();
  readonly #namesOfRoots = new Map<number, string>();
  /** Where `trim` goes on; it goes round. */
  #hand = firstCell;
  /** Counts loads, in 32 bits: old times are told from new ones by their difference. */
  #clock = 0;
  readonly #runningLoads = new Set<number>();
  #epoch = 0;

  constructor(bytesMax: number = treeLimits.cacheBytesMax) {
    this.bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.memory.cells * cellBytes;
  }

  /** Moves on whenever what was read from the store before may no longer be the committed state. */
  get epoch(): number {
    return this.#epoch;
  }

  /** The time nodes are marked with when they are used. */
  get clock(): number {
    return this.#clock;
  }

  /** The root node of a tree, or `noNode`. */
  root(tree: string): number {
    return this.#roots.get(tree) ?? noNode;
  }

  /** Hangs a built node, with all below it, in the place of whatever hangs there. */
  attach(built: BuiltNode, { words }: BuiltWords, { tree, parent, child }: NodePosition): void {
    const before = parent === noNode ? this.root(tree) : childOf(this.memory.words, parent, child);
    if (before !== noNode) this.#drop(before);
    const node = this.#store(built, words);
    if (parent !== noNode) return this.#hang(node, parent, child);
    this.#roots.set(tree, node);
    this.#namesOfRoots.set(node, tree);
  }

  /** Forgets what is cached at a path and below. */
  forget(tree: string, path: string): void {
    let node = this.root(tree);
    for (let digit = 0; digit < path.length && node !== noNode; digit++) {
      const { words } = this.memory;
      node = isPage(words, node) ? childOf(words, node, Number.parseInt(path[digit], 16)) : noNode;
    }
    if (node !== noNode) this.#drop(node);
  }

  /** Tells running loads that the committed state is another one now. */
  moveOn(): void {
    this.#epoch++;
  }

  /** Drops nodes not used lately, from the leaves up, until the rest fits or is in use. */
  trim(): void {
    const { memory } = this;
    const [oldestLoad] = this.#runningLoads;
    const isInLoad = (node: number): boolean =>
      oldestLoad !== undefined && ((lastUseOf(memory.words, node) - oldestLoad) | 0) >= 0;
    // Twice round: the first time every node may just have been used.
    for (let steps = 2 * (memory.end / cellWords); steps > 0 && this.bytes > this.bytesMax; steps--) {
      if (this.#hand >= memory.end) this.#hand = firstCell;
      let node = this.#hand;
      this.#hand += cellWords;
      if (!isNode(memory.words, node) || takeUsed(memory.words, node)) continue;
      // A page is of no use without its last child, unless a load is on the way through it.
      while (node !== noNode && cachedChildren(memory.words, node) === 0 && !isInLoad(node)) {
        const parent = parentOf(memory.words, node);
        this.#drop(node);
        node = parent;
      }
    }
  }

  /** A running load keeps every node it touches; call the answer when it has ended. */
  startLoad(): () => void {
    this.#clock = (this.#clock + 1) >>> 0;
    const load = this.#clock;
    this.#runningLoads.add(load);
    return () => this.#runningLoads.delete(load);
  }

  #store(built: BuiltNode, builtWords: Uint32Array): number {
    const { memory } = this;
    if (!built.isPage) {
      const bucket = storeBucket(memory, { ...built, words: builtWords });
      markUsed(memory.words, bucket, this.#clock);
      return bucket;
    }
    const page = memory.allocatePage();
    memory.words.set(builtWords.subarray(built.offset, built.offset + heapWords), heapOf(page));
    writeChildStates(memory.words, page, built.childStates);
    markUsed(memory.words, page, this.#clock);
    for (const [child, node] of built.children) this.#hang(this.#store(node, builtWords), page, child);
    return page;
  }

  #hang(node: number, parent: number, child: number): void {
    const { words } = this.memory;
    setPosition(words, node, parent, child);
    setChild(words, parent, child, node);
    addCachedChildren(words, parent, 1);
  }

  #drop(node: number): void {
    const { words } = this.memory;
    const parent = parentOf(words, node);
    if (parent === noNode) {
      this.#roots.delete(this.#namesOfRoots.get(node) as string);
      this.#namesOfRoots.delete(node);
    } else {
      setChild(words, parent, childIndexOf(words, node), noNode);
      addCachedChildren(words, parent, -1);
    }
    this.#release(node);
  }

  #release(node: number): void {
    const { memory } = this;
    if (!isPage(memory.words, node)) return releaseBucket(memory, node);
    for (let child = 0; child < pageChildren && cachedChildren(memory.words, node) > 0; child++) {
      const below = childOf(memory.words, node, child);
      if (below !== noNode) this.#release(below);
    }
    memory.release(node);
  }
}
