/**
 * A page: four levels of the tree above sixteen children, as a heap of digests of eight words: node 1 is the
 * page itself, the children of node i are 2i and 2i + 1, nodes 16 to 31 are the children of the page. In its
 * cell stand besides, as bits, the count classes and shapes of the children, and which of them are cached.
 */
import { emptySlot, type Hashing, type HashPlan } from './hash-plan.ts';
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
const noSlot = -1;

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

/** The count classes of all nodes of a page, by heap index. */
export class HeapClasses {
  readonly #classes = new Uint8Array(heapNodes);

  read(packed: number): void {
    const classes = this.#classes;
    for (let child = 0; child < pageChildren; child++) {
      classes[pageChildren + child] = (packed >>> (child * 2)) & 3;
    }
    for (let node = pageChildren - 1; node > 0; node--) {
      const leaves = classes[2 * node] + classes[2 * node + 1];
      classes[node] = leaves > 2 ? 2 : leaves;
    }
  }

  at(node: number): LeafClass {
    return this.#classes[node] as LeafClass;
  }

  /** The child below a node of class one that holds its only leaf. */
  onlyLeafChild(node: number): number {
    let at = node;
    while (at < pageChildren) at = this.#classes[2 * at] > 0 ? 2 * at : 2 * at + 1;
    return at - pageChildren;
  }
}

/** A changed node: the slot of its hash and what the page above keeps of it. */
export interface ChangedNode {
  readonly slot: number;
  readonly leaves: LeafClass;
  readonly isPage: boolean;
}

/** The changed children of one page, and the hashing of what stands above them. */
export class PageFrame {
  readonly #classes = new HeapClasses();
  readonly #slots = new Int32Array(heapNodes);
  #packedClasses = 0;
  #packedShapes = 0;
  hasChanges = false;

  start({ classes, shapes }: ChildStates): this {
    this.#slots.fill(noSlot);
    this.#packedClasses = classes;
    this.#packedShapes = shapes;
    this.hasChanges = false;
    return this;
  }

  change(child: number, { slot, leaves, isPage }: ChangedNode): void {
    this.#slots[pageChildren + child] = slot;
    this.#packedClasses = (this.#packedClasses & ~(3 << (child * 2))) | (leaves << (child * 2));
    this.#packedShapes = (this.#packedShapes & ~(1 << child)) | ((isPage ? 1 : 0) << child);
    this.hasChanges = true;
  }

  get childStates(): ChildStates {
    return { classes: this.#packedClasses >>> 0, shapes: this.#packedShapes };
  }

  /** Plans the changed children and the nodes above them; the heap itself is only read. */
  plan(words: Uint32Array, heap: number, depth: number, { plan, patches }: Hashing): ChangedNode {
    const slots = this.#slots;
    this.#classes.read(this.#packedClasses);
    for (let node = heapNodes - 1; node > 0; node--) {
      if (node < pageChildren) {
        if (slots[2 * node] === noSlot && slots[2 * node + 1] === noSlot) continue;
        slots[node] = this.#combine(node, words, heap, depth, plan);
      }
      if (slots[node] !== noSlot) patches.add(heap + node * hashWords, slots[node]);
    }
    return { slot: slots[1], leaves: this.#classes.at(1), isPage: true };
  }

  #combine(node: number, words: Uint32Array, heap: number, depth: number, plan: HashPlan): number {
    const leaves = this.#classes.at(node);
    if (leaves === 0) return emptySlot;
    const left = this.#slotOf(2 * node, words, heap, plan);
    const right = this.#slotOf(2 * node + 1, words, heap, plan);
    if (leaves === 1) return left === emptySlot ? right : left;
    return plan.pair(depth + 31 - Math.clz32(node), left, right);
  }

  #slotOf(node: number, words: Uint32Array, heap: number, plan: HashPlan): number {
    if (this.#classes.at(node) === 0) return emptySlot;
    return this.#slots[node] === noSlot ? plan.put(words, heap + node * hashWords) : this.#slots[node];
  }
}
