/**
 * The rules that every node must have alike: bounds of transactions, operations, blocks, contracts, DID logs and proofs
 * of state. A change of one makes another chain. They are told in `docs/ledger.md` and explained in
 * `docs/decisions.md`.
 */

/** The largest value of a signed 64-bit integer: no amount, nonce or threshold goes beyond it. */
export const int64Max = 2n ** 63n - 1n;

export const int64Min = -(2n ** 63n);

/** The largest value of an unsigned 32-bit integer: no weight goes beyond it. */
export const weightMax = 2n ** 32n - 1n;

/** Bounds of one transaction and its parts: consensus rules, the same on every node. */
export const transactionLimits = {
  operationsMax: 100,
  /** Counted before anything is decoded. A hundred operations with as many signers and thresholds as they may have stay below. */
  fieldsMax: 100_000,
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
  /** What a function that touches the ledger costs, in steps (decision C-02). */
  builtInSteps: 10,
  /** What making a contract costs instead: its code is read, checked and compiled. */
  creationSteps: 100,
  /**
   * Text that passes in or out of a contract costs a step for so many characters, a triggered transaction for bytes.
   */
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
  /**
   * The stack of all runs under way, one inside the other, with their calls of the host: what each may take by itself.
   */
  nestedStackBytesMax: 4 * (256 + 4) * 1024,
  exceptionCharsMax: 256,
  /** Compiling is done once for many runs, so each pays a share of it: one in so many. */
  compilingDiscount: 4n,
  /** Levels of the syntax tree: every recursion over code, the parser's included, stays far below any stack. */
  syntaxDepthMax: 100,
  syntaxFindingsMax: 50,
  /** All regular expressions of a contract together: parsing a character of them can cost 15 microseconds. */
  regexpCharsMax: 8_192,
  /** The text that one call may hash or verify: paid for by length. */
  hashedCharsMax: 1_048_576,
  powerExponentMax: 10_000n,
} as const;

/** Bounds of one block: consensus rules too. */
export const blockLimits = {
  transactionsMax: 2_000,
  bytesMax: 16 * 1024 * 1024,
  /** In a network, where nodes read blocks that others make: what takes about a second each to decode and to verify. */
  fieldsMax: 1_500_000,
  signaturesMax: 10_000,
  /**
   * In a network: once the contracts of a block have used so much gas, the next one waits for the next block. A node that
   * makes its blocks alone decides by time (`ledger-node/src/drivers/contract-room.ts`), which others cannot repeat.
   */
  contractGasMax: 8n * contractLimits.gasMax,
} as const;

/** Bounds of the validators of a network. CometBFT adds up their powers in 64 bits. */
export const validatorLimits = {
  countMax: 100,
  powerMax: 1_000_000_000_000,
} as const;

/** Bounds of an account's DID log (`core/src/ledger/operations/did-log-rules.ts`). */
export const didLogLimits = {
  /** One entry, as it stands in the account's metadata. */
  entryCharsMax: 16_384,
  /** Every entry costs a resolver one question to the ledger, once. */
  entriesMax: 512,
  changesPerEntryMax: 16,
} as const;

/** Levels of a proof of state: one for each bit of a key. */
export const proofLevelsMax = 256;
