/**
 * Rows of the route table about lists of trusted issuers: a verifier keeps them at the service and names one where it
 * asks for a verdict. They are the caller's own: nobody else sees or uses them.
 */
import { defineServiceRoute, type ServiceHandlers } from '../http/service-route.ts';
import * as trust from './list-requests.ts';

const row = {
  access: 'key',
  scope: 'verify',
  carries: 'plain',
  cost: 'light',
  group: 'Verifier: trusted issuers',
} as const;

export const trustRoutes = {
  listTrustLists: defineServiceRoute({
    ...row,
    method: 'GET',
    path: '/v1/trust/lists',
    summary: "The caller's lists of trusted issuers",
    reply: trust.trustListsReply,
    faults: [],
    read: () => ({}),
  }),
  getTrustList: defineServiceRoute({
    ...row,
    method: 'GET',
    path: '/v1/trust/lists/:name',
    summary: 'A list of trusted issuers, with their names and for which templates they are trusted',
    params: trust.trustListPath,
    reply: trust.trustListReply,
    faults: ['trustListUnknown'],
    read: ({ params }) => ({ list: params.name }),
  }),
  setTrustedIssuer: defineServiceRoute({
    ...row,
    method: 'POST',
    path: '/v1/trust/lists',
    summary:
      'Puts an issuer on a list, in place of what the list says of it; makes the list if there is none',
    body: trust.trustEntry,
    reply: trust.trustListReply,
    faults: ['trustListFull'],
    read: trust.readTrustEntry,
  }),
  removeTrustedIssuer: defineServiceRoute({
    ...row,
    method: 'DELETE',
    path: '/v1/trust/lists/:name/:did',
    summary: 'Takes an issuer off a list; a list without issuers is gone',
    params: trust.trustEntryPath,
    reply: trust.trustRemovalReply,
    faults: ['trustListUnknown'],
    read: ({ params }) => ({ list: params.name, did: params.did }),
  }),
};
export type TrustRoutes = typeof trustRoutes;
export type TrustHandlers = ServiceHandlers<TrustRoutes>;
