/**
 * Credentials that cost nothing: no payment and no settlement. The offer is taken and its credential is on its way in
 * one durable step; what is left is to record it, as with any other. The same text of the same holder gets the same
 * credential. They have rows of `payments` with the amount 0, since the status of a credential is asked for by such an id.
 */
import { findCredential } from '../issuance/credential-rows.ts';
import { places } from '../vault/places.ts';
import { makeSubmission } from './auto-issue.ts';
import { type Applicant, dataHashOf } from './paid-checks.ts';
import { applicationOf, type OfferedContent, offerPayment, recordSettled, takeOffer } from './paid-offers.ts';
import type { PaymentParts } from './payment-parts.ts';
import { findPaymentFor, type Payment } from './payment-rows.ts';

export async function beginFree(
  parts: PaymentParts,
  applicant: Applicant,
  { data, checked }: OfferedContent,
): Promise<Payment> {
  const { database, vault, crashPoint } = parts;
  const offer = await offerPayment(parts, applicant, { data, checked });
  const { paymentId } = offer;
  const made = await makeSubmission(parts, offer, checked);
  const submission = await vault.sealDocument(made, places.paymentSubmission(paymentId));
  const application = await applicationOf(parts, offer, made);
  const { checkedAt } = checked;
  const isTaken = await database.transaction(async (queries) => {
    if (!(await takeOffer(parts, queries, offer, { checkedAt, submission }))) return false;
    await recordSettled(parts, queries, paymentId, application);
    return true;
  });
  if (isTaken) crashPoint('paymentStored');
  return offer;
}

/** What was issued free before for the very same text, and is still good. */
export async function findFree(
  { database }: PaymentParts,
  { holder }: Applicant,
  data: string,
): Promise<Payment | undefined> {
  const dataHash = dataHashOf(data);
  const states = ['settling', 'settled', 'issued'] as const;
  const earlier = await findPaymentFor(database.kysely, { holder, dataHash, states });
  if (earlier?.amount !== '0' || earlier.state !== 'issued') return undefined;
  const { status = 'active' } = (await findCredential(database.kysely, earlier.vcId)) ?? {};
  return status === 'active' ? earlier : undefined;
}
