/** The signed request object that a link names: the same for whoever asks, but for the nonce that a wallet wants back. */

import { assert } from '@symbolon/core/basics/assert';
import { Fault } from '@symbolon/core/faults/faults';
import { signJws } from '@symbolon/formats/jose/compact-jws';
import {
  clientIdOf,
  requestClaims,
  requestObjectMedia,
  requestObjectType,
} from '@symbolon/formats/oid4vp/request-objects';
import type { TextReply } from '@symbolon/wire/http/service-route';
import type { JsonObject } from '@symbolon/wire/json/json';
import { isOpenidSession } from '@symbolon/wire/sessions/session-ids';
import { fetchSession, sessionRequestOf } from '../../sessions/sessions.ts';
import type { OpenidVerifyingParts } from '../parts/verification-parts.ts';
import { requestTerms, signingOwnerOf } from './asking.ts';

export async function signedRequest(
  parts: OpenidVerifyingParts,
  { sessionId, walletNonce }: { readonly sessionId: string; readonly walletNonce?: string | undefined },
): Promise<TextReply> {
  if (!isOpenidSession(sessionId)) throw new Fault('sessionUnknown');
  const session = await fetchSession(parts, sessionId);
  const request = await sessionRequestOf(parts, session);
  const { openid } = request;
  if (!openid?.signedBy) throw new Fault('sessionUnknown', { detail: 'The request is in its link' });
  const terms = requestTerms(
    parts,
    { id: session.id, nonce: session.nonce, query: request.requirements, purpose: request.purpose },
    openid,
  );
  const claims = requestClaims(terms, {
    now: parts.clock.nowMs(),
    expiresAt: session.expiresAt,
    ...(walletNonce !== undefined && { walletNonce }),
  }) as JsonObject;
  const text =
    openid.signedBy === 'certificate'
      ? await byCertificate(parts, claims)
      : await byDid(parts, { claims, clientId: openid.clientId, owner: signingOwnerOf(request) });
  return { contentType: requestObjectMedia, text, headers: { 'cache-control': 'no-store' } };
}

async function byCertificate(
  { requestCertificate }: OpenidVerifyingParts,
  claims: JsonObject,
): Promise<string> {
  if (!requestCertificate)
    throw new Fault('standardsUnavailable', { detail: 'The certificate of requests was taken away' });
  return signJws(requestObjectType, claims, requestCertificate.signer);
}

const didPrefix = clientIdOf('decentralized_identifier', '');

function byDid(
  { issuerKeys }: OpenidVerifyingParts,
  {
    claims,
    clientId,
    owner,
  }: { readonly claims: JsonObject; readonly clientId: string; readonly owner: string },
): Promise<string> {
  assert(clientId.startsWith(didPrefix), 'a request that is signed by a DID names it');
  const did = clientId.slice(didPrefix.length);
  const keyDid = 'did:key:';
  return issuerKeys.signJws(owner, {
    header: ({ kid }) => ({
      kid: did.startsWith(keyDid) ? `${did}#${did.slice(keyDid.length)}` : `${did}#${kid}`,
      typ: requestObjectType,
    }),
    payload: claims,
  });
}
