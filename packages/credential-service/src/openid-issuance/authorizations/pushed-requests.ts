/**
 * What a wallet asks for before its holder logs in, posted by the wallet itself (RFC 9126): client, address and what is
 * asked for are looked at here, so that a browser is sent nowhere that was not found good before.
 */
import { Fault, type FaultName } from '@symbolon/core/faults/faults';
import { isCodeChallenge } from '@symbolon/formats/oid4vci/code-challenges';
import { isRegisteredRedirect } from '@symbolon/formats/oid4vci/redirect-uris';
import { type Call, malformedAt } from '@symbolon/wire/http/service-route';
import type { PushedRequest } from '@symbolon/wire/openid/authorization-requests';
import { openidIssuanceLimits as limits } from '../../limits/openid-limits.ts';
import { requireUnpriced } from '../../payments/price-rows.ts';
import { findStoredTemplate } from '../../templates/template-rows.ts';
import { contexts } from '../../vault/encryption-contexts.ts';
import { requireClient } from '../grants/client-authentication.ts';
import { shownDpopKey } from '../grants/shown-grants.ts';
import { findLogin, type OpenidLogin } from '../logins/login-rows.ts';
import { findOfferByIssuerState, standardsStateAt } from '../offers/standards-offer-rows.ts';
import { type NamedConfiguration, parseConfigurationId } from '../parts/configurations.ts';
import { configurationsOf } from '../parts/offered-configurations.ts';
import type { OpenidIssuer } from '../parts/openid-parts.ts';
import { makeSecretId, secretHash } from '../parts/openid-secrets.ts';
import { type AuthorizingParts, makeAuthorizationId } from './authorization-parts.ts';
import { addAuthorization, countWaiting } from './authorization-rows.ts';

const requestUriPrefix = 'urn:ietf:params:oauth:request_uri:';

export async function pushAuthorization(
  parts: AuthorizingParts,
  issuer: OpenidIssuer,
  { request, call }: { readonly request: PushedRequest; readonly call: Call },
) {
  const { database, vault, clock } = parts;
  const { kysely } = database;
  const clientId = await requireRegistered(parts, issuer, request);
  const login = await findLogin(kysely, issuer.did);
  if (!login) throw new Fault('clientNotAllowed', { detail: 'Nobody can log in at this issuer' });
  if (!isCodeChallenge(request.codeChallenge))
    throw malformedAt('/code_challenge', 'is no SHA-256 in base64url');
  const dpopThumbprint = await boundKey(parts, issuer, { request, call });
  const configurations = [...new Set([...request.scopes, ...(request.details ?? [])])];
  const template = await requireTemplate(parts, { issuer, login, request });
  const offerId = await boundOffer(parts, issuer, { request, configurations });
  const now = clock.nowMs();
  await requireRoom(parts, { issuer: issuer.did, clientId, now });
  const id = makeAuthorizationId();
  const requestUri = `${requestUriPrefix}${makeSecretId()}`;
  const { state, redirectUri, codeChallenge, details } = request;
  await addAuthorization(kysely, {
    ...{ id, issuer: issuer.did, clientId, redirectUri, codeChallenge, dpopThumbprint, offerId, now },
    ...{ templateId: template.id, templateVersion: template.version },
    configurations: JSON.stringify(configurations),
    hasIdentifiers: details ? 1 : 0,
    clientState: state === undefined ? null : await vault.encryptText(state, contexts.openidClientState(id)),
    requestHash: secretHash(requestUri),
    expiresAt: now + limits.pushedSeconds * 1_000,
  });
  return { request_uri: requestUri, expires_in: limits.pushedSeconds };
}

/** Registered, and with the address that its browser shall come back to. */
async function requireRegistered(
  parts: AuthorizingParts,
  issuer: OpenidIssuer,
  { client, redirectUri }: PushedRequest,
): Promise<string> {
  const clientId = await requireClient(parts, issuer, client);
  const registered = clientId === undefined ? undefined : parts.openidClients.get(clientId);
  if (clientId === undefined || !registered)
    throw new Fault('clientInvalid', { detail: 'No client of this name is registered here' });
  if (!isRegisteredRedirect(registered.redirectUris, redirectUri))
    throw malformedAt('/redirect_uri', 'is not registered for this client');
  return clientId;
}

/** The key that alone may redeem the code: named, or shown by a proof, or both. */
async function boundKey(
  parts: AuthorizingParts,
  issuer: OpenidIssuer,
  { request: { dpopThumbprint: named }, call }: { readonly request: PushedRequest; readonly call: Call },
): Promise<string | null> {
  if (named !== undefined && !isCodeChallenge(named))
    throw malformedAt('/dpop_jkt', 'is no thumbprint of a key');
  const shown = await shownDpopKey(parts, call, { issuer, endpoint: 'par' });
  if (named !== undefined && shown !== undefined && named !== shown)
    throw new Fault('dpopProofInvalid', { detail: 'The DPoP proof is by another key than dpop_jkt names' });
  return named ?? shown ?? null;
}

interface Asked {
  readonly issuer: OpenidIssuer;
  readonly login: OpenidLogin;
  readonly request: PushedRequest;
}

/** The one version of a template that all that is asked for is of: who logs in gets one dataset. */
async function requireTemplate(
  { database, formatIssuers, profile }: AuthorizingParts,
  { issuer, login, request: { scopes, details = [] } }: Asked,
) {
  const asked = [
    ...scopes.map((id) => ({ id, code: 'scopeInvalid' as FaultName })),
    ...details.map((id) => ({ id, code: 'authorizationDetailsInvalid' as FaultName })),
  ];
  const [first] = asked;
  if (!first) throw malformedAt('/scope', 'or authorization_details: one of them says what is asked for');
  const refused = (code: FaultName, detail: string): Fault => new Fault(code, { detail });
  const named = parseConfigurationId(first.id);
  const templateId = `did:${profile.didMethod}:${named?.templateHex}`;
  const found =
    named && login.templateIds.includes(templateId)
      ? await findStoredTemplate(database.kysely, templateId, named.version)
      : undefined;
  if (!found) throw refused(first.code, 'Nothing of this name can be had by a login');
  const isOfIt = (one: NamedConfiguration | undefined): boolean =>
    one?.templateHex === named?.templateHex &&
    one?.version === named?.version &&
    formatIssuers.some(
      // What has no scope is had by no login.
      ({ suffix, configurationOf }) =>
        suffix === one?.suffix && configurationOf(found.template, issuer)?.scope !== undefined,
    );
  const other = asked.find(({ id }) => !isOfIt(parseConfigurationId(id)));
  if (other) throw refused(other.code, 'What is asked for together is of one version of one template');
  await requireUnpriced(database.kysely, templateId);
  return found.template;
}

/** The offer that the wallet came from, if any. What it names it by is not believed, but looked for. */
async function boundOffer(
  { database, clock }: AuthorizingParts,
  { did }: OpenidIssuer,
  {
    request: { issuerState },
    configurations,
  }: { readonly request: PushedRequest; readonly configurations: readonly string[] },
): Promise<string | null> {
  if (issuerState === undefined) return null;
  const offer = await findOfferByIssuerState(database.kysely, secretHash(issuerState));
  if (!offer || offer.issuer !== did || standardsStateAt(offer, clock.nowMs()) !== 'created')
    throw malformedAt('/issuer_state', 'names no offer that can be taken');
  const offered = configurationsOf(offer);
  if (configurations.some((one) => !offered.includes(one)))
    throw malformedAt('/issuer_state', 'names an offer of something else');
  return offer.id;
}

/** Strangers can push, so what waits is bounded: of a client, so that one leaves others room, and of an issuer. */
async function requireRoom(
  { database }: AuthorizingParts,
  { issuer, clientId, now }: { readonly issuer: string; readonly clientId: string; readonly now: number },
): Promise<void> {
  const { kysely } = database;
  const [ofClient, ofIssuer] = await Promise.all([
    countWaiting(kysely, { issuer, clientId, states: ['pushed'], now }),
    countWaiting(kysely, { issuer, states: ['pushed', 'begun', 'granted', 'denied'], now }),
  ]);
  if (ofClient >= limits.pushedPerClientMax || ofIssuer >= limits.waitingPerIssuerMax)
    throw new Fault('tooManyRequests', { retryAfterSeconds: limits.pushedSeconds });
}
