/** Bounds of the programs that the command line runs: bulk issue and the wallet. */

/** Bounds of issuing many credentials from a table. */
export const bulkLimits = {
  /** What is remembered of a row while its file is worked through takes some fifty bytes. */
  rowsMax: 1_000_000,
  /** A row with several images in it. */
  recordCharsMax: 4 * 1024 * 1024,
  columnsMax: 256,
  mapFileBytesMax: 64 * 1024,
  /** Rows being issued at the same time. */
  concurrencyDefault: 8,
  concurrencyMax: 64,
  /** Problems that are repeated in one answer; the others stand in the file of failed rows. */
  problemsListedMax: 1_000,
  /** Applications that wait for one template and are looked up by their holder. */
  waitingApplicationsMax: 100_000,
  /** Offers of one template, open or accepted, that are looked up by their reference. */
  standingOffersMax: 200_000,
  journalLineCharsMax: 1_024,
  /** How often a call is tried when nobody answers, and the pauses between. */
  attemptsMax: 6,
  pauseMs: 500,
  pauseMsMax: 8_000,
  /** How long one call may be put off by a service that is busy or counts its callers. */
  patienceMs: 10 * 60_000,
  /** How long a credential that is being recorded is waited for. */
  settleMs: 60_000,
  settlePollMs: 500,
  validDaysDefault: 365,
} as const;

/**
 * Bounds of the wallet: what it keeps, and, where an agent holds it (`docs/mcp.md`), how much it does in a day and how
 * much of what others say reaches the agent.
 */
export const walletLimits = {
  credentialsMax: 1_000,
  /** Payments that are signed on one day, whatever they are worth. */
  paymentsPerDayMax: 1_000,
  paymentsKeptDays: 30,
  /** Payments that may wait for the one before. */
  paymentsWaitingMax: 16,
  /** Different bounds of one attribute that are answered on one day: who asks often enough finds the value by halving. */
  rangesPerAttributeMax: 5,
  /** Attributes that the owner lets be revealed, hosts that may be called, tokens that may be spent. */
  policyEntriesMax: 100,
  linkCharsMax: 2_048,
  requestBodyCharsMax: 65_536,
  /** Of an answer of somebody else: what is read, and what of it the agent is shown. */
  answerBytesMax: 1_048_576,
  answerCharsShown: 16_384,
  /** Of one text by somebody else inside of an answer. */
  quotedCharsMax: 300,
  answerTimeoutMs: 60_000,
  templatesShownMax: 50,
  /** Of a file of certificates that the owner trusts. */
  authoritiesBytesMax: 1_048_576,
  /** Of how many credentials the ledger is asked at a time. */
  statusesAtOnce: 16,
} as const;

/** What a command looks up of what a contract did. */
export const consequenceLimits = {
  triggeredShownMax: 50,
  atOnce: 10,
} as const;

/** Of files that say where and who. */
export const profileLimits = {
  fileBytesMax: 1_048_576,
  apiKeyCharsMax: 256,
} as const;

/** Of `symbolon tail`. */
export const tailLimits = {
  /** People of a profile whose events are heard at once. */
  peopleMax: 8,
  /** Events that are remembered, so that none is shown twice. */
  rememberedMax: 10_000,
  /** How often a source that is away is tried again. */
  againMs: 2_000,
} as const;

/** Of `symbolon issuer init`. */
export const issuerLimits = {
  /** What an account is given: enough for years of templates and revocations. */
  fundsUnits: 1_000_000_000n,
  /** The same, as it is typed. */
  fundsWord: '1000gas',
  /** What publishing a key may cost, beside what an account must keep. */
  publishingUnits: 1_000_000n,
} as const;
