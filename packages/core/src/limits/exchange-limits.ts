/**
 * Bounds of what is exchanged between wallets, relying services and this one: queries, sessions, callbacks. Everybody
 * takes them from `limits.ts`, of which they are a part.
 */

/** Bounds of credential queries (DCQL) and of the patterns in them. */
export const credentialQueryLimits = {
  /** Of the query as JSON text. */
  queryBytesMax: 64 * 1024,
  credentialsMax: 8,
  claimsMax: 60,
  pathPartsMax: 8,
  valuesMax: 100,
  issuersMax: 100,
  setsMax: 16,
  setOptionsMax: 16,
  /** A pattern's text, the groups inside each other, and the steps that it becomes with its repetitions written out. */
  patternCharsMax: 256,
  patternDepthMax: 16,
  patternStepsMax: 1_000,
} as const;

/** Bounds of verification sessions, of their events and of the callbacks that tell how they ended. */
export const exchangeLimits = {
  sessionMinutesDefault: 10,
  sessionMinutesMax: 24 * 60,
  /** How long an ended session is remembered. */
  sessionKeptMs: 7 * 86_400_000,
  /** A submission that is not decided by then belongs to a process that is gone. */
  submissionLeaseMs: 3 * 60_000,
  openSessionsPerKeyMax: 10_000,
  stateCharsMax: 256,
  callbackUrlCharsMax: 2_048,
  reasonCharsMax: 256,
  /** Streams of events: of the whole service, and of one API key. */
  streamsMax: 1_000,
  streamsPerKeyMax: 50,
  streamMsMax: 30 * 60_000,
  heartbeatMs: 15_000,
  /** How often a stream looks by itself, for what another replica did. */
  streamPollMs: 1_000,
  /** Callbacks: how often they are looked for, sent at a time, waited for, and tried again at first, at most, in all. */
  deliveryIntervalMs: 1_000,
  deliveriesMax: 16,
  deliveryTimeoutMs: 10_000,
  deliveryLeaseMs: 60_000,
  retryMs: 2_000,
  retryMsMax: 60 * 60_000,
  deliveryAttemptsMax: 20,
  callbackAnswerBytesMax: 64 * 1024,
  expiryIntervalMs: 2_000,
  /** A presentation that is kept under an id. */
  savedPresentationSeconds: 300,
  savedPresentationSecondsMax: 86_400,
} as const;

/** Bounds of texts that are signed to show that somebody is there (`credential/presence-text.ts`). */
export const presenceLimits = {
  textCharsMax: 1_024,
  /** In base64url, as headers carry it. */
  headerCharsMax: 1_400,
  /** How far the clocks of signer and service may be apart, either way. */
  ageMsMax: 5 * 60_000,
  /** How long it is remembered which text a signature by the old rule came with. */
  oldRuleMemoryMs: 365 * 86_400_000,
} as const;

/** Bounds of the facts that a verifier without a network goes by. */
export const factsLimits = {
  /** How old they may be, unless the verifier says otherwise. */
  ageSecondsMax: 86_400,
  /** How far the clocks of collector and verifier may be apart. */
  aheadMsMax: 5 * 60_000,
} as const;

/** Bounds of what a verifier says about whom it trusts, and of the lists that the service keeps of it. */
export const trustLimits = {
  /** Issuers in one request or one list. */
  issuersMax: 100,
  templatesMax: 100,
  listsPerOwnerMax: 100,
  listNameCharsMax: 64,
  /** Of a request's parameter that names several. */
  parameterCharsMax: 8_192,
} as const;
