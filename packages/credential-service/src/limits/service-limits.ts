/** Bounds of a credential service, which are its own business. */

/** Where its configuration says nothing else. */
export const serviceLimits = {
  blobLifetimeSeconds: 600,
  downloadWindowSeconds: 30 * 86_400,
  /** Longer than any balancer takes to notice, and than systems wait for a process to end. */
  drainSecondsMax: 600,
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
  /**
   * How long a transaction is waited for before it is handed in again, in which turns, and when it is first asked for.
   */
  receiptWaitMs: 10_000,
  receiptTurnMs: 500,
  pollMs: 25,
  /**
   * For how long after they were asked terms are taken for those of the next transactions; and how long not, when
   * somebody else uses the account.
   */
  expectedTermsMs: 1_000,
  sharedAccountMs: 10_000,
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

/** Bounds of the threads or processes that compute signatures and proofs. */
export const proofLimits = {
  workersMax: 64,
  /** Jobs that may wait or be under way, and the bytes of their orders. */
  waitingMax: 256,
  waitingBytesMax: 64 * 1024 * 1024,
  /** Of one caller, so that others find room. */
  waitingPerCallerMax: 128,
  /** Workers beside the others that take short jobs alone, and the most that such a job costs. */
  shortJobWorkers: 1,
  shortJobUnitsMax: 8,
  /** Workers beside the others that take jobs with a secret key, and nothing else. */
  signingWorkers: 1,
  /** How long a job may wait for a worker. */
  waitMs: 30_000,
  /** How long a worker may take for a job, and how much longer for each range in it. */
  jobMs: 30_000,
  rangeMs: 10_000,
  startMs: 60_000,
  warmUpMs: 180_000,
  /** When workers are started again after one did not start. */
  startAgainMs: 5_000,
  /** A job on which this many workers broke is not tried again. */
  attemptsMax: 2,
  heapMegabytesMax: 256,
  /**
   * Memory of a process: one that holds more after a job is replaced, and the system gives it no more than the second,
   * whatever it is asked to compute.
   */
  processBytesMax: 256 * 1024 * 1024,
  processDataBytesMax: 1024 * 1024 * 1024,
  /** What is said to a process, or by it, at a time. The largest order has 9 MB: messages, and those that are shown again. */
  frameBytesMax: 16 * 1024 * 1024,
} as const;

/** Bounds of how the service sees to it that the ledger is still the one it has recorded to. */
export const ownChainLimits = {
  /** How often the newest block is looked at; for so long who comes waits for a look that is under way. */
  lookMs: 1_000,
  /** How often the newest block is looked for that a receipt stands in. */
  looksMax: 5,
  lookPauseMs: 100,
  /** What is looked up in one request, at most: one large answer must not hold up many. */
  lookUpsTogetherMax: 16,
  /** Questions to the ledger at a time while all records are compared with it. */
  questionsAtOnce: 8,
  /** How much of what is lacking, or cannot be recorded again, is told one by one. */
  toldMax: 50,
} as const;

/** Bounds of what the credential service remembers: its tables, keys and audit log. */
export const recordLimits = {
  pageRowsDefault: 50,
  pageRowsMax: 200,
  cursorCharsMax: 512,
  searchCharsMax: 128,
  /** Rows that one sweep, rewrap or check of the chain touches in one statement. */
  batchRowsMax: 500,
  /** A claim older than this belongs to a process that is gone. */
  claimLeaseMs: 5 * 60_000,
  /** Status changes that were prepared and never sent are forgotten after this. */
  lapsedKeptMs: 24 * 3_600_000,
  encryptedBytesMax: 8 * 1024 * 1024,
  settingBytesMax: 1024 * 1024,
  idempotencyLifetimeMs: 24 * 3_600_000,
  /** How often a database that was away is told how a request has ended. */
  idempotencyRetryMs: 250,
  apiKeysMax: 10_000,
  /** How long keys in force are remembered: a revoked key works so long on other replicas. */
  apiKeyRememberedMs: 5_000,
  /** Look-ups under way at the same time, of keys that are not known to be good. */
  apiKeyLookupsMax: 64,
  /** The last use of a key is written down no more often than this. */
  apiKeyUseIntervalMs: 60_000,
  /** How long a full bucket of a caller is kept. */
  ratesKeptMs: 15 * 60_000,
  bbsKeysPerOwnerMax: 1_000,
  sealKeyRotationMs: 30 * 86_400_000,
  auditTextCharsMax: 256,
  auditAnchorIntervalMs: 86_400_000,
  auditAttemptsMax: 20,
} as const;

/** Documents of others that the service fetches: DID documents, type metadata, status lists, contexts. */
export const fetchLimits = {
  documentBytesMax: 1024 * 1024,
  urlCharsMax: 2_048,
  timeoutMs: 5_000,
  /** Under way at the same time; a further one is refused. */
  fetchesMax: 32,
  /** How long one is remembered, and how many are, with how many characters at most. */
  rememberedMs: 60_000,
  rememberedMax: 500,
  rememberedCharsMax: 128 * 1024,
} as const;

/** Certificates that an operator sets. */
export const certificateLimits = { pemCharsMax: 65_536, anchorsMax: 100 } as const;

/** Keys by which the service signs for an issuer. */
export const issuerKeyLimits = {
  /** Of one kind: what was signed with a former key can be verified as long as this many have not come after it. */
  keysMax: 20,
  /** Keys that are kept ready to sign. */
  openKeysMax: 1_000,
} as const;

/** Bounds of the lists that issuers, holders and verifiers look at. */
export const deskLimits = {
  /** How long a list waits for the ledger before it tells what the service remembers. */
  ledgerWaitMs: 2_000,
} as const;

/** Sessions of browsers; how long they last is `signInLimits` of the core. */
export const browserSessionLimits = {
  /** Of one DID, or of one API key without one: the oldest ends for the next. */
  perPartyMax: 20,
  /** Of people without an API key, all together: anybody can be one. */
  keylessMax: 20_000,
  /** The last use is written down no more often than this. */
  useIntervalMs: 60_000,
  /** How long one that is over is remembered: longer than a challenge, so that none is used twice. */
  keptMs: 60 * 60_000,
  /** Look-ups under way at the same time, of sessions that are not known to be good. */
  lookupsMax: 64,
  /** Sessions that a process knows to have been good. */
  knownMax: 10_000,
  challengeBytes: 16,
} as const;

/** Coins of a demo for whoever asks, of one network address. */
export const faucetLimits = { perMinute: 20, burst: 10 } as const;

/** What custody costs the service, and what strangers can make it do. */
export const custodyWorkLimits = {
  /** Memory of one hash is 128 bytes times cost times block size: 32 MiB. */
  hashCost: 2 ** 15,
  hashBlockSize: 8,
  hashParallel: 1,
  hashSaltBytes: 16,
  hashBytes: 32,
  /** Hashes under way: each holds one of the four threads that also read files, and its memory. */
  hashesMax: 2,
  hashesWaitingMax: 64,
  /** Wrong passwords are forgotten after this, once a lock is over. */
  attemptsKeptMs: 7 * 86_400_000,
  /** Days whose use is kept; only the current one counts. */
  usesKeptDays: 31,
  /** Of one caller: wrong passwords of any account, and new accounts. */
  wrongPasswordsPerMinute: 20,
  newAccountsPerMinute: 6,
  /** Accounts that the service pays for in a day, whoever makes them. */
  activationsPerDay: 1_000,
  activationAmount: 10_000_000,
  /** How long who makes an account waits to be told that the ledger has it. */
  activationWaitMs: 5_000,
} as const;

/** Bounds of several nodes of one ledger. */
export const ledgerNodeLimits = {
  /** Nodes beside the first. */
  standbyMax: 8,
  /** How long one may take to answer before the next is asked. */
  answerMs: 3_000,
} as const;

/** How payments are settled and sponsored: what waits how long, and how much is done for nothing. */
export const paymentWorkLimits = {
  /** What nodes add to a fee that they evaluate beyond what signatures take, in gas. */
  trialRoomGas: 20n,
  /** How long a client really has to pay: an offer is forgotten after this. */
  offerKeptMs: 15 * 60_000,
  /** How long a payment rests before it is handed in again while the ledger does not say what became of it. */
  settlePauseMs: 250,
  /** How long one that is too late rests before it is asked for once more. */
  missedPauseMs: 1_000,
  /**
   * How often in turn a payment is refused at the door, with nothing in the ledger against it, before that is its end.
   */
  refusalsMax: 30,
  /** How long asking for a status waits for what it sets in motion. */
  statusWaitMs: 5_000,
  /**
   * How long a repetition waits to see whether another caller gets the one answer that it is executed, and how often it
   * looks.
   */
  tellingWaitMs: 1_000,
  tellingPollMs: 25,
  /** Live credentials of a holder that are looked at before another is sold. */
  duplicatesChecked: 5,
  /** Unfinished payments and settlements that one round of recovery takes. */
  recoveredMax: 100,
  tokenSymbolCharsMax: 32,
  tokenDecimalsMax: 36,
  /** Transactions that the sponsor prepares wait this long for the client's signature. */
  sponsoredSeconds: 120,
  /** Accounts of the sponsor: as many payments can be under way at once; one transaction fills all of them up. */
  sponsorAccounts: 32,
  sponsorAccountsMax: 100,
  /** So many of them are held at once for payments of one address that are prepared and not settled. */
  sponsorHeldPerPayerMax: 8,
  /** What one of them is filled up to, in times of what a payment may cost at most. */
  sponsorFill: 3n,
  /** What filling them up may cost in gas: for all, and for each. */
  sponsorFillGas: 2_000n,
  sponsorFillGasEach: 500n,
  /** How often it is tried where others come first. */
  sponsorFillTries: 3,
  /** How long somebody waits for one of them to be free before sharing one, and how often it is looked. */
  sponsorWaitMs: 2_000,
  sponsorPollMs: 50,
  /** Payments with the same terms differ by up to so much in their limit of the fee. */
  sponsorFeeMarks: 1_000,
  /** How long what was read of their balances is good for answers that move nothing. */
  sponsorFundsMs: 1_000,
} as const;

/** Drafts before the last one whose signature is recognised, so that whoever signed one learns why it is refused. */
export const replacedDraftsMax = 8;

/** Log entries and histories that the resolver remembers. */
export const resolverLimits = {
  cachedEntriesMax: 20_000,
  cachedHistoriesMax: 2_000,
} as const;

/** Public keys of callers that are kept in the form that verifying takes. */
export const importedKeysMax = 1_000;

/** Bounds of how status lists are filled and derived from the ledger. */
export const statusListWorkLimits = {
  /** Slots of a list that are given away: beyond it a free one is hard to draw, and the next list begins. */
  takenShare: 0.875,
  /** Of one request. */
  slotsPerIssueMax: 100,
  /** How often a list that others fill up first is tried, and how often slots are drawn. */
  drawsMax: 100,
  /** A list is compared with the ledger no more often than this, however often it is asked for. */
  refreshMs: 2_000,
  /** Blocks that are looked through for changes; where more have passed, all entries of a list are read. */
  blocksMax: 2_000,
  blockTransactionsMax: 1_000,
  /** Credentials whose last change is remembered. */
  changesMax: 100_000,
  questionsAtOnce: 16,
  rowsPerPage: 1_000,
  /** Lists that a process knows. */
  knownListsMax: 256,
  /** A list that says the same is signed anew when this share of its life is over. */
  renewShare: 0.25,
} as const;
