/**
 * Routes of OpenID4VP 1.0 (`docs/standards.md`, "OpenID4VP"): those with which a verifier asks, and those that wallets call.
 * A request is a verification session: lists, events and results are those of every session (`docs/verification.md`).
 */
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import * as z from 'zod';
import { verdictFaults } from '../credentials/verifier-routes.ts';
import { defineServiceRoute, type ServiceHandlers } from '../http/service-route.ts';
import { walletRow } from '../oauth/oauth-envelope.ts';
import { sessionDetailsReply } from '../sessions/list-replies.ts';
import * as requests from './verification-requests.ts';
import * as schemas from './verification-schemas.ts';

const verifier = { access: 'key', scope: 'verify', cost: 'light', group: 'Verifier: OpenID4VP' } as const;
const wallet = { ...walletRow, access: 'open', group: 'Wallets: OpenID4VP' } as const;
const sessionFaults = ['sessionUnknown', 'sessionClosed', 'sessionExpired'] as const;
const requestTypes = ['application/oauth-authz-req+jwt'] as const;

export const openidVerificationRoutes = {
  requestOpenidVerification: defineServiceRoute({
    ...verifier,
    method: 'POST',
    path: '/cred/v1/oid4vp/requests',
    carries: 'plain',
    isIdempotent: true,
    summary:
      'Asks wallets of the field for credentials (DCQL): a link, and a session that waits for the answer',
    body: schemas.openidVerificationOrder,
    reply: z.object({
      id: z.string().describe('Of the session, as its events, lists and results have it'),
      stateId: z.string(),
      status: z.string(),
      clientId: z.string().describe('As whom the service asks'),
      request: z.string().describe('What the holder opens with a wallet, or scans as a QR code'),
      expiresAt: z.string(),
    }),
    faults: [
      'queryInvalid',
      'callbackRefused',
      'trustListUnknown',
      'clientIdUnavailable',
      'standardsUnavailable',
    ],
    read: requests.readOpenidVerificationOrder,
  }),
  getOpenidVerification: defineServiceRoute({
    ...verifier,
    method: 'GET',
    path: '/cred/v1/oid4vp/requests/:id',
    carries: 'personal',
    summary:
      'What became of a request: the signed result, for whoever has its response code where there is one',
    params: schemas.openidSessionPath,
    query: schemas.responseCodeQuery,
    reply: sessionDetailsReply,
    faults: ['sessionUnknown', 'responseCodeWrong'],
    read: ({ params, query }) => ({ sessionId: params.id, responseCode: query.response_code }),
  }),
  getRequestObject: defineServiceRoute({
    ...wallet,
    method: 'GET',
    path: '/oid4vp/request/:id',
    carries: 'plain',
    notesReading: true,
    summary: 'The signed request that a link names (RFC 9101); the same again, as often as it is asked for',
    params: schemas.openidSessionPath,
    replyTypes: requestTypes,
    reply: z.string(),
    faults: [...sessionFaults, 'standardsUnavailable'],
    read: ({ params }) => ({ sessionId: params.id }),
  }),
  postRequestObject: defineServiceRoute({
    ...wallet,
    method: 'POST',
    path: '/oid4vp/request/:id',
    carries: 'plain',
    bodyKind: 'form',
    summary: 'The same for a wallet that wants its own nonce back in it',
    params: schemas.openidSessionPath,
    body: schemas.requestForm,
    replyTypes: requestTypes,
    reply: z.string(),
    faults: [...sessionFaults, 'standardsUnavailable'],
    read: ({ params, body }) => ({ sessionId: params.id, walletNonce: body.wallet_nonce }),
  }),
  answerOpenidRequest: defineServiceRoute({
    ...wallet,
    method: 'POST',
    path: '/oid4vp/response/:id',
    carries: 'personal',
    cost: 'heavy',
    bodyKind: 'form',
    bodyBytesMax: credentialRequestLimits.documentBytesMax,
    summary: "A wallet's answer: judged at once, and once",
    params: schemas.openidSessionPath,
    body: schemas.responseForm,
    reply: z.object({
      redirect_uri: z.string().optional().describe('Where the wallet sends the browser of its holder'),
    }),
    faults: [...sessionFaults, 'responseUnbound', 'responseRefused', ...verdictFaults],
    read: ({ params, body }) => ({ sessionId: params.id, response: requests.readWalletResponse(body) }),
  }),
};

export type OpenidVerificationHandlers = ServiceHandlers<typeof openidVerificationRoutes>;
