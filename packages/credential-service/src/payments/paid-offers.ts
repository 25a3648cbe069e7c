/**
 * Offers of credentials against payment: what is to be paid, made for one text, and found again by whoever pays or asks.
 * An offer is its holder's alone; one that nobody has signed for is found by its id only.
 */
import { randomBytes } from 'node:crypto';
import { Fault } from '@symbolon/core/faults/faults';
import { type PaymentRefusal, refusePayment } from '@symbolon/core/faults/payment-refusals';
import { paymentLimits } from '@symbolon/core/limits/payment-limits';
import type { GivenPayment } from '@symbolon/wire/payments/payloads';
import type { PaidApplicationRequest } from '@symbolon/wire/payments/requests';
import {
  type Applicant,
  type CheckedApplication,
  dataHashOf,
  isForText,
  quotedHashOf,
} from './paid-checks.ts';
import type { PaymentParts } from './payment-parts.ts';
import { addPayment, findPayment, findPaymentByHash, findPaymentFor, type Payment } from './payment-rows.ts';

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
export const refusedPayment = (payment: Payment, refusal: PaymentRefusal): Fault =>
  new Fault('paymentRefused', {
    reason: refusal.word,
    detail: refusal.detail,
    facts: factsOf(payment),
  });

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
  const { template, price } = checked;
  const dataHash = dataHashOf(data);
  const now = clock.nowMs();
  const earlier = await findPaymentFor(database.kysely, { holder, dataHash, states: ['required'] });
  const isSame =
    earlier &&
    earlier.expiresAt > now + paymentLimits.offerSeconds * 1_000 &&
    isSameOffer(earlier, template, price);
  return isSame ? earlier : addOffer(parts, checked, { paymentId: newPaymentId(), holder, dataHash });
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
    expiresAt: now + paymentLimits.offerKeptMs,
    now,
  });
}

/** By its id, else by the transaction, else the newest one for this text: old clients repeat no id. */
export async function findOffer(
  { database }: PaymentParts,
  {
    request,
    applicant,
    given,
    hash,
  }: PaidApplication & { readonly given: GivenPayment; readonly hash: string },
): Promise<Payment> {
  const { kysely } = database;
  const { holder } = applicant;
  const dataHash = dataHashOf(request.data);
  const paymentId = request.paymentId ?? given.paymentId;
  const states = ['required', 'settling', 'settled', 'issued', 'failed'] as const;
  const payment =
    paymentId === undefined
      ? ((await findPaymentByHash(kysely, hash)) ??
        (await findPaymentFor(kysely, { holder, dataHash, states })))
      : await findPayment(kysely, paymentId);
  return requireTheirs(payment, { request, applicant });
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
  { request, applicant }: PaidApplication,
): Promise<Payment | undefined> {
  const { paymentId } = request;
  if (paymentId === undefined) return undefined;
  const payment = requireTheirs(await findPayment(database.kysely, paymentId), { request, applicant });
  if (payment.state === 'required' && payment.expiresAt <= clock.nowMs())
    throw refusedPayment(payment, offerExpired);
  return payment;
}

export const offerExpired = refusePayment('blobExpired', 'the offer has expired: ask for a new one');

/** An offer that was named is told again as long as nobody has paid it and it still says what is asked. */
export function requireOpen(payment: Payment, { template, price }: CheckedApplication): Payment {
  if (payment.state !== 'required') {
    const detail = 'this offer was paid before: its status says what became of it';
    throw refusedPayment(payment, refusePayment('blobAlreadySettled', detail));
  }
  if (!isSameOffer(payment, template, price)) throw refusedPayment(payment, offerExpired);
  return payment;
}

const isSameOffer = (
  payment: Payment,
  template: CheckedApplication['template'],
  price: CheckedApplication['price'],
): boolean =>
  payment.templateVersion === template.version &&
  payment.amount === price.amount &&
  payment.asset === price.asset &&
  payment.payTo === price.payTo;
