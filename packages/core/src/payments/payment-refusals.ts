/**
 * Why a payment is not taken: one table of words, with the numbers that clients of the family branch on where there is
 * one. The words are those that payment protocols print as reasons, so they never change.
 */

/** The family's number by word; undefined where the family has none. */
export const paymentRefusals = {
  unsupported_scheme: undefined,
  unsupported_network: 461_407,
  payload_decode_failed: undefined,
  payload_requirements_mismatch: undefined,
  invalid_signature: 460_801,
  blob_expired: 460_807,
  insufficient_funds: 460_808,
  blob_already_settled: 460_810,
  nonce_not_next: undefined,
  fee_out_of_bounds: undefined,
  sponsor_refused: undefined,
  blob_unknown: undefined,
  settlement_failed: 461_405,
} as const satisfies Readonly<Record<string, number | undefined>>;

export type PaymentRefusalWord = keyof typeof paymentRefusals;

export interface PaymentRefusal {
  readonly word: PaymentRefusalWord;
  /** What exactly, for a person. */
  readonly detail: string;
}

export const refusePayment = (word: PaymentRefusalWord, detail: string): PaymentRefusal => ({ word, detail });

export const familyCodeOf = ({ word }: Pick<PaymentRefusal, 'word'>): number | undefined =>
  paymentRefusals[word];
