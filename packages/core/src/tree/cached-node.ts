/**
 * A node of the tree in memory: a page or a bucket (their words: `page.ts`, `bucket.ts`) and its links to
 * the cached nodes around it. Content and links are changed by a commit and by the cache, nowhere else.
 */
import { bucketHashAt } from './bucket.ts';
import { bytesOf } from './key-words.ts';
import { pageChildren, pageHashAt, pageWords } from './page.ts';
import { emptyHash } from './tree-hash.ts';
import type { WordsPool } from './words-pool.ts';

/** Objects around the words of a node, roughly. */
const overheadBytes = 320;

const noChildren: (CachedNode | undefined)[] = [];

export class CachedNode {
  readonly words: Uint32Array<ArrayBuffer>;
  readonly isPage: boolean;
  /** Leaves of a bucket; zero for a page. */
  readonly count: number;
  /** Children of a page that are cached too. */
  readonly children: (CachedNode | undefined)[];
  /** Since the cache last looked for nodes to drop. */
  used = true;
  cachedChildren = 0;
  /** The name of the tree it belongs to. */
  tree = '';
  parent: CachedNode | undefined;
  child = 0;
  /** Its place among all cached nodes, negative if it is not one of them. */
  ringIndex = -1;

  private constructor(words: Uint32Array<ArrayBuffer>, isPage: boolean, count: number) {
    this.words = words;
    this.isPage = isPage;
    this.count = count;
    this.children = isPage ? new Array(pageChildren).fill(undefined) : noChildren;
  }

  /** A page without leaves. */
  static page(): CachedNode {
    return new CachedNode(new Uint32Array(pageWords), true, 0);
  }

  /** A bucket whose words are still to be written. */
  static bucket(count: number, pool: WordsPool): CachedNode {
    return new CachedNode(pool.take(count), false, count);
  }

  static readonly emptyBucket = new CachedNode(new Uint32Array(0), false, 0);

  /** Hangs a node below this page. */
  adopt(node: CachedNode, child: number): void {
    node.parent = this;
    node.child = child;
    this.children[child] = node;
    this.cachedChildren++;
  }

  get isCached(): boolean {
    return this.ringIndex >= 0;
  }

  get bytes(): number {
    return this.words.byteLength + overheadBytes;
  }

  get hash(): Uint8Array {
    if (this.isPage) return bytesOf(this.words, pageHashAt);
    return this.count === 0 ? emptyHash() : bytesOf(this.words, bucketHashAt(this.words));
  }
}
