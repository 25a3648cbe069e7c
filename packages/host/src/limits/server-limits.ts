/** Bounds of any server of the house: connections, databases, hardware modules, its own health. */

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
  formParametersMax: 100,
  /** Access tokens and DPoP proofs, beside the bound of all headers. */
  accessTokenCharsMax: 4_096,
  dpopProofCharsMax: 8_192,
} as const;

/** Rates that several processes count together. */
export const rateSharingLimits = {
  /** How often what was given is added up, and how soon where it matters. */
  roundMs: 250,
  urgentMs: 20,
  /** It matters once this part of all that can be taken at once was taken. */
  urgentShare: 0.125,
  /** Callers of one statement, and those that may wait for the next: beyond that they are counted here alone. */
  bucketsMax: 500,
  pendingMax: 10_000,
} as const;

/** The web console: its files are kept in memory. */
export const consoleFileLimits = {
  filesMax: 2_000,
  bytesMax: 64 * 1024 * 1024,
  /** What a browser may report at once of what the policy of the page has kept it from. */
  reportBytesMax: 16 * 1024,
  reportsMax: 100,
} as const;

/** Requests that a service passes on to its ledger node. */
export const passageLimits = {
  /** How long one may take, from the first byte to the last. */
  exchangeMs: 30_000,
  /** So many at a time; further ones are told to come again. */
  atOnceMax: 128,
} as const;

/** Connections beyond a server's limit. */
export const surplusLimits = {
  /** So many at a time are told so; further ones are dropped. */
  connectionsMax: 256,
  /** How long one may take to ask, and how long it is advised to wait. */
  askMs: 2_000,
  retryAfterSeconds: 1,
} as const;

/** What node and service watch about themselves: disk, database, clock, head. */
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
  /** Words to other processes: how long they gather, how many at most, how long each and all of a notification. */
  signalMs: 10,
  signalsMax: 10_000,
  signalBytesMax: 512,
  signalPayloadBytesMax: 7_000,
  /** When the connection that hears them is opened again. */
  signalRetryMs: 1_000,
  statementTimeoutMs: 30_000,
  /** How long one transaction may keep its connection. */
  transactionTimeoutMs: 30_000,
  /** How often a transaction is tried at least when others are faster, for how long, and the longest pause between. */
  transactionAttemptsMin: 20,
  transactionPatienceMs: 5_000,
  transactionPauseMs: 100,
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

/** Bounds of backups: what is tried again, what is read at once, what a passphrase must be. */
export const backupLimits = {
  /** A node that writes while its store is copied makes the copy start again where it was. */
  storeAttemptsMax: 200,
  storePauseMs: 20,
  manifestAttemptsMax: 5,
  /** Pages of SQLite that are copied between two looks at the rest of the program. */
  databasePages: 2_000,
  /** Rows that are fetched from PostgreSQL, or put into it, at once. */
  batchRows: 100,
  batchBytes: 8 * 1024 * 1024,
  /** One row as a line: a few sealed columns in base64. */
  lineBytesMax: 64 * 1024 * 1024,
  statementMs: 3_600_000,
  manifestBytesMax: 64 * 1024 * 1024,
  filesMax: 500_000,
  /** Settings, or the beginning of a chain: read at once. */
  settingsBytesMax: 1024 * 1024,
  /** More than a node or a service can be told. */
  settingsMax: 200,
  secretsBytesMax: 4 * 1024 * 1024,
  secretFileBytesMax: 1024 * 1024,
  passphraseCharsMin: 12,
  passphraseCharsMax: 1_024,
  /** Problems that are told of one backup. */
  problemsMax: 20,
} as const;
