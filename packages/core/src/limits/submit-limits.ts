/**
 * Bounds of submits to the ledger: how long somebody waits for one, how soon a stalled one is asked for again, and what a
 * process that has died leaves to others. Everybody takes them from `limits.ts`, of which they are a part.
 */
export const submitLimits = {
  /** How long a caller waits to be told; shorter than clients wait for an answer. The submit goes on in any case. */
  waitMs: 12_000,
  /** How long the ledger may take to say that it has a transaction, before it is asked whether it has. */
  handInMs: 2_000,
  /** How long the next turn of an issuer's account is kept for whoever has to sign anew. */
  turnKeptMs: 2_000,
  /** What became of a submit whose answer nobody has got is told for so long. */
  outcomeKeptMs: 24 * 3_600_000,
  /** A process that has not said for so long that it lives is dead, and how often it says so. */
  workerLeaseMs: 4_000,
  workerRenewMs: 1_000,
  /** How often an issuer's program signs anew because others of the issuer came first, or repeats what is not known. */
  replacementsMax: 100,
  repeatsMax: 5,
  /** However long a service would have it wait. */
  repeatSecondsMax: 5,
} as const;

/** Bounds of how the service sees to it that the ledger is still the one it has recorded to. */
export const ownChainLimits = {
  /** How often the newest block is looked at; for so long who comes waits for a look that is under way. */
  lookMs: 1_000,
  /** How often the newest block is looked for that a receipt stands in. */
  looksMax: 5,
  lookPauseMs: 100,
  /** Questions to the ledger at a time while all records are compared with it. */
  questionsAtOnce: 8,
  /** How much of what is lacking, or cannot be recorded again, is told one by one. */
  toldMax: 50,
} as const;
