/** Bounds of payments: what is judged, how long things wait, and how much may be done for nothing. */
import { int64Max } from './consensus.ts';

export const paymentLimits = {
  /** A payment is one operation; its transaction has a few hundred bytes. */
  blobBytesMax: 8_192,
  inputCharsMax: 1_024,
  /** The hash of a transaction, in hex. */
  hashChars: 64,
  amountMax: int64Max,
  gasPriceMax: 1_000_000n,
  feeLimitMax: 1_000_000_000_000n,
  /** What nodes add to a fee that they evaluate beyond what signatures take, in gas. */
  trialRoomGas: 20n,
  /** The header that carries a payment, in characters of base64. */
  headerCharsMax: 32_768,
  /** The text that a paid application signs. */
  dataCharsMax: 262_144,
  /** What a client is told it has to pay, and what it really has before the offer is forgotten. */
  offerSeconds: 300,
  offerKeptMs: 15 * 60_000,
  /** How long a payment rests before it is handed in again while the ledger does not say what became of it. */
  settlePauseMs: 250,
  /** How long one that is too late rests before it is asked for once more. */
  missedPauseMs: 1_000,
  /** How often in turn a payment is refused at the door, with nothing in the ledger against it, before that is its end. */
  refusalsMax: 30,
  /** How long asking for a status waits for what it sets in motion. */
  statusWaitMs: 5_000,
  /** How long a repetition waits to see whether another caller gets the one answer that it is executed, and how often it looks. */
  tellingWaitMs: 1_000,
  tellingPollMs: 25,
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
  /** Accounts of the sponsor: as many payments can be under way at once; one transaction fills all of them up. */
  sponsorAccounts: 32,
  sponsorAccountsMax: 100,
  /** So many of them are held at once for payments of one address that are prepared and not settled. */
  sponsorHeldPerPayerMax: 8,
  /** What one of them is filled up to, in times of what a payment may cost at most. */
  sponsorFill: 3n,
  /** What filling them up may cost in gas: for all, and for each. */
  sponsorFillGas: 2_000n,
  sponsorFillGasEach: 500n,
  /** How often it is tried where others come first. */
  sponsorFillTries: 3,
  /** How long somebody waits for one of them to be free before sharing one, and how often it is looked. */
  sponsorWaitMs: 2_000,
  sponsorPollMs: 50,
  /** Payments with the same terms differ by up to so much in their limit of the fee. */
  sponsorFeeMarks: 1_000,
  /** How long what was read of their balances is good for answers that move nothing. */
  sponsorFundsMs: 1_000,
} as const;
