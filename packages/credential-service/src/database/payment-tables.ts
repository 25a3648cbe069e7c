/** Tables of payments and of accounts in custody, as types. What holds for all tables is said in `schema.ts`. */
import type { ActivationState, CustodyBackend, PaymentState, Sealed } from './schema.ts';

/** What a credential of a template costs. */
export interface PricesTable {
  templateId: string;
  issuer: string;
  /** In the smallest unit, as text. */
  amount: string;
  /** The code of the native asset, or the address of a token contract. */
  asset: string;
  symbol: string;
  decimals: number;
  payTo: string;
  updatedAt: number;
}

/** The Ed25519 key that an issuer has left with the service. */
export interface IssuerKeysTable {
  issuer: string;
  secret: Sealed;
  createdAt: number;
}

/** For whom the service issues credentials of a template at once. */
export interface AutoIssueTable {
  templateId: string;
  issuer: string;
  isEnabled: number;
  /** DIDs with spaces between; everybody's where there is none. */
  holders: string | null;
  perDayMax: number;
  until: number;
  validSeconds: number;
  allowReissue: number;
  updatedAt: number;
}

/** One credential that is paid for: from the offer to the credential. */
export interface PaymentsTable {
  paymentId: string;
  state: PaymentState;
  templateId: string;
  templateVersion: string;
  issuer: string;
  holder: string;
  /** SHA-256 of the text that the holder signed, in hex. */
  dataHash: string;
  asset: string;
  amount: string;
  payTo: string;
  /** The credential that it becomes. */
  vcId: string;
  /** Written before the ledger is called; no two payments have the same. */
  txHash: string | null;
  /** Days since 1970, once it counts for the issuer's daily limit. */
  day: number | null;
  /** The signed credential, ready to be recorded as soon as it is paid; emptied at the end. */
  submission: Sealed | null;
  failure: string | null;
  /** The process that brings it to its end. */
  worker: string | null;
  createdAt: number;
  expiresAt: number;
  updatedAt: number;
}

/** A payment that is handed to the ledger, stored before the ledger sees it. */
export interface SettlementsTable {
  hash: string;
  state: 'pending' | 'executed' | 'failed';
  /** The very bytes and signatures that are sent, as JSON text. */
  signed: string;
  /** Seconds since 1970. */
  validBefore: number;
  payer: string;
  payTo: string;
  asset: string;
  amount: string;
  paymentId: string | null;
  /** Of a transaction that the sponsor has prepared. */
  blobId: string | null;
  /** What the sponsor may have to pay for it. */
  sponsoredFee: number | null;
  day: number;
  failure: string | null;
  /** The process that brings it to its end. */
  worker: string | null;
  /** The process that is telling a caller of the facilitator that it is executed, and when that was told whole. */
  teller: string | null;
  toldAt: number | null;
  createdAt: number;
  updatedAt: number;
}

/** A ledger account whose key the service holds for whoever knows the password. */
export interface CustodyAccountsTable {
  address: string;
  /** Encoded. */
  publicKey: string;
  /** Where the key is. */
  backend: CustodyBackend;
  /** The key's name there. */
  keyId: string;
  /** The key itself, where no hardware holds it. */
  secret: Sealed | null;
  /** The hash of the password, with what it was made with. */
  password: Sealed;
  /** What its owner calls it, and what for. */
  note: Sealed | null;
  /** JSON text. */
  policy: string;
  activation: ActivationState;
  /** The transaction that pays, written before the ledger sees it. */
  activationTx: string | null;
  createdAt: number;
  updatedAt: number;
}

/** What was signed on one day. */
export interface CustodyUsesTable {
  subject: string;
  /** Days since 1970. */
  day: number;
  amount: string;
  count: number;
}

export interface CustodyAttemptsTable {
  address: string;
  failures: number;
  lockedUntil: number;
  updatedAt: number;
}

/** Which text a signature by the old rule, which fits many, came with first. */
export interface OldRuleSignaturesTable {
  /** SHA-256 of key and signature. */
  signatureHash: string;
  /** SHA-256 of the text. */
  textHash: string;
  expiresAt: number;
}

/** An account from which fees of others are paid. */
export interface SponsorAccountsTable {
  address: string;
  /** The prepared payment that it is held for. */
  blobId: string | null;
  heldUntil: number;
  /** Counts up with every payment that is prepared with it. */
  uses: number;
  /** Whose payment was prepared with it last, and by whom, as a hash: nothing more is asked of it than whether it is the same. */
  payer: string | null;
  caller: string | null;
}
