/**
 * The facilitator (`spec/credential-service.md`, "Further endpoints"): verifies payments for anybody, settles each of
 * them once, and pays fees where the operator allows it. What is wrong with a payment is an answer; a fault is left for
 * what is wrong with the request or the service.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeHex } from '@symbolon/core/bytes';
import { Fault } from '@symbolon/core/faults';
import { paymentLimits } from '@symbolon/core/payments/payment-limits';
import {
  renderPrepared,
  renderSettled,
  renderSettlement,
  renderSupported,
  renderUnsettled,
  renderVerified,
} from '@symbolon/wire/facilitator-replies';
import type { FacilitatorRequest } from '@symbolon/wire/payment-payloads';
import type { PaymentHandlers } from '@symbolon/wire/payment-routes';
import {
  beginSettlement,
  type Judged,
  joinSettlement,
  newSettlement,
  type SettlementOrder,
  verifyPayment,
} from '../payments/settlement.ts';
import { beginSponsored, judgeSponsoring, preparePayment } from '../payments/sponsor.ts';
import { isSponsorFunded } from '../payments/sponsor-funds.ts';
import type { ServiceParts } from '../service-parts.ts';
import { findSettlement } from '../store/settlements.ts';
import { sha256 } from './credential-drafts.ts';

type FacilitatorHandlers = Pick<
  PaymentHandlers,
  'verifyPayment' | 'settlePayment' | 'getSettlement' | 'getSupportedPayments' | 'preparePayment'
>;

export function createFacilitatorHandlers(parts: ServiceParts): FacilitatorHandlers {
  const { kysely } = parts.database;
  return {
    verifyPayment: async (request) => renderVerified(await judge(parts, request)),

    settlePayment: (request) => settle(parts, request),

    async getSettlement({ blobId }) {
      const found =
        (await findSettlement(kysely, blobId.toLowerCase())) ??
        (await findSettlement(kysely, blobId.toUpperCase()));
      if (!found) throw new Fault('paymentUnknown');
      // A settlement of a paid credential is brought further by its own status.
      if (found.state === 'pending' && found.paymentId === null)
        await Promise.race([joinSettlement(parts, found), sleep(paymentLimits.statusWaitMs)]);
      return renderSettlement((await findSettlement(kysely, found.hash)) ?? found);
    },

    async getSupportedPayments() {
      const { sponsor } = parts.money;
      const canPay = sponsor !== undefined && (await isSponsorFunded(parts).catch(notToday));
      const facts = canPay
        ? { address: sponsor.purse.address, accounts: [...sponsor.accounts.keys()] }
        : undefined;
      return renderSupported(parts.profile.networkId, facts);
    },

    preparePayment: async (terms) => renderPrepared(await preparePayment(parts, terms)),
  };
}

/** Without the ledger nobody's fee is paid. */
function notToday(error: unknown): false {
  if (!(error instanceof Fault)) throw error;
  return false;
}

async function judge(parts: ServiceParts, { payment, terms }: FacilitatorRequest): Promise<Judged> {
  const judged = await verifyPayment(parts, payment, terms);
  return 'refusal' in judged ? judged : judgeSponsoring(parts, payment, judged.paid);
}

const settledAlready = (txHash: string): Fault =>
  new Fault('paymentSettled', {
    reason: 'blobAlreadySettled',
    detail: 'ask settle/status what became of it',
    facts: { txHash, blobId: txHash },
  });

async function settle(parts: ServiceParts, request: FacilitatorRequest) {
  const { database, profile } = parts;
  const { payment } = request;
  const txHash = encodeHex(sha256(payment.blob));
  const known = await findSettlement(database.kysely, txHash);
  if (known) throw settledAlready(txHash);
  const judged = await judge(parts, request);
  if ('refusal' in judged) {
    // What is said against it may be so because another caller has settled it meanwhile.
    const isSettled =
      judged.refusal.word === 'blobAlreadySettled' || (await findSettlement(database.kysely, txHash));
    if (isSettled) throw settledAlready(txHash);
    return renderUnsettled(txHash, profile.networkId, judged.refusal);
  }
  const { paid } = judged;
  const { isNew, order } = await begin(parts, { payment, paid, blobId: payment.blobId });
  if (!isNew) throw settledAlready(txHash);
  const { worker, clock } = parts;
  const stored = newSettlement(order, { worker, now: clock.nowMs() });
  return renderSettled(paid, await joinSettlement(parts, stored));
}

async function begin(
  parts: ServiceParts,
  { blobId, ...order }: SettlementOrder & { readonly blobId: string | undefined },
): Promise<{ readonly isNew: boolean; readonly order: SettlementOrder }> {
  if (blobId !== undefined) return beginSponsored(parts, { ...order, blobId: blobId.toUpperCase() });
  return { isNew: await beginSettlement(parts, order), order };
}
