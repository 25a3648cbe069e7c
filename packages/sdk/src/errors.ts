/**
 * The two ways a call can end badly: the ledger said no (`LedgerError`, a code of its table), or there is no answer
 * to work with (`SdkError`). Texts name hosts and routes, never parameters: those may carry a private key.
 */
import { codeRows } from '@symbolon/core/ledger/codes';
import type { JsonObject } from '@symbolon/wire/json';

export type SdkErrorCode =
  /** What the caller passed in cannot be used. */
  | 'invalidArgument'
  /** No connection, or it broke. */
  | 'unreachable'
  /** The node did not answer in time. */
  | 'timedOut'
  | 'notJson'
  | 'responseTooLarge'
  /** An HTTP error that is no reply of a node: most likely something in between answered. */
  | 'httpStatus'
  /** JSON, but not what this route replies. */
  | 'unexpectedReply'
  /** The platform has no Ed25519 to sign with. */
  | 'signingUnavailable'
  /** The platform has no Web Crypto to seal requests with. */
  | 'sealingUnavailable'
  /** A submission broke off: the node may have it or not. */
  | 'outcomeUnknown'
  /** A transaction was neither executed nor expired within the time given. */
  | 'receiptTimedOut'
  | 'feeTooHigh'
  /** A proof is about another root than the trusted one: most likely older or newer. */
  | 'otherRoot'
  | 'proofInvalid';

export interface SdkErrorDetails {
  /** What the caller can do about it. */
  readonly hint: string;
  readonly cause?: unknown;
  /** The transaction that the error is about. */
  readonly transactionHash?: string;
}

export class SdkError extends Error {
  override readonly name = 'SdkError';
  readonly code: SdkErrorCode;
  readonly hint: string;
  readonly transactionHash: string | undefined;

  constructor(code: SdkErrorCode, message: string, { hint, cause, transactionHash }: SdkErrorDetails) {
    super(message, { cause });
    this.code = code;
    this.hint = hint;
    this.transactionHash = transactionHash;
  }
}

const rowsByCode = new Map(codeRows.map((row) => [row.code as number, row]));

/** The ledger refused: its code, the code's name in the error table, and what exactly it objected to. */
export class LedgerError extends Error {
  override readonly name: string;
  readonly code: number;
  readonly description: string;
  /** What the node sent, whole. */
  readonly reply: JsonObject;

  constructor(code: number, description: string, reply: JsonObject) {
    const row = rowsByCode.get(code);
    const said = description || row?.meaning || `the ledger answered code ${code}`;
    super(said);
    this.name = row?.name ?? 'LedgerError';
    this.code = code;
    this.description = said;
    this.reply = reply;
  }
}
