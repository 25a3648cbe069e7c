/** Bounds of a credential service: its own business where its configuration says nothing else. */

/** Bounds of the credential service where its configuration says nothing else. */
export const serviceLimits = {
  blobLifetimeSeconds: 600,
  downloadWindowSeconds: 30 * 86_400,
  /** Of one caller: an API key, or an address without one. */
  lightRequestsPerMinute: 1_200,
  /** Routes that make or check proofs, which take a hundred times longer. */
  heavyRequestsPerMinute: 300,
  /** Proof work by its cost (`proofs/proof-cost.ts`): of an address without a key, and of a key. */
  proofUnitsPerMinute: 300,
  proofUnitsPerMinuteWithKey: 1_200,
  /** Which part of a minute's units can be spent at once: what one request may cost at most. */
  proofBurstShare: 0.4,
} as const;

/** Bounds of the credential registry; the first two are written into its contract too. */
export const registryLimits = {
  /** Entries of one transaction: with an issuer and a template each they take 7,900 of 10,240 steps. */
  entriesMax: 100,
  statusChangesMax: 100,
  /** Credentials that may wait to be registered, and how long one may wait for others before it is sent. */
  waitingEntriesMax: 10_000,
  gatherMs: 20,
  /** How long a caller waits to be told. What became of the entry is found out in any case. */
  anchorWaitMs: 30_000,
  /** How long a transaction is waited for before it is handed in again, in which turns, and how often it is asked for. */
  receiptWaitMs: 10_000,
  receiptTurnMs: 500,
  pollMs: 50,
  /** What registering one entry may cost besides the bytes handed in: what is stored, in gas. It takes 570 at most. */
  gasPerEntryMax: 1_024,
  /** How often a ledger that does not answer is asked again: at first, and at most. */
  retryMs: 250,
  retryMsMax: 1_000,
} as const;

/** What the credential service does by itself, how often, and how long it waits for others. */
export const serviceWorkLimits = {
  sweepIntervalMs: 60_000,
  /** Batches of one sweep, so that it ends however much has lapsed. */
  sweepRoundsMax: 20,
  auditFlushIntervalMs: 5_000,
  /** How often it is asked whether the audit log is due for its daily anchor. */
  auditAnchorCheckMs: 10 * 60_000,
  recoveryIntervalMs: 5_000,
  /** Blobs that the ledger is asked about at one time. */
  watchedBlobsMax: 100,
  /** How often it is seen to that the sealed layer has keys for the current period. */
  sealKeyCheckMs: 60 * 60_000,
  /** How often a service that is not ready tries again. */
  openRetryMs: 2_000,
  /** Gas that the registrar's account needs to put both registries on a chain. */
  deployGas: 3_000_000,
  /** How often the registrar's balance is looked at, and below what it is worth a warning. */
  fundsCheckMs: 60 * 60_000,
  fundsLow: 1_000_000,
} as const;

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
