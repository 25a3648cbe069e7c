/**
 * Extended presentations and downloads, as wallets of the family ask for them: the shapes of their requests, what these
 * become inside, their replies and their rows of the route table. A finished presentation is kept under an id for a
 * while.
 */
import type { Credential } from '@symbolon/core/documents/model';
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import { sessionLimits as limits } from '@symbolon/core/limits/waiting';
import * as z from 'zod';
import { maybe, name, strict, text, type WithBody } from '../http/schema-parts.ts';
import { dataEnvelope } from '../http/service-envelopes.ts';
import {
  defineServiceRoute,
  ledgerFaults,
  malformedAt,
  type ServiceHandlers,
  signatureFaults,
} from '../http/service-route.ts';
import { readTrustParameters, trustParameters } from '../trust/parameters.ts';
import { derivation } from './derivation-schemas.ts';
import { readDerivation } from './presentation-requests.ts';
import { blobReply } from './replies.ts';
import { readPublicKey, readSignature } from './request-encodings.ts';
import { readBlobId } from './requests.ts';
import { extendedHeaderNames, signedHeaderShapes } from './signed-headers.ts';
import { documentReply, verdictReply } from './verifier-replies.ts';
import { verdictFaults } from './verifier-routes.ts';

/** The id under which a presentation is kept. */
export const savedIdOf = (uuid: string): string => `v2-${uuid}`;
export const savedIdPattern = /^v2-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const extendedSubmission = strict({
  blobId: name,
  signedBlob: name,
  publicKey: name,
  /** Seconds that the presentation is kept under its id. */
  vpExpiry: maybe(z.union([z.number(), name], { error: 'must be a number of seconds' })),
  includeVp: maybe(z.union([z.boolean(), z.enum(['true', 'false'])], { error: 'must be true or false' })),
});

const extendedDownload = strict({ address: name });

const savedChoice = z.object({
  id: name.describe('Name under which the presentation is kept, as /v1/vp/ext/submit answered it'),
  challenge: text(credentialRequestLimits.noteCharsMax).optional(),
  domain: text(credentialRequestLimits.noteCharsMax).optional(),
  ...trustParameters,
});

/** A signature under a presentation, which is then kept under an id. */
const readSavingOrder = ({ body }: WithBody<typeof extendedSubmission>) => ({
  blobId: readBlobId(body.blobId),
  signature: readSignature(body.signedBlob, '/signedBlob'),
  publicKey: readPublicKey(body.publicKey, '/publicKey'),
  keptSeconds: readSeconds(body.vpExpiry),
  includesPresentation: body.includeVp === true || body.includeVp === 'true',
});

function readSeconds(given: string | number | undefined): number {
  if (given === undefined || given === 0) return limits.savedPresentationSeconds;
  const digits = String(given).trim();
  const seconds = /^[1-9][0-9]{0,8}$/.test(digits) ? Number(digits) : 0;
  if (seconds < 1 || seconds > limits.savedPresentationSecondsMax)
    throw malformedAt(
      '/vpExpiry',
      `must be a number of seconds from 1 to ${limits.savedPresentationSecondsMax}`,
    );
  return seconds;
}

function readSavedId(id: string): string {
  if (!savedIdPattern.test(id)) throw malformedAt('/query/id', 'must be v2- and a UUID');
  return id;
}

const extendedSubmissionReply = z.object({ id: z.string(), vp: documentReply.optional() });

/** A list inside of `data`, which is itself inside of `data`: so wallets read it. */
const extendedDownloadReply = z.object({
  data: z.array(z.object({ vc: documentReply, extraData: z.null(), status: z.string() })),
});

/** Credentials as they are downloaded, each with its status. */
export const renderDownload = (
  found: readonly { readonly credential: Credential; readonly status: string }[],
): z.input<typeof extendedDownloadReply> => ({
  data: found.map(({ credential, status }) => ({
    vc: credential,
    extraData: null,
    status: status.toUpperCase(),
  })),
});

const extended = {
  method: 'POST',
  carries: 'personal',
  access: 'open',
  group: 'Holder: presentations',
  envelope: dataEnvelope,
  headers: signedHeaderShapes(extendedHeaderNames),
} as const;

export const extendedRoutes = {
  createExtendedPresentation: defineServiceRoute({
    ...extended,
    path: '/v1/vp/ext/create',
    sealedPath: '/v1/vp/ext/enc/create',
    cost: 'heavy',
    bodyBytesMax: credentialRequestLimits.documentBytesMax,
    summary: 'Derives a presentation for a wallet to sign',
    body: derivation,
    reply: blobReply,
    faults: [
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
      ...ledgerFaults,
    ],
    read: readDerivation,
  }),
  submitExtendedPresentation: defineServiceRoute({
    ...extended,
    path: '/v1/vp/ext/submit',
    sealedPath: '/v1/vp/ext/enc/submit',
    cost: 'light',
    summary: 'Completes a presentation and keeps it under an id for a while',
    body: extendedSubmission,
    reply: extendedSubmissionReply,
    faults: [
      ...signatureFaults,
      'walletNotAuthenticated',
      'presenceRefused',
      'signerMismatch',
      'holderMismatch',
      'blobUnknown',
    ],
    read: readSavingOrder,
  }),
  downloadExtended: defineServiceRoute({
    ...extended,
    path: '/v1/vc/ext/download',
    sealedPath: '/v1/vc/ext/enc/download',
    cost: 'light',
    group: 'Holder: credentials',
    summary: 'The credentials that wait for the holder who is shown by a signed text in the headers',
    body: extendedDownload,
    reply: extendedDownloadReply,
    faults: ['walletNotAuthenticated', 'presenceRefused', 'holderMismatch'],
    read: ({ body }) => ({ address: body.address }),
  }),
  verifySavedPresentation: defineServiceRoute({
    method: 'GET',
    path: '/cred/v1/vp/verify',
    carries: 'personal',
    access: 'optionalKey',
    cost: 'heavy',
    group: 'Verifier: verdicts',
    summary: 'Verifies a presentation that is kept under an id',
    query: savedChoice,
    reply: verdictReply,
    faults: ['presentationUnknown', 'trustListUnknown', ...verdictFaults],
    read: ({ query }) => ({
      savedId: readSavedId(query.id),
      challenge: query.challenge,
      domain: query.domain,
      trust: readTrustParameters(query),
    }),
  }),
};
export type ExtendedHandlers = ServiceHandlers<typeof extendedRoutes>;
