/**
 * Routes of credential offers (`docs/credentials.md`, "Offers"). The code in the link stands for whoever was meant, so
 * it travels in bodies alone: addresses are written to logs.
 */
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import { readIdentifier, readPage } from '../credentials/requests.ts';
import { defineServiceRoute, type ServiceHandlers, signatureFaults } from '../http/service-route.ts';
import * as replies from './replies.ts';
import * as requests from './requests.ts';
import * as schemas from './schemas.ts';

const { documentBytesMax } = credentialRequestLimits;

const issuer = { access: 'key', scope: 'issue', cost: 'light', group: 'Issuer: offers' } as const;
const bearer = {
  method: 'POST',
  access: 'open',
  cost: 'light',
  carries: 'secret',
  group: 'Holder: offers',
} as const;

export const offerRoutes = {
  makeOffer: defineServiceRoute({
    ...issuer,
    method: 'POST',
    path: '/cred/v1/offers/create',
    sealedPath: '/cred/v1/offers/enc/create',
    carries: 'secret',
    bodyBytesMax: documentBytesMax,
    // Without a key the code is kept nowhere, and `renew` is the way to a new one.
    isIdempotent: true,
    summary: 'Makes an offer: a link or QR code with which one person accepts a credential',
    body: schemas.offerOrder,
    reply: replies.offerMadeReply,
    faults: ['attributesInvalid', 'issuerMismatch', 'templateUnknown', 'offerExists', 'templatePriced'],
    read: requests.readOfferOrder,
  }),
  listOffers: defineServiceRoute({
    ...issuer,
    method: 'GET',
    path: '/cred/v1/offers',
    carries: 'personal',
    summary: "The issuer's offers and what became of them, oldest first unless told",
    query: schemas.offerFilter,
    reply: replies.offerListReply,
    faults: [],
    read: ({ query }) => ({
      state: query.state,
      templateId: query.templateId === undefined ? undefined : readIdentifier(query.templateId),
      isNewestFirst: query.order === 'newest',
      ...readPage(query),
    }),
  }),
  withdrawOffer: defineServiceRoute({
    ...issuer,
    method: 'POST',
    path: '/cred/v1/offers/withdraw',
    carries: 'plain',
    isIdempotent: true,
    summary: 'Withdraws an offer that nobody has accepted',
    body: schemas.offerWithdrawal,
    reply: replies.offerWithdrawnReply,
    faults: ['offerUnknown', 'offerClosed'],
    read: ({ body }) => ({ offerId: body.offerId.trim() }),
  }),
  previewOffer: defineServiceRoute({
    ...bearer,
    path: '/cred/v1/offers/preview',
    sealedPath: '/cred/v1/offers/enc/preview',
    summary: 'What an offer is, for whoever has its code',
    body: schemas.offerQuestion,
    reply: replies.offerPreviewReply,
    faults: ['txCodeWrong', 'offerUnknown', 'offerClosed'],
    read: requests.readOfferQuestion,
  }),
  acceptOffer: defineServiceRoute({
    ...bearer,
    path: '/cred/v1/offers/accept',
    sealedPath: '/cred/v1/offers/enc/accept',
    summary: 'A holder accepts an offer: it becomes an application with what it offers',
    body: schemas.offerAcceptance,
    reply: replies.offerAcceptedReply,
    faults: [
      ...signatureFaults,
      'signerMismatch',
      'presenceRefused',
      'txCodeWrong',
      'offerUnknown',
      'offerClosed',
      'applicationExists',
    ],
    read: requests.readOfferAcceptance,
  }),
};

export type OfferHandlers = ServiceHandlers<typeof offerRoutes>;
