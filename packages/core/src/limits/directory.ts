/** Bounds of who is called what, of search, and of what programmers see of their own calls. */

/** Bounds of the names that parties have at a service. */
export const partyNameLimits = {
  siteCharsMax: 256,
  /** Profiles that are read in one call. */
  readMax: 100,
} as const;

/** Bounds of a search: it answers from indices, and stops early. */
export const searchLimits = {
  textCharsMax: 256,
  /** So much of a name, and of an identifier, is needed to find what begins with it. */
  nameCharsMin: 2,
  idCharsMin: 4,
  resultsMax: 20,
  /** Of one kind, so that no kind hides the others. */
  perKindMax: 8,
  /** Rows whose identifier begins alike that are looked at for those of the caller. */
  lookedAtMax: 200,
} as const;

/** Bounds of API keys that are made by API keys. */
export const ownKeyLimits = {
  labelCharsMax: 128,
  /** Of one party, those that have ended and are still remembered included: nobody fills the service. */
  keysPerPartyMax: 100,
  validSecondsMin: 60,
  validSecondsMax: 10 * 366 * 86_400,
  /** A key that has ended is remembered for so long. */
  endedKeptMs: 30 * 86_400_000,
} as const;

/** Bounds of the log of requests. */
export const requestLogLimits = {
  /** The last calls of a key that are kept, and for how long. */
  perKeyMax: 200,
  keptMs: 7 * 86_400_000,
  /** How often calls are written down, how many wait for that at most, and how many rows one statement has. */
  writeMs: 1_000,
  waitingMax: 20_000,
  rowsPerInsert: 100,
  /** A key's oldest calls are removed after so many new ones, so that not every write has to look. */
  trimAfter: 100,
} as const;

/** Bounds of what is remembered of posts to a webhook. */
export const deliveryLimits = {
  perWebhookMax: 200,
  /** Posts that are made again because somebody asked, at the same time. */
  resendsMax: 8,
} as const;

/** Entries of the audit log that one page of a proof has. */
export const auditProofLimits = { entriesMax: 200 } as const;
