/**
 * Rows of the route table for programmers: the API keys of their own party, and what was answered to their calls.
 * Nobody sees a key or a call of another party but the operator.
 */
import { readPage } from '../credentials/requests.ts';
import { defineServiceRoute, type ServiceHandlers } from '../http/service-route.ts';
import * as requests from './requests.ts';

const row = { access: 'key', cost: 'light' } as const;
const keys = { ...row, group: 'Developer: API keys' } as const;

export const developerRoutes = {
  listApiKeys: defineServiceRoute({
    ...keys,
    method: 'GET',
    carries: 'plain',
    path: '/v1/keys',
    summary: "The API keys of the caller's DID; with scope admin all; never the keys themselves",
    query: requests.apiKeyPage,
    reply: requests.apiKeysReply,
    faults: [],
    read: ({ query }) => readPage(query),
  }),
  makeApiKey: defineServiceRoute({
    ...keys,
    method: 'POST',
    carries: 'secret',
    path: '/v1/keys',
    sealedPath: '/v1/enc/keys',
    refusesIdempotencyKey: true,
    summary: "Makes an API key of the caller's DID with some of the caller's scopes; it is shown this once",
    body: requests.apiKeyOrder,
    reply: requests.madeApiKeyReply,
    faults: ['apiKeysFull'],
    read: requests.readApiKeyOrder,
  }),
  endApiKey: defineServiceRoute({
    ...keys,
    method: 'DELETE',
    carries: 'plain',
    path: '/v1/keys/:id',
    summary:
      "Ends an API key of the caller's DID that may do no more than the caller's; with scope admin any",
    params: requests.apiKeyPath,
    reply: requests.apiKeyEndReply,
    faults: ['apiKeyUnknown', 'lastAdminKey'],
    read: ({ params }) => ({ id: params.id }),
  }),
  listRequests: defineServiceRoute({
    ...row,
    group: 'Developer: requests',
    method: 'GET',
    carries: 'plain',
    path: '/v1/requests',
    summary: 'The last calls with an API key and how they ended, newest first; no bodies and no values',
    query: requests.requestFilter,
    reply: requests.loggedRequestsReply,
    faults: ['apiKeyUnknown'],
    read: ({ query }) => ({ ...(query.key !== undefined && { key: query.key }), ...readPage(query) }),
  }),
};
export type DeveloperHandlers = ServiceHandlers<typeof developerRoutes>;
