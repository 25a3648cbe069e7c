/**
 * Paid issuance and what issuers set for it (`spec/credential-service.md`, "Further endpoints"). The first call is
 * answered with what it costs, the second brings the payment and gets the credential; whoever lost an answer asks for
 * the status, or simply sends the same again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { assert } from '@symbolon/core/basics/assert';
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import { addressOfDid } from '@symbolon/core/did/did';
import { Fault } from '@symbolon/core/faults/faults';
import { paymentLimits } from '@symbolon/core/limits/payment-limits';
import type { Call, Caller, TextReply } from '@symbolon/wire/http/service-route';
import type { JsonObject } from '@symbolon/wire/json/json';
import { readGivenPayment } from '@symbolon/wire/payments/payloads';
import {
  issuedReply,
  paymentRequiredReply,
  renderPaymentStatus,
  renderQuote,
} from '@symbolon/wire/payments/replies';
import type { PaidApplicationRequest, PriceRequest } from '@symbolon/wire/payments/requests';
import { type PaymentHandlers, paymentRoutes } from '@symbolon/wire/payments/routes';
import { readExtendedHeaders } from '@symbolon/wire/sessions/requests';
import { requirePresence } from '../access/presence.ts';
import { keyOfLedgerDid, requireSignature } from '../access/signatures.ts';
import { auditEvent } from '../audit/audit-trail.ts';
import { instantOf } from '../issuance/credential-drafts.ts';
import { findCredential } from '../issuance/credential-rows.ts';
import { handOver } from '../issuance/stored-credentials.ts';
import { requireOwnTemplate, setAutoIssue, withdrawIssuerKey } from './auto-issue.ts';
import { createFacilitatorHandlers } from './facilitator-handlers.ts';
import { givenAgain } from './paid-again.ts';
import {
  type Applicant,
  applicantOf,
  type CheckedApplication,
  checkApplication,
  checkContent,
  freeByOldRule,
  requireApplicant,
} from './paid-checks.ts';
import { findFree, issueFree, payForCredential, requireNoOther, resumePayment } from './paid-issuance.ts';
import { findNamedOffer, offerPayment, quotePayment, requireOpen } from './paid-offers.ts';
import type { PaymentParts } from './payment-parts.ts';
import { findPayment, type Payment } from './payment-rows.ts';
import { type Price, putPrice } from './price-rows.ts';

export function createPaymentHandlers(parts: PaymentParts): PaymentHandlers {
  const { database, profile } = parts;
  return {
    ...createFacilitatorHandlers(parts),

    async applyForPaidCredential(request, call) {
      const applicant = await requireApplicant(parts, request);
      const given = readGivenPayment(call);
      const asked = given
        ? payForCredential(parts, { request, applicant, given })
        : applyUnpaid(parts, request, applicant);
      const outcome = await asked.catch(givenAgain(parts, { request, applicant }));
      return 'text' in outcome ? outcome : replyWith(parts, outcome, applicant);
    },

    async quotePaidCredential(content) {
      const applicant = applicantOf(parts, content);
      // Nobody has signed yet, so nothing is said of what the holder has, or whether it is on the issuer's list.
      const checked = await checkContent(parts, content);
      const { data } = content;
      const payment = await quotePayment(parts, applicant, { data, checked });
      return renderQuote({
        paymentId: payment.paymentId,
        price: shownPrice(checked.price),
        payTo: payment.payTo,
        network: profile.networkId,
        data,
        expiresAt: instantOf(payment.expiresAt),
      });
    },

    async getPaymentStatus({ paymentId }, call) {
      const known = await findPayment(database.kysely, paymentId);
      if (!known) throw new Fault('paymentUnknown');
      const isUnderWay = known.state === 'settling' || known.state === 'settled';
      if (isUnderWay)
        await Promise.race([resumePayment(parts, paymentId), sleep(paymentLimits.statusWaitMs)]);
      const payment = (await findPayment(database.kysely, paymentId)) ?? known;
      const isOwner = isSignedByHolder(parts, payment, call);
      const isShown = isOwner && payment.state === 'issued';
      return renderPaymentStatus(payment, isShown ? await credentialOf(parts, payment) : undefined);
    },

    async setPrice(request, { caller }) {
      const price = await priceOf(parts, request, caller);
      await database.transaction(async (queries) => {
        await putPrice(queries, price);
        const deed = { action: 'price.set', subject: price.templateId } as const;
        await parts.audit.record(auditEvent(caller, deed), queries);
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

    withdrawIssuerKey: async (_request, { caller }) => ({ ...(await withdrawIssuerKey(parts, caller)) }),
  };
}

/** What costs nothing is issued; anything else has its price told, unless it is being paid for. */
async function applyUnpaid(
  parts: PaymentParts,
  request: PaidApplicationRequest,
  applicant: Applicant,
): Promise<Payment | TextReply> {
  const { data } = request;
  const named = await findNamedOffer(parts, { request, applicant });
  const earlier = await findFree(parts, applicant, data);
  if (earlier?.state === 'issued') return earlier;
  const checked = await checkApplication(parts, request, applicant);
  if (checked.price.amount === '0') {
    if (applicant.isByOldRule) throw freeByOldRule();
    return issueFree(parts, applicant, { data, checked });
  }
  const { policy, template, checkedAt } = checked;
  const sought = { paymentId: '', holder: applicant.holder, templateId: template.id };
  if (!policy.allowReissue) await requireNoOther(parts.database.kysely, sought, checkedAt);
  const offer = named ? requireOpen(named, checked) : await offerPayment(parts, applicant, { data, checked });
  return demand(parts, offer, checked);
}

const shownPrice = ({ amount, asset, symbol, decimals }: Price) => ({ amount, asset, symbol, decimals });

function demand(
  { settings, profile, keys }: PaymentParts,
  payment: Payment,
  { template }: CheckedApplication,
): TextReply {
  const issuerAddress = addressOfDid(template.issuer, keys);
  assert(issuerAddress, 'an issuer has an address');
  return paymentRequiredReply({
    paymentId: payment.paymentId,
    templateId: template.id,
    templateName: template.name,
    issuerAddress,
    network: profile.networkId,
    payTo: payment.payTo,
    asset: payment.asset,
    amount: BigInt(payment.amount),
    resource: `${settings.publicUrl}${paymentRoutes.applyForPaidCredential.path}`,
  });
}

async function replyWith(
  parts: PaymentParts,
  payment: Payment,
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
async function credentialOf(
  parts: PaymentParts,
  { vcId, paymentId, txHash, asset, amount, holder }: Payment,
): Promise<JsonObject> {
  const stored = await findCredential(parts.database.kysely, vcId);
  const credential = stored && (await handOver(parts, stored, { did: holder }));
  if (!credential) throw new Fault('downloadLapsed', { facts: { paymentId, txHash, asset, amount, vcId } });
  return credential as unknown as JsonObject;
}

/** The wallet's headers, over a text about the payment or over its id, show that it is the holder who asks. */
function isSignedByHolder(parts: PaymentParts, { holder, paymentId }: Payment, call: Call): boolean {
  const { keys } = parts;
  const headers = readExtendedHeaders(call);
  if (!headers) return false;
  const { publicKey: given, signature, presence } = headers;
  const expectedKey = keyOfLedgerDid(holder, keys);
  const wanted = { purpose: 'payment-status', subject: paymentId } as const;
  const message = presence ? requirePresence(parts, presence, wanted) : encodeUtf8(paymentId);
  requireSignature({ messages: [message], signature, expectedKey, given }, keys);
  return true;
}

async function priceOf(parts: PaymentParts, request: PriceRequest, caller: Caller): Promise<Price> {
  const { keys, profile, money, clock } = parts;
  const { issuer, id: templateId } = await requireOwnTemplate(parts, request.templateId, caller);
  const native = profile.nativeAsset;
  const { asset = native.code, amount } = request;
  const payTo = request.payTo ?? addressOfDid(issuer, keys);
  if (payTo === undefined || !keys.isAddress(payTo))
    throw new Fault('requestMalformed', { detail: '/payTo: must be an address' });
  const token = asset === native.code ? undefined : await money.ledger.token(asset);
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
