/** Bounds of the authenticated state tree. No root depends on how it is cut or cached. */
export const treeLimits = {
  bucketLeavesMax: 48,
  cacheBytesMax: 256 * 1024 * 1024,
  /** Buckets read together, and how many such reads a load has under way. */
  bucketsPerRead: 64,
  readsInFlightMax: 4,
  /** A full block of full transactions stays below; the working memory of an update grows with it. */
  updateKeysMax: 1_048_576,
} as const;
