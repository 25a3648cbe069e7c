/**
 * Rows of the route table that the console needs beside everybody's: where it is, who is signed in, coins of the demo,
 * and the ledger's blocks as they come. A session does what an API key of its scopes does, on every route.
 */
import {
  defineServiceRoute,
  ledgerFaults,
  type ServiceHandlers,
  signatureFaults,
} from '../http/service-route.ts';
import * as replies from './replies.ts';
import * as requests from './requests.ts';

const group = 'Everybody: console';
const session = { method: 'POST', access: 'open', cost: 'heavy', group } as const;
/** For pages of the service alone: a demo's keys are no stranger's business, and streams take places. */
const reading = { method: 'GET', access: 'open', carries: 'plain', cost: 'light', group } as const;
const own = { path: '/console/session', carries: 'plain', access: 'key', cost: 'light', group } as const;

export const consoleRoutes = {
  getConsoleConfig: defineServiceRoute({
    ...reading,
    path: '/console/config',
    summary: 'What the console has to know: names, chain, desks, and the people of a demo on this machine',
    reply: replies.consoleConfigReply,
    faults: [...ledgerFaults],
    read: () => ({}),
  }),
  makeSignInChallenge: defineServiceRoute({
    ...session,
    carries: 'plain',
    path: '/console/challenge',
    refusesIdempotencyKey: true,
    summary: 'A word to be signed by whoever signs in, good once and for minutes',
    reply: replies.challengeReply,
    faults: [],
    read: () => ({}),
  }),
  signIn: defineServiceRoute({
    ...session,
    carries: 'secret',
    path: '/console/session',
    sealedPath: '/console/enc/session',
    refusesIdempotencyKey: true,
    summary:
      'Begins a session of a browser: by a signature, an API key, an account in custody, or as one of a demo',
    body: requests.signInOrder,
    reply: replies.signInReply,
    replyHeaders: {
      200: [{ name: 'Set-Cookie', description: 'What proves the session; pages cannot read it' }],
    },
    faults: [
      ...signatureFaults,
      'notAuthenticated',
      'signerMismatch',
      'presenceRefused',
      'didMalformed',
      'passwordWrong',
      'custodyKeyLocked',
      'routeUnknown',
    ],
    read: requests.readSignIn,
  }),
  getSignedIn: defineServiceRoute({
    ...own,
    method: 'GET',
    summary: 'Who is signed in, what they may do, and until when',
    reply: replies.whoReply,
    faults: [],
    read: () => ({}),
  }),
  signOut: defineServiceRoute({
    ...own,
    method: 'DELETE',
    summary: 'Ends the session',
    reply: replies.signOutReply,
    replyHeaders: { 200: [{ name: 'Set-Cookie', description: 'Takes the cookie away' }] },
    faults: [],
    read: () => ({}),
  }),
  askFaucet: defineServiceRoute({
    ...session,
    carries: 'plain',
    path: '/demo/faucet',
    refusesIdempotencyKey: true,
    summary:
      "Pays some coins of a demo's first account to an address; there is no such route outside of demos",
    body: requests.faucetOrder,
    reply: replies.faucetReply,
    faults: [...ledgerFaults, 'routeUnknown'],
    read: ({ body }) => body,
  }),
  watchBlocks: defineServiceRoute({
    ...reading,
    path: '/ledger/events',
    summary: "The ledger's blocks with their transactions as they come, as server-sent events",
    query: requests.blockPlace,
    headers: [
      {
        name: 'Last-Event-ID',
        description: 'Number of the last block that arrived, as browsers send it; before the parameter after',
      },
    ],
    reply: replies.ledgerStreamEvent,
    lastEvent: false,
    faults: [...ledgerFaults],
    read: ({ query }) => requests.readBlockPlace(query),
  }),
};
export type ConsoleHandlers = ServiceHandlers<typeof consoleRoutes>;
