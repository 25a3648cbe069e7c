/** A verifier's request as the wallet reads it, and the two answers to it: share, or decline. */

import type { RangeClaim } from '@symbolon/core/documents/model';
import type { DcqlQuery } from '@symbolon/core/presentation/dcql';
import { SdkError } from '@symbolon/sdk/errors/errors';
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import { derivePresentation } from '@symbolon/sdk/flows/holder-flows';
import type { CredentialReply } from '@symbolon/sdk/service/credential-client';
import { walletHeaders } from '@symbolon/sdk/transport/call-headers';
import { verifyCredential } from '@symbolon/sdk/verification/verify-credential';
import type { JsonObject } from '@symbolon/wire/json/json';
import { parseDcql } from '@symbolon/wire/sessions/dcql-query';
import { workerEngine } from '../../../proofs/worker-engine.ts';
import type { Asker, SentEntry } from '../activity/activity-log.ts';
import { NotGenuine } from '../cards/card-intake.ts';
import type { OpenWallet } from '../frame/wallet-context.ts';
import type { AnswerPart } from './answer-plan.ts';

export interface FetchedRequest {
  readonly id: string;
  readonly nonce: string;
  /** What shows the service that whoever declines has read the request. */
  readonly state: string;
  readonly expiresAt: number;
  readonly query: DcqlQuery;
  readonly asker: Asker;
  /** In the verifier's own words. */
  readonly purpose?: string;
}

export async function fetchRequest({ client, origin }: OpenWallet, id: string): Promise<FetchedRequest> {
  const told = await client.fetchDefinition({ id });
  const { nonce, state, purpose, verifier } = told;
  // The answer goes to this service and nowhere else, whatever a request says.
  if (told.presentation_id !== id || URL.parse(told.response_uri)?.origin !== origin)
    throw new SdkError('notAsOrdered', 'the service wants the answer sent somewhere else', {
      hint: 'Nothing was shown. Whoever runs the service sets publicUrl to the address that wallets use.',
      members: ['response_uri'],
    });
  return {
    id,
    nonce,
    state,
    expiresAt: Date.parse(told.expires_at),
    query: parseDcql(told.credential_query, '/credential_query'),
    asker: {
      ...(verifier?.did !== undefined && { did: verifier.did }),
      ...(verifier?.name !== undefined && { name: verifier.name }),
      ...(verifier?.name_source !== undefined && { source: verifier.name_source }),
    },
    ...(purpose !== undefined && { purpose }),
  };
}

export type ShareStep = 'turn' | 'ledger' | 'proof' | 'sending';

/** Judges the cards anew by the ledger's word, makes the proofs in the worker and signs here. Nothing leaves yet. */
export async function makeAnswer(
  wallet: OpenWallet,
  { request, parts }: { readonly request: FetchedRequest; readonly parts: readonly AnswerPart[] },
  tell: (step: ShareStep) => void,
): Promise<JsonObject> {
  const { ledger, pins, did, origin, vault } = wallet;
  tell('ledger');
  const verdicts = [];
  for (const { card } of parts) {
    const verdict = await verifyCredential(card.document, {
      ledger,
      ...(pins && { pins }),
      holder: did,
      engine: workerEngine,
    });
    if (!verdict.isGenuine || verdict.status !== 'active')
      throw new NotGenuine(verdict.problem?.reason ?? `is ${verdict.status}`);
    verdicts.push(verdict);
  }
  tell('proof');
  const presentation = await derivePresentation({
    signer: vault.signer,
    issuerKeys: verdicts.flatMap(({ issuerKeys }) => issuerKeys),
    now: Date.now(),
    engine: workerEngine,
    vcs: parts.map(({ card, reveal, ranges }) => ({
      vc: card.document,
      revealAttributes: [...reveal],
      rangeProof: ranges.map(wireRange),
    })),
    tellingRanges: [...new Set(parts.flatMap(({ telling }) => telling))],
    challenge: request.nonce,
    domain: origin,
  });
  return presentation as unknown as JsonObject;
}

export interface SubmittedAnswer {
  readonly reply: CredentialReply<'submitToSession'>;
  readonly requestId: string | undefined;
}

/** Hands an answer in. The service tells the same of the same, however often it comes. */
export async function submitAnswer(
  { client, vault }: OpenWallet,
  { request, presentation }: Pick<SentEntry, 'request' | 'presentation'>,
): Promise<SubmittedAnswer> {
  let requestId: string | undefined;
  const reply = await client.submitToSession(
    {
      presentation_id: request,
      vp_token: presentation,
      presentation_submission: { id: 'submission', definition_id: request, descriptor_map: [] },
    },
    {
      headers: await walletHeaders(vault.signer, client, request),
      onHeaders: (told) => {
        requestId = told['x-request-id'];
      },
    },
  );
  return { reply, requestId };
}

/**
 * Whether the service says that it did not take an answer. A conflict says only that it is late: the one that was in time
 * may be this one, and is perhaps being decided.
 */
export const isNotTaken = (error: unknown): boolean =>
  error instanceof ServiceError && [400, 401, 403, 410, 413, 422].includes(error.status);

/** Bounds have an order, so none is a truth value. */
export const wireRange = ({ attribute, min, max }: RangeClaim) => ({
  attribute,
  ...(typeof min !== 'boolean' && min !== undefined && { min }),
  ...(typeof max !== 'boolean' && max !== undefined && { max }),
});

export const declineRequest = ({ client }: OpenWallet, { id, state }: FetchedRequest) =>
  client.abortSession({ presentation_id: id, state });
