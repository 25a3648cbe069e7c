/**
 * Offers of credentials: what is to be paid, made for one text, found again by whoever pays or asks, and taken once. An
 * offer is its holder's alone; one that nobody has signed for is found by its id only. Every offer is a row of
 * `payments`, which goes on to be the payment.
 */
import { randomBytes } from 'node:crypto';
import { Fault } from '@symbolon/core/faults/faults';
import type { PaymentRefusalWord } from '@symbolon/core/faults/payment-refusals';
import { paymentLimits } from '@symbolon/core/limits/payments';
import type { GivenPayment } from '@symbolon/wire/payments/payloads';
import type { PaidApplicationRequest } from '@symbolon/wire/payments/requests';
import { auditEvent } from '../audit/audit-trail.ts';
import type { Queries, Sealed } from '../database/schema.ts';
import { addSubmittedApplication, type SubmittedApplication } from '../issuance/application-rows.ts';
import type { StoredSubmission } from '../issuance/credential-submission.ts';
import { paymentWorkLimits } from '../limits/service-limits.ts';
import { places } from '../vault/places.ts';
import { sealDocument } from '../vault/sealed-documents.ts';
import { dayIsFull, issuingEnded } from './auto-issue.ts';
import {
  type Applicant,
  type CheckedApplication,
  dataHashOf,
  isForText,
  quotedHashOf,
} from './paid-checks.ts';
import { dayOf, type PaymentParts } from './payment-parts.ts';
import {
  addPayment,
  beginPayment,
  countPayments,
  findOtherUnderWay,
  findPayment,
  findPaymentByHash,
  findPaymentFor,
  type Payment,
  settlePaymentRow,
} from './payment-rows.ts';
import { findAutoIssue } from './price-rows.ts';
import { addSettlement, type NewSettlement } from './settlement-rows.ts';

/** Who applies, and for what. */
export interface PaidApplication {
  readonly request: PaidApplicationRequest;
  readonly applicant: Applicant;
}

export const factsOf = ({ paymentId, txHash, asset, amount, vcId }: Payment) => ({
  paymentId,
  txHash,
  asset,
  amount,
  vcId,
});

/** Refused, with what is known of it. */
export const refusedPayment = (payment: Payment, reason: PaymentRefusalWord, detail: string): Fault =>
  new Fault('paymentRefused', { reason, detail, facts: factsOf(payment) });

export const offerExpired = (payment: Payment): Fault =>
  refusedPayment(payment, 'blobExpired', 'the offer has expired: ask for a new one');

export const alreadyUsed = (payment: Payment): Fault =>
  refusedPayment(payment, 'blobAlreadySettled', 'the transaction was used before');

export interface OfferedContent {
  readonly data: string;
  readonly checked: CheckedApplication;
}

/** The offer for this text to whoever signed it: the one that was made before, as long as it says the same. */
export async function offerPayment(
  parts: PaymentParts,
  { holder }: Applicant,
  { data, checked }: OfferedContent,
): Promise<Payment> {
  const { database, clock } = parts;
  const dataHash = dataHashOf(data);
  const earlier = await findPaymentFor(database.kysely, { holder, dataHash, states: ['required'] });
  const isLong = earlier && earlier.expiresAt > clock.nowMs() + paymentLimits.offerSeconds * 1_000;
  return isLong && isSameOffer(earlier, checked)
    ? earlier
    : addOffer(parts, checked, { paymentId: newPaymentId(), holder, dataHash });
}

/** An offer to whoever asks, independent of every other: only an application that names its id can use it. */
export function quotePayment(
  parts: PaymentParts,
  { holder }: Applicant,
  { data, checked }: OfferedContent,
): Promise<Payment> {
  const paymentId = newPaymentId();
  return addOffer(parts, checked, { paymentId, holder, dataHash: quotedHashOf(paymentId, data) });
}

const newPaymentId = (): string => randomBytes(16).toString('hex');

function addOffer(
  { database, clock, profile }: PaymentParts,
  { template, price }: CheckedApplication,
  offer: Pick<Payment, 'paymentId' | 'holder' | 'dataHash'>,
): Promise<Payment> {
  const now = clock.nowMs();
  return addPayment(database.kysely, {
    ...offer,
    templateId: template.id,
    templateVersion: template.version,
    issuer: template.issuer,
    asset: price.asset,
    amount: price.amount,
    payTo: price.payTo,
    vcId: `did:${profile.didMethod}:${randomBytes(32).toString('hex')}`,
    expiresAt: now + paymentWorkLimits.offerKeptMs,
    now,
  });
}

/** By its id, else by the transaction, else the newest one for this text: old clients repeat no id. */
export async function findOffer(
  { database: { kysely } }: PaymentParts,
  application: PaidApplication,
  given: Pick<GivenPayment, 'paymentId'> & { readonly hash: string },
): Promise<Payment> {
  const { request, applicant } = application;
  const { holder } = applicant;
  const dataHash = dataHashOf(request.data);
  const paymentId = request.paymentId ?? given.paymentId;
  const states = ['required', 'settling', 'settled', 'issued', 'failed'] as const;
  const payment =
    paymentId === undefined
      ? ((await findPaymentByHash(kysely, given.hash)) ??
        (await findPaymentFor(kysely, { holder, dataHash, states })))
      : await findPayment(kysely, paymentId);
  return requireTheirs(payment, application);
}

/** An offer is paid, and told, to its holder alone, and for the text that it was made for. */
function requireTheirs(payment: Payment | undefined, { request, applicant }: PaidApplication): Payment {
  if (payment?.holder !== applicant.holder)
    throw new Fault('paymentUnknown', { detail: 'There is no such offer: ask for one without a payment' });
  if (!isForText(payment, request.data))
    throw new Fault('requestMalformed', { detail: '/data: is not the text that the payment was asked for' });
  return payment;
}

/** The offer that an application without a payment names, if it names one: no other is told in its place. */
export async function findNamedOffer(
  { database, clock }: PaymentParts,
  application: PaidApplication,
): Promise<Payment | undefined> {
  const { paymentId } = application.request;
  if (paymentId === undefined) return undefined;
  const payment = requireTheirs(await findPayment(database.kysely, paymentId), application);
  if (payment.state === 'required' && payment.expiresAt <= clock.nowMs()) throw offerExpired(payment);
  return payment;
}

/** An offer that was named is told again as long as nobody has paid it and it still says what is asked. */
export function requireOpen(payment: Payment, checked: CheckedApplication): Payment {
  if (payment.state !== 'required') {
    const detail = 'this offer was paid before: its status says what became of it';
    throw refusedPayment(payment, 'blobAlreadySettled', detail);
  }
  if (!isSameOffer(payment, checked)) throw offerExpired(payment);
  return payment;
}

const isSameOffer = (payment: Payment, { template, price }: CheckedApplication): boolean =>
  payment.templateVersion === template.version &&
  payment.amount === price.amount &&
  payment.asset === price.asset &&
  payment.payTo === price.payTo;

/** Where a holder may have one such credential, no two are paid for. */
export async function requireNoOther(
  queries: Queries,
  payment: Pick<Payment, 'paymentId' | 'holder' | 'templateId'>,
  since: number,
): Promise<void> {
  const paymentId = await findOtherUnderWay(queries, payment, since);
  if (paymentId === undefined) return;
  const detail = 'Another payment for such a credential is under way';
  throw new Fault('credentialExists', { detail, facts: { paymentId } });
}

// Taking an offer

export interface OfferTaking {
  /** When its checks began. */
  readonly checkedAt: number;
  readonly submission: Sealed;
  /** Nothing where nothing is to be paid. */
  readonly settlement?: NewSettlement;
}

/**
 * Required → settling, in the caller's transaction: daily limit, second use and duplicates are decided together with
 * the intent. False when the offer is taken already.
 */
export async function takeOffer(
  { clock, worker }: PaymentParts,
  queries: Queries,
  payment: Payment,
  { checkedAt, submission, settlement }: OfferTaking,
): Promise<boolean> {
  const { paymentId, templateId } = payment;
  const now = clock.nowMs();
  const day = dayOf(now);
  const txHash = settlement?.hash ?? null;
  const current = await findPayment(queries, paymentId);
  if (current?.state !== 'required') return false;
  if (txHash !== null && (await findPaymentByHash(queries, txHash))) throw alreadyUsed(payment);
  // Asked again: the issuer may have stopped, or taken its key back, while the credential was being signed.
  const policy = await findAutoIssue(queries, templateId);
  if (!policy?.isEnabled) throw issuingEnded();
  if ((await countPayments(queries, { templateId, day })) >= policy.perDayMax) throw dayIsFull();
  if (!policy.allowReissue) await requireNoOther(queries, payment, checkedAt);
  if (settlement && !(await addSettlement(queries, settlement))) throw alreadyUsed(payment);
  if (await beginPayment(queries, { paymentId, txHash, day, submission, worker, now })) return true;
  throw refusedPayment(payment, 'blobExpired', 'the offer has expired');
}

/** The application of a payment, whose credential is made and signed already. */
export async function applicationOf(
  { vault, worker, clock }: PaymentParts,
  { vcId, templateId, templateVersion, issuer, holder }: Payment,
  submitted: StoredSubmission,
): Promise<SubmittedApplication> {
  const submission = await sealDocument(vault, submitted, places.applicationSubmission(vcId));
  const who = { vcId, templateId, templateVersion, issuer, holder };
  return { ...who, submission, worker, now: clock.nowMs() };
}

/** Settling → settled, in the caller's transaction: from now on its credential is being recorded. */
export async function recordSettled(
  { audit, clock }: PaymentParts,
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
