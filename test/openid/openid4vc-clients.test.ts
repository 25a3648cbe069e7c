/**
 * The public packages that many wallets are built upon, `@openid4vc/oauth2`, `openid4vci` and `openid4vp`, at every
 * endpoint that wallets call: what they refuse to read or to send would shut those wallets out.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, test } from 'node:test';
import {
  type ClientAuthenticationCallback,
  clientAuthenticationNone,
  fetchJwks,
  Oauth2Client,
  Oauth2ClientErrorResponseError,
} from '@openid4vc/oauth2';
import {
  extractScopesForCredentialConfigurationIds,
  type IssuerMetadataResult,
  Openid4vciClient,
  Openid4vciRetrieveCredentialsError,
  Openid4vciVersion,
} from '@openid4vc/openid4vci';
import { type CreateOpenid4vpAuthorizationResponseOptions, Openid4vpClient } from '@openid4vc/openid4vp';
import type { JsonObject } from '@symbolon/wire/json/json';
import { CompactEncrypt, compactDecrypt, compactVerify, importJWK, type JWK } from 'jose';
import { makeAuthority } from '../support/certificates.ts';
import { openBrowser, openLogin } from '../support/code-flow.ts';
import { openidIssuer } from '../support/openid-issuer.ts';
import { jwkSigner, openid4vcCallbacks } from '../support/openid4vc-callbacks.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { showCard } from '../support/raw-presenter.ts';
import { makeWalletKey, seconds, signToken, type WalletKey } from '../support/raw-wallet.ts';
import { startNode } from '../support/running-node.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { getService, postService } from '../support/service-http.ts';
import { fewValues, ok } from '../support/service-steps.ts';
import { registerCard, worldOf } from '../support/service-world.ts';

const owner = ownerOfSuite();
const publicUrl = 'https://issuer.example';
const loginHost = 'https://login.example';
const redirectUri = 'com.example.app:/cb';
const authority = makeAuthority('Test root');
const certificate = authority.issue('issuer.example', ['issuer.example']);
const client = makeWalletKey();
const dpopKey = makeWalletKey();
const holders = Array.from({ length: 3 }, makeWalletKey);
const keys = [client, dpopKey, ...holders];
const dpop = { signer: jwkSigner(dpopKey) };

let service: RunningService;
let acts: ReturnType<typeof openidIssuer>;
let place: Awaited<ReturnType<typeof openLogin>>;
let issuer: string;
let configuration: string;

const reach = (address: string): string =>
  address.replace(publicUrl, service.url).replace(loginHost, new URL(place.loginUrl).origin);

before(async () => {
  const clients: JsonObject[] = [
    { clientId: 'app', redirectUris: [redirectUri] },
    { clientId: 'known', redirectUris: [redirectUri], jwks: { keys: [client.jwk] } },
  ];
  const requestCertificate = { chain: `${certificate.cert}${authority.cert}`, key: certificate.key };
  const config = { publicUrl, openid: { clients, requestCertificate } };
  service = await startService(owner, {
    ...{ node: await startNode(owner), proofs: shareProofs(owner, 1), config },
  });
  const world = worldOf(service);
  const templateId = await registerCard(world, 'Field card');
  acts = openidIssuer(service.url, world.issuer, templateId);
  place = await openLogin(owner, service.url, world.issuer);
  ok(await place.set([templateId], `${loginHost}/login`));
  issuer = `${publicUrl}/oid4vci/${world.issuer.did.slice(-64)}`;
  configuration = `zid.${templateId.slice(-64)}.1.0.0.sd`;
});

/** Clients of all three packages, who are this or nobody. */
function clientsOf(clientAuthentication?: ClientAuthenticationCallback) {
  const order = { reach, keys, root: authority.cert };
  const callbacks = openid4vcCallbacks({ ...order, ...(clientAuthentication && { clientAuthentication }) });
  return {
    callbacks,
    vci: new Openid4vciClient({ callbacks }),
    oauth: new Oauth2Client({ callbacks }),
    vp: new Openid4vpClient({ callbacks }),
  };
}
type Clients = ReturnType<typeof clientsOf>;

/** `private_key_jwt`, which the packages leave to a callback. */
const keyed =
  (key: WalletKey = client): ClientAuthenticationCallback =>
  ({ authorizationServerMetadata: { issuer: aud }, body }) => {
    const claims = { iss: 'known', sub: 'known', aud, jti: randomUUID(), iat: seconds() };
    body.client_assertion = signToken({}, { ...claims, exp: seconds() + 60 }, key.key);
    body.client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
    body.client_id = 'known';
  };

async function proofsOf(
  { vci }: Clients,
  issuerMetadata: IssuerMetadataResult,
  { by = holders, clientId }: { readonly by?: readonly WalletKey[]; readonly clientId?: string } = {},
): Promise<{ jwt: [string, ...string[]] }> {
  const { c_nonce: nonce } = await vci.requestNonce({ issuerMetadata });
  const order = { issuerMetadata, nonce, credentialConfigurationId: configuration };
  const jwts = by.map(async (key) => {
    const named = { ...order, signer: jwkSigner(key), ...(clientId !== undefined && { clientId }) };
    return (await vci.createCredentialRequestJwtProof(named)).jwt;
  });
  return { jwt: (await Promise.all(jwts)) as [string, ...string[]] };
}

/** Signed by the issuer, and for these keys in turn. */
async function checkCredentials(
  { callbacks }: Clients,
  { authorizationServers: [server] }: IssuerMetadataResult,
  given: unknown,
): Promise<readonly string[]> {
  const { keys: published } = await fetchJwks(server?.jwks_uri as string, callbacks.fetch);
  const credentials = (given as { credential: string }[]).map(({ credential }) => credential);
  for (const [index, credential] of credentials.entries()) {
    const [token = ''] = credential.split('~');
    const { kid } = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as JWK;
    const key = published.find((one) => one.kid === kid) as JWK;
    const { payload } = await compactVerify(token, await importJWK(key, 'ES256'));
    const { iss, cnf } = JSON.parse(Buffer.from(payload).toString()) as { iss: string; cnf: { jwk: JWK } };
    assert.deepEqual([iss, cnf.jwk.x], [issuer, holders[index]?.jwk.x]);
  }
  return credentials;
}

async function openOffer(clients: Clients, link: string) {
  const credentialOffer = await clients.vci.resolveCredentialOffer(link);
  const issuerMetadata = await clients.vci.resolveIssuerMetadata(credentialOffer.credential_issuer);
  return { credentialOffer, issuerMetadata };
}

/** An offer without a transaction code, and a token for it. */
async function taken(clients: Clients, more: object = {}, isSigned = true) {
  const order = { txCode: false, ...more };
  const offer = isSigned ? await acts.offer(order) : await acts.make(order);
  const opened = await openOffer(clients, offer.link);
  const got = await clients.vci.retrievePreAuthorizedCodeAccessTokenFromOffer({ ...opened, dpop });
  return { ...opened, offer, accessToken: got.accessTokenResponse.access_token };
}

const isOauthError = (error: string) => (thrown: unknown) => {
  assert.ok(thrown instanceof Oauth2ClientErrorResponseError, String(thrown));
  assert.equal(thrown.errorResponse.error, error);
  return true;
};

describe('what issuers publish', () => {
  test('is read in clear and signed, with all that a login takes', async () => {
    const { callbacks, vci, oauth } = clientsOf();
    // The packages leave what is accepted to whoever fetches.
    const get: typeof fetch = (url, init) =>
      fetch(reach(String(url)), { ...init, headers: { accept: 'application/jwt, application/json' } });
    const asking = new Openid4vciClient({ callbacks: { ...callbacks, fetch: get } });
    const signed = await asking.resolveIssuerMetadata(issuer);
    assert.equal(signed.signedCredentialIssuer?.jwt.header.typ, 'openidvci-issuer-metadata+jwt');
    assert.ok(signed.signedCredentialIssuer.signer.publicJwk);
    const clear = await vci.resolveIssuerMetadata(issuer);
    assert.equal(clear.signedCredentialIssuer, undefined);
    for (const read of [signed, clear]) {
      assert.equal(read.originalDraftVersion, Openid4vciVersion.V1);
      assert.equal(read.credentialIssuer.credential_issuer, issuer);
      assert.equal(read.knownCredentialConfigurations[configuration]?.format, 'dc+sd-jwt');
    }
    const server = await oauth.fetchAuthorizationServerMetadata(issuer);
    assert.ok(server);
    assert.deepEqual(clear.authorizationServers, [server]);
    assert.deepEqual(oauth.isDpopSupported({ authorizationServerMetadata: server }), {
      supported: true,
      dpopSigningAlgValuesSupported: server.dpop_signing_alg_values_supported,
    });
    assert.equal(server.require_pushed_authorization_requests, true);
  });
});

describe('the pre-authorized code', () => {
  test('with a transaction code and DPoP: a batch at once, and what became of it', async () => {
    const clients = clientsOf();
    const { vci } = clients;
    const offer = await acts.offer();
    const opened = await openOffer(clients, offer.link);
    const redeem = (txCode: string) =>
      vci.retrievePreAuthorizedCodeAccessTokenFromOffer({ ...opened, txCode, dpop });
    const wrong = offer.txCode === '000000' ? '000001' : '000000';
    await assert.rejects(redeem(wrong), isOauthError('invalid_grant'));
    const { accessTokenResponse, dpop: later } = await redeem(offer.txCode as string);
    assert.equal(accessTokenResponse.token_type, 'DPoP');
    const { issuerMetadata } = opened;
    const shown = { issuerMetadata, accessToken: accessTokenResponse.access_token, dpop: later ?? dpop };
    const order = { ...shown, credentialConfigurationId: configuration };
    const { credentialResponse } = await vci.retrieveCredentials({
      ...order,
      proofs: await proofsOf(clients, issuerMetadata),
    });
    const credentials = await checkCredentials(clients, issuerMetadata, credentialResponse.credentials);
    assert.equal(credentials.length, holders.length);
    const notificationId = credentialResponse.notification_id as string;
    for (const event of ['credential_accepted', 'credential_deleted'] as const) {
      assert.equal((await acts.state(offer)).state, event === 'credential_accepted' ? 'issued' : 'accepted');
      const told = await vci.sendNotification({ ...shown, notification: { notificationId, event } });
      assert.equal(told.response.status, 204);
    }
    assert.equal((await acts.state(offer)).state, 'deleted');
  });

  test('later, where the issuer has not signed yet', async () => {
    const clients = clientsOf();
    const { offer, issuerMetadata, accessToken } = await taken(clients, {}, false);
    const shown = { issuerMetadata, accessToken, dpop };
    const { credentialResponse } = await clients.vci.retrieveCredentials({
      ...{ ...shown, credentialConfigurationId: configuration },
      proofs: await proofsOf(clients, issuerMetadata),
    });
    const transactionId = credentialResponse.transaction_id as string;
    const again = () => clients.vci.retrieveDeferredCredentials({ ...shown, transactionId });
    const waiting = (await again()).deferredCredentialResponse;
    assert.deepEqual([waiting.transaction_id, waiting.credentials], [transactionId, undefined]);
    ok(await acts.sign(offer));
    const { deferredCredentialResponse } = await again();
    await checkCredentials(clients, issuerMetadata, deferredCredentialResponse.credentials);
  });

  test('as a Bearer token, and every refusal is one that they read', async () => {
    const clients = clientsOf();
    const opened = await openOffer(clients, (await acts.offer({ txCode: false })).link);
    const got = await clients.vci.retrievePreAuthorizedCodeAccessTokenFromOffer(opened);
    assert.equal(got.accessTokenResponse.token_type, 'Bearer');
    const { issuerMetadata } = opened;
    const ask = (accessToken: string, jwt: readonly string[]) =>
      clients.vci.retrieveCredentials({
        ...{ issuerMetadata, accessToken, credentialConfigurationId: configuration },
        proofs: { jwt: jwt as [string, ...string[]] },
      });
    const { jwt } = await proofsOf(clients, issuerMetadata);
    const token = got.accessTokenResponse.access_token;
    const refused = (check: (thrown: Openid4vciRetrieveCredentialsError) => unknown) => (thrown: unknown) => {
      assert.ok(thrown instanceof Openid4vciRetrieveCredentialsError, String(thrown));
      check(thrown);
      return true;
    };
    const stale = signToken(
      { typ: 'openid4vci-proof+jwt', jwk: holders[0]?.jwk },
      { aud: issuer, iat: seconds(), nonce: 'A'.repeat(43) },
      (holders[0] as WalletKey).key,
    );
    const isError = (error: string) =>
      refused(({ response: { credentialErrorResponseResult: read } }) =>
        assert.equal(read?.success && read.data.error, error),
      );
    await assert.rejects(ask(token, [stale]), isError('invalid_nonce'));
    await assert.rejects(ask(token, [`${jwt[0].slice(0, -8)}AAAAAAAA`]), isError('invalid_proof'));
    await assert.rejects(
      ask(`${token}x`, jwt),
      refused(({ response }) => {
        assert.equal(response.response.status, 401);
        assert.ok(response.wwwAuthenticate?.some(({ scheme }) => scheme === 'Bearer'));
      }),
    );
    const { credentialResponse } = await ask(token, jwt);
    await checkCredentials(clients, issuerMetadata, credentialResponse.credentials);
  });

  test('of a client that shows who it is by its key, and of nobody in its name', async () => {
    const clients = clientsOf(keyed());
    const { issuerMetadata, accessToken } = await taken(clients);
    const { credentialResponse } = await clients.vci.retrieveCredentials({
      ...{ issuerMetadata, accessToken, dpop, credentialConfigurationId: configuration },
      proofs: await proofsOf(clients, issuerMetadata, { clientId: 'known' }),
    });
    await checkCredentials(clients, issuerMetadata, credentialResponse.credentials);
    await assert.rejects(taken(clientsOf(keyed(dpopKey))), isOauthError('invalid_client'));
  });
});

/** The browser of somebody who logs in; where it is sent in the end. */
async function logIn(url: string): Promise<string> {
  const browser = openBrowser();
  let next = url;
  while (next.startsWith('https://')) next = (await browser.visit(reach(next))).location;
  assert.ok(next.startsWith(redirectUri), next);
  return next;
}

describe('the authorization code', () => {
  test('of an offer, by a public client with DPoP', async () => {
    const clients = clientsOf(clientAuthenticationNone({ clientId: 'app' }));
    const offer = await acts.offer({ login: true });
    const { vci } = clients;
    const opened = await openOffer(clients, offer.link);
    const { issuerMetadata } = opened;
    const scope = (
      extractScopesForCredentialConfigurationIds({
        credentialConfigurationIds: [configuration],
        issuerMetadata,
      }) ?? []
    ).join(' ');
    const begun = await vci.initiateAuthorization({
      ...{ ...opened, clientId: 'app', redirectUri, scope, dpop },
    });
    assert.ok('authorizationRequestUrl' in begun);
    const asked = new URL(begun.authorizationRequestUrl);
    assert.deepEqual([...asked.searchParams.keys()].toSorted(), ['client_id', 'request_uri']);
    place.decision = { metadata: undefined, validUntil: undefined };
    const url = await logIn(begun.authorizationRequestUrl);
    place.decision = {};
    const [authorizationServerMetadata] = issuerMetadata.authorizationServers;
    assert.ok(authorizationServerMetadata);
    const answer = vci.parseAndVerifyAuthorizationResponseRedirectUrl({ url, authorizationServerMetadata });
    const { accessTokenResponse } = await vci.retrieveAuthorizationCodeAccessTokenFromOffer({
      ...{ ...opened, redirectUri, dpop },
      authorizationCode: answer.code as string,
      ...(begun.pkce && { pkceCodeVerifier: begun.pkce.codeVerifier }),
    });
    const { credentialResponse } = await vci.retrieveCredentials({
      ...{ issuerMetadata, dpop, credentialConfigurationId: configuration },
      accessToken: accessTokenResponse.access_token,
      proofs: await proofsOf(clients, issuerMetadata, { clientId: 'app' }),
    });
    await checkCredentials(clients, issuerMetadata, credentialResponse.credentials);
    assert.equal((await acts.state(offer)).state, 'issued');
  });

  test('without an offer, by a client with a key and by details; or not at all', async () => {
    const clients = clientsOf(keyed());
    const { vci, oauth } = clients;
    const issuerMetadata = await vci.resolveIssuerMetadata(issuer);
    const [authorizationServerMetadata] = issuerMetadata.authorizationServers;
    assert.ok(authorizationServerMetadata);
    const details = [{ type: 'openid_credential', credential_configuration_id: configuration }];
    const begin = () =>
      oauth.initiateAuthorization({
        ...{ authorizationServerMetadata, clientId: 'known', redirectUri, state: 'mine' },
        additionalRequestPayload: { authorization_details: details },
      });
    const { authorizationRequestUrl, pkce } = await begin();
    assert.ok(pkce);
    const url = await logIn(authorizationRequestUrl);
    const { code, state } = vci.parseAndVerifyAuthorizationResponseRedirectUrl({
      ...{ url, authorizationServerMetadata },
    });
    assert.equal(state, 'mine');
    const redeem = (pkceCodeVerifier: string) =>
      oauth.retrieveAuthorizationCodeAccessToken({
        ...{ authorizationServerMetadata, authorizationCode: code as string, redirectUri, pkceCodeVerifier },
      });
    await assert.rejects(redeem('A'.repeat(43)), isOauthError('invalid_grant'));
    const { accessTokenResponse } = await redeem(pkce.codeVerifier);
    const [granted] = accessTokenResponse.authorization_details as JsonObject[];
    const [credential_identifier] = (granted as JsonObject).credential_identifiers as string[];
    const proofs = await proofsOf(clients, issuerMetadata, { clientId: 'known' });
    const { response } = await oauth.resourceRequest({
      ...{ url: issuerMetadata.credentialIssuer.credential_endpoint, callbacks: clients.callbacks },
      accessToken: accessTokenResponse.access_token,
      requestOptions: {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ credential_identifier, proofs }),
      },
    });
    const { credentials } = (await response.json()) as JsonObject;
    await checkCredentials(clients, issuerMetadata, credentials);

    place.decision = { decision: 'deny', metadata: undefined, validUntil: undefined };
    const denied = await logIn((await begin()).authorizationRequestUrl);
    place.decision = {};
    const refusal = vci.parseAndVerifyAuthorizationResponseRedirectUrl({
      ...{ url: denied, authorizationServerMetadata },
    });
    assert.deepEqual([refusal.error, refusal.code], ['access_denied', undefined]);
  });
});

test('a request that is encrypted has an answer that is, too', async () => {
  const clients = clientsOf();
  const { issuerMetadata, accessToken } = await taken(clients);
  const own = makeWalletKey();
  const { credential_request_encryption: offered } = issuerMetadata.credentialIssuer as unknown as {
    credential_request_encryption: { jwks: { keys: [JWK] } };
  };
  const [to] = offered.jwks.keys;
  const order = {
    credential_configuration_id: configuration,
    proofs: await proofsOf(clients, issuerMetadata),
    credential_response_encryption: { jwk: { ...own.jwk, alg: 'ECDH-ES', kid: 'mine' }, enc: 'A256GCM' },
  };
  const body = await new CompactEncrypt(Buffer.from(JSON.stringify(order)))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A128GCM', kid: to.kid as string })
    .encrypt(await importJWK(to, 'ECDH-ES'));
  const { ok: isGood, response } = await clients.oauth.resourceRequest({
    ...{ url: issuerMetadata.credentialIssuer.credential_endpoint, callbacks: clients.callbacks },
    ...{ accessToken, dpop },
    requestOptions: { method: 'POST', headers: { 'Content-Type': 'application/jwt' }, body },
  });
  const text = await response.text();
  assert.ok(isGood, text);
  const { plaintext } = await compactDecrypt(text, own.key);
  const { credentials } = JSON.parse(Buffer.from(plaintext).toString()) as JsonObject;
  await checkCredentials(clients, issuerMetadata, credentials);
});

describe('presenting', () => {
  const enc = ['A256GCM', 'A128GCM'];
  const jarm: NonNullable<CreateOpenid4vpAuthorizationResponseOptions['jarm']> = {
    encryption: { nonce: 'nothing' },
    serverMetadata: {
      authorization_signing_alg_values_supported: [],
      authorization_encryption_alg_values_supported: ['ECDH-ES'],
      authorization_encryption_enc_values_supported: enc,
    },
  };
  let card: string;

  before(async () => {
    const clients = clientsOf();
    const { issuerMetadata, accessToken } = await taken(clients);
    const { credentialResponse } = await clients.vci.retrieveCredentials({
      ...{ issuerMetadata, accessToken, dpop, credentialConfigurationId: configuration },
      proofs: await proofsOf(clients, issuerMetadata),
    });
    [card] = (await checkCredentials(clients, issuerMetadata, credentialResponse.credentials)) as [string];
  });

  const ask = async (more: JsonObject): Promise<{ id: string; link: string }> => {
    const { vct } = JSON.parse(Buffer.from(card.split('.')[1] ?? '', 'base64url').toString()) as JsonObject;
    const query = { id: 'card', format: 'dc+sd-jwt', meta: { vct_values: [vct] } };
    const dcqlQuery = { credentials: [{ ...query, claims: [{ path: ['fullName'] }] }] };
    const body = { dcqlQuery, ...more } as JsonObject;
    const made = ok(await postService(service.url, '/cred/v1/oid4vp/requests', body, service.verifier));
    return { id: String(made.id), link: String(made.request) };
  };

  const methods = { x509_hash: 'x5c', x509_san_dns: 'x5c', decentralized_identifier: 'did' } as const;
  for (const [clientIdPrefix, method] of Object.entries(methods))
    for (const responseMode of ['direct_post', 'direct_post.jwt'])
      for (const requestUriMethod of ['get', 'post'])
        test(`${clientIdPrefix}, ${requestUriMethod}, ${responseMode}`, async () => {
          const { vp } = clientsOf();
          const { id, link } = await ask({ clientIdPrefix, responseMode, requestUriMethod });
          const { params } = vp.parseOpenid4vpAuthorizationRequest({ authorizationRequest: link });
          const resolved = await vp.resolveOpenId4vpAuthorizationRequest({
            authorizationRequestPayload: params,
          });
          const { authorizationRequestPayload: request, jar, client: asking, version } = resolved;
          assert.deepEqual([asking.prefix, jar?.signer.method, version], [clientIdPrefix, method, 100]);
          assert.ok(resolved.dcql);
          const presented = showCard(card, {
            ...{ claims: ['fullName'], key: holders[0] as WalletKey },
            request: request as unknown as JsonObject,
          });
          const { authorizationResponsePayload, jarm: sealed } =
            await vp.createOpenid4vpAuthorizationResponse({
              authorizationRequestPayload: request,
              authorizationResponsePayload: { vp_token: { card: [presented] } },
              ...(responseMode === 'direct_post.jwt' && { jarm }),
            });
          assert.equal(sealed !== undefined, responseMode === 'direct_post.jwt');
          const { response } = await vp.submitOpenid4vpAuthorizationResponse({
            authorizationRequestPayload: request as { response_uri: string },
            authorizationResponsePayload,
            ...(sealed && { jarm: sealed }),
          });
          assert.equal(response.status, 200, await response.clone().text());
          const path = `/cred/v1/oid4vp/requests/${id}`;
          const { status, result } = ok(await getService(service.url, path, service.verifier));
          assert.equal(status, 'VERIFIED');
          const told = JSON.parse((result as JsonObject).signedResult as string) as JsonObject;
          assert.deepEqual(told.verifiedClaims, { fullName: fewValues.fullName });
        });

  test('with a transaction to agree to, which they read', async () => {
    const { vp } = clientsOf();
    const more = { transactionData: [{ type: 'payment', credential_ids: ['card'], amount: '5' }] };
    const { link } = await ask({ ...more, responseMode: 'direct_post' });
    const { params } = vp.parseOpenid4vpAuthorizationRequest({ authorizationRequest: link });
    const { transactionData } = await vp.resolveOpenId4vpAuthorizationRequest({
      authorizationRequestPayload: params,
    });
    assert.deepEqual(
      transactionData?.map((one) => one.transactionData),
      more.transactionData,
    );
  });
});
