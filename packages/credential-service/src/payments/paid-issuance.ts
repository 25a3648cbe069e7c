/**
 * A credential against payment: offered, paid, settled, issued. Each step is durable before the next begins, and each
 * can be finished by whoever comes after a crash: the credential is made and signed before the ledger is asked to move
 * money, so once it has moved only recording is left. One credential for each payment and for each transaction.
 */
import { assert } from '@symbolon/core/basics/assert';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { Fault } from '@symbolon/core/faults/faults';
import { refusePayment } from '@symbolon/core/faults/payment-refusals';
import { refusalText, toldRefusal } from '@symbolon/wire/http/family-words';
import type { GivenPayment } from '@symbolon/wire/payments/payloads';
import { auditEvent } from '../audit/audit-trail.ts';
import type { Queries } from '../database/schema.ts';
import { addSubmittedApplication, findApplication } from '../issuance/application-rows.ts';
import { sha256 } from '../issuance/credential-drafts.ts';
import { issueSubmission, type StoredSubmission } from '../issuance/credential-submission.ts';
import type { Pursuit } from '../parts/pursuits.ts';
import { places } from '../vault/places.ts';
import { openDocument, sealDocument } from '../vault/sealed-documents.ts';
import { dayIsFull, issuingEnded, makeSubmission } from './auto-issue.ts';
import {
  type Applicant,
  type CheckedApplication,
  checkApplication,
  dataHashOf,
  isForText,
} from './paid-checks.ts';
import {
  factsOf,
  findOffer,
  type OfferedContent,
  offerExpired,
  offerPayment,
  type PaidApplication,
  refusedPayment,
} from './paid-offers.ts';
import type { PaymentParts } from './payment-parts.ts';
import {
  adoptPayment,
  beginPayment,
  closePayment,
  countPayments,
  failPayment,
  findOtherUnderWay,
  findPayment,
  findPaymentByHash,
  findPaymentFor,
  finishPayment,
  listLeftPayments,
  type Payment,
  settlePaymentRow,
} from './payment-rows.ts';
import { findAutoIssue } from './price-rows.ts';
import {
  type Alongside,
  dayOf,
  newSettlement,
  type SettlementOrder,
  settleToItsEnd,
  verifyPayment,
} from './settlement.ts';
import { endOnLedger } from './settlement-ends.ts';
import { addSettlement, findSettlement } from './settlement-rows.ts';

const unknownOutcome = (payment: Payment, detail?: string): Fault =>
  new Fault('settlementUnknown', {
    ...(detail !== undefined && { detail }),
    facts: factsOf(payment),
  });

/** Issues what costs nothing; the same text of the same holder gets the same credential. */
export async function issueFree(
  parts: PaymentParts,
  applicant: Applicant,
  { data, checked }: OfferedContent,
): Promise<Payment> {
  const payment = await offerPayment(parts, applicant, { data, checked });
  const submission = await submissionOf(parts, payment, checked);
  await begin(parts, payment, { checked, submission });
  return joinPayment(parts, payment.paymentId);
}

/** A payment that was issued for nothing before, for the very same text. */
export async function findFree(
  { database }: PaymentParts,
  { holder }: Applicant,
  data: string,
): Promise<Payment | undefined> {
  const dataHash = dataHashOf(data);
  const states = ['settling', 'settled', 'issued'] as const;
  const earlier = await findPaymentFor(database.kysely, { holder, dataHash, states });
  if (earlier?.amount !== '0') return undefined;
  const credential = await database.kysely
    .selectFrom('credentials')
    .select('status')
    .where('vcId', '=', earlier.vcId)
    .executeTakeFirst();
  return credential && credential.status !== 'active' ? undefined : earlier;
}

/** The second phase: the payment arrives. Resolves to the payment once its credential is issued. */
export async function payForCredential(
  parts: PaymentParts,
  { request, applicant, given }: PaidOrder,
): Promise<Payment> {
  const hash = encodeHex(sha256(given.blob));
  const payment = await findOffer(parts, { request, applicant, given, hash });
  if (payment.state === 'required') {
    const order = { request, applicant, given };
    const begun = await beginPaid(parts, payment, order).then(
      () => payment,
      findBegun(parts, { payment, hash, request, applicant }),
    );
    return joinPayment(parts, begun.paymentId);
  }
  if (payment.txHash !== hash) {
    const detail = 'another transaction has been used for this payment';
    throw refusedPayment(payment, refusePayment('blobAlreadySettled', detail));
  }
  return joinPayment(parts, payment.paymentId);
}

/**
 * What is said against a payment that another caller has begun meanwhile is said because of that: with this offer, or
 * with another one of the same holder for the same text.
 */
const findBegun =
  ({ database }: PaymentParts, { payment, hash, request, applicant }: BegunElsewhere) =>
  async (error: unknown): Promise<Payment> => {
    const begun = error instanceof Fault ? await findPaymentByHash(database.kysely, hash) : undefined;
    if (begun?.paymentId === payment.paymentId) return begun;
    const { holder, isByOldRule } = applicant;
    const isTheirs = begun?.holder === holder && isForText(begun, request.data) && !isByOldRule;
    if (!isTheirs || begun.state === 'failed') throw error;
    return begun;
  };

interface BegunElsewhere extends PaidApplication {
  readonly payment: Payment;
  readonly hash: string;
}

export interface PaidOrder extends PaidApplication {
  readonly given: GivenPayment;
}

/** Verifies, makes the credential and stores the intent, unless somebody else was faster. */
async function beginPaid(
  parts: PaymentParts,
  payment: Payment,
  { request, applicant, given }: PaidOrder,
): Promise<void> {
  const { clock, profile, crashPoint } = parts;
  if (payment.expiresAt <= clock.nowMs()) throw refusedPayment(payment, offerExpired);
  const checked = await checkApplication(parts, request, applicant);
  const judged = await verifyPayment(parts, given, {
    network: profile.networkId,
    payTo: payment.payTo,
    asset: payment.asset,
    amount: BigInt(payment.amount),
    payer: applicant.address,
  });
  if ('refusal' in judged) {
    if (judged.refusal.word === 'blobAlreadySettled') await closeOffer(parts, payment, given);
    throw refusedPayment(payment, judged.refusal);
  }
  const { paid } = judged;
  if (paid.feePayer !== paid.payer)
    throw refusedPayment(payment, refusePayment('sponsorRefused', 'the holder pays the fee here'));
  crashPoint('paymentVerified');
  const submission = await submissionOf(parts, payment, checked);
  const settlement: SettlementOrder = { payment: given, paid, paymentId: payment.paymentId };
  await begin(parts, payment, { checked, submission, settlement });
}

/**
 * What was handed in by somebody else is not taken, since it may have paid for something else. The offer ends with it,
 * so that whoever asks is told which transaction has moved, or may move, the money.
 */
async function closeOffer(parts: PaymentParts, payment: Payment, { blob }: GivenPayment): Promise<void> {
  const { database, clock, audit } = parts;
  const { paymentId, amount, asset, payTo } = payment;
  const txHash = encodeHex(sha256(blob));
  const end = await endOnLedger(parts, txHash);
  if (end?.kind === 'failed') return;
  const moved = end?.kind === 'executed' ? 'has paid' : 'is on its way to the ledger and pays';
  const detail = `this transaction was handed in before: it ${moved} ${amount} ${asset} to ${payTo}, and not for this offer`;
  const failure = refusalText(refusePayment('blobAlreadySettled', detail));
  await database.transaction(async (queries) => {
    const used = await findPaymentByHash(queries, txHash);
    if (used) throw alreadyUsed({ ...payment, txHash });
    if (!(await closePayment(queries, { paymentId, txHash, failure, now: clock.nowMs() }))) return;
    await audit.record(auditEvent({}, { action: 'payment.fail', subject: paymentId }), queries);
  });
}

/** Of what the paying request says, which is the text that the offer was made for. */
function submissionOf(
  parts: PaymentParts,
  { vcId, holder, templateVersion }: Payment,
  { template, values, validUntil }: CheckedApplication,
): Promise<StoredSubmission> {
  if (template.version !== templateVersion)
    throw new Fault('paymentUnknown', { detail: 'The template has a new version: ask for a new offer' });
  return makeSubmission(parts, { vcId, holder, template, values, validUntil });
}

interface Beginning {
  readonly checked: CheckedApplication;
  readonly submission: StoredSubmission;
  /** Nothing where nothing is to be paid. */
  readonly settlement?: SettlementOrder;
}

/** One durable step: daily limit, second use and duplicates are decided together with the intent. */
async function begin(
  { database, vault, clock, worker, crashPoint }: PaymentParts,
  payment: Payment,
  { checked, submission, settlement }: Beginning,
): Promise<void> {
  const { paymentId, templateId } = payment;
  const sealed = await sealDocument(vault, submission, places.paymentSubmission(paymentId));
  const now = clock.nowMs();
  const day = dayOf(now);
  const txHash = settlement?.paid.hash ?? null;
  const isBegun = await database.transaction(async (queries): Promise<boolean> => {
    const used = txHash === null ? undefined : await findPaymentByHash(queries, txHash);
    if (used?.paymentId === paymentId) return false;
    const current = await findPayment(queries, paymentId);
    if (current?.state !== 'required') return false;
    if (used) throw alreadyUsed(payment);
    // Asked again: the issuer may have stopped, or taken its key back, while the credential was being signed.
    const policy = await findAutoIssue(queries, templateId);
    if (!policy?.isEnabled) throw issuingEnded();
    if ((await countPayments(queries, { templateId, day })) >= policy.perDayMax) throw dayIsFull();
    if (!policy.allowReissue) await requireNoOther(queries, payment, checked.checkedAt);
    if (settlement && !(await addSettlement(queries, newSettlement(settlement, { worker, now }))))
      throw alreadyUsed(payment);
    const beginning = { paymentId, txHash, day, submission: sealed, worker, now };
    if (await beginPayment(queries, beginning)) return true;
    throw refusedPayment(payment, refusePayment('blobExpired', 'the offer has expired'));
  });
  if (isBegun) crashPoint('paymentStored');
}

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

const alreadyUsed = (payment: Payment): Fault =>
  refusedPayment(payment, refusePayment('blobAlreadySettled', 'the transaction was used before'));

/** What goes along with the end of the settlement: the credential is on its way, or the payment has failed. */
async function endingOf(
  { vault, clock, audit, worker }: PaymentParts,
  payment: Payment,
  submission: StoredSubmission,
): Promise<Alongside> {
  const { paymentId, vcId, templateId, templateVersion, issuer, holder } = payment;
  const sealed = await sealDocument(vault, submission, places.applicationSubmission(vcId));
  return async (queries: Queries, result) => {
    const now = clock.nowMs();
    if (result.kind === 'failed') {
      if (!(await failPayment(queries, { paymentId, now, failure: refusalText(result.refusal) }))) return;
      await audit.record(auditEvent({}, { action: 'payment.fail', subject: paymentId }), queries);
      return;
    }
    if (!(await settlePaymentRow(queries, { paymentId, now }))) return;
    const who = { vcId, templateId, templateVersion, issuer, holder };
    const application = { ...who, submission: sealed, worker, now };
    await addSubmittedApplication(queries, application);
    const actor = { did: holder };
    await audit.record(auditEvent(actor, { action: 'payment.settle', subject: paymentId }), queries);
    const deed = { action: 'application.apply', subject: vcId, details: { templateId } } as const;
    await audit.record(auditEvent(actor, deed), queries);
    await audit.record(auditEvent({}, { action: 'application.approve', subject: vcId }), queries);
  };
}

/** Settled → issued: records the credential, as often as it takes, and never a second one. */
async function issueSettled(parts: PaymentParts, paymentId: string): Promise<void> {
  const { database, vault, clock, worker, crashPoint } = parts;
  const { kysely } = database;
  const payment = await findPayment(kysely, paymentId);
  if (payment?.state !== 'settled') return;
  const { vcId, submission: sealed } = payment;
  let application = await findApplication(kysely, vcId);
  assert(application, 'what is settled is being submitted');
  if (application.state !== 'issued') {
    assert(sealed, 'what is settled has its credential');
    const submission = await openDocument<StoredSubmission>(
      vault,
      sealed,
      places.paymentSubmission(paymentId),
    );
    if (application.state === 'approved') {
      const { templateId, templateVersion, issuer, holder } = payment;
      const again = await sealDocument(vault, submission, places.applicationSubmission(vcId));
      const given = { vcId, templateId, templateVersion, issuer, holder, submission: again };
      await addSubmittedApplication(kysely, { ...given, worker, now: clock.nowMs() });
      application = (await findApplication(kysely, vcId)) ?? application;
    }
    await issueSubmission(parts, application, submission);
  }
  await finishPayment(kysely, { paymentId, now: clock.nowMs() });
  crashPoint('paymentFinished');
}

const pursuitOf = (paymentId: string): string => `payment ${paymentId}`;

/** Settles a payment that has begun, however long that takes, and records its credential. Another process may do the same. */
const toItsEnd =
  (parts: PaymentParts, paymentId: string) =>
  async ({ signal }: Pick<Pursuit, 'signal'>): Promise<void> => {
    const { database, vault } = parts;
    const payment = await findPayment(database.kysely, paymentId);
    if (payment?.state === 'settling') {
      const { txHash, submission: sealed } = payment;
      assert(sealed, 'what is being settled has its credential');
      const place = places.paymentSubmission(paymentId);
      const submission = await openDocument<StoredSubmission>(vault, sealed, place);
      const alongside = await endingOf(parts, payment, submission);
      if (txHash === null) await endFree(parts, alongside);
      else {
        const settlement = await findSettlement(database.kysely, txHash);
        assert(settlement, 'what is being settled is stored');
        await settleToItsEnd(parts, { settlement, alongside })({ signal });
      }
    }
    await issueSettled(parts, paymentId);
  };

async function endFree({ database, crashPoint }: PaymentParts, alongside: Alongside): Promise<void> {
  await database.transaction((queries) => alongside(queries, { kind: 'executed' }));
  crashPoint('settlementRecorded');
}

/** Brings a payment to its end, with whoever is at it, and tells what is not known yet as such. */
export async function joinPayment(parts: PaymentParts, paymentId: string): Promise<Payment> {
  const { database, pursuits } = parts;
  try {
    await pursuits.join(pursuitOf(paymentId), toItsEnd(parts, paymentId));
  } catch (error) {
    // It goes on, or recovery tries again; the status tells.
    if (!(error instanceof Fault)) throw error;
  }
  const payment = await findPayment(database.kysely, paymentId);
  assert(payment, 'a payment that has begun is there');
  switch (payment.state) {
    case 'issued':
      return payment;
    case 'failed':
      throw new Fault('paymentRefused', {
        detail: payment.failure ?? 'The payment has failed',
        facts: { ...factsOf(payment), ...(payment.failure !== null && toldRefusal(payment.failure)) },
      });
    case 'settled':
      throw unknownOutcome(payment, 'The payment is settled; the credential is still being recorded');
    default:
      throw unknownOutcome(payment);
  }
}

/** The same for nobody in particular. */
export const resumePayment = (parts: PaymentParts, paymentId: string): Promise<void> =>
  parts.pursuits.resume(pursuitOf(paymentId), toItsEnd(parts, paymentId));

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
