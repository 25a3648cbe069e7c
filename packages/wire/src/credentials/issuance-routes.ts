/**
 * Rows of the credential service's route table about templates and issuance, with what issuers and holders need beside
 * them. The whole table is `routes.ts`.
 */
import { credentialRequestLimits as limits } from '@symbolon/core/limits/requests';
import { defineServiceRoute } from '../http/service-route.ts';
import * as replies from './replies.ts';
import * as requests from './requests.ts';
import * as schemas from './schemas.ts';

const { documentBytesMax } = limits;

/** Faults of every route that takes a key. */
export const keyFaults = ['notAuthenticated', 'notAllowed'] as const;
/** Of requests that carry a signature with its key. */
export const signedRequestFaults = ['requestMalformed', 'signatureMalformed', 'publicKeyMalformed'] as const;
/** Of routes that ask the ledger. */
export const ledgerFaults = ['ledgerUnreachable', 'ledgerChanged', 'ledgerFailed'] as const;
/** Of routes that hand a transaction to it. */
export const submitFaults = [...ledgerFaults, 'ledgerUnconfirmed'] as const;

const registration = { method: 'POST', cost: 'light', isIdempotent: true, group: 'templates' } as const;
const templateReading = {
  method: 'GET',
  carries: 'plain',
  access: 'open',
  isPublic: true,
  cost: 'light',
  group: 'templates',
} as const;

export const templateRoutes = {
  createTemplateBlob: defineServiceRoute({
    ...registration,
    path: '/cred/tds/template/blob/create',
    carries: 'plain',
    access: 'key',
    scope: 'templates',
    summary: 'Prepares the ledger transaction that registers a template, for the issuer to sign',
    body: schemas.templateDraft,
    reply: replies.blobReply,
    faults: [
      'requestMalformed',
      'templateInvalid',
      'issuerAccountMissing',
      ...keyFaults,
      'templateExists',
      'nameTaken',
      ...ledgerFaults,
    ],
    read: requests.readTemplateDraft,
  }),
  createTemplate: defineServiceRoute({
    ...registration,
    path: '/cred/tds/template/create',
    sealedPath: '/cred/tds/template/enc/create',
    carries: 'secret',
    access: 'key',
    scope: 'templates',
    summary: "Registers a template with the issuer's private key; better prepare a blob and keep the key",
    body: schemas.templateWithKey,
    reply: replies.registrationReply,
    faults: [
      'requestMalformed',
      'templateInvalid',
      'issuerAccountMissing',
      'issuerWeightTooLow',
      ...keyFaults,
      'signerMismatch',
      'templateExists',
      'nameTaken',
      ...submitFaults,
    ],
    read: requests.readTemplateWithKey,
  }),
  submitTemplate: defineServiceRoute({
    ...registration,
    path: '/cred/tds/template/submit',
    carries: 'plain',
    access: 'optionalKey',
    summary: 'Registers a template with its signed blob',
    body: schemas.signedBlob,
    reply: replies.registrationReply,
    faults: [
      ...signedRequestFaults,
      ...keyFaults,
      'signerMismatch',
      'blobUnknown',
      'blobReplaced',
      'templateExists',
      'nameTaken',
      'issuerAccountMissing',
      'issuerWeightTooLow',
      ...submitFaults,
    ],
    read: requests.readSignedBlob,
  }),
  listTemplates: defineServiceRoute({
    ...templateReading,
    path: '/cred/tds/templates',
    summary: 'Registered templates in their newest version, by name',
    query: schemas.templateSearch,
    reply: replies.templateListReply,
    faults: ['requestMalformed'],
    read: ({ query }) => ({ search: query.q, issuer: query.issuer, ...requests.readPage(query) }),
  }),
  getTemplate: defineServiceRoute({
    ...templateReading,
    path: '/cred/tds/templates/:templateId',
    summary: 'A template, in its newest version or another',
    params: schemas.templatePath,
    query: schemas.templateChoice,
    reply: replies.templateReply,
    faults: ['requestMalformed', 'templateUnknown'],
    read: ({ params, query }) => readTemplateChoice(params.templateId, query.version),
  }),
  getTemplateSchema: defineServiceRoute({
    ...templateReading,
    path: '/cred/tds/templates/:templateId/schema',
    summary: 'JSON Schema of what a holder applies with',
    params: schemas.templatePath,
    query: schemas.templateChoice,
    reply: replies.jsonSchemaReply,
    faults: ['requestMalformed', 'templateUnknown'],
    read: ({ params, query }) => readTemplateChoice(params.templateId, query.version),
  }),
  getTemplateHistory: defineServiceRoute({
    ...templateReading,
    path: '/cred/tds/templates/:templateId/history',
    summary: 'Versions of a template, newest first',
    params: schemas.templatePath,
    reply: replies.templateHistoryReply,
    faults: ['requestMalformed', 'templateUnknown'],
    read: ({ params }) => ({ templateId: requests.readIdentifier(params.templateId) }),
  }),
};

const readTemplateChoice = (templateId: string, version: string | undefined) => ({
  templateId: requests.readIdentifier(templateId),
  version,
});

const issuance = { method: 'POST', carries: 'personal', group: 'issuance' } as const;
const inboxReading = { ...issuance, method: 'GET', access: 'key', scope: 'issue', cost: 'light' } as const;

export const issuanceRoutes = {
  applyForCredential: defineServiceRoute({
    ...issuance,
    path: '/cred/v1/vc/apply',
    sealedPath: '/cred/v1/vc/enc/apply',
    access: 'optionalKey',
    cost: 'light',
    bodyBytesMax: documentBytesMax,
    isIdempotent: true,
    summary: 'A holder applies for a credential',
    body: schemas.application,
    reply: replies.applicationReply,
    faults: [
      'requestMalformed',
      'attributesInvalid',
      'signatureMalformed',
      'publicKeyMalformed',
      ...keyFaults,
      'signerMismatch',
      'presenceRefused',
      'templateUnknown',
      'applicationExists',
      'signatureUsed',
    ],
    read: requests.readApplication,
  }),
  createCredential: defineServiceRoute({
    ...issuance,
    path: '/cred/v1/vc/create',
    sealedPath: '/cred/v1/vc/enc/create',
    access: 'key',
    scope: 'issue',
    cost: 'heavy',
    bodyBytesMax: documentBytesMax,
    isIdempotent: true,
    summary: 'The issuer approves an application: assembles the credential, for the issuer to sign',
    body: schemas.creation,
    reply: replies.creationReply,
    faults: [
      'requestMalformed',
      'attributesInvalid',
      'validityInvalid',
      ...keyFaults,
      'issuerMismatch',
      'keyNotPublished',
      'applicationUnknown',
      'stateForbids',
      'proofFailed',
      'ledgerUnreachable',
      'ledgerChanged',
    ],
    read: requests.readCreation,
  }),
  submitCredential: defineServiceRoute({
    ...issuance,
    path: '/cred/v1/vc/submit',
    sealedPath: '/cred/v1/vc/enc/submit',
    access: 'optionalKey',
    cost: 'heavy',
    isIdempotent: true,
    summary: 'Issues a credential with its signatures and records it on the ledger',
    body: schemas.submission,
    reply: replies.submissionReply,
    faults: [
      ...signedRequestFaults,
      'signatureInvalid',
      'validityInvalid',
      ...keyFaults,
      'signerMismatch',
      'applicationUnknown',
      'stateForbids',
      'statusForbids',
      ...submitFaults,
    ],
    read: requests.readSubmission,
  }),
  downloadCredential: defineServiceRoute({
    ...issuance,
    path: '/cred/v1/vc/download',
    sealedPath: '/cred/v1/vc/enc/download',
    access: 'optionalKey',
    cost: 'light',
    summary: 'The credential, for its holder or issuer, as long as it is stored',
    body: schemas.download,
    reply: replies.downloadReply,
    faults: [
      'requestMalformed',
      'signatureMalformed',
      ...keyFaults,
      'signerMismatch',
      'presenceRefused',
      'credentialUnknown',
      'downloadLapsed',
    ],
    read: requests.readDownload,
  }),
  listApplications: defineServiceRoute({
    ...inboxReading,
    path: '/cred/v1/vc/applications',
    summary: "The issuer's inbox, oldest first",
    query: schemas.applicationFilter,
    reply: replies.applicationListReply,
    faults: ['requestMalformed', ...keyFaults],
    read: ({ query }) => ({
      status: query.status,
      templateId: query.templateId === undefined ? undefined : requests.readIdentifier(query.templateId),
      ...requests.readPage(query),
    }),
  }),
  getApplication: defineServiceRoute({
    ...inboxReading,
    path: '/cred/v1/vc/applications/:vcId',
    summary: 'One application with what the holder applied with, for its issuer',
    params: schemas.applicationPath,
    reply: replies.applicationDetailsReply,
    faults: ['requestMalformed', ...keyFaults, 'issuerMismatch', 'applicationUnknown'],
    read: ({ params }) => ({ vcId: requests.readIdentifier(params.vcId) }),
  }),
  rejectApplication: defineServiceRoute({
    ...issuance,
    path: '/cred/v1/vc/reject',
    sealedPath: '/cred/v1/vc/enc/reject',
    access: 'key',
    scope: 'issue',
    cost: 'light',
    isIdempotent: true,
    summary: 'The issuer rejects an application and says why',
    body: schemas.rejection,
    reply: replies.rejectionReply,
    faults: ['requestMalformed', ...keyFaults, 'issuerMismatch', 'applicationUnknown', 'stateForbids'],
    read: requests.readRejection,
  }),
};
