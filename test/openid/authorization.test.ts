/**
 * Credentials for people who log in at the issuer's place, with a real service, a wallet, a browser and a login page over
 * HTTP alone: by scope, by details and from an offer, later, and not at all; a code is good once, for whom it was given.
 */
import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { openidIssuanceLimits as limits } from '@symbolon/credential-service/limits/openid-limits';
import type { JsonObject } from '@symbolon/wire/json/json';
import { openidAuthorizationRoutes } from '@symbolon/wire/openid/authorization-routes';
import { codeFlowPaths, openBrowser } from '../support/code-flow.ts';
import {
  assertRefused,
  type CodeFlowWorld,
  claimsIn,
  desktopClient,
  keyedClient,
  makeCodeFlowWorld,
  tokenIn,
} from '../support/code-flow-world.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { dpopProof, getDocument, makeWalletKey, offerUriOf } from '../support/raw-wallet.ts';
import { getService, outcomeOf, postService } from '../support/service-http.ts';
import { fewValues, ok } from '../support/service-steps.ts';

const owner = ownerOfSuite();
let site: CodeFlowWorld;
let service: CodeFlowWorld['service'];
let world: CodeFlowWorld['world'];
let acts: CodeFlowWorld['acts'];
let place: CodeFlowWorld['place'];
let templateId: CodeFlowWorld['templateId'];
let otherTemplateId: CodeFlowWorld['otherTemplateId'];
let issuer: CodeFlowWorld['issuer'];
let configuration: CodeFlowWorld['configuration'];
let walletOf: CodeFlowWorld['walletOf'];
let knownWallet: CodeFlowWorld['knownWallet'];

before(async () => {
  site = await makeCodeFlowWorld(owner);
  ({
    service,
    world,
    acts,
    place,
    templateId,
    otherTemplateId,
    issuer,
    configuration,
    walletOf,
    knownWallet,
  } = site);
});
beforeEach(() => {
  place.decision = {};
  site.time.skippedMs = 0;
});

const serverMetadata = async (): Promise<JsonObject> => {
  const path = issuer.slice(service.url.length);
  return (await getDocument(`${service.url}/.well-known/oauth-authorization-server${path}`)).body;
};

describe('an issuer with a login', () => {
  test('says so in its metadata, and only as long as it has one', async () => {
    const members = {
      response_types_supported: ['code'],
      authorization_endpoint: `${issuer}/authorize`,
      pushed_authorization_request_endpoint: `${issuer}/par`,
      require_pushed_authorization_requests: true,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    };
    const metadata = await serverMetadata();
    for (const [name, value] of Object.entries(members)) assert.deepEqual(metadata[name], value, name);
    assert.ok((metadata.grant_types_supported as string[]).includes('authorization_code'));
    assert.deepEqual((metadata.scopes_supported as string[]).includes(configuration), true);
    assert.ok(
      !(metadata.scopes_supported as string[]).some((one) => one.includes(otherTemplateId.slice(-64))),
    );
    for (const name of ['pushOpenidAuthorization', 'beginOpenidAuthorization'] as const)
      assert.ok(
        Object.values(metadata).includes(
          `${service.url}${openidAuthorizationRoutes[name].path.replace(':issuer', issuer.slice(-64))}`,
        ),
      );

    const address = await walletOf().pushed();
    assert.deepEqual(ok(await place.remove()), { templateIds: [] });
    const without = await serverMetadata();
    for (const name of Object.keys(members).slice(1)) assert.equal(without[name], undefined, name);
    assert.deepEqual(without.grant_types_supported, ['urn:ietf:params:oauth:grant-type:pre-authorized_code']);
    assertRefused(await walletOf().push(), 'unauthorized_client', /log in/);
    const landing = await openBrowser().visit(address);
    assert.match(landing.location, /^com\.example\.app:\/cb\?error=unauthorized_client&.*state=.*&iss=/);
    assert.equal((await acts.post({ login: true })).status, 400, 'nor can an offer be made for it');
    ok(await place.set([templateId]));
    const { loginUrl, templateIds } = ok(await getService(service.url, codeFlowPaths.login, world.issuer));
    assert.deepEqual([loginUrl, templateIds], [place.loginUrl, [templateId]]);
  });

  test('has pages over https, or of this machine in a demo, and templates of its own', async () => {
    for (const wrong of [
      'http://issuer.example/',
      'javascript:alert(1)',
      'https://a:b@issuer.example/',
      'login',
    ])
      assert.equal(outcomeOf(await place.set([templateId], wrong)), '400 requestMalformed', wrong);
    assert.equal(outcomeOf(await place.set([])), '400 requestMalformed');
    assert.equal(outcomeOf(await place.set([`did:zid:${'0'.repeat(64)}`])), '404 templateUnknown');
    const login = { loginUrl: 'https://issuer.example/', templateIds: [templateId] };
    const stranger = await postService(service.url, codeFlowPaths.login, login, world.holder);
    assert.equal(stranger.status >= 400, true);
  });
});

describe('whoever logs in', () => {
  test('gets the credential that the wallet asked for by its scope', async () => {
    const wallet = walletOf();
    const browser = openBrowser();
    const code = await wallet.code({}, browser);
    assert.equal(browser.cookies.size, 0, 'the cookie is taken away');
    const answer = await wallet.redeem(code);
    assert.equal(answer.body.authorization_details, undefined);
    const token = tokenIn(answer);
    const holder = makeWalletKey();
    const asked = await wallet.named([holder]);
    const claims = claimsIn(await wallet.ask(token, asked));
    assert.equal(claims.iss, issuer);
    assert.equal(((claims.cnf as JsonObject).jwk as JsonObject).x, holder.jwk.x);
    const { offers } = await service.issuer.client.listOpenidOffers({ order: 'newest' });
    const [{ offerId, state, status, isByLogin, hasTxCode }] = offers;
    assert.deepEqual([state, status, isByLogin, hasTxCode], ['issued', 'Issued', true, false]);
    assert.deepEqual(offers[0].configurations, [configuration]);
    assert.equal((await acts.state({ offerId })).isByLogin, true);
  });

  test('gets it by details, which the token has identifiers for', async () => {
    const wallet = knownWallet();
    const details = [{ type: 'openid_credential', credential_configuration_id: configuration, extra: 1 }];
    const code = await wallet.code({ scope: undefined, authorization_details: JSON.stringify(details) });
    const answer = await wallet.redeem(code);
    const token = tokenIn(answer);
    const [{ credential_identifiers: names }] = answer.body.authorization_details as JsonObject[];
    const sent = { credential_configuration_id: undefined, credential_identifier: (names as string[])[0] };
    assertRefused(
      await wallet.ask(token, await wallet.named([makeWalletKey()])),
      'invalid_credential_request',
    );
    assert.equal(claimsIn(await wallet.ask(token, await wallet.named([makeWalletKey()]), sent)).iss, issuer);
  });

  test('gets what was offered beforehand, where the wallet comes from an offer', async () => {
    const offer = await acts.offer({ login: true });
    assert.equal(offer.txCode, undefined);
    const { body } = await getDocument(offerUriOf(offer.link));
    assert.deepEqual(body, offer.made.offer);
    const { grants } = body as { grants: { authorization_code: { issuer_state: string } } };
    assert.deepEqual(Object.keys(grants), ['authorization_code'], 'no code stands in it');
    const { issuer_state } = grants.authorization_code;
    assert.equal((await acts.post({ login: true, txCode: true })).status, 400);
    place.decision = { metadata: undefined, validUntil: undefined };
    const wallet = walletOf(desktopClient);
    const browser = openBrowser();
    const landing = await browser.visit(await wallet.pushed({ issuer_state }));
    const reference = new URL(landing.location).searchParams.get('reference') as string;
    const { offerId, templateId: asked, clientId } = ok(await place.read(reference));
    assert.deepEqual([offerId, asked, clientId], [offer.offerId, templateId, 'desktop']);
    const surplus = await place.confirm(reference, { metadata: fewValues, validUntil: '2099-12-31' });
    assert.equal(outcomeOf(surplus), '400 requestMalformed');
    const { continueUrl, vcId, ed25519Blob } = ok(await place.confirm(reference));
    assert.deepEqual([vcId, ed25519Blob], [offer.vcId, undefined], 'it was signed when it was offered');
    const { code } = wallet.answer(await browser.visit(String(continueUrl)));
    const token = tokenIn(await wallet.redeem(code));
    claimsIn(await wallet.ask(token, await wallet.named([makeWalletKey()])));
    assert.equal((await acts.state(offer)).state, 'issued');
    assertRefused(await walletOf().push({ issuer_state }), 'invalid_request', /issuer_state/);
  });

  test('waits where the issuer has not signed yet, and gets nothing that it takes back', async () => {
    const begun = async () => {
      const wallet = walletOf();
      const browser = openBrowser();
      const { location } = await browser.visit(await wallet.pushed());
      const reference = new URL(location).searchParams.get('reference') as string;
      const decided = ok(await place.confirm(reference));
      const { code } = wallet.answer(await browser.visit(String(decided.continueUrl)));
      return { wallet, decided, code };
    };
    const { wallet, decided, code } = await begun();
    const token = tokenIn(await wallet.redeem(code));
    const asked = await wallet.named([makeWalletKey()]);
    const { status, body } = await wallet.ask(token, asked);
    assert.equal(status, 202);
    ok(await place.sign(decided));
    claimsIn(await wallet.askLater(token, body.transaction_id));
    const other = await begun();
    ok(await acts.reject({ offerId: other.decided.offerId as string }));
    assert.equal((await acts.state({ offerId: other.decided.offerId as string })).state, 'withdrawn');
    assertRefused(await other.wallet.redeem(other.code), 'invalid_grant', /unknown, used or expired/);
  });

  test('is sent back without a code where the issuer denies', async () => {
    place.decision = { decision: 'deny', metadata: undefined, validUntil: undefined };
    const wallet = walletOf();
    const before = await service.issuer.client.listOpenidOffers({ order: 'newest' });
    const answer = wallet.answer(await openBrowser().follow(await wallet.pushed()));
    assert.deepEqual(answer, { error: 'access_denied', state: wallet.state, iss: issuer });
    const after = await service.issuer.client.listOpenidOffers({ order: 'newest' });
    assert.deepEqual(after.offers[0], before.offers[0], 'nothing was offered');
  });
});

describe('a code', () => {
  test('is good for its client, its address, its secret and its key alone', async () => {
    const wallet = walletOf();
    const code = await wallet.code();
    assertRefused(await wallet.redeem(code, { client_id: 'desktop' }), 'invalid_grant', /another client/);
    assertRefused(await wallet.redeem(code, { client_id: undefined }), 'invalid_grant', /another client/);
    assertRefused(
      await wallet.redeem(code, { client_id: keyedClient.clientId }),
      'invalid_client',
      /assertion/,
    );
    const other = 'com.example.app:/other';
    assertRefused(await wallet.redeem(code, { redirect_uri: other }), 'invalid_grant', /redirect_uri/);
    assertRefused(await wallet.redeem(code, { redirect_uri: undefined }), 'invalid_request', /redirect_uri/);
    assertRefused(
      await wallet.redeem(code, { code_verifier: undefined }),
      'invalid_request',
      /code_verifier/,
    );
    assertRefused(
      await wallet.redeem(code, { code_verifier: 'A'.repeat(43) }),
      'invalid_grant',
      /code_verifier/,
    );
    assertRefused(await wallet.redeem('A'.repeat(43)), 'invalid_grant', /unknown/);
    const posed = {
      grant_type: 'urn:ietf:params:oauth:grant-type:pre-authorized_code',
      'pre-authorized_code': code,
    };
    assertRefused(await wallet.redeem(code, posed), 'invalid_grant', /unknown/);
    const strange = JSON.stringify([{ type: 'openid_credential', credential_configuration_id: 'x' }]);
    assertRefused(
      await wallet.redeem(code, { authorization_details: strange }),
      'invalid_authorization_details',
      /./,
    );
    tokenIn(await wallet.redeem(code));
  });

  test('is bound to a key that was named, or shown, when it was asked for', async () => {
    const dpop = makeWalletKey();
    const wallet = walletOf({ dpop });
    const proof = { dpop: dpopProof(dpop, { url: wallet.at('par') }) };
    const { body } = await wallet.push({}, proof);
    const { code } = wallet.answer(await openBrowser().follow(wallet.address(body.request_uri)));
    assertRefused(await wallet.redeem(code, {}, makeWalletKey()), 'invalid_dpop_proof', /another DPoP key/);
    assert.equal((await wallet.redeem(code)).body.token_type, 'DPoP');
  });

  test('is good for a minute', async () => {
    const wallet = walletOf();
    const code = await wallet.code();
    site.time.skippedMs = limits.authorizationCodeSeconds * 1_000 + 1;
    assertRefused(await wallet.redeem(code), 'invalid_grant', /expired/);
  });

  test('that comes again ends the token that it was good for', async () => {
    const wallet = walletOf();
    const code = await wallet.code();
    const token = tokenIn(await wallet.redeem(code));
    const holder = await wallet.named([makeWalletKey()]);
    const first = await wallet.ask(token, holder);
    claimsIn(first);
    assertRefused(
      await wallet.redeem(code, { code_verifier: 'A'.repeat(43) }),
      'invalid_grant',
      /code_verifier/,
    );
    assert.deepEqual((await wallet.ask(token, holder)).body, first.body, 'nobody ends it without the secret');
    assertRefused(await wallet.redeem(code), 'invalid_grant', /used/);
    assertRefused(await wallet.ask(token, holder), 'invalid_token', /revoked/, 401);
    assertRefused(await wallet.redeem(code), 'invalid_grant', /used/);
  });

  test('gives the same token again while nobody knows whether the answer came', async () => {
    const wallet = walletOf();
    const code = await wallet.code();
    const token = tokenIn(await wallet.redeem(code));
    const { kysely } = service.served.parts.database;
    await kysely.updateTable('openidGrants').set({ answeredAt: null }).execute();
    assert.equal(tokenIn(await wallet.redeem(code)), token);
    claimsIn(await wallet.ask(token, await wallet.named([makeWalletKey()])));
  });

  test('of twenty who redeem it at once with their own keys one does', async () => {
    const wallet = walletOf();
    const code = await wallet.code();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => wallet.redeem(code, {}, makeWalletKey())),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    for (const one of answers) if (one.status !== 200) assertRefused(one, 'invalid_grant');
  });

  test('of twenty who redeem it at once with one key gives one token, and that one credential and one entry', async () => {
    const { kysely } = service.served.parts.database;
    const entries = async (): Promise<number> => {
      const rows = await kysely
        .selectFrom('openidDatasets')
        .where('state', '=', 'issued')
        .select('vcId')
        .execute();
      return rows.length;
    };
    const before = await entries();
    const raced = walletOf();
    const code = await raced.code();
    const answers = await Promise.all(Array.from({ length: 20 }, () => raced.redeem(code)));
    const good = answers.filter(({ status }) => status === 200);
    assert.ok(good.length > 0);
    for (const one of answers) if (one.status !== 200) assertRefused(one, 'invalid_grant');
    assert.equal(new Set(good.map(({ body }) => body.access_token)).size, 1);
    const got = await raced.ask(tokenIn(good[0]), await raced.named([makeWalletKey()]));
    // Whoever comes after an answer that got through ends the token.
    if (good.length < answers.length) assertRefused(got, 'invalid_token', /revoked/, 401);
    else claimsIn(got);
    const between = await entries();
    assert.equal(between - before, good.length < answers.length ? 0 : 1);

    const wallet = walletOf();
    const token = tokenIn(await wallet.redeem(await wallet.code()));
    const asked = await wallet.named([makeWalletKey()]);
    const given = await Promise.all(Array.from({ length: 20 }, () => wallet.ask(token, asked)));
    for (const one of given) assert.deepEqual([one.status, one.body], [200, given[0].body]);
    assert.equal((await entries()) - between, 1);
  });

  test('of a later login for the same offer is the one that counts', async () => {
    const offer = await acts.offer({ login: true });
    const { grants } = offer.made.offer as { grants: { authorization_code: { issuer_state: string } } };
    place.decision = { metadata: undefined, validUntil: undefined };
    const [earlier, later] = [walletOf(), walletOf()];
    const first = await earlier.code(grants.authorization_code);
    const second = await later.code(grants.authorization_code);
    assertRefused(await earlier.redeem(first), 'invalid_grant', /unknown, used or expired/);
    tokenIn(await later.redeem(second));
  });
});

test('nothing that is good for something stands in the log', async () => {
  const wallet = walletOf();
  const browser = openBrowser();
  const pushed = await wallet.push();
  const { location } = await browser.visit(wallet.address(pushed.body.request_uri));
  const reference = new URL(location).searchParams.get('reference') as string;
  const cookies = [...browser.cookies.values()];
  const { continueUrl } = ok(await place.confirm(reference));
  const { code } = wallet.answer(await browser.visit(String(continueUrl)));
  const token = tokenIn(await wallet.redeem(code));
  const ticket = String(continueUrl).split('/').at(-1) as string;
  const secrets = [...cookies, reference, ticket, code, token, wallet.verifier, wallet.state];
  const log = service.logged();
  for (const secret of [...secrets, String(pushed.body.request_uri)]) {
    assert.ok(secret.length >= 43);
    assert.ok(!log.includes(secret));
  }
});
