/** Why a payment for a credential is refused, with what is known of it. */
import { Fault, type FaultOptions } from '@symbolon/core/faults/faults';
import {
  type PaymentRefusal,
  type PaymentRefusalWord,
  refusePayment,
} from '@symbolon/core/faults/payment-refusals';
import type { PaymentRow } from './payment-rows.ts';

export const paymentFault = (
  { word: reason, detail }: PaymentRefusal,
  more: Pick<FaultOptions, 'facts' | 'cause'> = {},
): Fault => new Fault('paymentRefused', { reason, detail, ...more });

export const factsOf = ({ paymentId, txHash, asset, amount, vcId }: PaymentRow) => ({
  paymentId,
  txHash,
  asset,
  amount,
  vcId,
});

export const refusedPayment = (payment: PaymentRow, word: PaymentRefusalWord, detail: string): Fault =>
  paymentFault(refusePayment(word, detail), { facts: factsOf(payment) });

export const offerExpired = (payment: PaymentRow): Fault =>
  refusedPayment(payment, 'blobExpired', 'the offer has expired: ask for a new one');

export const alreadyUsed = (payment: PaymentRow): Fault =>
  refusedPayment(payment, 'blobAlreadySettled', 'the transaction was used before');

/** A signature by the old rule fits other texts, too. */
export const freeByOldRule = (): Fault =>
  new Fault('signerMismatch', {
    detail: 'What costs nothing needs a signature over the very text of data, not one by the old rule',
  });

export const autoIssueRefused = (detail: string): Fault => new Fault('autoIssueRefused', { detail });
export const issuingEnded = (): Fault => autoIssueRefused('The issuer does not issue it at once');
export const dayIsFull = (): Fault => autoIssueRefused('The issuer issues no more of these today');
