/** Bounds of what wallets get by OpenID4VCI, which are a service's own business. */
export const openidIssuanceLimits = {
  /** Of the link's reference and of ids that are proof of right: 256 bits, and 128 of those that are no secret alone. */
  secretBytes: 32,
  idBytes: 16,
  /** How long a code is good: without a further code that is told on another way, and with one. */
  codeSecondsDefault: 600,
  codeSecondsMax: 600,
  codeSecondsWithTxCodeMax: 7 * 86_400,
  codeSecondsMin: 60,
  /** Of that further code, and so many wrong ones end the offer. */
  txCodeDigits: 6,
  txCodeTriesMax: 5,
  accessTokenSeconds: 900,
  /** How long a pushed request waits for its browser, a login for its end, a browser for being sent back, and a code. */
  pushedSeconds: 90,
  loginSeconds: 900,
  continueSeconds: 300,
  authorizationCodeSeconds: 60,
  /** Requests that wait for their browsers, of one client of one issuer; and all that wait for anything, of one issuer. */
  pushedPerClientMax: 1_000,
  waitingPerIssuerMax: 10_000,
  /** Logins that are under way in one browser. */
  loginsPerBrowserMax: 10,
  /** How long a code that is good no more is known, so that tokens of it end when it comes again. */
  spentCodeMs: 900_000,
  /** How long a wallet may ask again for what its issuer has not signed yet. */
  deferredSeconds: 30 * 86_400,
  deferredIntervalSeconds: 5,
  /** Requests with keys of their own for one token. */
  requestsPerGrantMax: 20,
  /** How long a nonce is young. */
  nonceSeconds: 300,
  /** How long a proof that is good once is remembered: as long as it would be taken. */
  seenProofMs: 10 * 60_000,
  /** How long values and answers stay after the last that happened, and an offer that has ended. */
  contentsKeptMs: 86_400_000,
  endedKeptMs: 30 * 86_400_000,
  /** Versions of templates that the metadata of one issuer lists. */
  configurationsMax: 200,
  metadataSeconds: 60,
  requestBytesMax: 256 * 1024,
  /** Keys of issuers for encrypted requests that are kept ready. */
  requestKeysMax: 1_000,
} as const;

/** Bounds of the VC-API. */
export const vcApiLimits = {
  /** Of one presentation that is verified: each may have lists and resources to fetch. */
  credentialsMax: 8,
} as const;
