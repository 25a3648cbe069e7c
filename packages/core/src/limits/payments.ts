/** Bounds of payments that buyers, the wire and the service share: what is judged, and how long an offer stands. */
export const paymentLimits = {
  /** A payment is one operation; its transaction has a few hundred bytes. */
  blobBytesMax: 8_192,
  inputCharsMax: 1_024,
  gasPriceMax: 1_000_000n,
  feeLimitMax: 1_000_000_000_000n,
  /** The header that carries a payment, in characters of base64. */
  headerCharsMax: 32_768,
  /** The text that a paid application signs. */
  dataCharsMax: 262_144,
  /** How long a client is told it has to pay. */
  offerSeconds: 300,
  /** A policy of issuing at once: holders named, credentials a day, how long they are valid. */
  autoIssueHoldersMax: 1_000,
  autoIssuePerDayMax: 1_000_000,
  autoIssueValidSecondsMax: 100 * 365 * 86_400,
  autoIssueValidSeconds: 365 * 86_400,
} as const;
