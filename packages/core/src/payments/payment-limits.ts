/**
 * Bounds of payments, named once, unit last; those of everything else are in `limits.ts`.
 */
import { int64Max } from '../limits.ts';

/** Bounds of payments: what is judged, how long things wait, and how much may be done for nothing. */
export const paymentLimits = {
  /** A payment is one operation; its transaction has a few hundred bytes. */
  blobBytesMax: 8_192,
  inputCharsMax: 1_024,
  amountMax: int64Max,
  gasPriceMax: 1_000_000n,
  feeLimitMax: 1_000_000_000_000n,
  /** The header that carries a payment, in characters of base64. */
  headerCharsMax: 32_768,
  /** The text that a paid application signs. */
  dataCharsMax: 262_144,
  /** What a client is told it has to pay, and what it really has before the offer is forgotten. */
  offerSeconds: 300,
  offerKeptMs: 15 * 60_000,
  /** How long a request that came second waits for the one that came first, and how often it looks. */
  joinWaitMs: 30_000,
  joinPollMs: 50,
  /** How long a payment is handed in again while the ledger does not say what became of it, and in which turns. */
  settleWaitMs: 5_000,
  settlePauseMs: 250,
  /** Live credentials of a holder that are looked at before another is sold. */
  duplicatesChecked: 5,
  /** Unfinished payments and settlements that one round of recovery takes. */
  recoveredMax: 100,
  tokenSymbolCharsMax: 32,
  tokenDecimalsMax: 36,
  /** A policy of issuing at once: days, holders named, credentials a day. */
  autoIssueHoldersMax: 1_000,
  autoIssuePerDayMax: 1_000_000,
  autoIssueValidSecondsMax: 100 * 365 * 86_400,
  autoIssueValidSeconds: 365 * 86_400,
  /** Transactions that the sponsor prepares wait this long for the client's signature. */
  sponsoredSeconds: 120,
} as const;
