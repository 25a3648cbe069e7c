/**
 * Routes of verification sessions (`docs/verification.md`), also served under `/api`, where the family has them.
 */
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import { readPage } from '../credentials/requests.ts';
import { signedHeaderShapes, walletHeaderNames } from '../credentials/signed-headers.ts';
import { verdictFaults } from '../credentials/verifier-routes.ts';
import { objectEnvelope } from '../http/service-envelopes.ts';
import {
  defineServiceRoute,
  publicReading,
  type ServiceHandlers,
  signatureFaults,
} from '../http/service-route.ts';
import * as lists from './list-replies.ts';
import * as replies from './replies.ts';
import * as requests from './requests.ts';
import * as schemas from './schemas.ts';

const { documentBytesMax } = credentialRequestLimits;

const atBoth = <Path extends string>(path: Path) => ({ path, aliases: [`/api${path}`] }) as const;
const verifier = {
  access: 'key',
  scope: 'verify',
  cost: 'light',
  group: 'Verifier: sessions',
  envelope: objectEnvelope,
} as const;
const wallet = { access: 'open', group: 'Holder: sessions', envelope: objectEnvelope } as const;

export const verificationRoutes = {
  requestVerification: defineServiceRoute({
    ...verifier,
    ...atBoth('/v1/verification/request'),
    method: 'POST',
    carries: 'plain',
    isIdempotent: true,
    summary: 'Opens a session in which a wallet shows what is asked for',
    body: schemas.verificationOrder,
    reply: replies.sessionCreatedReply,
    faults: ['queryInvalid', 'callbackRefused', 'trustListUnknown'],
    read: requests.readVerificationOrder,
  }),
  testVerification: defineServiceRoute({
    ...verifier,
    ...atBoth('/v1/verification/test'),
    method: 'GET',
    carries: 'plain',
    summary: 'Whether an API key works here, and whose it is',
    reply: replies.connectionReply,
    faults: [],
    read: () => ({}),
  }),
  listVerifications: defineServiceRoute({
    ...verifier,
    ...atBoth('/v1/verification'),
    method: 'GET',
    carries: 'plain',
    summary: 'The sessions that the API key has opened, newest first, as long as they are kept',
    query: schemas.sessionFilter,
    reply: lists.sessionListReply,
    faults: [],
    read: ({ query }) => ({ state: query.status, ...readPage(query) }),
  }),
  getVerification: defineServiceRoute({
    ...verifier,
    ...atBoth('/v1/verification/:id'),
    method: 'GET',
    carries: 'personal',
    summary: 'One session of the API key: what was asked, how far it is, and the signed result',
    params: schemas.sessionPath,
    reply: lists.sessionDetailsReply,
    faults: ['sessionUnknown'],
    read: ({ params }) => ({ sessionId: params.id }),
  }),
  watchVerification: defineServiceRoute({
    ...verifier,
    ...atBoth('/v1/verification/:id/events'),
    method: 'GET',
    carries: 'personal',
    summary: 'What happens in a session, as server-sent events; the last one carries the signed result',
    params: schemas.sessionPath,
    query: schemas.streamChoice,
    reply: replies.eventsReply,
    lastEvent: replies.eventNames.last,
    faults: ['sessionUnknown'],
    read: ({ params, query }) => ({ sessionId: params.id, withCallback: query.callback === 'true' }),
  }),
  makeCallbackSecret: defineServiceRoute({
    ...verifier,
    ...atBoth('/v1/client/callback-secret'),
    method: 'POST',
    sealedPath: '/v1/client/enc/callback-secret',
    carries: 'secret',
    isIdempotent: true,
    summary: 'Makes the secret that results are signed with for the caller; the one before is gone',
    reply: replies.callbackSecretReply,
    faults: [],
    read: () => ({}),
  }),
  fetchDefinition: defineServiceRoute({
    ...wallet,
    ...atBoth('/v1/presentation/:id'),
    method: 'GET',
    carries: 'plain',
    cost: 'light',
    notesReading: true,
    summary: 'What a session asks a wallet for',
    params: schemas.sessionPath,
    reply: replies.definitionReply,
    faults: ['sessionUnknown', 'sessionClosed', 'sessionExpired'],
    read: ({ params }) => ({ sessionId: params.id }),
  }),
  submitToSession: defineServiceRoute({
    ...wallet,
    ...atBoth('/v1/presentation/submit'),
    method: 'POST',
    sealedPath: '/v1/presentation/enc/submit',
    carries: 'personal',
    cost: 'heavy',
    bodyBytesMax: documentBytesMax,
    summary: "A wallet's answer: verified at once, answered with the signed result",
    body: schemas.sessionAnswer,
    headers: signedHeaderShapes(walletHeaderNames),
    replyHeaders: { 200: replies.signatureHeaderShapes },
    reply: replies.answerReply,
    faults: [
      'presentationMalformed',
      ...signatureFaults,
      'walletNotAuthenticated',
      'presenceRefused',
      'sessionUnknown',
      'presentationUnknown',
      'sessionClosed',
      'sessionExpired',
      ...verdictFaults,
    ],
    read: requests.readSessionAnswer,
  }),
  abortSession: defineServiceRoute({
    ...wallet,
    // A wallet has no key. A verifier that gives its own is not taken for one.
    access: 'optionalKey',
    ...atBoth('/v1/presentation/abort'),
    method: 'POST',
    carries: 'plain',
    cost: 'light',
    summary: 'A wallet says that it will not answer, or the verifier that it asks no longer',
    body: schemas.sessionAbort,
    reply: replies.abortReply,
    faults: ['walletNotAuthenticated', 'sessionUnknown', 'sessionClosed', 'sessionExpired'],
    read: ({ body }) => ({ sessionId: body.presentation_id, stateId: body.state }),
  }),
  getResultKeys: defineServiceRoute({
    ...publicReading,
    path: '/.well-known/jwks.json',
    group: 'Verifier: sessions',
    summary: 'The public keys that results are signed with',
    reply: replies.jwksReply,
    faults: [],
    read: () => ({}),
  }),
};

export type VerificationHandlers = ServiceHandlers<typeof verificationRoutes>;
