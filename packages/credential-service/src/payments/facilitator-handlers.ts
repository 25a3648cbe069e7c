/**
 * The facilitator (`docs/payments.md`, "Facilitator"): verifies payments for anybody, settles each of them once, and
 * pays fees where the operator allows it. What is wrong with a payment is an answer; a fault is left for what is wrong
 * with the request or the service.
 */
import { Fault } from '@symbolon/core/faults/faults';
import type { PaymentRefusal } from '@symbolon/core/faults/payment-refusals';
import { judgeAgain, type PaymentJudgement } from '@symbolon/core/payments/payment-rules';
import type { MovedTerms, PaidTerms } from '@symbolon/core/payments/payment-terms';
import { sha256Hex } from '@symbolon/host/work/sha256';
import { within } from '@symbolon/host/work/within';
import { refusalText } from '@symbolon/wire/http/family-words';
import type { Call } from '@symbolon/wire/http/service-route';
import {
  type PaymentVerdict,
  renderSettled,
  renderSettlement,
  renderSupported,
  renderVerified,
  type SettlementOutcome,
} from '@symbolon/wire/payments/facilitator-replies';
import type { FacilitatorRequest, GivenPayment } from '@symbolon/wire/payments/payloads';
import type { PaymentHandlers } from '@symbolon/wire/payments/routes';
import { verifyEd25519 } from '../access/signatures.ts';
import { orFault } from '../ledger/ledger-faults.ts';
import { paymentWorkLimits } from '../limits/service-limits.ts';
import { paymentFault } from './payment-faults.ts';
import type { PaymentParts } from './payment-parts.ts';
import {
  beginSettlement,
  joinSettlement,
  outcomeOfSettlement,
  outcomeOnLedger,
  takeAnswer,
} from './settlement.ts';
import { findDeliveryClaim, findSettlement, type NewSettlement, type Settlement } from './settlement-rows.ts';
import { beginSponsored, judgeSponsoring, preparePayment, stateOfPrepared } from './sponsor.ts';
import { isSponsorFunded } from './sponsor-funds.ts';
import { verifyPayment } from './verify-payment.ts';

type FacilitatorHandlers = Pick<
  PaymentHandlers,
  'verifyPayment' | 'settlePayment' | 'getSettlement' | 'getSupportedPayments' | 'preparePayment'
>;

export function createFacilitatorHandlers(parts: PaymentParts): FacilitatorHandlers {
  const { kysely } = parts.database;
  return {
    verifyPayment: async (request) => renderVerified(await verifyForSettling(parts, request)),

    settlePayment: (request, call) => settle(parts, request, call),

    async getSettlement({ blobId }) {
      const found =
        (await findSettlement(kysely, blobId.toLowerCase())) ??
        (await findSettlement(kysely, blobId.toUpperCase()));
      const told = found
        ? { hash: found.hash, state: await outcomeWithin(parts, found) }
        : ((await stateOfPrepared(parts, blobId)) ?? (await stateOnLedger(parts, blobId.toLowerCase())));
      if (!told) throw new Fault('paymentUnknown');
      return renderSettlement(told.hash, told.state);
    },

    async getSupportedPayments() {
      const { sponsor } = parts;
      const facts = sponsor && {
        address: sponsor.purse.address,
        accounts: [...sponsor.accounts.keys()],
        // Without the ledger nobody's fee is paid.
        canPay: (await orFault(() => isSponsorFunded(parts))) === true,
      };
      return renderSupported(parts.profile.networkId, facts);
    },

    preparePayment: (terms, { caller }) => preparePayment(parts, terms, caller),
  };
}

const unknown: SettlementOutcome = { kind: 'unknown' };

/** As far as it is known within the time that whoever asks waits. */
const outcomeWithin = async (parts: PaymentParts, found: Settlement): Promise<SettlementOutcome> =>
  (await within(paymentWorkLimits.statusWaitMs, outcomeOfSettlement(parts, found)))?.answer ?? unknown;

async function stateOnLedger(parts: PaymentParts, hash: string) {
  const state = await outcomeOnLedger(parts, hash);
  return state && { hash, state };
}

async function verifyWithSponsor(
  parts: PaymentParts,
  { payment, terms }: FacilitatorRequest,
): Promise<PaymentJudgement> {
  const judged = await verifyPayment(parts, payment, terms);
  return 'refusal' in judged ? judged : judgeSponsoring(parts, payment, judged.paid);
}

/** A payment that was executed, but whose success nobody has received, still verifies. */
async function verifyForSettling(parts: PaymentParts, request: FacilitatorRequest): Promise<PaymentVerdict> {
  const { kysely } = parts.database;
  const hash = sha256Hex(request.payment.blob);
  if ((await findDeliveryClaim(kysely, hash)) !== 'free') return verifyWithSponsor(parts, request);
  const known = await findSettlement(kysely, hash);
  const isExecuted = known && (await outcomeOfSettlement(parts, known)).kind === 'executed';
  return isExecuted ? judgeKnown(parts, request, known) : verifyWithSponsor(parts, request);
}

type KnownTerms = MovedTerms & Pick<PaidTerms, 'hash'>;

/** Whether it is the payment that was settled, and what is asked for now. */
function judgeKnown(
  { keys, profile }: Pick<PaymentParts, 'keys' | 'profile'>,
  { payment, terms }: FacilitatorRequest,
  { hash, payTo, asset, payer, amount }: Settlement,
): { readonly paid: KnownTerms } | { readonly refusal: PaymentRefusal } {
  const paid = { hash, payTo, asset, payer, amount: BigInt(amount), network: profile.networkId };
  const refusal = judgeAgain(payment, paid, { keys, verify: verifyEd25519, ...(terms && { terms }) });
  return refusal ? { refusal } : { paid };
}

async function settle(parts: PaymentParts, request: FacilitatorRequest, call: Call) {
  const { kysely } = parts.database;
  const { payment } = request;
  const hash = sha256Hex(payment.blob);
  const known = await findSettlement(kysely, hash);
  if (known) return settleAgain(parts, request, { known, call });
  const judged = await verifyWithSponsor(parts, request);
  const begun = 'refusal' in judged ? judged : await begin(parts, payment, judged.paid);
  if ('row' in begun)
    return answer(parts, begun.paid, { outcome: await joinSettlement(parts, begun.row), call });
  // What is said against it may be so because another caller has settled it meanwhile.
  const since = await findSettlement(kysely, hash);
  if (since) return settleAgain(parts, request, { known: since, call });
  if ('refusal' in begun) return answerUnsettled(parts, hash, begun.refusal);
  throw begun.error;
}

/** The settlement that begins with this call, or why none does. */
async function begin(
  parts: PaymentParts,
  payment: GivenPayment,
  paid: PaidTerms,
): Promise<{ readonly paid: PaidTerms; readonly row: NewSettlement } | { readonly error: unknown }> {
  const { blobId } = payment;
  try {
    const row = await (blobId === undefined
      ? beginSettlement(parts, { payment, paid })
      : beginSponsored(parts, { payment, paid, blobId: blobId.toUpperCase() }));
    return row ? { paid, row } : { error: new Fault('paymentSettled', { reason: 'blobAlreadySettled' }) };
  } catch (error) {
    return { error };
  }
}

/** With the same payment again: told what became of it. */
async function settleAgain(
  parts: PaymentParts,
  request: FacilitatorRequest,
  { known, call }: { readonly known: Settlement; readonly call: Call },
) {
  const judged = judgeKnown(parts, request, known);
  if ('refusal' in judged) throw paymentFault(judged.refusal);
  return answer(parts, judged.paid, { outcome: await outcomeOfSettlement(parts, known), call });
}

/**
 * Every caller learns the outcome. That it is executed goes to one caller only as a success, because resource servers
 * deliver for each such answer.
 */
async function answer(
  parts: PaymentParts,
  paid: KnownTerms,
  { outcome, call }: { readonly outcome: SettlementOutcome; readonly call: Call },
) {
  const reply = renderSettled(paid, outcome);
  if (outcome.kind === 'executed' && !(await takeAnswer(parts, paid.hash, call))) throw settledAlready(reply);
  return reply;
}

const settledAlready = (facts: object): Fault =>
  new Fault('paymentSettled', {
    reason: 'blobAlreadySettled',
    detail: 'this transaction was handed in before',
    facts: facts as NonNullable<Fault['facts']>,
  });

/** Refused before anything was handed in: that is no outcome, unless the ledger has one or never can have. */
async function answerUnsettled(parts: PaymentParts, hash: string, refusal: PaymentRefusal) {
  const facts = { hash, network: parts.profile.networkId };
  if (refusal.isFinal) return renderSettled(facts, { kind: 'failed', failure: refusalText(refusal) });
  if (refusal.word !== 'blobAlreadySettled') throw paymentFault(refusal);
  const outcome = (await outcomeOnLedger(parts, hash)) ?? unknown;
  if (outcome.kind === 'executed') throw settledAlready(renderSettled(facts, outcome));
  return renderSettled(facts, outcome);
}
