/** What is asked for, what arrived and what is paid: the words of a payment, without the rules that judge it. */

/** The one way of paying: exactly the amount, by a transaction that the payer has signed. */
export const paymentScheme = 'exact';

export interface PaymentSignature {
  /** Encoded, or the 32 bytes in hex. */
  readonly publicKey: string;
  readonly signature: Uint8Array;
}

/** A payment as it arrived, whatever wrapping it had. */
export interface ArrivedPayment {
  readonly scheme: string;
  readonly network: string;
  readonly blob: Uint8Array;
  readonly signatures: readonly PaymentSignature[];
  /** Seconds since 1970 after which it must not be handed in. */
  readonly validBefore: number;
  /** What its own wrapping says that it pays, as far as that goes. */
  readonly accepted?: Partial<PaymentTerms>;
}

/** What is asked for. `asset` is the code of the native asset, or the address of a token contract. */
export interface PaymentTerms {
  /** The one way of paying, if left out. */
  readonly scheme?: string;
  readonly network: string;
  readonly payTo: string;
  readonly asset: string;
  readonly amount: bigint;
  /** Whose money it must be; anybody's, if left out. */
  readonly payer?: string;
}

/** What is paid, and by whom. */
export type MovedTerms = Required<Omit<PaymentTerms, 'scheme'>>;

/** What a transaction pays. */
export interface PaidTerms extends MovedTerms {
  /** Of the transaction, in hex. */
  readonly hash: string;
  readonly nonce: bigint;
  readonly feeLimit: bigint;
  readonly gasPrice: bigint;
  /** Whose account pays the fee and whose nonce is used: the payer's own, or a sponsor's. */
  readonly feePayer: string;
  /** The payer's, encoded: it has signed. */
  readonly publicKey: string;
}
