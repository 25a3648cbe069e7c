/**
 * Routes of the W3C VC-API (`docs/standards.md`, "VC-API"), an instance for each DID: what the instance of an issuer
 * issues is of its templates, whatever is verified may be of anybody. Only keys of that DID may call.
 */
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import {
  defineServiceRoute,
  ledgerFaults,
  type ServiceHandlers,
  submitFaults,
} from '../http/service-route.ts';
import * as replies from './vc-api-replies.ts';
import * as requests from './vc-api-requests.ts';
import * as schemas from './vc-api-schemas.ts';

const base = {
  method: 'POST',
  access: 'key',
  carries: 'personal',
  cost: 'heavy',
  params: schemas.instancePath,
  bodyBytesMax: credentialRequestLimits.documentBytesMax,
} as const;
const ofIssuer = { ...base, group: 'Issuer: VC-API' } as const;
const ofHolder = { ...base, scope: 'present', group: 'Holder: VC-API' } as const;
const ofVerifier = { ...base, scope: 'verify', group: 'Verifier: VC-API', bodyKind: 'unstoredJson' } as const;

const verdict = {
  reply: replies.vcVerdictReply,
  replyTypes: ['application/json', 'application/problem+json'],
  otherStatuses: {
    400: {
      when: 'The verdict is not good, and neither returnResults nor returnProblemDetails was asked for',
      reply: replies.vcRefusedReply,
    },
  },
} as const;

export const vcApiRoutes = {
  issueByVcApi: defineServiceRoute({
    ...ofIssuer,
    scope: 'issue',
    path: '/vc-api/:issuer/credentials/issue',
    sealedPath: '/vc-api/:issuer/credentials/enc/issue',
    status: 201,
    isIdempotent: true,
    summary: 'Issues a credential of a template, with a place in the status lists and an entry on the ledger',
    body: schemas.issueOrder,
    reply: replies.securedCredentialReply,
    faults: [
      'credentialMalformed',
      'attributesInvalid',
      'validityInvalid',
      'issuerMismatch',
      'templateUnknown',
      'templatePriced',
      'autoIssueRefused',
      'credentialRequestDenied',
      'offerClosed',
      'stateForbids',
      'standardsUnavailable',
      ...submitFaults,
    ],
    read: requests.readIssueOrder,
  }),
  changeStatusByVcApi: defineServiceRoute({
    ...ofIssuer,
    scope: 'revoke',
    cost: 'light',
    path: '/vc-api/:issuer/credentials/status',
    sealedPath: '/vc-api/:issuer/credentials/enc/status',
    status: 202,
    isIdempotent: true,
    summary: 'Prepares a change of status for your signature: revoked, suspended, or no longer suspended',
    body: schemas.statusOrder,
    reply: replies.changedStatusReply,
    otherStatuses: { 200: { when: 'The status is as you want it already' } },
    faults: ['issuerMismatch', 'credentialUnknown', 'statusForbids', 'standardsUnavailable', ...ledgerFaults],
    read: requests.readStatusOrder,
  }),
  deriveByVcApi: defineServiceRoute({
    ...ofHolder,
    path: '/vc-api/:issuer/credentials/derive',
    sealedPath: '/vc-api/:issuer/credentials/enc/derive',
    status: 201,
    bodyKind: 'unstoredJson',
    summary: 'Shows parts of a credential with a base proof of bbs-2023',
    body: schemas.deriveOrder,
    reply: replies.securedCredentialReply,
    faults: ['credentialMalformed', 'issuerMismatch', 'proofTooCostly', 'standardsUnavailable'],
    read: requests.readDeriveOrder,
  }),
  presentByVcApi: defineServiceRoute({
    ...ofHolder,
    path: '/vc-api/:issuer/presentations',
    sealedPath: '/vc-api/:issuer/enc/presentations',
    status: 201,
    bodyKind: 'unstoredJson',
    summary: 'Signs a presentation by the key that the service has for you, for one verifier and one time',
    body: schemas.presentationOrder,
    reply: replies.signedPresentationReply,
    faults: ['credentialMalformed', 'presentationMalformed', 'issuerMismatch', 'standardsUnavailable'],
    read: requests.readPresentationToSign,
  }),
  verifyCredentialByVcApi: defineServiceRoute({
    ...ofVerifier,
    ...verdict,
    path: '/vc-api/:issuer/credentials/verify',
    sealedPath: '/vc-api/:issuer/credentials/enc/verify',
    summary: 'Verifies a credential: data model, proofs, validity, status, and what the ledger has of it',
    body: schemas.credentialVerification,
    faults: ['issuerMismatch', 'proofTooCostly', 'standardsUnavailable', ...ledgerFaults],
    read: requests.readCredentialVerification,
  }),
  verifyPresentationByVcApi: defineServiceRoute({
    ...ofVerifier,
    ...verdict,
    path: '/vc-api/:issuer/presentations/verify',
    sealedPath: '/vc-api/:issuer/presentations/enc/verify',
    summary: 'Verifies a presentation and every credential in it',
    body: schemas.presentationVerification,
    faults: ['issuerMismatch', 'proofTooCostly', 'standardsUnavailable', ...ledgerFaults],
    read: requests.readPresentationVerification,
  }),
};

export type VcApiHandlers = ServiceHandlers<typeof vcApiRoutes>;
