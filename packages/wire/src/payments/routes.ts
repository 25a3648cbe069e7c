/**
 * Rows of the route table about money (`docs/payments.md`): paid issuance, what issuers set for it, and the
 * facilitator, whose paths begin with the network's own segment.
 */

import { zetrixProfile } from '@symbolon/core/keys/profile';
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import * as z from 'zod';
import { dataEnvelope } from '../http/service-envelopes.ts';
import { defineServiceRoute, type ServiceHandlers } from '../http/service-route.ts';
import { extendedHeaderNames, signedHeaderShapes } from '../sessions/requests.ts';
import * as facilitation from './facilitator-replies.ts';
import { readFacilitatorRequest } from './payloads.ts';
import * as replies from './replies.ts';
import * as requests from './requests.ts';

const ledgerFaults = ['ledgerUnreachable', 'ledgerChanged', 'ledgerFailed'] as const;
const keyFaults = ['notAuthenticated', 'notAllowed'] as const;

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
  ...ledgerFaults,
] as const;

const application = {
  method: 'POST',
  carries: 'personal',
  access: 'open',
  cost: 'heavy',
  bodyBytesMax: credentialRequestLimits.documentBytesMax,
  group: 'payments',
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

const issuers = {
  method: 'POST',
  carries: 'plain',
  access: 'key',
  scope: 'issue',
  cost: 'light',
  group: 'payments',
  envelope: dataEnvelope,
} as const;

const issuerRoutes = {
  setPrice: defineServiceRoute({
    ...issuers,
    path: '/v1/issuer/prices',
    summary: 'The issuer says what a credential of its template costs',
    body: requests.priceOrder,
    reply: z.object({ templateId: z.string(), price: replies.priceReply, payTo: z.string() }),
    faults: ['requestMalformed', ...keyFaults, 'issuerMismatch', 'templateUnknown', ...ledgerFaults],
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
      'requestMalformed',
      'validityInvalid',
      ...keyFaults,
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
    faults: keyFaults,
    read: () => ({}),
  }),
};

const facilitator = `/${zetrixProfile.pathSegment}/facilitator`;

const facilitated = {
  method: 'POST',
  carries: 'plain',
  access: 'optionalKey',
  cost: 'light',
  group: 'facilitator',
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
    faults: ['requestMalformed', ...keyFaults, ...ledgerFaults],
  }),
  settlePayment: defineServiceRoute({
    ...facilitated,
    ...paymentBody,
    path: `${facilitator}/settle`,
    summary: 'Hands a signed payment to the ledger, once, and says what became of it',
    otherStatuses: { 202: 'Handed to the ledger, which has not said yet what became of it' },
    reply: facilitation.settleReply,
    envelope: facilitation.settleEnvelope,
    faults: ['requestMalformed', ...keyFaults, 'paymentRefused', 'paymentSettled', ...ledgerFaults],
  }),
  getSettlement: defineServiceRoute({
    ...facilitated,
    method: 'GET',
    path: `${facilitator}/settle/status`,
    summary: 'What became of a settlement, by the hash of its transaction or the id of a prepared one',
    query: requests.settlementQuery,
    reply: facilitation.settleReply,
    envelope: facilitation.settlementEnvelope,
    faults: ['requestMalformed', ...keyFaults, 'paymentUnknown', 'ledgerUnreachable', 'ledgerChanged'],
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
      'requestMalformed',
      ...keyFaults,
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
