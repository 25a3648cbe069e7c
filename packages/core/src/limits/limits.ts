/**
 * Every bound of the ledger, named once, unit last. Bounds printed in `spec/ledger-node.md` ("Limits")
 * stand first; bounds the interface document leaves open follow, each explained in `docs/decisions.md`.
 */
export * from './command-limits.ts';
export * from './exchange-limits.ts';
export * from './health-limits.ts';
export * from './issuance-limits.ts';
export * from './json-limits.ts';
export * from './key-file-limits.ts';
export * from './proof-limits.ts';
export * from './submit-limits.ts';
export * from './thread-limits.ts';
export * from './wallet-limits.ts';

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
  /** Of how many that left the queue unexecuted the hash is remembered, so that who asks for it is told why. */
  departedHashesMax: 100_000,
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

/** Bounds of an HTTP server: each node's own business, changeable in its configuration. */
export const httpLimits = {
  connectionsMax: 2_000,
  headerBytesMax: 32 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 65_000,
  /** A connection on which nothing moves for this long is dropped, whoever is to blame. */
  silenceMs: 120_000,
  /** Bodies of routes that read none, or nothing but parameters. */
  smallBodyBytesMax: 64 * 1024,
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
  /** Buckets read together, and how many such reads a load has under way. */
  bucketsPerRead: 64,
  readsInFlightMax: 4,
  /** A full block of full transactions stays below; the working memory of an update grows with it. */
  updateKeysMax: 1_048_576,
  /** Levels of a proof: one for each bit of a key. A consensus rule of the proof format. */
  proofLevelsMax: 256,
} as const;

/** Bounds of the signature verifiers; how many signatures may wait stands in `queueLimits.unverifiedMax`. */
export const signatureLimits = {
  workersMax: 64,
  workersUsualMax: 4,
  /** So many must wait before a thread that is busy is sent another batch. */
  batchItemsMin: 32,
  batchItemsMax: 128,
  batchBytesMax: 4 * 1024 * 1024,
  batchesPerWorkerMax: 8,
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
  /**
   * The most that a node or a service may ask for a transaction, and for a unit of its work. A payment takes 240 units, a
   * change of a DID document 600, a call of a contract that stores something 600 to 4,000, the registration of a template of
   * sixty attributes 67,000; the networks of the family ask 1 to 1,000
   * for a unit. Creating a contract takes a million more, issuing an asset five.
   */
  feeLimitMax: 1_000_000n,
  contractFeeMax: 2_000_000n,
  assetFeeMax: 6_000_000n,
  gasPriceMax: 1_000n,
  /** What is paid into a new account without being asked for, if the node says that it must keep so much. */
  reserveMax: 10_000_000n,
  pollIntervalMs: 250,
  /** The longest event of a stream, and how many wait for a slow reader. */
  eventBytesMax: 1024 * 1024,
  eventsWaitingMax: 1_000,
  /** A list that goes on for longer than this, or a stream that brings more events, is made up. */
  pagesMax: 1_000,
  streamEventsMax: 10_000,
  /** A stream that is silent for so long is broken: servers send a sign of life more often. */
  streamSilenceMs: 60_000,
  /** How often in a row a broken stream is opened again before its reader is told, and how long is waited between. */
  reopenTriesMax: 6,
  reopenDelayMs: 250,
  reopenDelayMsMax: 10_000,
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
  /** The stack of all runs under way, one inside the other, with their calls of the host: what each may take by itself. */
  nestedStackBytesMax: 4 * (256 + 4) * 1024,
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
  /** The first run on a busy machine takes a second, and the sandbox rests as long afterwards: one caller must fit. */
  waitMs: 3_000,
} as const;

/** Bounds of BBS signatures and of proofs about them. Time and memory of every operation grow with these. */
export const bbsLimits = {
  messagesMax: 100,
  messageBytesMax: 1024 * 1024,
  /** Header and all messages of one signature together. */
  signedBytesMax: 4 * 1024 * 1024,
  contextBytesMax: 256 * 1024,
  nonceBytesMax: 1_024,
  /** Bounds are inclusive here and exclusive in the engine, which counts as far as JavaScript does without gaps. */
  integerMax: 2n ** 53n - 2n,
  /** A bound may be one more, and says nothing then. */
  boundMax: 2n ** 53n - 1n,
  rangesMax: 60,
  keyMaterialBytesMin: 32,
  keyMaterialBytesMax: 4_096,
  keyInfoBytesMax: 65_535,
} as const;

/** Bounds of the credential service where its configuration says nothing else. */
export const serviceLimits = {
  blobLifetimeSeconds: 600,
  downloadWindowSeconds: 30 * 86_400,
  /** Of one caller: an API key, or an address without one. */
  lightRequestsPerMinute: 1_200,
  /** Routes that make or check proofs, which take a hundred times longer. */
  heavyRequestsPerMinute: 300,
  /** Proof work by its cost (`credential/proof-cost.ts`): of an address without a key, and of a key. */
  proofUnitsPerMinute: 300,
  proofUnitsPerMinuteWithKey: 1_200,
  /** Which part of a minute's units can be spent at once: what one request may cost at most. */
  proofBurstShare: 0.4,
} as const;

/** Bounds of what a request to the credential service may carry, checked before any rule looks at it. */
export const credentialRequestLimits = {
  /** Names, versions, identifiers and the like. */
  nameCharsMax: 256,
  noteCharsMax: 4_096,
  /** An image of 256 KiB in base64, as a data URL. */
  valueCharsMax: 360_000,
  attributesMax: 60,
  signersMax: 16,
  /** Credentials of one presentation. */
  credentialsMax: 8,
  bulkIdentifiersMax: 100,
  seedCharsMax: 1_024,
  pageItemsDefault: 50,
  pageItemsMax: 200,
  cursorCharsMax: 512,
  /** Bodies with attribute values, credentials or presentations in them. */
  documentBytesMax: 4 * 1024 * 1024,
} as const;

/** Bounds of the sealed layer. */
export const sealedLimits = {
  headerCharsMax: 2_048,
  keyIdCharsMax: 64,
  /** The current keys, and those before them while clients still hold them. */
  liveKeysMax: 2,
  /** Requests being opened at the same time; private RSA operations take milliseconds each. */
  openingMax: 64,
} as const;

/** Bounds of templates, credentials and presentations (`credential/`): what a verifier anywhere takes and no more. */
export const credentialLimits = {
  attributesMax: 60,
  attributeKeyCharsMax: 64,
  labelCharsMax: 128,
  nameCharsMax: 128,
  remarkCharsMax: 1_024,
  versionPartsMax: 4,
  versionPartDigitsMax: 9,
  textBytesMax: 8_192,
  imageBytesMax: 256 * 1024,
  decimalDigitsMax: 9,
  /** Of the canonical text of a credential: several images fit, a flood of them does not. */
  credentialBytesMax: 2 * 1024 * 1024,
  presentationBytesMax: 4 * 1024 * 1024,
  presentedCredentialsMax: 8,
  rangesMax: 16,
  /** Of all credentials together: each takes a verifier a third of a second. */
  presentationRangesMax: 16,
  /** As many ranges as there may be, each proved by set membership in 6.3 KB. */
  derivedProofBytesMax: 128 * 1024,
  challengeCharsMax: 512,
  domainCharsMax: 512,
  ageYearsMax: 200,
  /** A range that leaves no more values than these tells the value: numbers, last places, days, seconds of a day. */
  tellingRangeValues: { integer: 3n, decimal: 10n, date: 7n, dateTime: 86_400n },
  /** Complaints about one document: enough to mend it, not an answer larger than the question. */
  complaintsMax: 100,
} as const;

/** Bounds of a service's database: each service's own business. */
export const databaseLimits = {
  /** Statements and transactions that may wait for the one connection of SQLite. */
  waitingMax: 10_000,
  /** Single writes that share one commit. */
  batchStatementsMax: 256,
  cachedStatementsMax: 500,
  busyTimeoutMs: 5_000,
  /** A file with certificates or a key; some authorities come with many. */
  certificateBytesMax: 1024 * 1024,
  poolConnectionsMax: 20,
  connectTimeoutMs: 10_000,
  /** How long a connection that one part of a process has for itself may be silent. */
  ownConnectionTimeoutMs: 2_000,
  statementTimeoutMs: 30_000,
  /** How long one transaction may keep its connection. */
  transactionTimeoutMs: 30_000,
  /** How often a transaction is tried when others are faster, and the longest pause between. */
  transactionAttemptsMax: 20,
  transactionPauseMs: 100,
} as const;

/** Bounds of a service's HTTP interface beside `httpLimits`. */
export const serviceHttpLimits = {
  /** A credential with its images; routes that take more say so. */
  bodyBytesMax: 1024 * 1024,
  pathParameterCharsMax: 2_048,
  apiKeyCharsMax: 256,
  idempotencyKeyCharsMax: 255,
  /** Callers whose rate is remembered. */
  ratedCallersMax: 100_000,
  jsonMembersMax: 50_000,
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
  /** How long an approved application waits for the issuer's signature before its draft lapses. */
  draftLifetimeMs: 24 * 3_600_000,
  /** Status changes that were prepared and never sent are forgotten after this. */
  lapsedKeptMs: 24 * 3_600_000,
  sealedBytesMax: 8 * 1024 * 1024,
  settingBytesMax: 1024 * 1024,
  idempotencyLifetimeMs: 24 * 3_600_000,
  apiKeysMax: 10_000,
  apiKeyLabelCharsMax: 128,
  /** How long keys in force are remembered: a revoked key works so long on other replicas. */
  apiKeyRememberedMs: 5_000,
  /** Look-ups under way at the same time, of keys that are not known to be good. */
  apiKeyLookupsMax: 64,
  /** The last use of a key is written down no more often than this. */
  apiKeyUseIntervalMs: 60_000,
  bbsKeysPerOwnerMax: 1_000,
  sealKeyRotationMs: 30 * 86_400_000,
  auditTextCharsMax: 256,
  auditAnchorIntervalMs: 86_400_000,
  auditAttemptsMax: 20,
} as const;

/** Bounds of decentralized identifiers and of the log in which an account records its further keys. */
export const didLimits = {
  didCharsMax: 256,
  didUrlCharsMax: 2_048,
  multibaseCharsMax: 160,
  /** One entry of the log, as it stands in the account's metadata. */
  logEntryCharsMax: 16_384,
  /** Every entry costs a resolver one question to the ledger, once. */
  logEntriesMax: 512,
  changesPerEntryMax: 16,
  keyNumberMax: 9_999,
  /** Keys and services of one document. */
  documentKeysMax: 64,
  documentServicesMax: 32,
  serviceIdCharsMax: 64,
  serviceTypeCharsMax: 128,
  serviceEndpointCharsMax: 1_024,
  /** Log entries and histories that a resolver remembers. */
  cachedEntriesMax: 20_000,
  cachedHistoriesMax: 2_000,
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
  /** Templates or versions listed at a time. */
  pageMax: 100,
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

/** The demo's accounts and how it waits for its own transactions. */
export const demoLimits = {
  personFunds: 1_000_000_000_000n,
  registrarFunds: 10_000_000_000_000n,
  /** What the account of the token's contract is made with. */
  contractFunds: 10_000_000n,
  pollIntervalMs: 20,
  readyWaitMs: 60_000,
  readyPollMs: 200,
} as const;

/** Bounds of the hardware module that holds keys. */
export const hsmLimits = {
  /** Calls at a time: each holds one of the four threads that also read files. */
  callsMax: 2,
  waitingMax: 1_000,
  /** How long a caller waits for its turn and its answer; a call that is under way cannot be taken back. */
  operationMs: 15_000,
  slotsMax: 256,
  pinBytesMax: 255,
  labelBytesMax: 64,
  keyIdBytesMax: 32,
  /** What is signed, or encrypted with a key of the module, at once. */
  messageBytesMax: 1_048_576,
  keysListedMax: 1_000,
  /** Places of keys in the module that are remembered. */
  handlesMax: 4_096,
  /** Two first starts may both make a key: how often they look again, and how long they wait in between, at most. */
  makeAttemptsMax: 8,
  makePauseMs: 200,
} as const;
