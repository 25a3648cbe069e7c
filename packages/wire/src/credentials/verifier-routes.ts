/**
 * Rows of the credential service's route table that verifiers need, and nothing else: a page that verifies carries
 * these without all others. The whole table is `routes.ts`.
 */
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import { defineServiceRoute, ledgerFaults, publicReading } from '../http/service-route.ts';
import * as presentations from './presentation-requests.ts';
import * as schemas from './presentation-schemas.ts';
import * as requests from './requests.ts';
import * as replies from './verifier-replies.ts';

const { documentBytesMax } = credentialRequestLimits;

/** What keeps a service from a verdict. */
export const verdictFaults = ['proofTooCostly', 'proofFailed', ...ledgerFaults] as const;

export const verifierRoutes = {
  getCredentialStatus: defineServiceRoute({
    ...publicReading,
    path: '/cred/v1/vc/status',
    group: 'Verifier: verdicts',
    summary: 'The status of a credential on the ledger',
    query: schemas.statusQuery,
    reply: replies.credentialStatusReply,
    faults: ['credentialUnknown', ...ledgerFaults],
    read: ({ query }) => requests.readStatusQuestion(query),
  }),
  verifyPresentation: defineServiceRoute({
    method: 'POST',
    path: '/cred/v1/vp/verify',
    sealedPath: '/cred/v1/vp/enc/verify',
    carries: 'personal',
    access: 'optionalKey',
    cost: 'heavy',
    bodyBytesMax: documentBytesMax,
    group: 'Verifier: verdicts',
    summary: 'Runs the six checks of a presentation and names those that fail',
    body: schemas.verification,
    reply: replies.verdictReply,
    faults: [
      'publicKeyMalformed',
      'presentationMalformed',
      'rangeInvalid',
      'trustListUnknown',
      ...verdictFaults,
    ],
    read: presentations.readVerification,
  }),
  resolveDid: defineServiceRoute({
    ...publicReading,
    path: '/1.0/identifiers/:did',
    group: 'Verifier: verdicts',
    summary: 'Resolves a DID, as W3C DID Resolution says',
    params: schemas.didPath,
    query: schemas.resolutionOptions,
    reply: replies.resolutionReply,
    replyTypes: [
      'application/did-resolution',
      'application/json',
      'application/did-url-dereferencing',
      'application/did',
      'application/did+ld+json',
      'application/did+json',
      'application/ld+json',
    ],
    faults: [
      'didMalformed',
      'didUnknown',
      'mediaTypeUnsupported',
      'didDeactivated',
      'methodUnsupported',
      ...ledgerFaults,
    ],
    read: ({ params, query }) => ({ did: params.did, ...query }),
  }),
};
export type VerifierRoutes = typeof verifierRoutes;
