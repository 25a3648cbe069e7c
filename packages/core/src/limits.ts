/**
 * Every bound of the ledger, named once, unit last. Bounds printed in `spec/ledger-node.md` ("Limits")
 * stand first; bounds the interface document leaves open follow, each explained in `docs/decisions.md`.
 */

/** The largest value of a signed 64-bit integer: no amount, nonce or threshold goes beyond it. */
export const int64Max = 2n ** 63n - 1n;
export const int64Min = -(2n ** 63n);

/** The largest value of an unsigned 32-bit integer: no weight goes beyond it. */
export const weightMax = 2n ** 32n - 1n;

/** Bounds of one transaction and its parts: consensus rules, the same on every node. */
export const transactionLimits = {
  operationsMax: 100,
  envelopeBytesMax: 1_048_575,
  metadataBytesMax: 262_144,
  signaturesMax: 100,
  expressionBytesMax: 4_096,
  expressionDepthMax: 64,
  /** How much text one condition may load, join, compare and search: it is not paid for in gas. */
  expressionTextCharsMax: 65_536,
} as const;

export const operationLimits = {
  assetCodeBytesMax: 64,
  metadataKeyBytesMax: 1_024,
  metadataValueBytesMax: 262_144,
  logTopicBytesMax: 128,
  logDataBytesMax: 1_024,
  contractCodeBytesMax: 262_144,
  typeThresholdTypeMin: 1,
  typeThresholdTypeMax: 100,
  signersMax: 100,
} as const;

/** Bounds of one block: consensus rules too. */
export const blockLimits = {
  transactionsMax: 2_000,
  bytesMax: 16 * 1024 * 1024,
} as const;

/** Bounds of the waiting queue: each node's own business, changeable in its configuration. */
export const queueLimits = {
  transactionsMax: 100_000,
  transactionsPerAccountMax: 1_000,
  /** Of all waiting transactions together: without it a few large senders fill the memory before the count does. */
  bytesMax: 256 * 1024 * 1024,
  lifetimeMs: 600_000,
  sweepIntervalMs: 2_000,
  /** A transaction replaces one with the same source and nonce when it pays this much more, in percent. */
  replacementPricePercent: 110n,
  /** How many expired hashes are remembered, so that a client asking for one is told code 5. */
  expiredHashesMax: 100_000,
  /** How many submissions may wait for their signatures to be verified. */
  unverifiedMax: 20_000,
} as const;

/** Bounds of the query interface. */
export const queryLimits = {
  bodyBytesMax: 8 * 1024 * 1024,
  transactionsMax: 1_000,
  latestTransactionsMax: 100,
  multiQueryItemsMax: 100,
  /** Of all answers of one batch: a hundred large ones must not add up. */
  multiQueryReplyCharsMax: 32 * 1024 * 1024,
  submitItemsMax: 1_000,
  accountEntriesMax: 10_000,
} as const;

/** Bounds of any JSON text that comes from outside, checked before or while it becomes a value. */
export const jsonLimits = {
  depthMax: 64,
  /** Digits of one number: room for a 256-bit integer and more, far from anything slow to convert. */
  digitsMax: 128,
  /** Elements of all repeated fields of one message together: no body may cost more objects than this. */
  elementsMax: 100_000,
} as const;

/** Bounds of an HTTP server: each node's own business, changeable in its configuration. */
export const httpLimits = {
  connectionsMax: 2_000,
  headerBytesMax: 32 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 65_000,
  /** A connection on which nothing moves for this long is dropped, whoever is to blame. */
  silenceMs: 120_000,
  /** Bodies of routes that read none. */
  ignoredBodyBytesMax: 64 * 1024,
  /** How long a closing server waits for answers that are under way. */
  closeGraceMs: 5_000,
} as const;

/** Bounds of a node's store: keys and values of one row, rows of one bounded scan. */
export const storeLimits = {
  keyBytesMax: 4_096,
  valueBytesMax: 64 * 1024 * 1024,
  scanRowsDefault: 1_000,
  scanRowsMax: 10_000,
} as const;

/** Bounds of the authenticated state tree. No root depends on how it is cut or cached. */
export const treeLimits = {
  bucketLeavesMax: 48,
  cacheBytesMax: 256 * 1024 * 1024,
  /** Buckets of one load read at the same time. */
  scansInFlightMax: 32,
  /** A full block of full transactions stays below; the working memory of an update grows with it. */
  updateKeysMax: 1_048_576,
  /** Levels of a proof: one for each bit of a key. A consensus rule of the proof format. */
  proofLevelsMax: 256,
} as const;

/** Bounds of the signature verifiers; how many signatures may wait stands in `queueLimits.unverifiedMax`. */
export const signatureLimits = {
  workersMax: 64,
  /** So many must wait before a thread that is busy is sent another batch. */
  batchItemsMin: 32,
  batchItemsMax: 128,
  batchBytesMax: 4 * 1024 * 1024,
  batchesPerWorkerMax: 2,
  /** Messages are up to one transaction long, so a count alone would not bound the memory of those waiting. */
  waitingBytesMax: 256 * 1024 * 1024,
  /** Imported public keys kept by each thread. */
  cachedKeysMax: 20_000,
} as const;

/** Bounds of the WebSocket interface. */
export const socketLimits = {
  connectionsMax: 1_000,
  subscribedAddressesMax: 100,
  frameBytesMax: 2 * 1024 * 1024,
  /** A connection that submits faster than its transactions are decided upon is dropped. */
  submissionsUnderWayMax: 1_000,
  /** A consumer that lets this much pile up is dropped. */
  bufferedBytesMax: 8 * 1024 * 1024,
  pingIntervalMs: 15_000,
  silenceMs: 60_000,
} as const;

/** Bounds of a client of a node; each can be set otherwise where the client is made. */
export const clientLimits = {
  timeoutMs: 15_000,
  responseBytesMax: 64 * 1024 * 1024,
  /** How long a sender waits for its transaction to be executed, and how often it asks. */
  receiptTimeoutMs: 60_000,
  pollIntervalMs: 250,
} as const;

/**
 * Bounds of contracts: consensus rules. A run is metered in gas, the engine's own deterministic count; the family
 * counts steps (one a loop turn or function entry), and one of its steps is worth `gasPerStep` of ours.
 *
 * Measured, a loop turn or function entry takes 20 to 460 gas, half of them less than 135; a turn that prints and
 * parses a small JSON document 1,400. The family does not count such work at all, so a step must pay for some.
 * One gas takes 1 to 8 nanoseconds, 16 at worst: a transaction that uses all it may takes 30 to 160 milliseconds.
 */
const gasPerStep = 1_000n;
export const contractLimits = {
  gasPerStep,
  /** For a signed transaction and everything it causes: 10,240 steps. */
  gasMax: 10_240n * gasPerStep,
  /** After so much in one block the next contract waits for the next block: each proposer's own business. */
  blockGasMax: 2n * 10_240n * gasPerStep,
  /** What a function that touches the ledger costs, in steps (decision C-02). */
  builtInSteps: 10,
  /** What making a contract costs instead: its code is read, checked and compiled. */
  creationSteps: 100,
  /** Text that passes in or out of a contract costs a step for so many characters, a triggered transaction for bytes. */
  textCharsPerStep: 1_024,
  triggeredBytesPerStep: 1_024,
  /** Transactions and queries that may be under way when a contract starts. */
  callDepthMax: 4,
  triggeredTransactionsMax: 512,
  blockHashesMax: 1_024,
  logArgumentsMax: 6,
  /** What a built-in function sees of its arguments: more than any takes, so that too many are noticed. */
  argumentsMax: 8,
  /** These two are built into the contract engine: after a change, scripts/build-contract-engine.mjs. */
  memoryBytesMax: 30 * 1024 * 1024,
  stackBytesMax: 256 * 1024,
  exceptionCharsMax: 256,
  /** Compiling is done once for many runs, so each pays a share of it: one in so many. */
  compilingDiscount: 4n,
  /** Images of contracts kept for their next run, 0.33 MB each for small code: not a consensus rule. */
  codeImagesBytesMax: 128 * 1024 * 1024,
  /** Levels of the syntax tree: every recursion over code, the parser's included, stays far below any stack. */
  syntaxDepthMax: 100,
  syntaxFindingsMax: 50,
  /** All regular expressions of a contract together: parsing a character of them can cost 15 microseconds. */
  regexpCharsMax: 8_192,
  /** The text that one call may hash or verify: paid for by length. */
  hashedCharsMax: 1_048_576,
  /** What the node's own log keeps of one line of a contract. */
  logCharsMax: 1_024,
  powerExponentMax: 10_000n,
} as const;

/** Bounds of the sandbox, which shares the node's main thread: how many may wait for it, and how long. */
export const sandboxLimits = {
  waitingMax: 1_000,
  waitMs: 1_000,
} as const;
