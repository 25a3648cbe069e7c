/**
 * A credential against payment, from the application to the answer: who applies and for what is checked, the payment is
 * settled, the credential is issued, and the holder gets it. Each step is durable before the next begins, and each can
 * be finished by whoever comes after a crash: the credential is made and signed before the ledger is asked to move
 * money, so once it has moved only recording is left. One credential for each payment and for each transaction.
 */
import { assert } from '@symbolon/core/basics/assert';
import { Fault } from '@symbolon/core/faults/faults';
import { refusePayment } from '@symbolon/core/faults/payment-refusals';
import type { PaidTerms } from '@symbolon/core/payments/payment-terms';
import { sha256Hex } from '@symbolon/host/work/sha256';
import { refusalInWords, refusalText } from '@symbolon/wire/http/family-words';
import type { Call, TextReply } from '@symbolon/wire/http/service-route';
import type { JsonObject } from '@symbolon/wire/json/json';
import { type GivenPayment, readGivenPayment } from '@symbolon/wire/payments/payloads';
import { issuedReply, paymentRequiredReply } from '@symbolon/wire/payments/replies';
import type { PaidApplicationRequest } from '@symbolon/wire/payments/requests';
import { paymentRoutes } from '@symbolon/wire/payments/routes';
import { addressOfIssuer } from '../access/signatures.ts';
import type { AuditEvent } from '../audit/audit-entry.ts';
import { addSubmittedApplication, findApplication } from '../issuance/application-rows.ts';
import { findCredential } from '../issuance/credential-rows.ts';
import { issueSubmission, type StoredSubmission } from '../issuance/credential-submission.ts';
import { handOver } from '../issuance/stored-credentials.ts';
import { orFault } from '../ledger/ledger-faults.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import {
  type Applicant,
  type CredentialExists,
  checkApplication,
  isForText,
  requireApplicant,
} from './paid-checks.ts';
import { applicationOf, recordSettled, storeIntent } from './paid-intent.ts';
import {
  findFree,
  findNamedOffer,
  findOffer,
  findOther,
  offerPayment,
  type PaidApplication,
  requireOpen,
} from './paid-offers.ts';
import { alreadyUsed, factsOf, freeByOldRule, offerExpired, refusedPayment } from './payment-faults.ts';
import type { PaymentParts } from './payment-parts.ts';
import {
  adoptPayment,
  closePayment,
  failPayment,
  findPayment,
  findPaymentByHash,
  findPaymentOf,
  finishPayment,
  listLeftPayments,
  type PaymentRow,
} from './payment-rows.ts';
import { type FinalOutcome, outcomeOnLedger, recordOutcome, settleOnLedger } from './settlement.ts';
import { findSettlement } from './settlement-rows.ts';
import { verifyPayment } from './verify-payment.ts';

/** The whole way. Without a payment it ends at the price, unless there is nothing to pay or it was paid before. */
export async function applyForPaidCredential(
  parts: PaymentParts,
  request: PaidApplicationRequest,
  call: Call,
): Promise<TextReply> {
  const applicant = await requireApplicant(parts, request);
  const application = { request, applicant };
  const given = readGivenPayment(call);
  const begun = await (given ? beginPaid(parts, application, given) : beginUnpaid(parts, application));
  if ('text' in begun) return begun;
  const payment = 'facts' in begun ? await findPurchased(parts, application, begun) : begun;
  const issued = await settleAndIssue(parts, payment.paymentId);
  return answerIssued(parts, issued, applicant);
}

// Check: ends with the intent stored, with a demand for payment, or with what was begun before

/** Without a payment: what costs nothing is begun; anything else has its price told. */
async function beginUnpaid(
  parts: PaymentParts,
  application: PaidApplication,
): Promise<PaymentRow | CredentialExists | TextReply> {
  const { request, applicant } = application;
  const { data } = request;
  const named = await findNamedOffer(parts, application);
  const earlier = await findFree(parts, applicant, data);
  if (earlier) return earlier;
  const checked = await checkApplication(parts, request, applicant);
  if ('facts' in checked) return checked;
  if (checked.price.amount === '0') {
    if (applicant.isByOldRule) throw freeByOldRule();
    return storeIntent(parts, await offerPayment(parts, applicant, { data, checked }), { checked });
  }
  const { policy, template, checkedAt: since } = checked;
  const sought = { paymentId: '', holder: applicant.holder, templateId: template.id };
  const other = await findOther(parts.database.kysely, sought, { policy, since });
  if (other) return other;
  const offer = named ? requireOpen(named, checked) : await offerPayment(parts, applicant, { data, checked });
  return paymentRequiredReply({
    paymentId: offer.paymentId,
    templateId: template.id,
    templateName: template.name,
    issuerAddress: addressOfIssuer(template.issuer, parts.keys),
    network: parts.profile.networkId,
    payTo: offer.payTo,
    asset: offer.asset,
    amount: BigInt(offer.amount),
    resource: `${parts.settings.publicUrl}${paymentRoutes.applyForPaidCredential.path}`,
  });
}

/** A payment that came with its application, and the hash of its transaction. */
type PaymentInHand = GivenPayment & { readonly hash: string };

/** With a payment: begun now, or before with the same transaction. */
async function beginPaid(
  parts: PaymentParts,
  application: PaidApplication,
  payload: GivenPayment,
): Promise<PaymentRow | CredentialExists> {
  const given = { ...payload, hash: sha256Hex(payload.blob) };
  const offer = await findOffer(parts, application, given);
  if (offer.txHash === given.hash) return offer;
  if (offer.state !== 'required')
    throw refusedPayment(offer, 'blobAlreadySettled', 'another transaction has been used for this payment');
  const begun = await orFault(() => payOffer(parts, offer, { ...application, given }));
  if (!(begun instanceof Fault) && 'paymentId' in begun) return begun;
  // Another caller may have begun it meanwhile; then that is why it was refused here.
  const other = await findPaymentByHash(parts.database.kysely, given.hash);
  if (other && isSamePurchase(other, offer, application)) return other;
  if (begun instanceof Fault) throw begun;
  return begun;
}

/** Begun with this offer, or with another one of the same holder for the same text. */
const isSamePurchase = (
  begun: PaymentRow,
  offer: PaymentRow,
  { request, applicant }: PaidApplication,
): boolean =>
  begun.paymentId === offer.paymentId ||
  (begun.holder === applicant.holder &&
    isForText(begun, request.data) &&
    !applicant.isByOldRule &&
    begun.state !== 'failed');

/** The application is checked as it was for the offer, then the payment; then the intent is stored. */
async function payOffer(
  parts: PaymentParts,
  offer: PaymentRow,
  { request, applicant, given }: PaidApplication & { readonly given: PaymentInHand },
): Promise<PaymentRow | CredentialExists> {
  const { clock, crashPoint } = parts;
  if (offer.expiresAt <= clock.nowMs()) throw offerExpired(offer);
  const checked = await checkApplication(parts, request, applicant);
  if ('facts' in checked) return checked;
  const paid = await requirePaid(parts, offer, { given, payer: applicant.address });
  crashPoint('paymentVerified');
  const order = { payment: given, paid, paymentId: offer.paymentId };
  return storeIntent(parts, offer, { checked, order });
}

/** The transaction pays what was asked for, at the holder's cost, and the ledger would execute it. */
async function requirePaid(
  parts: PaymentParts,
  offer: PaymentRow,
  { given, payer }: { readonly given: PaymentInHand; readonly payer: string },
): Promise<PaidTerms> {
  const { payTo, asset, amount } = offer;
  const network = parts.profile.networkId;
  const judged = await verifyPayment(parts, given, { network, payTo, asset, amount: BigInt(amount), payer });
  if ('refusal' in judged) {
    const { word, detail } = judged.refusal;
    if (word === 'blobAlreadySettled') await closeOffer(parts, offer, given.hash);
    throw refusedPayment(offer, word, detail);
  }
  const { paid } = judged;
  if (paid.feePayer !== paid.payer)
    throw refusedPayment(offer, 'sponsorRefused', 'the holder pays the fee here');
  return paid;
}

/**
 * What was handed in by somebody else is not taken, since it may have paid for something else. The offer ends with it,
 * so that whoever asks is told which transaction has moved, or may move, the money.
 */
async function closeOffer(parts: PaymentParts, payment: PaymentRow, txHash: string): Promise<void> {
  const { database, clock, audit } = parts;
  const { paymentId, amount, asset, payTo } = payment;
  const outcome = await outcomeOnLedger(parts, txHash);
  if (outcome?.kind === 'failed') return;
  const moved = outcome?.kind === 'executed' ? 'has paid' : 'is on its way to the ledger and pays';
  const detail = `this transaction was handed in before: it ${moved} ${amount} ${asset} to ${payTo}, and not for this offer`;
  const failure = refusalText(refusePayment('blobAlreadySettled', detail));
  await database.transaction(async (queries) => {
    if (await findPaymentByHash(queries, txHash)) throw alreadyUsed({ ...payment, txHash });
    if (!(await closePayment(queries, { paymentId, txHash, failure, now: clock.nowMs() }))) return;
    await audit.record(failureOf(payment), queries);
  });
}

/**
 * Who has such a credential already and asks again. The holder's signature over the very text that it was issued for is
 * the right to have it once more; everything else about a payment is public on the ledger, so it proves nothing. Any
 * other text is told which credential and which payment there are.
 */
async function findPurchased(
  { database: { kysely } }: Pick<PaymentParts, 'database'>,
  { request, applicant }: PaidApplication,
  { detail, facts }: CredentialExists,
): Promise<PaymentRow> {
  const known = await ('vcId' in facts
    ? findPaymentOf(kysely, facts.vcId)
    : findPayment(kysely, facts.paymentId));
  if (known?.holder !== applicant.holder) throw new Fault('credentialExists', { detail, facts });
  // A signature by the old rule fits other texts, too.
  if (isForText(known, request.data) && !applicant.isByOldRule) return known;
  const { paymentId, vcId } = known;
  const how = 'its status, asked for with a signature of the holder, shows it, as does the same text again';
  throw new Fault('credentialExists', { detail: `${detail}: ${how}`, facts: { vcId, paymentId } });
}

// Settle and issue

/** Brings a payment to its end, with whoever is at it. What is not known yet, or has failed, is thrown as such. */
async function settleAndIssue(parts: PaymentParts, paymentId: string): Promise<PaymentRow> {
  const ended = await orFault(() =>
    parts.pursuits.join(pursuitOf(paymentId), ({ signal }) => finish(parts, paymentId, signal)),
  );
  // It goes on, or recovery tries again; the row says how far it is.
  const payment = ended instanceof Fault ? await readPayment(parts, paymentId) : ended;
  const { state, failure } = payment;
  if (state === 'issued') return payment;
  if (state === 'failed')
    throw new Fault('paymentRefused', {
      detail: failure ?? 'The payment has failed',
      facts: { ...factsOf(payment), ...(failure !== null && refusalInWords(failure)) },
    });
  const detail = 'The payment is settled; the credential is still being recorded';
  throw new Fault('settlementUnknown', { ...(state === 'settled' && { detail }), facts: factsOf(payment) });
}

const pursuitOf = (paymentId: string): string => `payment ${paymentId}`;

async function readPayment(
  { database }: Pick<PaymentParts, 'database'>,
  paymentId: string,
): Promise<PaymentRow> {
  const payment = await findPayment(database.kysely, paymentId);
  assert(payment, 'a payment that has begun is there');
  return payment;
}

/** From wherever it is to its end, however long that takes. Another process may do the same. */
async function finish(parts: PaymentParts, paymentId: string, signal: AbortSignal): Promise<PaymentRow> {
  const begun = await readPayment(parts, paymentId);
  const settled = begun.state === 'settling' ? await settle(parts, begun, signal) : begun;
  return settled.state === 'settled' ? issue(parts, settled) : settled;
}

/** Settling → settled or failed: the ends of settlement and payment are one durable step. */
async function settle(parts: PaymentParts, payment: PaymentRow, signal: AbortSignal): Promise<PaymentRow> {
  const { database, clock, audit, crashPoint } = parts;
  const { paymentId, txHash: hash } = payment;
  const application = await applicationOf(parts, payment, await openSubmission(parts, payment));
  const outcome = await outcomeOfPayment(parts, payment, signal);
  const ended = await database.transaction(async (queries) => {
    const now = clock.nowMs();
    const isOurs = hash === null || (await recordOutcome(queries, { hash, outcome, now }));
    if (isOurs && outcome.kind === 'executed') await recordSettled(parts, queries, paymentId, application);
    if (isOurs && outcome.kind === 'failed') {
      const { failure } = outcome;
      if (await failPayment(queries, { paymentId, now, failure }))
        await audit.record(failureOf(payment), queries);
    }
    return findPayment(queries, paymentId);
  });
  crashPoint('settlementRecorded');
  return ended ?? payment;
}

const failureOf = ({ paymentId: subject, templateId, issuer }: PaymentRow): AuditEvent => ({
  action: 'payment.fail',
  subject,
  details: { templateId, issuer },
});

async function outcomeOfPayment(
  parts: PaymentParts,
  { txHash }: PaymentRow,
  signal: AbortSignal,
): Promise<FinalOutcome> {
  // Earlier versions stored what costs nothing like this, too.
  if (txHash === null) return { kind: 'executed' };
  const settlement = await findSettlement(parts.database.kysely, txHash);
  assert(settlement, 'what is being settled is stored');
  return settleOnLedger(parts, settlement, signal);
}

function openSubmission(
  { vault }: Pick<PaymentParts, 'vault'>,
  { paymentId, submission }: PaymentRow,
): Promise<StoredSubmission> {
  assert(submission, 'what is paid for and not issued has its credential');
  return vault.decryptDocument<StoredSubmission>(submission, contexts.paymentSubmission(paymentId));
}

/** Settled → issued: records the credential, as often as it takes, and never a second one. */
async function issue(parts: PaymentParts, payment: PaymentRow): Promise<PaymentRow> {
  const { database, clock, crashPoint } = parts;
  const { kysely } = database;
  const { paymentId, vcId } = payment;
  let application = await findApplication(kysely, vcId);
  assert(application, 'what is settled is being submitted');
  if (application.state !== 'issued') {
    const submission = await openSubmission(parts, payment);
    // The recovery of applications works on this one, too: where the ledger refused it, it is approved again.
    if (application.state === 'approved') {
      await addSubmittedApplication(kysely, await applicationOf(parts, payment, submission));
      application = (await findApplication(kysely, vcId)) ?? application;
    }
    await issueSubmission(parts, application, submission);
  }
  await finishPayment(kysely, { paymentId, now: clock.nowMs() });
  crashPoint('paymentFinished');
  return { ...payment, state: 'issued' };
}

/** The same for nobody in particular: of a payment whose status is asked for, or that was left. */
export const resumePayment = (parts: PaymentParts, paymentId: string): Promise<void> =>
  parts.pursuits.resume(pursuitOf(paymentId), ({ signal }) => finish(parts, paymentId, signal));

/** Finishes payments whose process is gone, and those of this one that nobody is at. */
export async function recoverPayments(parts: PaymentParts): Promise<void> {
  const { database, clock, worker, pursuits } = parts;
  const found = await listLeftPayments(database.kysely, worker);
  const left = found.filter(({ paymentId }) => !pursuits.isUnderWay(pursuitOf(paymentId)));
  await Promise.all(
    left.map(async ({ paymentId }) => {
      await adoptPayment(database.kysely, { paymentId, worker, now: clock.nowMs() });
      await resumePayment(parts, paymentId);
    }),
  );
}

// Answer

async function answerIssued(
  parts: PaymentParts,
  payment: PaymentRow,
  { address, isByOldRule }: Applicant,
): Promise<TextReply> {
  const { paymentId, vcId, txHash, amount } = payment;
  if (isByOldRule && amount === '0') throw freeByOldRule();
  const credential = await credentialOf(parts, payment);
  return issuedReply({
    vcId,
    paymentId,
    txHash,
    credential,
    network: parts.profile.networkId,
    payer: address,
  });
}

/** For the holder, who has signed. */
export async function credentialOf(parts: PaymentParts, payment: PaymentRow): Promise<JsonObject> {
  const stored = await findCredential(parts.database.kysely, payment.vcId);
  const credential = stored && (await handOver(parts, stored, { did: payment.holder }));
  if (!credential) throw new Fault('downloadLapsed', { facts: factsOf(payment) });
  return credential as unknown as JsonObject;
}
