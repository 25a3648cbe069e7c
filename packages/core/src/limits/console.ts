/** Bounds of the console that several packages share. */

/** Signing in at a service with a browser. */
export const signInLimits = {
  /** 64 bytes in hex. */
  signatureCharsMax: 128,
  apiKeyCharsMax: 256,
  /** How long a challenge can be signed. */
  challengeMs: 2 * 60_000,
  /** A session ends when it rests for so long, and in any case after the second. */
  idleMs: 30 * 60_000,
  sessionMs: 12 * 3_600_000,
} as const;

/** The stream of blocks. */
export const ledgerStreamLimits = {
  /** Streams: of the whole service, and of one address. */
  streamsMax: 1_000,
  streamsPerAddressMax: 20,
  streamMsMax: 30 * 60_000,
  heartbeatMs: 15_000,
  /** How often one watcher looks for all streams of a process. */
  watchMs: 500,
  /** Blocks that are kept for who comes back, and told at a time. */
  keptBlocksMax: 200,
  /** Blocks that are looked up at one time: who was away for longer is told that some are left out. */
  lookedUpMax: 20,
  /** Transactions of a block that are listed. */
  listedTransactionsMax: 100,
} as const;
