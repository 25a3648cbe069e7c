/**
 * How long things last, wait and are tried again, as far as several packages use the same number. None is a rule of a
 * document or of the chain.
 */

/** Bounds of verification sessions, of their events and of the callbacks that tell how they ended. */
export const sessionLimits = {
  sessionMinutesDefault: 10,
  sessionMinutesMax: 24 * 60,
  /** How long an ended session is remembered. */
  sessionKeptMs: 7 * 86_400_000,
  /** A submission that is not decided by then belongs to a process that is gone. */
  answerLeaseMs: 3 * 60_000,
  openSessionsPerKeyMax: 10_000,
  /** Answers by OpenID4VP that are none to a session: then none is looked at any more. */
  wrongAnswersMax: 10,
  stateCharsMax: 256,
  callbackUrlCharsMax: 2_048,
  reasonCharsMax: 256,
  /** Why a verifier asks, for a person to read. */
  purposeCharsMax: 200,
  /** Streams of events: of the whole service, and of one API key. */
  streamsMax: 1_000,
  streamsPerKeyMax: 50,
  streamMsMax: 30 * 60_000,
  heartbeatMs: 15_000,
  /** How often a stream looks by itself, for what another replica did. */
  streamPollMs: 1_000,
  /**
   * Callbacks: how often they are looked for, sent at a time, waited for, and tried again at first, at most, in all.
   */
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

/** Bounds of offers of credentials. */
export const offerLimits = {
  secondsDefault: 7 * 86_400,
  secondsMin: 60,
  secondsMax: 30 * 86_400,
  referenceCharsMax: 256,
  /** Of the code that the holder is told on another way than the link. */
  txCodeDigits: 6,
  /** So many wrong ones end the offer. */
  txCodeTriesMax: 5,
  /** Random bytes of the code in the link. */
  codeBytes: 24,
  linkCharsMax: 4_096,
  /** How long an offer that has ended is remembered, without what it offered. */
  endedKeptMs: 30 * 86_400_000,
} as const;

/** Bounds of the service's events: of the streams that tell them, and of the webhooks that they are posted to. */
export const eventLimits = {
  /** Streams: of the whole service, and of one API key. */
  streamsMax: 1_000,
  streamsPerKeyMax: 20,
  streamMsMax: 30 * 60_000,
  heartbeatMs: 15_000,
  /** How often one watcher looks for all streams of a process, also for what another replica did. */
  watchMs: 500,
  /** How long it rests at least, also when it is told that there is something. */
  watchPauseMs: 100,
  /** Events that are read at a time, and posted in one request. */
  batchMax: 100,
  /** So many that concern different parties are told apart at a time; beyond that all streams look. */
  ownersToldMax: 100,
  webhooksPerKeyMax: 5,
  webhooksMax: 1_000,
  webhookNameCharsMax: 64,
  /** How often due webhooks are looked for, how many are under way at a time, and how many requests one gets in a row. */
  postIntervalMs: 1_000,
  postsMax: 64,
  postsInRowMax: 10,
  postLeaseMs: 60_000,
  /** When a request that was not taken is sent again: at first, and at most. */
  retryMs: 2_000,
  retryMsMax: 60 * 60_000,
  /** A webhook whose receiver takes nothing for so long is paused, and forgotten when nobody resumes it. */
  failingMsMax: 3 * 86_400_000,
  pausedKeptMs: 90 * 86_400_000,
} as const;

/**
 * Bounds of submits to the ledger: how long somebody waits for one, how soon a stalled one is asked for again, and what a
 * process that has died leaves to others.
 */
export const submitLimits = {
  /** How long an approved application waits for the issuer's signature before its draft lapses. */
  draftLifetimeMs: 24 * 3_600_000,
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
