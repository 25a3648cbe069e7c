/**
 * Routes by which issuers and holders see their own records: what was issued and how it stands on the ledger, what an
 * issuer has set and left here, what a holder has applied for. Inbox and offers are with what is done to them.
 */

import { readIdentifier, readPage } from '../credentials/requests.ts';
import { applicationPath } from '../credentials/schemas.ts';
import { extendedHeaderNames, signedHeaderShapes } from '../credentials/signed-headers.ts';
import { readList } from '../http/list-parameters.ts';
import { dataEnvelope } from '../http/service-envelopes.ts';
import { defineServiceRoute, type ServiceHandlers } from '../http/service-route.ts';
import * as replies from './replies.ts';
import * as schemas from './schemas.ts';

const reading = { method: 'GET', access: 'key', scope: 'issue', cost: 'light' } as const;
const issuedReading = { ...reading, carries: 'personal', group: 'Issuer: credentials' } as const;
const settingsReading = { ...reading, group: 'Issuer: sale', envelope: dataEnvelope } as const;

export const deskRoutes = {
  listIssued: defineServiceRoute({
    ...issuedReading,
    path: '/cred/v1/vc/issued',
    summary: "The issuer's credentials with what the ledger says of each, newest first",
    query: schemas.issuedFilter,
    reply: replies.issuedListReply,
    faults: [],
    read: ({ query }) => ({
      status: query.status,
      templateId: query.templateId,
      holder: query.holder,
      ...readList(query, 'newest'),
      ...readPage(query),
    }),
  }),
  getIssued: defineServiceRoute({
    ...issuedReading,
    path: '/cred/v1/vc/issued/:vcId',
    summary: 'One issued credential and what was done to it, for its issuer',
    params: applicationPath,
    reply: replies.issuedDetailsReply,
    faults: ['credentialUnknown'],
    read: ({ params }) => ({ vcId: readIdentifier(params.vcId) }),
  }),
  countIssuerRecords: defineServiceRoute({
    ...issuedReading,
    carries: 'plain',
    path: '/cred/v1/vc/counts',
    summary: "How many of the issuer's applications and credentials stand where",
    reply: replies.issuerCountsReply,
    faults: [],
    read: () => ({}),
  }),
  listPrices: defineServiceRoute({
    ...settingsReading,
    path: '/v1/issuer/prices',
    carries: 'plain',
    summary: 'What credentials of the issuer cost, as it was set',
    query: schemas.settingsPage,
    reply: replies.priceListReply,
    faults: [],
    read: ({ query }) => readPage(query),
  }),
  listAutoIssue: defineServiceRoute({
    ...settingsReading,
    path: '/v1/issuer/auto-issue',
    carries: 'personal',
    summary: 'For whom credentials of the issuer are issued at once, as it was set',
    query: schemas.settingsPage,
    reply: replies.autoIssueListReply,
    faults: [],
    read: ({ query }) => readPage(query),
  }),
  listIssuerKeys: defineServiceRoute({
    ...settingsReading,
    path: '/v1/issuer/keys',
    carries: 'plain',
    group: 'Issuer: BBS+ keys',
    summary: 'Which keys the service keeps for the issuer, and how; public keys only',
    reply: replies.issuerKeysReply,
    faults: [],
    read: () => ({}),
  }),
  listOwnApplications: defineServiceRoute({
    method: 'POST',
    path: '/cred/v1/vc/own-applications',
    sealedPath: '/cred/v1/vc/enc/own-applications',
    carries: 'personal',
    access: 'open',
    cost: 'light',
    group: 'Holder: credentials',
    summary: 'What the holder who is shown by a signed text in the headers has applied for, newest first',
    body: schemas.ownApplicationsOrder,
    headers: signedHeaderShapes(extendedHeaderNames),
    reply: replies.ownApplicationsReply,
    faults: ['walletNotAuthenticated', 'presenceRefused'],
    read: ({ body }) => ({ cursor: body.cursor, itemsMax: body.limit }),
  }),
};

export type DeskHandlers = ServiceHandlers<typeof deskRoutes>;
