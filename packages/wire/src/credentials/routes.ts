/**
 * The routes of the credential service, one row each: those of the interface document, without its further endpoints,
 * then the product's own. Server, OpenAPI document and typed client come from this table. Faults of the first kind
 * follow the interface's table of status codes row by row.
 */
import { credentialRequestLimits as limits } from '@symbolon/core/limits/requests';
import { sealKeysRoute } from '../http/seal-keys.ts';
import {
  defineServiceRoute,
  ledgerFaults,
  type ServiceHandlers,
  signatureFaults,
  submitFaults,
} from '../http/service-route.ts';
import { issuanceRoutes, templateRoutes } from './issuance-routes.ts';
import * as presentations from './presentation-requests.ts';
import * as replies from './replies.ts';
import * as requests from './requests.ts';
import * as schemas from './schemas.ts';
import { verifierRoutes } from './verifier-routes.ts';

const { documentBytesMax } = limits;

const statusChange = {
  method: 'POST',
  access: 'optionalKey',
  cost: 'light',
  isIdempotent: true,
  group: 'Issuer: status',
} as const;

/** Preparing a change of status is open to whoever knows the issuer's address: only the issuer can sign it. */
const preparedChange = {
  ...statusChange,
  /** The remark. */
  carries: 'personal',
  reply: replies.statusBlobReply,
  faults: ['issuerAccountMissing', 'issuerMismatch', 'credentialUnknown', 'statusForbids', ...ledgerFaults],
} as const;

const submittedChange = {
  ...statusChange,
  carries: 'plain',
  body: schemas.signedBlob,
  reply: replies.statusChangeReply,
  faults: [
    ...signatureFaults,
    'signatureInvalid',
    'notAllowed',
    'signerMismatch',
    'blobUnknown',
    'blobReplaced',
    'credentialUnknown',
    'statusForbids',
    'issuerAccountMissing',
    'issuerWeightTooLow',
    ...submitFaults,
  ],
  read: requests.readSignedBlob,
} as const;

const statusRoutes = {
  createRevocationBlob: defineServiceRoute({
    ...preparedChange,
    path: '/cred/v1/vc/revoke/create-blob',
    aliases: ['/cred/v1/vc/revoke/create'],
    sealedPath: '/cred/v1/vc/revoke/enc/create-blob',
    summary: 'Prepares the ledger transaction that revokes a credential, for the issuer to sign',
    body: schemas.statusChange,
    read: requests.readStatusChange,
  }),
  createBulkRevocationBlob: defineServiceRoute({
    ...preparedChange,
    path: '/cred/v1/vc/revoke/bulk/create-blob',
    sealedPath: '/cred/v1/vc/revoke/bulk/enc/create-blob',
    summary: 'Prepares one ledger transaction that revokes many credentials',
    body: schemas.bulkRevocation,
    read: requests.readBulkRevocation,
  }),
  submitRevocation: defineServiceRoute({
    ...submittedChange,
    path: '/cred/v1/vc/revoke/submit',
    summary: 'Revokes with the signed blob',
  }),
  createSuspensionBlob: defineServiceRoute({
    ...preparedChange,
    path: '/cred/v1/vc/suspend/create-blob',
    sealedPath: '/cred/v1/vc/suspend/enc/create-blob',
    summary: 'Prepares the ledger transaction that suspends a credential',
    body: schemas.statusChange,
    read: requests.readStatusChange,
  }),
  submitSuspension: defineServiceRoute({
    ...submittedChange,
    path: '/cred/v1/vc/suspend/submit',
    summary: 'Suspends with the signed blob',
  }),
  createReinstatementBlob: defineServiceRoute({
    ...preparedChange,
    path: '/cred/v1/vc/reinstate/create-blob',
    sealedPath: '/cred/v1/vc/reinstate/enc/create-blob',
    summary: 'Prepares the ledger transaction that ends a suspension',
    body: schemas.statusChange,
    read: requests.readStatusChange,
  }),
  submitReinstatement: defineServiceRoute({
    ...submittedChange,
    path: '/cred/v1/vc/reinstate/submit',
    summary: 'Ends a suspension with the signed blob',
  }),
  getCredentialStatus: verifierRoutes.getCredentialStatus,
  getRevocationStatus: defineServiceRoute({
    method: 'POST',
    path: '/cred/v1/vc/revoke/status',
    carries: 'plain',
    access: 'optionalKey',
    cost: 'light',
    group: 'Verifier: verdicts',
    summary: 'Whether a credential is revoked, as clients of the family ask',
    body: schemas.statusQuestion,
    reply: replies.revocationStatusReply,
    faults: ['credentialUnknown', ...ledgerFaults],
    read: ({ body }) => requests.readStatusQuestion(body),
  }),
};

const keyUse = {
  method: 'POST',
  carries: 'secret',
  access: 'key',
  scope: 'bbs',
  isKeyInBody: true,
  group: 'Issuer: BBS+ keys',
} as const;

const bbsRoutes = {
  createBbsKey: defineServiceRoute({
    ...keyUse,
    path: '/cred/bbs/create',
    sealedPath: '/cred/bbs/enc/create',
    cost: 'light',
    summary: 'Derives a BBS+ key pair from a seed and keeps it for the caller',
    body: schemas.bbsKeyOrder,
    reply: replies.bbsKeyReply,
    faults: ['seedInvalid'],
    read: ({ body }) => ({ seed: body.seed }),
  }),
  signWithBbs: defineServiceRoute({
    ...keyUse,
    path: '/cred/bbs/vc/sign',
    sealedPath: '/cred/bbs/vc/enc/sign',
    cost: 'heavy',
    bodyBytesMax: documentBytesMax,
    /** The message of an attribute that is absent has a zero byte. */
    bodyKind: 'unstoredJson',
    summary: "Signs messages, or the draft of a credential, with one of the caller's BBS+ keys",
    body: schemas.bbsSigningOrder,
    reply: replies.bbsSignatureReply,
    faults: [
      'publicKeyMalformed',
      'issuerMismatch',
      'keyNotPublished',
      'keyUnknown',
      'applicationUnknown',
      'stateForbids',
      'proofFailed',
      'ledgerUnreachable',
    ],
    read: requests.readBbsSigningOrder,
  }),
};

const presentationRoutes = {
  createPresentation: defineServiceRoute({
    method: 'POST',
    path: '/cred/v1/vp/create',
    sealedPath: '/cred/v1/vp/enc/create',
    carries: 'personal',
    access: 'optionalKey',
    cost: 'heavy',
    bodyBytesMax: documentBytesMax,
    group: 'Holder: presentations',
    summary: 'Derives a presentation that discloses only what is asked for, for the holder to sign',
    body: schemas.derivation,
    reply: replies.blobReply,
    faults: [
      'credentialMalformed',
      'attributeUnknown',
      'rangeInvalid',
      'notAllowed',
      'proofTooCostly',
      'credentialUnknown',
      'credentialProofInvalid',
      'proofFailed',
      ...ledgerFaults,
    ],
    read: presentations.readDerivation,
  }),
  submitPresentation: defineServiceRoute({
    method: 'POST',
    path: '/cred/v1/vp/submit',
    sealedPath: '/cred/v1/vp/enc/submit',
    carries: 'personal',
    access: 'optionalKey',
    cost: 'light',
    isIdempotent: true,
    group: 'Holder: presentations',
    summary: "Completes a presentation with the holder's signature",
    body: schemas.presentationCompletion,
    reply: replies.presentationReply,
    faults: [...signatureFaults, 'notAllowed', 'signerMismatch', 'blobUnknown'],
    read: presentations.readPresentationSignature,
  }),
  verifyPresentation: verifierRoutes.verifyPresentation,
};

const auditReading = {
  method: 'GET',
  access: 'key',
  scope: 'admin',
  cost: 'light',
  group: 'Operator: audit',
} as const;

const serviceOwnRoutes = {
  resolveDid: verifierRoutes.resolveDid,
  getSealKeys: sealKeysRoute,
  listAuditEntries: defineServiceRoute({
    ...auditReading,
    path: '/cred/v1/audit',
    carries: 'personal',
    summary: 'The audit log, newest first',
    query: schemas.auditFilter,
    reply: replies.auditReply,
    faults: [],
    read: ({ query }) => ({ action: query.action, subject: query.subject, ...requests.readPage(query) }),
  }),
  getAuditHead: defineServiceRoute({
    ...auditReading,
    path: '/cred/v1/audit/head',
    carries: 'plain',
    summary: 'The last hash of the audit log, and which one the ledger holds',
    reply: replies.auditHeadReply,
    faults: [],
    read: () => ({}),
  }),
  getAuditProof: defineServiceRoute({
    ...auditReading,
    path: '/cred/v1/audit/:sequence/proof',
    carries: 'personal',
    summary:
      'An entry with all that its hash covers, and the entries from it to the next that the ledger holds',
    params: schemas.auditPlace,
    query: schemas.auditProofPage,
    reply: replies.auditProofReply,
    faults: ['auditEntryUnknown'],
    read: ({ params, query }) => ({
      sequence: Number(params.sequence),
      ...(query.after !== undefined && { after: Number(query.after) }),
    }),
  }),
};

export const credentialRoutes = {
  ...templateRoutes,
  ...issuanceRoutes,
  ...statusRoutes,
  ...bbsRoutes,
  ...presentationRoutes,
  ...serviceOwnRoutes,
};
export type CredentialRoutes = typeof credentialRoutes;
export type CredentialHandlers = ServiceHandlers<CredentialRoutes>;
