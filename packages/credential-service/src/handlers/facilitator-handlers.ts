/**
 * The facilitator (`spec/credential-service.md`, "Further endpoints"): verifies payments for anybody, settles each of
 * them once, and pays fees where the operator allows it. What is wrong with a payment is an answer; a fault is left for
 * what is wrong with the request or the service.
 */
import { encodeHex } from '@symbolon/core/bytes';
import { Fault } from '@symbolon/core/faults';
import { paymentRefusals } from '@symbolon/core/payments/payment-refusals';
import { paymentScheme } from '@symbolon/core/payments/payment-rules';
import type { FacilitatorRequest } from '@symbolon/wire/payment-payloads';
import { queuedReply, type SettlementState, type SettleReply } from '@symbolon/wire/payment-replies';
import type { PaymentHandlers } from '@symbolon/wire/payment-routes';
import {
  beginSettlement,
  type Judged,
  newSettlement,
  refusalFacts,
  resumeSettlement,
  type SettlementOrder,
  settleStored,
  verifyPayment,
} from '../payments/settlement.ts';
import { beginSponsored, judgeSponsoring, preparePayment } from '../payments/sponsor.ts';
import type { ServiceParts } from '../service-parts.ts';
import type { SettlementRecordState } from '../store/schema.ts';
import { findSettlement } from '../store/settlements.ts';
import { sha256 } from './credential-drafts.ts';

type FacilitatorHandlers = Pick<
  PaymentHandlers,
  'verifyPayment' | 'settlePayment' | 'getSettlement' | 'getSupportedPayments' | 'preparePayment'
>;

export function createFacilitatorHandlers(parts: ServiceParts): FacilitatorHandlers {
  return {
    async verifyPayment(request) {
      const judged = await judge(parts, request);
      return 'refusal' in judged
        ? { isValid: false, ...refusalFacts(judged.refusal) }
        : { isValid: true, payer: judged.paid.payer };
    },

    settlePayment: (request) => settle(parts, request),

    async getSettlement({ blobId }) {
      const { kysely } = parts.database;
      const found =
        (await findSettlement(kysely, blobId.toLowerCase())) ??
        (await findSettlement(kysely, blobId.toUpperCase()));
      if (!found) throw new Fault('paymentUnknown');
      // A settlement of a paid credential is brought further by its own status.
      if (found.state === 'pending' && found.paymentId === null) await resumeSettlement(parts, found);
      const { state, hash, failure } = (await findSettlement(kysely, found.hash)) ?? found;
      return { status: shownStates[state], txHash: hash, ...(failure !== null && { errorMsg: failure }) };
    },

    async getSupportedPayments() {
      const { profile, money } = parts;
      const kind = (extra: Record<string, string>) => ({
        x402Version: 2,
        scheme: paymentScheme,
        network: profile.networkId,
        extra,
      });
      const paymaster = money.sponsor?.signer.address;
      return {
        kinds: [
          kind({ gasModel: 'client' }),
          ...(paymaster === undefined
            ? []
            : [kind({ gasModel: 'facilitator', paymasterAddress: paymaster })]),
        ],
        extensions: [],
        signers: paymaster === undefined ? {} : { [profile.networkId]: [paymaster] },
      };
    },

    preparePayment: async (terms) => ({ ...(await preparePayment(parts, terms)) }),
  };
}

const shownStates: Readonly<Record<SettlementRecordState, SettlementState>> = {
  pending: 'PENDING',
  executed: 'CONFIRMED',
  failed: 'FAILED',
};

async function judge(parts: ServiceParts, { payment, terms }: FacilitatorRequest): Promise<Judged> {
  const judged = await verifyPayment(parts, payment, terms);
  return 'refusal' in judged ? judged : judgeSponsoring(parts, payment, judged.paid);
}

const settledAlready = (txHash: string): Fault =>
  new Fault('paymentSettled', {
    detail: 'blob_already_settled: ask settle/status what became of it',
    familyCode: paymentRefusals.blob_already_settled,
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
      judged.refusal.word === 'blob_already_settled' || (await findSettlement(database.kysely, txHash));
    if (isSettled) throw settledAlready(txHash);
    return { status: 'FAILED', txHash, network: profile.networkId, ...refusalFacts(judged.refusal) } as const;
  }
  const { paid } = judged;
  const { isNew, order } = await begin(parts, { payment, paid, blobId: payment.blobId });
  if (!isNew) throw settledAlready(txHash);
  const { network, payer, amount } = paid;
  const base = { txHash, network, payer, amount: amount.toString() };
  // From here on it may be on the ledger, so no failure of ours may say that it is not.
  const queued = () => queuedReply({ ...base, status: 'QUEUED', blobId: txHash } satisfies SettleReply);
  const stored = newSettlement(order, parts.clock.nowMs());
  const result = await settleStored(parts, stored).catch((error: unknown) => {
    if (error instanceof Fault) return { kind: 'unknown' } as const;
    throw error;
  });
  switch (result.kind) {
    case 'executed':
      return { ...base, status: 'SUBMITTED' } as const;
    case 'failed':
      return { ...base, status: 'FAILED', ...refusalFacts(result.refusal) } as const;
    default:
      return queued();
  }
}

async function begin(
  parts: ServiceParts,
  { blobId, ...order }: SettlementOrder & { readonly blobId: string | undefined },
): Promise<{ readonly isNew: boolean; readonly order: SettlementOrder }> {
  if (blobId !== undefined) return beginSponsored(parts, { ...order, blobId: blobId.toUpperCase() });
  return { isNew: await beginSettlement(parts, order), order };
}
