/**
 * Routes of the authorization code flow of OpenID4VCI 1.0 (`docs/standards.md`, "Logging in"): those with which an issuer
 * says where people log in and what they get, and those of wallets and browsers.
 */
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import { defineServiceRoute, type ServiceHandlers } from '../http/service-route.ts';
import { walletRow } from '../oauth/oauth-envelope.ts';
import * as replies from './authorization-replies.ts';
import * as requests from './authorization-requests.ts';
import * as schemas from './authorization-schemas.ts';
import { issuerPath } from './issuance-schemas.ts';

const { documentBytesMax } = credentialRequestLimits;
const pushedBytesMax = 32 * 1024;

const issuer = { access: 'key', scope: 'issue', cost: 'light', group: 'Issuer: OpenID4VCI' } as const;
const wallet = { ...walletRow, access: 'open', carries: 'secret', group: 'Wallets: OpenID4VCI' } as const;
const issuerFaults = ['templateUnknown', 'standardsUnavailable'] as const;
const loginPath = '/cred/v1/oid4vci/login';

/** A browser is sent on: there is nothing to read. */
const browser = {
  ...wallet,
  method: 'GET',
  notesReading: true,
  status: 303,
  replyTypes: ['text/plain'],
  reply: replies.sentOnReply,
} as const;
const location = { name: 'Location', description: 'Where the browser goes next' };

const issuerRoutes = {
  setOpenidLogin: defineServiceRoute({
    ...issuer,
    method: 'POST',
    path: loginPath,
    carries: 'plain',
    isIdempotent: true,
    summary: 'Says where people log in to get credentials with a wallet, and of which of your templates',
    body: schemas.openidLoginOrder,
    reply: replies.openidLoginReply,
    faults: ['issuerMismatch', 'templateUnknown', 'templatePriced', 'standardsUnavailable'],
    read: requests.readOpenidLogin,
  }),
  getOpenidLogin: defineServiceRoute({
    ...issuer,
    method: 'GET',
    path: loginPath,
    carries: 'plain',
    summary: 'Where people log in at your place',
    reply: replies.openidLoginReply,
    faults: [],
    read: () => ({}),
  }),
  removeOpenidLogin: defineServiceRoute({
    ...issuer,
    method: 'DELETE',
    path: loginPath,
    carries: 'plain',
    summary: 'Ends that: no wallet begins with a login any more',
    reply: replies.openidLoginReply,
    faults: [],
    read: () => ({}),
  }),
  readOpenidAuthorization: defineServiceRoute({
    ...issuer,
    method: 'POST',
    path: '/cred/v1/oid4vci/authorizations/read',
    sealedPath: '/cred/v1/oid4vci/authorizations/enc/read',
    carries: 'secret',
    summary: 'Which wallet asks for what, for your login page: by the reference that the browser came with',
    body: schemas.authorizationQuestion,
    reply: replies.authorizationReply,
    faults: ['authorizationUnknown'],
    read: ({ body }) => ({ reference: body.reference }),
  }),
  decideOpenidAuthorization: defineServiceRoute({
    ...issuer,
    method: 'POST',
    path: '/cred/v1/oid4vci/authorizations/confirm',
    sealedPath: '/cred/v1/oid4vci/authorizations/enc/confirm',
    carries: 'secret',
    bodyBytesMax: documentBytesMax,
    isIdempotent: true,
    summary: 'Who has logged in gets this, or nothing: answers where you send the browser',
    body: schemas.authorizationDecision,
    reply: replies.authorizationDecidedReply,
    faults: [
      'attributesInvalid',
      'validityInvalid',
      'templatePriced',
      'authorizationUnknown',
      'offerClosed',
      'stateForbids',
      ...issuerFaults,
    ],
    read: requests.readAuthorizationDecision,
  }),
};

const walletRoutes = {
  pushOpenidAuthorization: defineServiceRoute({
    ...wallet,
    method: 'POST',
    path: '/oid4vci/:issuer/par',
    bodyKind: 'form',
    bodyBytesMax: pushedBytesMax,
    status: 201,
    summary: 'What a wallet asks for before its holder logs in (RFC 9126), with PKCE (RFC 7636)',
    params: issuerPath,
    headers: [{ name: 'DPoP', description: 'A proof of the key that alone may redeem the code (RFC 9449)' }],
    body: schemas.pushedForm,
    reply: replies.pushedReply,
    faults: [
      'responseTypeUnsupported',
      'clientInvalid',
      'clientNotAllowed',
      'scopeInvalid',
      'authorizationDetailsInvalid',
      'dpopProofInvalid',
      ...issuerFaults,
    ],
    read: requests.readPushed,
  }),
  beginOpenidAuthorization: defineServiceRoute({
    ...browser,
    path: '/oid4vci/:issuer/authorize',
    summary: "Sends the browser to the issuer's login, once for what was pushed",
    params: issuerPath,
    query: schemas.authorizeQuery,
    replyHeaders: {
      303: [
        location,
        { name: 'Set-Cookie', description: 'By which the browser is known when it comes back' },
      ],
    },
    faults: ['authorizationUnknown', ...issuerFaults],
    read: ({ params, query }) => ({
      issuer: params.issuer,
      clientId: query.client_id,
      requestUri: query.request_uri,
    }),
  }),
  continueOpenidAuthorization: defineServiceRoute({
    ...browser,
    path: '/oid4vci/:issuer/continue/:ticket',
    summary: 'Sends the browser back to the wallet with its code, once, and in the browser that began alone',
    params: schemas.continuePath,
    replyHeaders: { 303: [location, { name: 'Set-Cookie', description: 'Takes the cookie away' }] },
    faults: ['authorizationUnknown', 'authorizationDenied', ...issuerFaults],
    read: ({ params }) => ({ issuer: params.issuer, ticket: params.ticket }),
  }),
};

export const openidAuthorizationRoutes = { ...issuerRoutes, ...walletRoutes };
export type OpenidAuthorizationHandlers = ServiceHandlers<typeof openidAuthorizationRoutes>;
