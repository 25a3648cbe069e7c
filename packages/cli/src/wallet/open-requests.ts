/**
 * Verification requests as a wallet reads them: fetched from the service that its owner chose and from nowhere else, and
 * held against the credentials that are kept. Nothing is signed and nothing is shown here.
 */
import { decodeOrNothing } from '@symbolon/core/basics/host-fault';
import { given } from '@symbolon/core/basics/plain-values';
import type { UnsignedCredential } from '@symbolon/core/documents/model';
import type { DcqlQuery } from '@symbolon/core/presentation/dcql';
import { type Need, planNeeds, type Revealable } from '@symbolon/sdk/orders/disclosure-plan';
import { parseDcql } from '@symbolon/wire/sessions/dcql-query';
import { CommandFailure, usageFailure } from '../terminal/failure.ts';
import type { KeptCredential } from './kept-credentials.ts';
import { quoted } from './tool-results.ts';
import type { Wallet } from './wallet.ts';

export interface OpenRequest {
  readonly id: string;
  readonly nonce: string;
  readonly expiresAt: string;
  readonly query: DcqlQuery;
  /** Who asks, on the service's word: what its operator calls the API key, and the DID that it acts for. */
  readonly asker: { readonly name?: string; readonly did?: string };
  /** Why, in the verifier's own words. */
  readonly purpose: string | undefined;
}

const requestPath = /^(?:\/api)?\/v1\/presentation\/([A-Za-z0-9_-]{1,128})$/;

/** The id in a link, in a wallet's link, or by itself. A link to somewhere else is refused, not followed. */
export function readRequestId(text: string, serviceOrigin: string): string {
  const said = text.trim();
  if (/^[A-Za-z0-9_-]{1,128}$/.test(said)) return said;
  const inner = /^[a-z]+:\/\/\/?\?request_uri=(.+)$/.exec(said)?.[1];
  // With a stray percent sign it was not encoded.
  const url = URL.parse(
    inner === undefined ? said : (decodeOrNothing(() => decodeURIComponent(inner)) ?? inner),
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
  const { nonce, expires_at: expiresAt, verifier, purpose } = definition;
  // A name that somebody else than the operator vouches for is not one that this wallet knows how to tell.
  const isNamed = verifier?.name_source === 'operator';
  const asker = given({ did: verifier?.did, name: isNamed ? verifier?.name : undefined });
  return { id, nonce, expiresAt, query, asker, purpose };
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
