/**
 * A page: four levels of the tree above sixteen children, as a heap of digests of eight words: node 1 is the
 * page itself, the children of node i are 2i and 2i + 1, nodes 16 to 31 are the children of the page. In its
 * cell stand besides, as bits, the count classes and shapes of the children, and which of them are cached.
 */
import { emptyDigest, type Hashing, type HashPlan } from './hash-plan.ts';
import { hashWords } from './key-words.ts';
import { headWords, ownHeadAt } from './node-memory.ts';
import type { LeafClass } from './node-record.ts';

export const pageChildren = 16;

/** Levels of the binary tree in one page: one hex digit of the key. */
export const pageLevels = 4;

const heapNodes = 2 * pageChildren;
export const heapWords = heapNodes * hashWords;

const classesAt = ownHeadAt;
const shapesAt = ownHeadAt + 1;
const childrenAt = headWords;

/** Where the heap of a cached page starts. */
export const heapOf = (page: number): number => page + headWords + pageChildren;

/** Where the hash of the page itself stands in a heap. */
export const pageHashAt = hashWords;

export const childHashAt = (child: number): number => (pageChildren + child) * hashWords;

/** The cached child, or `noNode`. */
export const childOf = (words: Uint32Array, page: number, child: number): number =>
  words[page + childrenAt + child];

export function setChild(words: Uint32Array, page: number, child: number, node: number): void {
  words[page + childrenAt + child] = node;
}

export function childLeaves(words: Uint32Array, page: number, child: number): LeafClass {
  return ((words[page + classesAt] >>> (child * 2)) & 3) as LeafClass;
}

export function childIsPage(words: Uint32Array, page: number, child: number): boolean {
  return ((words[page + shapesAt] >>> child) & 1) === 1;
}

/** What a page knows of all its children besides their hashes: classes of two bits, shapes of one. */
export interface ChildStates {
  readonly classes: number;
  readonly shapes: number;
}

export const noChildStates: ChildStates = { classes: 0, shapes: 0 };

export function readChildStates(words: Uint32Array, page: number): ChildStates {
  return { classes: words[page + classesAt], shapes: words[page + shapesAt] };
}

export function writeChildStates(words: Uint32Array, page: number, { classes, shapes }: ChildStates): void {
  words[page + classesAt] = classes;
  words[page + shapesAt] = shapes;
}

/** The count class of a node of the heap, from the packed classes of all children. */
export function leavesBelow(classes: number, node: number): LeafClass {
  const level = 31 - Math.clz32(node);
  const bits = 32 >> level;
  const below = level === 0 ? classes : (classes >>> ((node - (1 << level)) * bits)) & ((1 << bits) - 1);
  if (below === 0) return 0;
  const isOne = (below & (below - 1)) === 0 && (below & 0x5555_5555) !== 0;
  return isOne ? 1 : 2;
}

/** The child below a node of class one that holds its only leaf. */
export function onlyLeafChild(classes: number, node: number): number {
  let at = node;
  while (at < pageChildren) at = leavesBelow(classes, 2 * at) > 0 ? 2 * at : 2 * at + 1;
  return at - pageChildren;
}

/** A changed node: its hash in the plan and what the page above keeps of it. */
export interface ChangedNode {
  readonly digest: number;
  readonly leaves: LeafClass;
  readonly isPage: boolean;
}

/** The changed children of one page, and the hashing of what stands above them. */
export class PageFrame {
  readonly #digests = new Int32Array(heapNodes);
  /** A bit for each node of the heap that changes. */
  #changed = 0;
  #classes = 0;
  #shapes = 0;

  start({ classes, shapes }: ChildStates): this {
    this.#changed = 0;
    this.#classes = classes;
    this.#shapes = shapes;
    return this;
  }

  change(child: number, { digest, leaves, isPage }: ChangedNode): void {
    this.#changed |= 1 << (pageChildren + child);
    this.#digests[pageChildren + child] = digest;
    this.#classes = (this.#classes & ~(3 << (child * 2))) | (leaves << (child * 2));
    this.#shapes = (this.#shapes & ~(1 << child)) | ((isPage ? 1 : 0) << child);
  }

  get hasChanges(): boolean {
    return this.#changed !== 0;
  }

  get childStates(): ChildStates {
    return { classes: this.#classes, shapes: this.#shapes };
  }

  /** Plans the changed children and the nodes above them; the heap itself is only read. */
  plan(words: Uint32Array, heap: number, depth: number, { plan, patches }: Hashing): ChangedNode {
    // A node stands before its children, so going down from the highest bit meets every child first.
    for (let open = this.#changed; open !== 0; ) {
      const node = 31 - Math.clz32(open);
      if (node < pageChildren) this.#digests[node] = this.#combine(node, words, heap, depth, plan);
      patches.add(heap + node * hashWords, this.#digests[node]);
      const above = node === 1 ? 0 : 1 << (node >> 1);
      this.#changed |= above;
      open = (open & ~(1 << node)) | above;
    }
    return { digest: this.#digests[1], leaves: leavesBelow(this.#classes, 1), isPage: true };
  }

  #combine(node: number, words: Uint32Array, heap: number, depth: number, plan: HashPlan): number {
    const leaves = leavesBelow(this.#classes, node);
    if (leaves === 0) return emptyDigest;
    const left = this.#digestOf(2 * node, words, heap, plan);
    const right = this.#digestOf(2 * node + 1, words, heap, plan);
    if (leaves === 1) return left === emptyDigest ? right : left;
    return plan.pair(depth + 31 - Math.clz32(node), left, right);
  }

  #digestOf(node: number, words: Uint32Array, heap: number, plan: HashPlan): number {
    if ((this.#changed & (1 << node)) !== 0) return this.#digests[node];
    return leavesBelow(this.#classes, node) === 0 ? emptyDigest : plan.known(words, heap + node * hashWords);
  }
}
