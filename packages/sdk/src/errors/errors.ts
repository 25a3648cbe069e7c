/**
 * The ways a call can end badly: the ledger said no (`LedgerError`), the service did (`ServiceError`), or there is no
 * answer to work with (`SdkError`). Texts name hosts, routes and the members of answers that they are about, never
 * parameters: those may carry a private key.
 */
export { LedgerError } from './ledger-error.ts';

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
  /** A server offers to be signed, or hands over, something else than was ordered. */
  | 'notAsOrdered'
  /** Somebody on the way could read what is for the server alone; nothing was sent. */
  | 'notProtected'
  /** The platform has no Ed25519 to sign with. */
  | 'signingUnavailable'
  /** The platform has no Web Crypto to seal requests with. */
  | 'sealingUnavailable'
  /** A submission broke off: the node may have it or not. */
  | 'outcomeUnknown'
  /** A transaction was neither executed nor expired within the time given. */
  | 'receiptTimedOut'
  | 'feeTooHigh'
  /** Events came faster than they were taken. */
  | 'fellBehind'
  /** The password does not open the key file. */
  | 'passwordWrong'
  /** A proof is about another root than the trusted one: most likely older or newer. */
  | 'otherRoot'
  | 'proofInvalid'
  /** A result of a verification session that the service has not signed. */
  | 'resultNotSigned'
  /** Facts of a verifier without a network: nobody has signed them, though somebody's were wanted. */
  | 'factsNotSigned'
  /** They are by another collector, or not as their collector signed them. */
  | 'factsNotTrusted'
  /** They are older than the verifier takes them. */
  | 'factsStale'
  /** They are dated after now. */
  | 'factsFromFuture';

/** Of whoever orders: what an offer was compared with, and differs from. */
export interface HeldAgainst {
  /** A pin, `registry` of the order, or `signer`, whose DID is expected of the template that is offered. */
  readonly name: 'chainId' | 'templateRegistry' | 'credentialRegistry' | 'registry' | 'signer';
  readonly expected: string;
  readonly offered: string;
}

export interface SdkErrorDetails {
  /** What the caller can do about it. */
  readonly hint: string;
  readonly cause?: unknown;
  /**
   * The members of answers that the error is about, as paths: one, or those that contradict each other, because then
   * nobody can tell which of them is wrong. They end the message.
   */
  readonly members?: readonly string[];
  /** The transaction that the error is about. */
  readonly transactionHash?: string;
  /** Of `notAsOrdered`, where it was held against something of the caller's own, which may be the mistake. */
  readonly against?: HeldAgainst;
}

/** Words, and the members that they are about. */
export const withMembers = (words: string, members: readonly string[]): string =>
  members.length === 0 ? words : `${words}: ${members.join(' or ')}`;

export class SdkError extends Error {
  override readonly name = 'SdkError';
  readonly code: SdkErrorCode;
  readonly hint: string;
  readonly transactionHash: string | undefined;
  readonly against: HeldAgainst | undefined;
  /** The members of answers that it is about, as paths: `result.header.chain_id`. */
  readonly members: readonly string[];
  /** The message without them. */
  readonly reason: string;

  constructor(code: SdkErrorCode, message: string, details: SdkErrorDetails) {
    const { hint, cause, transactionHash, against, members = [] } = details;
    super(withMembers(message, members), { cause });
    this.against = against;
    this.code = code;
    this.hint = hint;
    this.transactionHash = transactionHash;
    this.members = members;
    this.reason = message;
  }
}
