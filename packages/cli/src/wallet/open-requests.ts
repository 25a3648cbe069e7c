/**
 * Verification requests as a wallet reads them: fetched from the service that its owner chose and from nowhere else, and
 * held against the credentials that are kept. Nothing is signed and nothing is shown here.
 */
import { decodeOrNothing } from '@symbolon/core/basics/host-fault';
import type { UnsignedCredential } from '@symbolon/core/documents/model';
import type { DcqlQuery } from '@symbolon/core/presentation/dcql';
import { parseDcql } from '@symbolon/wire/sessions/dcql-query';
import { CommandFailure, usageFailure } from '../terminal/failure.ts';
import { type Need, planNeeds, type Revealable } from './disclosure-plan.ts';
import type { KeptCredential } from './kept-credentials.ts';
import { quoted } from './tool-results.ts';
import type { Wallet } from './wallet.ts';

export interface OpenRequest {
  readonly id: string;
  readonly nonce: string;
  readonly expiresAt: string;
  readonly query: DcqlQuery;
}

const requestPath = /^(?:\/api)?\/v1\/presentation\/([A-Za-z0-9_-]{1,128})$/;

/** The id in a link, in a wallet's link, or by itself. A link to somewhere else is refused, not followed. */
export function readRequestId(text: string, serviceOrigin: string): string {
  const given = text.trim();
  if (/^[A-Za-z0-9_-]{1,128}$/.test(given)) return given;
  const inner = /^[a-z]+:\/\/\/?\?request_uri=(.+)$/.exec(given)?.[1];
  // With a stray percent sign it was not encoded.
  const url = URL.parse(
    inner === undefined ? given : (decodeOrNothing(() => decodeURIComponent(inner)) ?? inner),
  );
  const id = url && requestPath.exec(url.pathname)?.[1];
  if (!url || id === undefined || id === null)
    throw usageFailure(
      'The request was not looked at.\nThis is neither the id of a verification request nor a link to one.\nGive the link as it was received.',
    );
  if (url.origin !== serviceOrigin)
    throw usageFailure(
      `The request was not looked at.\nIt is at ${quoted(url.origin, 200)}, and this wallet answers requests at ${serviceOrigin} alone.\nThe owner chooses another service with --service.`,
    );
  return id;
}

async function fetchRequest({ service, serviceOrigin }: Wallet, request: string): Promise<OpenRequest> {
  const id = readRequestId(request, serviceOrigin);
  const definition = await service.fetchDefinition({ id });
  if (definition.presentation_id !== id || URL.parse(definition.response_uri)?.origin !== serviceOrigin)
    throw new CommandFailure(
      'The request was not answered.\nThe service wants the answer sent somewhere else, or speaks of another request.\nWhoever runs it sets publicUrl to the address that wallets use.',
    );
  const query = parseDcql(definition.credential_query, '/credential_query');
  return { id, nonce: definition.nonce, expiresAt: definition.expires_at, query };
}

/** A request, and what of all that is kept could answer it. */
export interface PlannedRequest {
  readonly asked: OpenRequest;
  readonly held: readonly KeptCredential[];
  /** Of these, in the same order. */
  readonly credentials: readonly UnsignedCredential[];
  readonly needs: readonly Need[];
}

export async function planRequest(
  wallet: Wallet,
  request: string,
  mayReveal: Revealable,
): Promise<PlannedRequest> {
  const asked = await fetchRequest(wallet, request);
  const now = new Date().toISOString();
  const held = wallet.credentials.all().filter(({ parsed }) => parsed.credential.validUntil > now);
  const credentials = held.map(({ parsed }) => parsed.credential);
  return { asked, held, credentials, needs: planNeeds(asked.query, credentials, mayReveal) };
}
