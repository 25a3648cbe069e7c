/**
 * From an offer to a payment that is under way: the credential is made and signed, and then becomes durable together
 * with the payment and its settlement, before an amount moves. What costs nothing has no settlement and is settled in
 * the same durable step; what is left is to record it, as with any other.
 */

import { auditEvent } from '../audit/audit-trail.ts';
import type { Queries, Sealed } from '../database/schema.ts';
import { addSubmittedApplication, type SubmittedApplication } from '../issuance/application-rows.ts';
import type { StoredSubmission } from '../issuance/credential-submission.ts';
import { places } from '../vault/places.ts';
import { sealDocument } from '../vault/sealed-documents.ts';
import { makeSubmission } from './auto-issue.ts';
import type { CheckedApplication, CredentialExists } from './paid-checks.ts';
import { findOther } from './paid-offers.ts';
import { alreadyUsed, dayIsFull, issuingEnded, refusedPayment } from './payment-faults.ts';
import { dayOf, type PaymentParts } from './payment-parts.ts';
import {
  beginPayment,
  countPayments,
  findPayment,
  findPaymentByHash,
  type Payment,
  settlePaymentRow,
} from './payment-rows.ts';
import { findAutoIssue } from './price-rows.ts';
import { addSettlement, type NewSettlement } from './settlement-rows.ts';

/** The offer, which is taken now, by this caller or by another one. */
export async function storeIntent(
  parts: PaymentParts,
  offer: Payment,
  { checked, settlement }: { readonly checked: CheckedApplication; readonly settlement?: NewSettlement },
): Promise<Payment | CredentialExists> {
  const { database, vault, crashPoint } = parts;
  const { paymentId } = offer;
  const made = await makeSubmission(parts, offer, checked);
  const submission = await sealDocument(vault, made, places.paymentSubmission(paymentId));
  const application = settlement ? undefined : await applicationOf(parts, offer, made);
  const taken = await database.transaction(async (queries) => {
    const { checkedAt: since } = checked;
    const outcome = await takeOffer(parts, queries, offer, { since, submission, settlement });
    if (outcome === 'taken' && application) await recordSettled(parts, queries, paymentId, application);
    return outcome;
  });
  if (taken === 'taken') crashPoint('paymentStored');
  return typeof taken === 'string' ? offer : taken;
}

interface OfferTaking {
  /** When the checks began: what happened since is not seen by them. */
  readonly since: number;
  readonly submission: Sealed;
  readonly settlement: NewSettlement | undefined;
}

/**
 * Required → settling, in the caller's transaction: daily limit, second use and duplicates are decided together with
 * the intent.
 */
async function takeOffer(
  { clock, worker }: Pick<PaymentParts, 'clock' | 'worker'>,
  queries: Queries,
  payment: Payment,
  { since, submission, settlement }: OfferTaking,
): Promise<'taken' | 'takenBefore' | CredentialExists> {
  const { paymentId, templateId } = payment;
  const now = clock.nowMs();
  const day = dayOf(now);
  const txHash = settlement?.hash ?? null;
  const current = await findPayment(queries, paymentId);
  if (current?.state !== 'required') return 'takenBefore';
  if (txHash !== null && (await findPaymentByHash(queries, txHash))) throw alreadyUsed(payment);
  // Asked again: the issuer may have stopped, or taken its key back, while the credential was being signed.
  const policy = await findAutoIssue(queries, templateId);
  if (!policy?.isEnabled) throw issuingEnded();
  if ((await countPayments(queries, { templateId, day })) >= policy.perDayMax) throw dayIsFull();
  const other = await findOther(queries, payment, { policy, since });
  if (other) return other;
  if (settlement && !(await addSettlement(queries, settlement))) throw alreadyUsed(payment);
  if (await beginPayment(queries, { paymentId, txHash, day, submission, worker, now })) return 'taken';
  throw refusedPayment(payment, 'blobExpired', 'the offer has expired');
}

/** The application of a payment, whose credential is made and signed already. */
export async function applicationOf(
  { vault, worker, clock }: Pick<PaymentParts, 'vault' | 'worker' | 'clock'>,
  { vcId, templateId, templateVersion, issuer, holder }: Payment,
  submitted: StoredSubmission,
): Promise<SubmittedApplication> {
  const submission = await sealDocument(vault, submitted, places.applicationSubmission(vcId));
  const who = { vcId, templateId, templateVersion, issuer, holder };
  return { ...who, submission, worker, now: clock.nowMs() };
}

/** Settling → settled, in the caller's transaction: from now on its credential is being recorded. */
export async function recordSettled(
  { audit, clock }: Pick<PaymentParts, 'audit' | 'clock'>,
  queries: Queries,
  paymentId: string,
  application: SubmittedApplication,
): Promise<void> {
  const now = clock.nowMs();
  if (!(await settlePaymentRow(queries, { paymentId, now }))) return;
  await addSubmittedApplication(queries, { ...application, now });
  const { vcId, templateId, holder } = application;
  const actor = { did: holder };
  await audit.record(auditEvent(actor, { action: 'payment.settle', subject: paymentId }), queries);
  const applied = { action: 'application.apply', subject: vcId, details: { templateId } } as const;
  await audit.record(auditEvent(actor, applied), queries);
  await audit.record(auditEvent({}, { action: 'application.approve', subject: vcId }), queries);
}
