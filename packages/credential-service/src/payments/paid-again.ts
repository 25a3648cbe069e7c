/**
 * Who has such a credential already and asks again. The holder's signature over the very text that it was issued for is
 * the right to have it once more; whatever else there is about a payment can be read on the ledger, and is none. Any
 * other text is told which credential and which payment there are.
 */
import { Fault } from '@symbolon/core/faults/faults';
import type { PaidApplicationRequest } from '@symbolon/wire/payments/requests';
import { type Applicant, isForText } from './paid-checks.ts';
import { joinPayment } from './paid-issuance.ts';
import type { PaymentParts } from './payment-parts.ts';
import { findPayment, findPaymentOf, type Payment } from './payment-rows.ts';

export interface Asked {
  readonly request: Pick<PaidApplicationRequest, 'data'>;
  readonly applicant: Applicant;
}

/** The payment of the credential in the way, where its holder asks with the same text; else what is in the way, told in full. */
export const givenAgain =
  (parts: PaymentParts, asked: Asked) =>
  async (error: unknown): Promise<Payment> => {
    const { holder, isByOldRule } = asked.applicant;
    const known =
      error instanceof Fault && error.code === 'credentialExists' ? await findKnown(parts, error) : undefined;
    if (!(error instanceof Fault) || known?.holder !== holder) throw error;
    const { paymentId, vcId } = known;
    // A signature by the old rule fits other texts, too.
    if (isForText(known, asked.request.data) && !isByOldRule) return joinPayment(parts, paymentId);
    const how = 'its status, asked for with a signature of the holder, shows it, as does the same text again';
    throw new Fault('credentialExists', { detail: `${error.message}: ${how}`, facts: { vcId, paymentId } });
  };

async function findKnown({ database }: PaymentParts, { facts = {} }: Fault): Promise<Payment | undefined> {
  const { vcId, paymentId } = facts;
  if (typeof paymentId === 'string') return findPayment(database.kysely, paymentId);
  return typeof vcId === 'string' ? findPaymentOf(database.kysely, vcId) : undefined;
}
