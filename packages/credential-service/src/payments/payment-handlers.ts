/**
 * Paid issuance and what issuers set for it (`docs/payments.md`, "Paid issuance"). The first call is answered with what
 * it costs, the second brings the payment and gets the credential; whoever lost an answer asks for the status, or
 * simply sends the same again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import { instantTextOfUnixMs as instantOf } from '@symbolon/core/basics/calendar';
import { addressOfDid } from '@symbolon/core/did/did';
import { Fault } from '@symbolon/core/faults/faults';
import type { Call, Caller } from '@symbolon/wire/http/service-route';
import { renderPaymentStatus, renderQuote } from '@symbolon/wire/payments/replies';
import type { PriceRequest } from '@symbolon/wire/payments/requests';
import type { PaymentHandlers } from '@symbolon/wire/payments/routes';
import { readExtendedHeaders } from '@symbolon/wire/sessions/requests';
import { signedMessage } from '../access/presence.ts';
import { keyOfLedgerDid, requireSignature } from '../access/signatures.ts';
import { auditEvent } from '../audit/audit-trail.ts';
import { paymentWorkLimits } from '../limits/service-limits.ts';
import { requireOwnTemplate, setAutoIssue, withdrawIssuerKey } from './auto-issue.ts';
import { createFacilitatorHandlers } from './facilitator-handlers.ts';
import { applicantOf, checkContent } from './paid-checks.ts';
import { applyForPaidCredential, credentialOf, resumePayment } from './paid-issuance.ts';
import { quotePayment } from './paid-offers.ts';
import type { PaymentParts } from './payment-parts.ts';
import { findPayment, type Payment } from './payment-rows.ts';
import { type Price, putPrice } from './price-rows.ts';

export function createPaymentHandlers(parts: PaymentParts): PaymentHandlers {
  const { database, profile } = parts;
  return {
    ...createFacilitatorHandlers(parts),

    applyForPaidCredential: (request, call) => applyForPaidCredential(parts, request, call),

    async quotePaidCredential(content) {
      const applicant = applicantOf(parts, content);
      // Nobody has signed yet, so nothing is said of what the holder has, or whether it is on the issuer's list.
      const checked = await checkContent(parts, content);
      const { data } = content;
      const payment = await quotePayment(parts, applicant, { data, checked });
      return renderQuote(data, {
        paymentId: payment.paymentId,
        price: shownPrice(checked.price),
        payTo: payment.payTo,
        network: profile.networkId,
        expiresAt: instantOf(payment.expiresAt),
      });
    },

    async getPaymentStatus({ paymentId }, call) {
      const known = await findPayment(database.kysely, paymentId);
      if (!known) throw new Fault('paymentUnknown');
      const isUnderWay = known.state === 'settling' || known.state === 'settled';
      if (isUnderWay)
        await Promise.race([resumePayment(parts, paymentId), sleep(paymentWorkLimits.statusWaitMs)]);
      const payment = (await findPayment(database.kysely, paymentId)) ?? known;
      const isOwner = isSignedByHolder(parts, payment, call);
      const isShown = isOwner && payment.state === 'issued';
      return renderPaymentStatus(payment, isShown ? await credentialOf(parts, payment) : undefined);
    },

    async setPrice(request, { caller }) {
      const price = await priceOf(parts, request, caller);
      await database.transaction(async (queries) => {
        await putPrice(queries, price);
        const event = auditEvent(caller, { action: 'price.set', subject: price.templateId });
        await parts.audit.record(event, queries);
      });
      return { templateId: price.templateId, price: shownPrice(price), payTo: price.payTo };
    },

    async setAutoIssue(request, { caller }) {
      const policy = await setAutoIssue(parts, request, caller);
      const { templateId, perDayMax, validSeconds, until, holders } = policy;
      return {
        templateId,
        isEnabled: policy.isEnabled === 1,
        perDayMax,
        until: instantOf(until),
        validSeconds,
        allowReissue: policy.allowReissue === 1,
        holders: holders === null ? null : holders.split(' ').filter(Boolean).length,
      };
    },

    withdrawIssuerKey: (_request, { caller }) => withdrawIssuerKey(parts, caller),
  };
}

const shownPrice = ({ amount, asset, symbol, decimals }: Price) => ({ amount, asset, symbol, decimals });

/** The wallet's headers, over a text about the payment or over its id, show that it is the holder who asks. */
function isSignedByHolder(parts: PaymentParts, { holder, paymentId }: Payment, call: Call): boolean {
  const { keys } = parts;
  const headers = readExtendedHeaders(call);
  if (!headers) return false;
  const { publicKey: given, signature, presence } = headers;
  const expectedKey = keyOfLedgerDid(holder, keys);
  const wanted = { purpose: 'payment-status', subject: paymentId } as const;
  const message = signedMessage(parts, presence, { ...wanted, older: encodeUtf8(paymentId) });
  requireSignature({ messages: [message], signature, expectedKey, given }, keys);
  return true;
}

async function priceOf(parts: PaymentParts, request: PriceRequest, caller: Caller): Promise<Price> {
  const { keys, profile, paymentLedger, clock } = parts;
  const { issuer, id: templateId } = await requireOwnTemplate(parts, request.templateId, caller);
  const native = profile.nativeAsset;
  const { asset = native.code, amount } = request;
  const payTo = request.payTo ?? addressOfDid(issuer, keys);
  if (payTo === undefined || !keys.isAddress(payTo))
    throw new Fault('requestMalformed', { detail: '/payTo: must be an address' });
  const token = asset === native.code ? undefined : await paymentLedger.token(asset);
  if (asset !== native.code && !token)
    throw new Fault('requestMalformed', { detail: '/asset: must be the native asset or a token contract' });
  return {
    templateId,
    issuer,
    amount: amount.toString(),
    asset,
    symbol: token?.symbol ?? native.code,
    decimals: token?.decimals ?? native.decimals,
    payTo,
    updatedAt: clock.nowMs(),
  };
}
