/**
 * The working memory of hashing, kept from one use to the next. Everything here is used from start to end
 * without a pause, so that all trees of a cache share one.
 */
import { BucketView } from './bucket.ts';
import { BucketHashing } from './bucket-hashing.ts';
import { BucketMerge } from './bucket-merge.ts';
import { BuiltWords } from './built-nodes.ts';
import { HashPlan, PatchList } from './hash-plan.ts';
import { PageFrame, pageLevels } from './page.ts';

const spareWordsMax = 8 * 1024 * 1024;

export class TreeWorkspace {
  readonly plan = new HashPlan();
  readonly patches = new PatchList(this.plan);
  readonly hashing = new BucketHashing(this.plan, this.patches);
  /** The bucket that is there, and one that is being built. */
  readonly bucket = new BucketView();
  readonly builtBucket = new BucketView();
  readonly merge = new BucketMerge(this.bucket);
  readonly #frames: PageFrame[] = [];
  #spare: Uint32Array<ArrayBuffer> | undefined;

  /** Forgets what was planned. */
  restart(): void {
    this.plan.restart();
    this.patches.length = 0;
  }

  /** The frame for pages at this depth: a page is finished before its neighbour starts. */
  frameAt(depth: number): PageFrame {
    const level = depth / pageLevels;
    while (this.#frames.length <= level) this.#frames.push(new PageFrame());
    return this.#frames[level];
  }

  newBuiltWords(): BuiltWords {
    const built = new BuiltWords(this.#spare);
    this.#spare = undefined;
    return built;
  }

  /** Takes the words of nodes that are cached by now, for the next ones. */
  recycle({ words }: BuiltWords): void {
    if (words.length <= spareWordsMax && words.length > (this.#spare?.length ?? 0)) this.#spare = words;
  }
}
