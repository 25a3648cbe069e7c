/**
 * Bounds of what node and service watch about themselves: disk, database, clock, head. Everybody takes them from
 * `limits.ts`, of which they are a part.
 */
export const healthLimits = {
  /** How often the owner of a SQLite file looks after it, with a write that counts on. */
  databaseBeatMs: 1_000,
  /** Below this neither node nor service is ready: what is under way may still end. */
  diskFreeBytesMin: 128 * 1024 * 1024,
  /** How long a check of readiness may take, and how long its answer holds. */
  checkTimeoutMs: 2_000,
  checkRememberedMs: 500,
  /** How often a service looks at its own health when nobody asks. */
  lookMs: 5_000,
  /** Work that waits for the ledger this long, while its head stands still, is stuck. */
  headStillMs: 30_000,
  /** How often the balances that pay for others are looked at for the metrics. */
  balanceCheckMs: 60_000,
} as const;

/** The ledger's time against the clock of the machine. */
export const ledgerTimeLimits = {
  /** Worth a warning: more than clocks that follow a time server are ever apart. */
  aheadMsWarned: 5_000,
  /** A block that would close further ahead of the clock is not made. */
  aheadMsMax: 600_000,
  /** How often a node that waits for its clock looks at it again. */
  waitMs: 1_000,
} as const;

/** Connections beyond a server's limit. */
export const surplusLimits = {
  /** So many at a time are told so; further ones are dropped. */
  connectionsMax: 256,
  /** How long one may take to ask, and how long it is advised to wait. */
  askMs: 2_000,
  retryAfterSeconds: 1,
} as const;
