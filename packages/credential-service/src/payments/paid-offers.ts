/**
 * Offers of credentials: what is to be paid, made for one text, and found again by whoever pays or asks. An offer is
 * its holder's alone; one that nobody has signed for is found by its id only. Every offer is a row of `payments`, which
 * goes on to be the payment. What costs nothing has such a row too, with the amount 0: its status is asked for by that
 * id.
 */
import { randomBytes } from 'node:crypto';
import { Fault } from '@symbolon/core/faults/faults';
import { paymentLimits } from '@symbolon/core/limits/payments';
import type { GivenPayment } from '@symbolon/wire/payments/payloads';
import type { PaidApplicationRequest } from '@symbolon/wire/payments/requests';
import type { Queries } from '../database/schema.ts';
import { findCredential } from '../issuance/credential-rows.ts';
import { paymentWorkLimits } from '../limits/service-limits.ts';
import {
  type Applicant,
  type CheckedApplication,
  type CredentialExists,
  dataHashOf,
  isForText,
  quotedHashOf,
} from './paid-checks.ts';
import { offerExpired, refusedPayment } from './payment-faults.ts';
import type { PaymentParts } from './payment-parts.ts';
import {
  addPayment,
  findOtherUnderWay,
  findPayment,
  findPaymentByHash,
  findPaymentFor,
  type PaymentRow,
} from './payment-rows.ts';
import type { AutoIssuePolicy } from './price-rows.ts';

/** Who applies, and for what. */
export interface PaidApplication {
  readonly request: PaidApplicationRequest;
  readonly applicant: Applicant;
}

export interface OfferedContent {
  readonly data: string;
  readonly checked: CheckedApplication;
}

/** The offer for this text to whoever signed it: the one that was made before, as long as it says the same. */
export async function offerPayment(
  parts: PaymentParts,
  { holder }: Applicant,
  { data, checked }: OfferedContent,
): Promise<PaymentRow> {
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
): Promise<PaymentRow> {
  const paymentId = newPaymentId();
  return addOffer(parts, checked, { paymentId, holder, dataHash: quotedHashOf(paymentId, data) });
}

const newPaymentId = (): string => randomBytes(16).toString('hex');

function addOffer(
  { database, clock, profile }: Pick<PaymentParts, 'database' | 'clock' | 'profile'>,
  { template, price }: CheckedApplication,
  offer: Pick<PaymentRow, 'paymentId' | 'holder' | 'dataHash'>,
): Promise<PaymentRow> {
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
  { database: { kysely } }: Pick<PaymentParts, 'database'>,
  application: PaidApplication,
  given: Pick<GivenPayment, 'paymentId'> & { readonly hash: string },
): Promise<PaymentRow> {
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
function requireTheirs(payment: PaymentRow | undefined, { request, applicant }: PaidApplication): PaymentRow {
  if (payment?.holder !== applicant.holder)
    throw new Fault('paymentUnknown', { detail: 'There is no such offer: ask for one without a payment' });
  if (!isForText(payment, request.data))
    throw new Fault('requestMalformed', { detail: '/data: is not the text that the payment was asked for' });
  return payment;
}

/** The offer that an application without a payment names, if it names one: no other is told in its place. */
export async function findNamedOffer(
  { database, clock }: Pick<PaymentParts, 'database' | 'clock'>,
  application: PaidApplication,
): Promise<PaymentRow | undefined> {
  const { paymentId } = application.request;
  if (paymentId === undefined) return undefined;
  const payment = requireTheirs(await findPayment(database.kysely, paymentId), application);
  if (payment.state === 'required' && payment.expiresAt <= clock.nowMs()) throw offerExpired(payment);
  return payment;
}

/** An offer that was named is told again as long as nobody has paid it and it still says what is asked. */
export function requireOpen(payment: PaymentRow, checked: CheckedApplication): PaymentRow {
  if (payment.state !== 'required') {
    const detail = 'this offer was paid before: its status says what became of it';
    throw refusedPayment(payment, 'blobAlreadySettled', detail);
  }
  if (!isSameOffer(payment, checked)) throw offerExpired(payment);
  return payment;
}

const isSameOffer = (payment: PaymentRow, { template, price }: CheckedApplication): boolean =>
  payment.templateVersion === template.version &&
  payment.amount === price.amount &&
  payment.asset === price.asset &&
  payment.payTo === price.payTo;

/** Where a holder may have one such credential, no two are paid for: another payment that is under way. */
export async function findOther(
  queries: Queries,
  own: Pick<PaymentRow, 'paymentId' | 'holder' | 'templateId'>,
  { policy, since }: { readonly policy: AutoIssuePolicy; readonly since: number },
): Promise<CredentialExists | undefined> {
  const paymentId = policy.allowReissue ? undefined : await findOtherUnderWay(queries, own, since);
  const detail = 'Another payment for such a credential is under way';
  return paymentId === undefined ? undefined : { detail, facts: { paymentId } };
}

/** What was issued free before for the very same text, and is still good. */
export async function findFree(
  { database }: Pick<PaymentParts, 'database'>,
  { holder }: Applicant,
  data: string,
): Promise<PaymentRow | undefined> {
  const dataHash = dataHashOf(data);
  const states = ['settling', 'settled', 'issued'] as const;
  const earlier = await findPaymentFor(database.kysely, { holder, dataHash, states });
  if (earlier?.amount !== '0' || earlier.state !== 'issued') return undefined;
  const { status = 'active' } = (await findCredential(database.kysely, earlier.vcId)) ?? {};
  return status === 'active' ? earlier : undefined;
}
