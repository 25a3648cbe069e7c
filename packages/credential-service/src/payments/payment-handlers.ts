/**
 * Paid issuance and what issuers set for it (`docs/payments.md`, "Paid issuance"). The first call is answered with what
 * it costs, the second brings the payment and gets the credential; whoever lost an answer asks for the status, or
 * simply sends the same again.
 */
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import { instantTextOfUnixMs as instantOf } from '@symbolon/core/basics/calendar';
import { Fault } from '@symbolon/core/faults/faults';
import { within } from '@symbolon/host/work/within';
import { readExtendedHeaders } from '@symbolon/wire/credentials/signed-headers';
import type { Call } from '@symbolon/wire/http/service-route';
import { renderPaymentStatus, renderQuote } from '@symbolon/wire/payments/replies';
import type { PaymentHandlers } from '@symbolon/wire/payments/routes';
import { signedMessage } from '../access/presence.ts';
import { keyOfLedgerDid, requireSignature } from '../access/signatures.ts';
import { paymentWorkLimits } from '../limits/service-limits.ts';
import { createFacilitatorHandlers } from './facilitator-handlers.ts';
import { keepAutoIssue, keepPrice, withdrawIssuerKey } from './issuer-settings.ts';
import { applicantOf, checkContent } from './paid-checks.ts';
import { applyForPaidCredential, credentialOf, resumePayment } from './paid-issuance.ts';
import { quotePayment } from './paid-offers.ts';
import type { PaymentParts } from './payment-parts.ts';
import { findPayment, type PaymentRow } from './payment-rows.ts';
import type { Price } from './price-rows.ts';

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
      if (isUnderWay) await within(paymentWorkLimits.statusWaitMs, resumePayment(parts, paymentId));
      const payment = (await findPayment(database.kysely, paymentId)) ?? known;
      const isOwner = isSignedByHolder(parts, payment, call);
      const isShown = isOwner && payment.state === 'issued';
      return renderPaymentStatus(payment, isShown ? await credentialOf(parts, payment) : undefined);
    },

    async setPrice(request, { caller }) {
      const price = await keepPrice(parts, request, caller);
      return { templateId: price.templateId, price: shownPrice(price), payTo: price.payTo };
    },

    async setAutoIssue(request, { caller }) {
      const policy = await keepAutoIssue(parts, request, caller);
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
function isSignedByHolder(
  parts: Pick<PaymentParts, 'keys' | 'settings' | 'clock'>,
  { holder, paymentId }: PaymentRow,
  call: Call,
): boolean {
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
