/**
 * Rows of the route table about money (`spec/credential-service.md`, "Further endpoints"): paid issuance, what issuers
 * set for it, and the facilitator, whose paths begin with the network's own segment.
 */
import { credentialRequestLimits } from '@symbolon/core/limits';
import { zetrixProfile } from '@symbolon/core/profile';
import * as z from 'zod';
import { extendedHeaderNames, signedHeaderShapes } from './exchange-requests.ts';
import * as facilitation from './facilitator-replies.ts';
import { readFacilitatorRequest } from './payment-payloads.ts';
import * as replies from './payment-replies.ts';
import * as requests from './payment-requests.ts';
import { dataEnvelope } from './service-envelopes.ts';
import { defineServiceRoute, type ServiceHandlers } from './service-route.ts';

const facilitator = `/${zetrixProfile.pathSegment}/facilitator`;

const applicationFaults = [
  'requestMalformed',
  'attributesInvalid',
  'validityInvalid',
  'publicKeyMalformed',
  'autoIssueRefused',
  'keyNotPublished',
  'templateUnknown',
  'applicationExists',
  'credentialExists',
  'ledgerUnreachable',
  'ledgerFailed',
] as const;

const anyObject = z.object({}).loose();

const paymentHeaders = ['PAYMENT-SIGNATURE', 'X-PAYMENT'].map((name) => ({
  name,
  description: 'The payment: base64 of its JSON, as the facilitator takes it in its body',
}));
const paidRoutes = {
  applyForPaidCredential: defineServiceRoute({
    method: 'POST',
    path: '/v1/vc/pay/apply',
    sealedPath: '/v1/vc/pay/enc/apply',
    carries: 'personal',
    access: 'open',
    cost: 'heavy',
    bodyBytesMax: credentialRequestLimits.documentBytesMax,
    group: 'payments',
    summary: 'Says what a credential costs (402); with a payment in the header settles it and issues',
    body: requests.paidApplication,
    headers: paymentHeaders,
    reply: z.object({
      vcId: z.string(),
      paymentId: z.string(),
      txHash: z.string().nullable(),
      verifiableCredential: anyObject,
    }),
    envelope: replies.paymentEnvelope,
    faults: [
      ...applicationFaults,
      'signatureMalformed',
      'signerMismatch',
      'presenceRefused',
      'signatureUsed',
      'paymentRefused',
      'paymentUnknown',
      'downloadLapsed',
      'settlementUnknown',
    ],
    read: requests.readPaidApplication,
  }),
  quotePaidCredential: defineServiceRoute({
    method: 'POST',
    path: '/v1/vc/pay/quote',
    sealedPath: '/v1/vc/pay/enc/quote',
    carries: 'personal',
    access: 'open',
    cost: 'heavy',
    bodyBytesMax: credentialRequestLimits.documentBytesMax,
    group: 'payments',
    summary: 'What a credential costs, and the text to sign for it',
    body: requests.quoteOrder,
    reply: replies.quoteReply,
    envelope: dataEnvelope,
    faults: applicationFaults,
    read: requests.readQuote,
  }),
  getPaymentStatus: defineServiceRoute({
    method: 'GET',
    path: '/v1/vc/pay/status/:paymentId',
    carries: 'personal',
    access: 'open',
    cost: 'light',
    group: 'payments',
    summary: 'What became of a payment; finds out where that is not known yet',
    params: requests.paymentPath,
    headers: signedHeaderShapes(extendedHeaderNames, 'Needed to see the credential: '),
    reply: replies.paymentStatusReply,
    envelope: dataEnvelope,
    faults: [
      'requestMalformed',
      'publicKeyMalformed',
      'walletNotAuthenticated',
      'signerMismatch',
      'presenceRefused',
      'paymentUnknown',
      'downloadLapsed',
    ],
    read: ({ params }) => params,
  }),
};

const issuerRoutes = {
  setPrice: defineServiceRoute({
    method: 'POST',
    path: '/v1/issuer/prices',
    carries: 'plain',
    access: 'key',
    scope: 'issue',
    cost: 'light',
    group: 'payments',
    summary: 'The issuer says what a credential of its template costs',
    body: requests.priceOrder,
    reply: z.object({ templateId: z.string(), price: replies.priceReply, payTo: z.string() }),
    envelope: dataEnvelope,
    faults: [
      'requestMalformed',
      'notAuthenticated',
      'notAllowed',
      'issuerMismatch',
      'templateUnknown',
      'ledgerUnreachable',
      'ledgerFailed',
    ],
    read: requests.readPrice,
  }),
  setAutoIssue: defineServiceRoute({
    method: 'POST',
    path: '/v1/issuer/auto-issue',
    sealedPath: '/v1/issuer/enc/auto-issue',
    carries: 'secret',
    access: 'key',
    scope: 'issue',
    cost: 'light',
    group: 'payments',
    summary: 'The issuer leaves its keys and says who may get credentials of its template at once',
    body: requests.autoIssueOrder,
    reply: z.object({
      templateId: z.string(),
      isEnabled: z.boolean(),
      perDayMax: z.int(),
      until: z.string(),
      validSeconds: z.int(),
      allowReissue: z.boolean(),
      holders: z.int().nullable().describe('How many holders are named; null for everybody'),
    }),
    envelope: dataEnvelope,
    faults: [
      'requestMalformed',
      'validityInvalid',
      'notAuthenticated',
      'notAllowed',
      'signerMismatch',
      'issuerMismatch',
      'keyNotPublished',
      'templateUnknown',
      'keyUnknown',
      'ledgerUnreachable',
      'ledgerFailed',
    ],
    read: requests.readAutoIssue,
  }),
  withdrawIssuerKey: defineServiceRoute({
    method: 'POST',
    path: '/v1/issuer/key/withdraw',
    carries: 'plain',
    access: 'key',
    scope: 'issue',
    cost: 'light',
    group: 'payments',
    summary: 'The issuer takes the Ed25519 key back that it left; nothing of its is issued at once any more',
    reply: z.object({ issuer: z.string(), isRemoved: z.boolean(), stoppedTemplates: z.int() }),
    envelope: dataEnvelope,
    faults: ['notAuthenticated', 'notAllowed'],
    read: () => ({}),
  }),
};

const facilitatorRoutes = {
  verifyPayment: defineServiceRoute({
    method: 'POST',
    path: `${facilitator}/verify`,
    carries: 'plain',
    access: 'optionalKey',
    cost: 'light',
    group: 'facilitator',
    summary: 'Whether a signed payment would do what it is for',
    body: requests.givenPayment,
    reply: facilitation.verifyReply,
    envelope: facilitation.verifyEnvelope,
    faults: ['requestMalformed', 'notAuthenticated', 'notAllowed', 'ledgerUnreachable', 'ledgerFailed'],
    read: readFacilitatorRequest,
  }),
  settlePayment: defineServiceRoute({
    method: 'POST',
    path: `${facilitator}/settle`,
    carries: 'plain',
    access: 'optionalKey',
    cost: 'light',
    group: 'facilitator',
    summary: 'Hands a signed payment to the ledger, once, and says what became of it',
    body: requests.givenPayment,
    otherStatuses: { 202: 'Handed to the ledger, which has not said yet what became of it' },
    reply: facilitation.settleReply,
    envelope: facilitation.settleEnvelope,
    faults: [
      'requestMalformed',
      'notAuthenticated',
      'notAllowed',
      'paymentSettled',
      'ledgerUnreachable',
      'ledgerFailed',
    ],
    read: readFacilitatorRequest,
  }),
  getSettlement: defineServiceRoute({
    method: 'GET',
    path: `${facilitator}/settle/status`,
    carries: 'plain',
    access: 'optionalKey',
    cost: 'light',
    group: 'facilitator',
    summary: 'What became of a settlement, by the hash of its transaction or the id of a prepared one',
    query: requests.settlementQuery,
    reply: facilitation.settleReply,
    envelope: facilitation.settlementEnvelope,
    faults: ['requestMalformed', 'notAuthenticated', 'notAllowed', 'paymentUnknown'],
    read: ({ query }) => query,
  }),
  getSupportedPayments: defineServiceRoute({
    method: 'GET',
    path: `${facilitator}/supported`,
    carries: 'plain',
    access: 'open',
    isPublic: true,
    cost: 'light',
    group: 'facilitator',
    summary: 'Which payments this facilitator settles',
    reply: facilitation.supportedReply,
    envelope: facilitation.openEnvelope,
    faults: [],
    read: () => ({}),
  }),
  preparePayment: defineServiceRoute({
    method: 'POST',
    path: `${facilitator}/prepare`,
    carries: 'plain',
    access: 'optionalKey',
    cost: 'light',
    group: 'facilitator',
    summary: 'A payment whose fee the service pays, for the client to sign',
    body: requests.preparation,
    reply: facilitation.preparedReply,
    envelope: facilitation.openEnvelope,
    faults: [
      'requestMalformed',
      'notAuthenticated',
      'notAllowed',
      'sponsorRefused',
      'paymentRefused',
      'ledgerUnreachable',
      'ledgerFailed',
    ],
    read: requests.readPreparation,
  }),
};

export const paymentRoutes = { ...paidRoutes, ...issuerRoutes, ...facilitatorRoutes };
export type PaymentRoutes = typeof paymentRoutes;
export type PaymentHandlers = ServiceHandlers<PaymentRoutes>;
