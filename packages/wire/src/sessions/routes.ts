/**
 * Routes of verification sessions and of extended presentations (`docs/verification.md`; reference §1.5, §1.7). The
 * first are also served under `/api`, where the family has them.
 */
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import { derivation } from '../credentials/derivation-schemas.ts';
import { readDerivation } from '../credentials/presentation-requests.ts';
import * as commonReplies from '../credentials/replies.ts';
import { verdictReply } from '../credentials/verifier-replies.ts';
import { verdictFaults } from '../credentials/verifier-routes.ts';
import { dataEnvelope, objectEnvelope } from '../http/service-envelopes.ts';
import { defineServiceRoute, type ServiceHandlers } from '../http/service-route.ts';
import { readTrustParameters } from '../trust/parameters.ts';
import * as replies from './replies.ts';
import * as requests from './requests.ts';
import * as schemas from './schemas.ts';

const { documentBytesMax } = credentialRequestLimits;

const atBoth = <Path extends string>(path: Path) => ({ path, aliases: [`/api${path}`] }) as const;
const verifier = {
  access: 'key',
  scope: 'verify',
  cost: 'light',
  group: 'verification',
  envelope: objectEnvelope,
} as const;
const wallet = { access: 'open', group: 'verification', envelope: objectEnvelope } as const;

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
    faults: [
      'requestMalformed',
      'queryInvalid',
      'callbackRefused',
      'notAuthenticated',
      'notAllowed',
      'trustListUnknown',
    ],
    read: requests.readVerificationOrder,
  }),
  testVerification: defineServiceRoute({
    ...verifier,
    ...atBoth('/v1/verification/test'),
    method: 'GET',
    carries: 'plain',
    summary: 'Whether an API key works here, and whose it is',
    reply: replies.connectionReply,
    faults: ['notAuthenticated', 'notAllowed'],
    read: () => ({}),
  }),
  watchVerification: defineServiceRoute({
    ...verifier,
    ...atBoth('/v1/verification/:id/events'),
    method: 'GET',
    carries: 'personal',
    summary: 'What happens in a session, as server-sent events; the last one carries the signed result',
    params: schemas.sessionPath,
    reply: replies.eventsReply,
    lastEvent: replies.eventNames.last,
    faults: ['requestMalformed', 'notAuthenticated', 'notAllowed', 'sessionUnknown'],
    read: ({ params }) => ({ sessionId: params.id }),
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
    faults: ['notAuthenticated', 'notAllowed'],
    read: () => ({}),
  }),
  fetchDefinition: defineServiceRoute({
    ...wallet,
    ...atBoth('/v1/presentation/:id'),
    method: 'GET',
    carries: 'plain',
    cost: 'light',
    summary: 'What a session asks a wallet for',
    params: schemas.sessionPath,
    reply: replies.definitionReply,
    faults: ['requestMalformed', 'sessionUnknown', 'sessionClosed', 'sessionExpired'],
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
    body: schemas.sessionSubmission,
    headers: requests.signedHeaderShapes(requests.walletHeaderNames),
    reply: replies.answerReply,
    faults: [
      'requestMalformed',
      'presentationMalformed',
      'signatureMalformed',
      'publicKeyMalformed',
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
    ...atBoth('/v1/presentation/abort'),
    method: 'POST',
    carries: 'plain',
    cost: 'light',
    summary: 'A wallet says that it will not answer',
    body: schemas.sessionAbort,
    reply: replies.abortReply,
    faults: [
      'requestMalformed',
      'walletNotAuthenticated',
      'sessionUnknown',
      'sessionClosed',
      'sessionExpired',
    ],
    read: ({ body }) => ({ sessionId: body.presentation_id, stateId: body.state }),
  }),
  getResultKeys: defineServiceRoute({
    method: 'GET',
    path: '/.well-known/jwks.json',
    carries: 'plain',
    access: 'open',
    isPublic: true,
    cost: 'light',
    group: 'verification',
    summary: 'The public keys that results are signed with',
    reply: replies.jwksReply,
    faults: [],
    read: () => ({}),
  }),
};

const extended = {
  access: 'open',
  group: 'extended presentations',
  envelope: dataEnvelope,
  headers: requests.signedHeaderShapes(requests.extendedHeaderNames),
} as const;

export const extendedRoutes = {
  createExtendedPresentation: defineServiceRoute({
    ...extended,
    method: 'POST',
    path: '/v1/vp/ext/create',
    sealedPath: '/v1/vp/ext/enc/create',
    carries: 'personal',
    cost: 'heavy',
    bodyBytesMax: documentBytesMax,
    summary: 'Derives a presentation for a wallet to sign',
    body: derivation,
    reply: commonReplies.blobReply,
    faults: [
      'requestMalformed',
      'credentialMalformed',
      'attributeUnknown',
      'rangeInvalid',
      'walletNotAuthenticated',
      'presenceRefused',
      'holderMismatch',
      'proofTooCostly',
      'credentialUnknown',
      'credentialProofInvalid',
      'proofFailed',
      'ledgerUnreachable',
      'ledgerChanged',
      'ledgerFailed',
    ],
    read: readDerivation,
  }),
  submitExtendedPresentation: defineServiceRoute({
    ...extended,
    method: 'POST',
    path: '/v1/vp/ext/submit',
    sealedPath: '/v1/vp/ext/enc/submit',
    carries: 'personal',
    cost: 'light',
    summary: 'Completes a presentation and keeps it under an id for a while',
    body: schemas.extendedSubmission,
    reply: replies.extendedSubmissionReply,
    faults: [
      'requestMalformed',
      'signatureMalformed',
      'publicKeyMalformed',
      'walletNotAuthenticated',
      'presenceRefused',
      'signerMismatch',
      'holderMismatch',
      'blobUnknown',
    ],
    read: requests.readSavingOrder,
  }),
  downloadExtended: defineServiceRoute({
    ...extended,
    method: 'POST',
    path: '/v1/vc/ext/download',
    sealedPath: '/v1/vc/ext/enc/download',
    carries: 'personal',
    cost: 'light',
    summary: 'The credentials that wait for the holder who is shown by a signed text in the headers',
    body: schemas.extendedDownload,
    reply: replies.extendedDownloadReply,
    faults: ['requestMalformed', 'walletNotAuthenticated', 'presenceRefused', 'holderMismatch'],
    read: ({ body }) => ({ address: body.address }),
  }),
  verifySavedPresentation: defineServiceRoute({
    method: 'GET',
    path: '/cred/v1/vp/verify',
    carries: 'personal',
    access: 'optionalKey',
    cost: 'heavy',
    group: 'extended presentations',
    summary: 'Verifies a presentation that is kept under an id',
    query: schemas.savedChoice,
    reply: verdictReply,
    faults: [
      'requestMalformed',
      'notAuthenticated',
      'presentationUnknown',
      'trustListUnknown',
      ...verdictFaults,
    ],
    read: ({ query }) => ({
      savedId: requests.readSavedId(query.id),
      challenge: query.challenge,
      domain: query.domain,
      trust: readTrustParameters(query),
    }),
  }),
};

export const exchangeRoutes = { ...verificationRoutes, ...extendedRoutes };
export type ExchangeRoutes = typeof exchangeRoutes;
export type ExchangeHandlers = ServiceHandlers<ExchangeRoutes>;
