/**
 * Why a payment is not taken, by a word for each case. What clients are told for it, in words and in numbers, is a
 * matter of the wire (`wire/src/http/family-words.ts`).
 */

export type PaymentRefusalWord =
  | 'unsupportedScheme'
  | 'unsupportedNetwork'
  | 'payloadDecodeFailed'
  | 'payloadRequirementsMismatch'
  | 'invalidSignature'
  | 'blobExpired'
  | 'insufficientFunds'
  | 'blobAlreadySettled'
  | 'nonceNotNext'
  | 'feeOutOfBounds'
  | 'sponsorRefused'
  | 'sponsorUnfunded'
  | 'blobUnknown'
  | 'settlementFailed';

export interface PaymentRefusal {
  readonly word: PaymentRefusalWord;
  /** What exactly, for a person. */
  readonly detail: string;
  /** The ledger can never execute it any more. Anything else may be so for now, or for this caller. */
  readonly isFinal?: true;
}

export const refusePayment = (word: PaymentRefusalWord, detail: string): PaymentRefusal => ({ word, detail });
