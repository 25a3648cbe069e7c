/** Bounds of proof work, unit last, beside those of everything else (`limits.ts`). Costs are in units of `credential/proof-cost.ts`. */

/** Bounds of the threads that compute signatures and proofs. */
export const proofLimits = {
  workersMax: 64,
  /** Jobs that may wait or be under way, and the bytes of their orders. */
  waitingMax: 256,
  waitingBytesMax: 64 * 1024 * 1024,
  /** Of one caller, so that others find room. */
  waitingPerCallerMax: 128,
  /** Threads beside the others that take short jobs alone, and the most that such a job costs: half a second's work. */
  shortJobWorkers: 1,
  shortJobUnitsMax: 8,
  /** How long a job may wait for a thread. */
  waitMs: 30_000,
  /** How long a thread may take for a job, and how much longer for each range in it. */
  jobMs: 30_000,
  rangeMs: 10_000,
  startMs: 60_000,
  warmUpMs: 180_000,
  /** A job on which this many threads broke is not tried again. */
  attemptsMax: 2,
  threadHeapMegabytesMax: 256,
} as const;
