/**
 * Rows of the route table about money (`docs/payments.md`): paid issuance, what issuers set for it, and the
 * facilitator, whose paths begin with the network's own segment.
 */

import { zetrixProfile } from '@symbolon/core/keys/profile';
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import * as z from 'zod';
import { priceReply } from '../credentials/replies.ts';
import { extendedHeaderNames, signedHeaderShapes } from '../credentials/signed-headers.ts';
import { dataEnvelope } from '../http/service-envelopes.ts';
import { defineServiceRoute, ledgerFaults, type ServiceHandlers } from '../http/service-route.ts';
import * as facilitation from './facilitator-replies.ts';
import { readFacilitatorRequest } from './payloads.ts';
import * as replies from './replies.ts';
import * as requests from './requests.ts';

const applicationFaults = [
  'attributesInvalid',
  'validityInvalid',
  'publicKeyMalformed',
  'autoIssueRefused',
  'keyNotPublished',
  'templateUnknown',
  'applicationExists',
  'credentialExists',
  ...ledgerFaults,
] as const;

const application = {
  method: 'POST',
  carries: 'personal',
  access: 'open',
  cost: 'heavy',
  bodyBytesMax: credentialRequestLimits.documentBytesMax,
  group: 'Holder: paid credentials',
} as const;

const paymentHeaders = ['PAYMENT-SIGNATURE', 'X-PAYMENT'].map((name) => ({
  name,
  description: 'The payment: base64 of its JSON, as the facilitator takes it in its body',
}));
const paidRoutes = {
  applyForPaidCredential: defineServiceRoute({
    ...application,
    path: '/v1/vc/pay/apply',
    sealedPath: '/v1/vc/pay/enc/apply',
    summary: 'Says what a credential costs (402); with a payment in the header settles it and issues',
    body: requests.paidApplication,
    headers: paymentHeaders,
    otherStatuses: {
      402: { when: 'No payment was sent: this is what to pay', reply: replies.paymentDemand },
    },
    replyHeaders: replies.paymentReplyHeaders,
    reply: z.object({
      vcId: z.string(),
      paymentId: z.string(),
      txHash: z.string().nullable(),
      verifiableCredential: z.object({}).loose(),
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
    ...application,
    path: '/v1/vc/pay/quote',
    sealedPath: '/v1/vc/pay/enc/quote',
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
    group: 'Holder: paid credentials',
    summary: 'What became of a payment; finds out where that is not known yet',
    params: requests.paymentPath,
    headers: signedHeaderShapes(extendedHeaderNames, 'Needed to see the credential: '),
    reply: replies.paymentStatusReply,
    envelope: dataEnvelope,
    faults: [
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

const issuers = {
  method: 'POST',
  carries: 'plain',
  access: 'key',
  scope: 'issue',
  cost: 'light',
  group: 'Issuer: sale',
  envelope: dataEnvelope,
} as const;

const issuerRoutes = {
  setPrice: defineServiceRoute({
    ...issuers,
    path: '/v1/issuer/prices',
    summary: 'The issuer says what a credential of its template costs',
    body: requests.priceOrder,
    reply: z.object({ templateId: z.string(), price: priceReply, payTo: z.string() }),
    faults: ['issuerMismatch', 'templateUnknown', ...ledgerFaults],
    read: requests.readPrice,
  }),
  setAutoIssue: defineServiceRoute({
    ...issuers,
    path: '/v1/issuer/auto-issue',
    sealedPath: '/v1/issuer/enc/auto-issue',
    carries: 'secret',
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
    faults: [
      'validityInvalid',
      'signerMismatch',
      'issuerMismatch',
      'keyNotPublished',
      'templateUnknown',
      'keyUnknown',
      ...ledgerFaults,
    ],
    read: requests.readAutoIssue,
  }),
  withdrawIssuerKey: defineServiceRoute({
    ...issuers,
    path: '/v1/issuer/key/withdraw',
    summary: 'The issuer takes the Ed25519 key back that it left; nothing of its is issued at once any more',
    reply: z.object({ issuer: z.string(), isRemoved: z.boolean(), stoppedTemplates: z.int() }),
    faults: [],
    read: () => ({}),
  }),
};

const facilitator = `/${zetrixProfile.pathSegment}/facilitator`;

const facilitated = {
  method: 'POST',
  carries: 'plain',
  access: 'optionalKey',
  cost: 'light',
  group: 'Payments: facilitator',
} as const;

const paymentBody = { body: requests.givenPayment, read: readFacilitatorRequest };

const facilitatorRoutes = {
  verifyPayment: defineServiceRoute({
    ...facilitated,
    ...paymentBody,
    path: `${facilitator}/verify`,
    summary: 'Whether a signed payment would do what it is for',
    reply: facilitation.verifyReply,
    envelope: facilitation.verifyEnvelope,
    faults: ['notAllowed', ...ledgerFaults],
  }),
  settlePayment: defineServiceRoute({
    ...facilitated,
    ...paymentBody,
    path: `${facilitator}/settle`,
    summary: 'Hands a signed payment to the ledger, once, and says what became of it',
    otherStatuses: { 202: { when: 'Handed to the ledger, which has not said yet what became of it' } },
    reply: facilitation.settleReply,
    envelope: facilitation.settleEnvelope,
    faults: ['notAllowed', 'paymentRefused', 'paymentSettled', ...ledgerFaults],
  }),
  getSettlement: defineServiceRoute({
    ...facilitated,
    method: 'GET',
    path: `${facilitator}/settle/status`,
    summary: 'What became of a settlement, by the hash of its transaction or the id of a prepared one',
    query: requests.settlementQuery,
    reply: facilitation.settleReply,
    envelope: facilitation.settlementEnvelope,
    faults: ['notAllowed', 'paymentUnknown', 'ledgerUnreachable', 'ledgerChanged'],
    read: ({ query }) => query,
  }),
  getSupportedPayments: defineServiceRoute({
    ...facilitated,
    method: 'GET',
    path: `${facilitator}/supported`,
    access: 'open',
    isPublic: true,
    summary: 'Which payments this facilitator settles',
    reply: facilitation.supportedReply,
    envelope: facilitation.openEnvelope,
    faults: [],
    read: () => ({}),
  }),
  preparePayment: defineServiceRoute({
    ...facilitated,
    path: `${facilitator}/prepare`,
    summary: 'A payment whose fee the service pays, for the client to sign',
    body: requests.preparation,
    reply: facilitation.preparedReply,
    envelope: facilitation.openEnvelope,
    faults: [
      'notAllowed',
      'sponsorRefused',
      'sponsorUnfunded',
      'paymentRefused',
      'ledgerUnconfirmed',
      ...ledgerFaults,
    ],
    read: requests.readPreparation,
  }),
};

export const paymentRoutes = { ...paidRoutes, ...issuerRoutes, ...facilitatorRoutes };
export type PaymentHandlers = ServiceHandlers<typeof paymentRoutes>;
