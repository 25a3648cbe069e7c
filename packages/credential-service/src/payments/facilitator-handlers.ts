/**
 * The facilitator (`docs/payments.md`, "Facilitator"): verifies payments for anybody, settles each of them once, and
 * pays fees where the operator allows it. What is wrong with a payment is an answer; a fault is left for what is wrong
 * with the request or the service.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { Fault } from '@symbolon/core/faults/faults';
import type { PaymentRefusal } from '@symbolon/core/faults/payment-refusals';
import {
  judgeAgain,
  type MovedTerms,
  type PaidTerms,
  type PaymentJudgement,
} from '@symbolon/core/payments/payment-rules';
import { sha256 } from '@symbolon/host/work/sha256';
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
import type { FacilitatorRequest } from '@symbolon/wire/payments/payloads';
import type { PaymentHandlers } from '@symbolon/wire/payments/routes';
import { verifyEd25519 } from '../access/signatures.ts';
import { paymentWorkLimits } from '../limits/service-limits.ts';
import type { PaymentParts } from './payment-parts.ts';
import {
  beginSettlement,
  joinSettlement,
  outcomeOfSettlement,
  outcomeOnLedger,
  takeAnswer,
} from './settlement.ts';
import { findSettlement, findTelling, type Settlement } from './settlement-rows.ts';
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
    verifyPayment: async (request) => renderVerified(await judgeForSettling(parts, request)),

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
        canPay: await isSponsorFunded(parts).catch(notToday),
      };
      return renderSupported(parts.profile.networkId, facts);
    },

    preparePayment: (terms, { caller }) => preparePayment(parts, terms, caller),
  };
}

const unknown: SettlementOutcome = { kind: 'unknown' };

/** As far as it is known within the time that whoever asks waits. */
const outcomeWithin = (parts: PaymentParts, found: Settlement): Promise<SettlementOutcome> =>
  Promise.race([outcomeOfSettlement(parts, found), sleep(paymentWorkLimits.statusWaitMs, unknown)]);

async function stateOnLedger(parts: PaymentParts, hash: string) {
  const state = await outcomeOnLedger(parts, hash);
  return state && { hash, state };
}

/** Without the ledger nobody's fee is paid. */
function notToday(error: unknown): false {
  if (!(error instanceof Fault)) throw error;
  return false;
}

async function judge(parts: PaymentParts, { payment, terms }: FacilitatorRequest): Promise<PaymentJudgement> {
  const judged = await verifyPayment(parts, payment, terms);
  return 'refusal' in judged ? judged : judgeSponsoring(parts, payment, judged.paid);
}

const refuse = ({ word, detail }: PaymentRefusal): Fault =>
  new Fault('paymentRefused', { reason: word, detail });

/** What was executed and told to nobody yet is as good as what is to be settled: settling tells it. */
async function judgeForSettling(parts: PaymentParts, request: FacilitatorRequest): Promise<PaymentVerdict> {
  const { kysely } = parts.database;
  const hash = encodeHex(sha256(request.payment.blob));
  if ((await findTelling(kysely, hash)) !== 'free') return judge(parts, request);
  const known = await findSettlement(kysely, hash);
  const isExecuted = known && (await outcomeOfSettlement(parts, known)).kind === 'executed';
  return isExecuted ? judgeKnown(parts, request, known) : judge(parts, request);
}

type KnownTerms = MovedTerms & Pick<PaidTerms, 'hash'>;

/** Whether it is the payment that was settled, and what is asked for now. */
function judgeKnown(
  { keys, profile }: PaymentParts,
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
  const hash = encodeHex(sha256(payment.blob));
  const known = await findSettlement(kysely, hash);
  if (known) return settleAgain(parts, request, { known, call });
  const judged = await judge(parts, request);
  if ('refusal' in judged) {
    // What is said against it may be so because another caller has settled it meanwhile.
    const since = await findSettlement(kysely, hash);
    return since
      ? settleAgain(parts, request, { known: since, call })
      : answerUnsettled(parts, hash, judged.refusal);
  }
  const { paid } = judged;
  const { blobId } = payment;
  const begun = await (blobId === undefined
    ? beginSettlement(parts, { payment, paid })
    : beginSponsored(parts, { payment, paid, blobId: blobId.toUpperCase() })
  ).catch((error) => ({ error }));
  if (!begun || 'error' in begun) {
    const first = await findSettlement(kysely, hash);
    if (first) return settleAgain(parts, request, { known: first, call });
    throw begun ? begun.error : new Fault('paymentSettled', { reason: 'blobAlreadySettled' });
  }
  return answer(parts, paid, { outcome: await joinSettlement(parts, begun), call });
}

/** With the same payment again: told what became of it. */
async function settleAgain(
  parts: PaymentParts,
  request: FacilitatorRequest,
  { known, call }: { readonly known: Settlement; readonly call: Call },
) {
  const judged = judgeKnown(parts, request, known);
  if ('refusal' in judged) throw refuse(judged.refusal);
  return answer(parts, judged.paid, { outcome: await outcomeOfSettlement(parts, known), call });
}

/** Everybody is told what became of it, and one that it is executed as an answer to deliver for. */
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
  if (refusal.word !== 'blobAlreadySettled') throw refuse(refusal);
  const outcome = (await outcomeOnLedger(parts, hash)) ?? unknown;
  if (outcome.kind === 'executed') throw settledAlready(renderSettled(facts, outcome));
  return renderSettled(facts, outcome);
}
