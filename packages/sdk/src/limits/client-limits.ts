/** A client's own bounds. */

/**
 * Of a client of a node or a service. Callers can set other waiting times, fees, sizes of answers and numbers of pages.
 */
export const clientLimits = {
  timeoutMs: 15_000,
  responseBytesMax: 64 * 1024 * 1024,
  /** How long a sender waits for its transaction to be executed, and how often it asks. */
  receiptTimeoutMs: 60_000,
  /**
   * The most that a node or a service may ask for a transaction, and for a unit of its work. A payment takes 240 units,
   * a change of a DID document 600, a call of a contract that stores something 600 to 4,000, the registration of a
   * template of sixty attributes 67,000; the networks of the family ask 1 to 1,000 for a unit. Creating a contract
   * takes a million more, issuing an asset five.
   */
  feeLimitMax: 1_000_000n,
  contractFeeMax: 2_000_000n,
  assetFeeMax: 6_000_000n,
  gasPriceMax: 1_000n,
  /** What is paid into a new account without being asked for, if the node says that it must keep so much. */
  reserveMax: 10_000_000n,
  pollIntervalMs: 250,
  /** The longest a timer can be set to. */
  timerMsMax: 2 ** 31 - 1,
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

/** Bounds of the facts that a verifier without a network goes by. */
export const factsLimits = {
  /** How old they may be, unless the verifier says otherwise. */
  ageSecondsMax: 86_400,
  /** How far the clocks of collector and verifier may be apart. */
  aheadMsMax: 5 * 60_000,
} as const;

/** Of a wallet that meets issuers and verifiers by links. */
export const openidWalletLimits = {
  /** Of one answer: credentials with images among them. */
  answerBytesMax: 8 * 1024 * 1024,
  addressCharsMax: 4_096,
  linkCharsMax: 65_536,
  /** Credentials of one offer, each with a key of its own. */
  copiesMax: 20,
  /** Configurations of an issuer that are read. */
  configurationsMax: 2_000,
  namesMax: 200,
} as const;
