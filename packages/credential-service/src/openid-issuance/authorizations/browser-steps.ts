/**
 * What a browser does: it comes with what the wallet has pushed and is sent to the issuer's login, and comes back with what
 * the issuer has decided and is sent to the wallet. Nobody is sent anywhere but to an address that was registered.
 */
import { Fault } from '@symbolon/core/faults/faults';
import { type AuthorizationAnswer, answerAddress } from '@symbolon/formats/oid4vci/redirect-uris';
import { type Call, malformedAt, type TextReply } from '@symbolon/wire/http/service-route';
import { sendOn } from '@symbolon/wire/http/text-replies';
import { oauthErrors } from '@symbolon/wire/oauth/oauth-words';
import { openidIssuanceLimits as limits } from '../../limits/openid-limits.ts';
import { contexts } from '../../vault/encryption-contexts.ts';
import { findLogin } from '../logins/login-rows.ts';
import { loginAddress } from '../logins/login-urls.ts';
import type { OpenidIssuer } from '../parts/openid-parts.ts';
import { makeSecretId, secretHash } from '../parts/openid-secrets.ts';
import { type AuthorizingParts, requireWaiting, unknownAuthorization } from './authorization-parts.ts';
import {
  type Authorization,
  findAuthorizationByRequest,
  findAuthorizationByTicket,
  moveAuthorization,
} from './authorization-rows.ts';
import { endedCookie, givenCookies, isSameBrowser } from './browser-cookies.ts';

/** Where the wallet is told the answer, with what it wanted back and whose answer it is (RFC 9207). */
async function answerTo(
  { vault }: Pick<AuthorizingParts, 'vault'>,
  { identifier }: OpenidIssuer,
  {
    row: { id, redirectUri, clientState },
    answer,
  }: { readonly row: Authorization; readonly answer: AuthorizationAnswer },
): Promise<string> {
  const state = clientState && (await vault.decryptText(clientState, contexts.openidClientState(id)));
  return answerAddress(redirectUri, { ...answer, ...(state !== null && { state }), iss: identifier });
}

interface BeginningBrowser {
  readonly clientId: string | undefined;
  readonly requestUri: string | undefined;
  readonly call: Pick<Call, 'header'>;
}

export async function beginAuthorization(
  parts: AuthorizingParts,
  issuer: OpenidIssuer,
  { clientId, requestUri, call }: BeginningBrowser,
): Promise<TextReply> {
  const { database, clock, settings } = parts;
  if (requestUri === undefined)
    throw malformedAt('/query/request_uri', 'is missing: authorization requests are pushed first');
  const now = clock.nowMs();
  const found = await findAuthorizationByRequest(database.kysely, secretHash(requestUri));
  const row = requireWaiting(found, { issuer: issuer.did, states: ['pushed'], now });
  if (row.clientId !== clientId) throw unknownAuthorization();
  const login = await findLogin(database.kysely, issuer.did);
  if (!login?.templateIds.includes(row.templateId)) {
    const answer = {
      error: oauthErrors.clientNotAllowed,
      error_description: 'Nobody can log in for this any more',
    };
    return sendOn(await answerTo(parts, issuer, { row, answer }));
  }
  const [secret, reference] = [makeSecretId(), makeSecretId()];
  const isBegun = await moveAuthorization(database.kysely, 'begin', {
    ...{ id: row.id, now, expiresAt: now + limits.loginSeconds * 1_000 },
    browserHash: secretHash(secret),
    referenceHash: secretHash(reference),
  });
  // Another browser was faster.
  if (!isBegun) throw unknownAuthorization();
  return sendOn(loginAddress(login.loginUrl, reference), {
    'set-cookie': givenCookies(row.id, settings, { secret, header: call.header('cookie') }),
  });
}

export async function continueAuthorization(
  parts: AuthorizingParts,
  issuer: OpenidIssuer,
  { ticket, call }: { readonly ticket: string; readonly call: Pick<Call, 'header'> },
): Promise<TextReply> {
  const { database, clock, settings } = parts;
  const now = clock.nowMs();
  const found = await findAuthorizationByTicket(database.kysely, secretHash(ticket));
  const row = requireWaiting(found, { issuer: issuer.did, states: ['granted', 'denied'], now });
  // Nothing is used up by it: whoever has the address alone must not take it from whom it is for.
  if (!isSameBrowser(row, settings, call.header('cookie')))
    throw new Fault('authorizationDenied', { detail: 'This is not the browser in which it began' });
  const code = row.state === 'granted' ? makeSecretId() : undefined;
  const isFirst = await moveAuthorization(database.kysely, 'answer', {
    ...{ id: row.id, now, expiresAt: now + limits.authorizationCodeSeconds * 1_000, browserHash: null },
    ...(code !== undefined && { codeHash: secretHash(code) }),
  });
  if (!isFirst) throw unknownAuthorization();
  const answer = code === undefined ? { error: oauthErrors.authorizationDenied } : { code };
  return sendOn(await answerTo(parts, issuer, { row, answer }), {
    'set-cookie': endedCookie(row.id, settings),
  });
}
