/**
 * Rows of the route table about who is called what: parties say their own name and site, the operator vouches for some,
 * everybody reads them; and the search over all that has a name or an identifier.
 */
import {
  defineServiceRoute,
  ledgerFaults,
  publicReading,
  type ServiceHandlers,
} from '../http/service-route.ts';
import * as requests from './requests.ts';

const group = 'Everybody: names and search';
const writing = { access: 'key', cost: 'light', carries: 'plain', group } as const;

export const directoryRoutes = {
  getProfile: defineServiceRoute({
    ...publicReading,
    group,
    path: '/v1/profiles/:did',
    summary: 'What a party is called and on whose word, its site, and what it calls itself on the ledger',
    params: requests.profilePath,
    reply: requests.readProfileReply,
    faults: ['profileUnknown', ...ledgerFaults],
    read: ({ params }) => ({ did: params.did }),
  }),
  listProfiles: defineServiceRoute({
    ...publicReading,
    group,
    path: '/v1/profiles',
    summary: 'The profiles of several DIDs; those that have none are left out',
    query: requests.profileChoice,
    reply: requests.profilesReply,
    faults: [],
    read: ({ query }) => requests.readProfileChoice(query),
  }),
  setProfile: defineServiceRoute({
    ...writing,
    method: 'POST',
    path: '/v1/profile',
    summary: "Says what the DID of the API key is called, on its own word; the operator's word ends",
    body: requests.ownProfile,
    reply: requests.profileReply,
    faults: ['nameTaken', ...ledgerFaults],
    read: requests.readPartyNames,
  }),
  nameParty: defineServiceRoute({
    ...writing,
    method: 'POST',
    scope: 'admin',
    path: '/v1/profiles',
    summary: "Says what a DID is called, on the operator's word: after checking who that is",
    body: requests.namedProfile,
    reply: requests.profileReply,
    faults: ['nameTaken', ...ledgerFaults],
    read: requests.readNamedProfile,
  }),
  removeProfile: defineServiceRoute({
    ...writing,
    method: 'DELETE',
    path: '/v1/profiles/:did',
    summary: "Takes a profile away: one's own, or with scope admin anybody's",
    params: requests.profilePath,
    reply: requests.profileRemovalReply,
    faults: ['profileUnknown'],
    read: ({ params }) => ({ did: params.did }),
  }),
  search: defineServiceRoute({
    method: 'GET',
    access: 'optionalKey',
    cost: 'light',
    carries: 'plain',
    group,
    path: '/v1/search',
    summary: "Finds blocks, transactions, accounts, DIDs, templates, names, and the caller's own credentials",
    query: requests.searchQuestion,
    reply: requests.searchReply,
    faults: [],
    read: ({ query }) => ({ text: query.q.trim() }),
  }),
};
export type DirectoryHandlers = ServiceHandlers<typeof directoryRoutes>;
