/**
 * A page: four levels of the tree above sixteen children, as a heap of 31 digests of eight words: node 1 is
 * the page itself, the children of node i are 2i and 2i + 1, nodes 16 to 31 are the children of the page.
 * The place of node 0 holds what else is known of the children: count classes and shapes, as bits.
 */
import { emptySlot, type Hashing, type HashPlan } from './hash-plan.ts';
import { hashWords } from './key-words.ts';
import type { LeafClass } from './node-record.ts';

export const pageChildren = 16;

/** Levels of the binary tree in one page: one hex digit of the key. */
export const pageLevels = 4;

const pageNodes = 2 * pageChildren;
export const pageWords = pageNodes * hashWords;

/** Where the hash of the page itself stands in its words. */
export const pageHashAt = hashWords;

const classesAt = 0;
const shapesAt = 1;

const noSlot = -1;

export const childHashAt = (child: number): number => (pageChildren + child) * hashWords;

export function childLeaves(words: Uint32Array, child: number): LeafClass {
  return ((words[classesAt] >>> (child * 2)) & 3) as LeafClass;
}

export function childIsPage(words: Uint32Array, child: number): boolean {
  return ((words[shapesAt] >>> child) & 1) === 1;
}

/** The count classes of all nodes of a page, by heap index. */
export function readClasses(words: Uint32Array, classes: Uint8Array): void {
  unpackClasses(words[classesAt], classes);
}

function unpackClasses(packed: number, classes: Uint8Array): void {
  for (let child = 0; child < pageChildren; child++)
    classes[pageChildren + child] = (packed >>> (child * 2)) & 3;
  for (let node = pageChildren - 1; node > 0; node--) {
    const leaves = classes[2 * node] + classes[2 * node + 1];
    classes[node] = leaves > 2 ? 2 : leaves;
  }
}

/** What a page knows of its children besides their hashes, as it stands in the words of the page. */
export interface ChildStates {
  readonly classes: number;
  readonly shapes: number;
}

export function writeChildStates(words: Uint32Array, { classes, shapes }: ChildStates): void {
  words[classesAt] = classes;
  words[shapesAt] = shapes;
}

/** The child below a node of class one that holds its only leaf. */
export function onlyLeafChild(classes: Uint8Array, node: number): number {
  let at = node;
  while (at < pageChildren) at = classes[2 * at] > 0 ? 2 * at : 2 * at + 1;
  return at - pageChildren;
}

/** A changed node: the slot of its hash and what the page above keeps of it. */
export interface ChangedNode {
  readonly slot: number;
  readonly leaves: LeafClass;
  readonly isPage: boolean;
}

/** The changed children of one page, and the hashing of what stands above them. */
export class PageFrame {
  readonly #classes = new Uint8Array(pageNodes);
  readonly #slots = new Int32Array(pageNodes);
  #packedClasses = 0;
  #packedShapes = 0;
  hasChanges = false;

  /** Starts with the children as they stand in the words of a page. */
  start(words: Uint32Array): this {
    this.#slots.fill(noSlot);
    this.#packedClasses = words[classesAt];
    this.#packedShapes = words[shapesAt];
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

  /** Plans the changed children and the nodes above them; the words themselves are only read. */
  plan(words: Uint32Array, depth: number, { plan, patches }: Hashing): ChangedNode {
    const slots = this.#slots;
    unpackClasses(this.#packedClasses, this.#classes);
    for (let node = 2 * pageChildren - 1; node > 0; node--) {
      if (node < pageChildren) {
        if (slots[2 * node] === noSlot && slots[2 * node + 1] === noSlot) continue;
        slots[node] = this.#combine(node, words, depth, plan);
      }
      if (slots[node] !== noSlot) patches.add(node * hashWords, slots[node]);
    }
    return { slot: slots[1], leaves: this.#classes[1] as LeafClass, isPage: true };
  }

  #combine(node: number, words: Uint32Array, depth: number, plan: HashPlan): number {
    const leaves = this.#classes[node];
    if (leaves === 0) return emptySlot;
    const left = this.#slotOf(2 * node, words, plan);
    const right = this.#slotOf(2 * node + 1, words, plan);
    if (leaves === 1) return left === emptySlot ? right : left;
    return plan.pair(depth + 31 - Math.clz32(node), left, right);
  }

  #slotOf(node: number, words: Uint32Array, plan: HashPlan): number {
    if (this.#classes[node] === 0) return emptySlot;
    return this.#slots[node] === noSlot ? plan.put(words, node * hashWords) : this.#slots[node];
  }
}
