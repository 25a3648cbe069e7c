/** Bounds of what a request to a node or a service may carry, checked before any rule looks at it. */

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

/** Bounds of what the explorer's routes are asked for, and of what their answers show of strangers' texts. */
export const explorerQueryLimits = {
  pageItemsDefault: 50,
  pageItemsMax: 200,
  cursorCharsMax: 64,
  searchCharsMin: 4,
  /** Longer than every hash and every address. */
  searchCharsMax: 80,
  searchResultsMax: 20,
  /** Operations of a transaction in a list; how many there are is told beside them. */
  shortOperationsMax: 4,
  shortTextCharsMax: 160,
  /** Of one transaction's effects. */
  changedEntriesMax: 200,
  logsMax: 100,
  valueCharsMax: 4_096,
  effectCharsMax: 131_072,
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
