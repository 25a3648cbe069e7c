/**
 * From an offer to a payment that is under way: the credential is made and signed, and then becomes durable together
 * with the payment and its settlement, before an amount moves. What costs nothing has no settlement and is settled in
 * the same durable step; what is left is to record it, as with any other.
 */
import { assert } from '@symbolon/core/basics/assert';
import { parseHex } from '@symbolon/core/basics/bytes';
import { dayOf } from '@symbolon/core/basics/calendar';
import { issuerSigningInput } from '@symbolon/core/credential/credential-assembly';
import { parseBbsPublicKey } from '@symbolon/core/did/did';
import { Fault } from '@symbolon/core/faults/faults';
import { sha256 } from '@symbolon/host/work/sha256';
import type { Encrypted, Queries } from '../database/schema.ts';
import { addSubmittedApplication, type SubmittedApplication } from '../issuance/application-rows.ts';
import { makeDraft } from '../issuance/credential-drafts.ts';
import { completeSubmission, type StoredSubmission } from '../issuance/credential-submission.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import { signAsIssuer } from './issuer-signing.ts';
import type { CheckedApplication, CredentialExists } from './paid-checks.ts';
import { findOther } from './paid-offers.ts';
import { alreadyUsed, autoIssueRefused, dayIsFull, issuingEnded, refusedPayment } from './payment-faults.ts';
import type { PaymentParts } from './payment-parts.ts';
import {
  beginPayment,
  countPayments,
  findPayment,
  findPaymentByHash,
  type PaymentRow,
  settlePaymentRow,
} from './payment-rows.ts';
import { findAutoIssue } from './price-rows.ts';
import { newSettlement, type SettlementOrder } from './settlement.ts';
import { addSettlement, type NewSettlement } from './settlement-rows.ts';

/** The offer, which is taken now, by this caller or by another one. */
export async function storeIntent(
  parts: PaymentParts,
  offer: PaymentRow,
  { checked, order }: { readonly checked: CheckedApplication; readonly order?: SettlementOrder },
): Promise<PaymentRow | CredentialExists> {
  const { database, vault, crashPoint } = parts;
  const { paymentId } = offer;
  const made = await makeSubmission(parts, offer, checked);
  const submission = await vault.encryptDocument(made, contexts.paymentSubmission(paymentId));
  const settlement = order && newSettlement(parts, order);
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

/** The whole credential that was offered, signed with both of the issuer's keys and checked like any other. */
async function makeSubmission(
  parts: PaymentParts,
  { vcId, holder, templateVersion }: PaymentRow,
  { template, values, validUntil }: CheckedApplication,
): Promise<StoredSubmission> {
  if (template.version !== templateVersion)
    throw new Fault('paymentUnknown', { detail: 'The template has a new version: ask for a new offer' });
  const none = { attributes: new Map(), places: { whole: '', each: new Map() }, context: undefined };
  const draft = await makeDraft(parts, {
    template,
    application: { vcId, holder },
    values,
    request: { validFrom: undefined, validUntil, ...none },
  });
  if (!draft.bbs) throw new Fault('keyNotPublished', { detail: "The issuer's BBS+ key is not kept here" });
  const [bbsPublicKey, bbsSignature] = [
    parseBbsPublicKey(draft.bbs.publicKey),
    parseHex(draft.bbs.signature),
  ];
  assert(bbsPublicKey && bbsSignature, 'a draft holds what the service encoded itself');
  const signed = issuerSigningInput(draft, sha256);
  const kept = await signAsIssuer(parts, template.issuer, signed);
  if (!kept) throw autoIssueRefused('The issuer has taken its key away');
  const { signature, bytes } = kept;
  return completeSubmission(parts, draft, {
    publicKey: { bytes },
    signature,
    bbsPublicKey,
    bbsSignature,
    downloadWindow: undefined,
  });
}

interface OfferTaking {
  /** When the checks began: what happened since is not seen by them. */
  readonly since: number;
  readonly submission: Encrypted;
  readonly settlement: NewSettlement | undefined;
}

/**
 * Required → settling, in the caller's transaction: daily limit, second use and duplicates are decided together with
 * the intent.
 */
async function takeOffer(
  { clock, worker }: Pick<PaymentParts, 'clock' | 'worker'>,
  queries: Queries,
  payment: PaymentRow,
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
  { vcId, templateId, templateVersion, issuer, holder }: PaymentRow,
  submitted: StoredSubmission,
): Promise<SubmittedApplication> {
  const submission = await vault.encryptDocument(submitted, contexts.applicationSubmission(vcId));
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
  const { vcId, templateId, holder, issuer } = application;
  const actor = { did: holder };
  const details = { templateId, issuer };
  const txHash = (await findPayment(queries, paymentId))?.txHash;
  const paid = { ...details, vcId, ...(txHash && { txHash }) };
  await audit.record({ actor, action: 'payment.settle', subject: paymentId, details: paid }, queries);
  await audit.record({ actor, action: 'application.apply', subject: vcId, details }, queries);
  await audit.record({ action: 'application.approve', subject: vcId, details }, queries);
}
