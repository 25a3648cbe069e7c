/**
 * Credentials for people who log in at the issuer's place, with a real service, a wallet, a browser and a login page over
 * HTTP alone: by scope, by details and from an offer; what is wrong is refused by its name, and secrets are good once.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, beforeEach, describe, test } from 'node:test';
import { openidIssuanceLimits as limits } from '@symbolon/credential-service/limits/openid-limits';
import type { Clock } from '@symbolon/host/work/clock';
import type { JsonObject } from '@symbolon/wire/json/json';
import { openidAuthorizationRoutes } from '@symbolon/wire/openid/authorization-routes';
import {
  type CodeWalletOrder,
  codeFlowPaths,
  codeWallet,
  openBrowser,
  openLogin,
} from '../support/code-flow.ts';
import { openidIssuer } from '../support/openid-issuer.ts';
import { ownerOfSuite } from '../support/owner.ts';
import {
  dpopProof,
  getDocument,
  makeWalletKey,
  offerUriOf,
  seconds,
  signToken,
  type WalletAnswer,
} from '../support/raw-wallet.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { getService, outcomeOf, postService } from '../support/service-http.ts';
import { fewValues, ok } from '../support/service-steps.ts';
import { registerCard, worldOf } from '../support/service-world.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner, 1);
let skippedMs = 0;
const clock: Clock = {
  nowMs: () => Date.now() + skippedMs,
  nowMicros: () => BigInt(Date.now() + skippedMs) * 1_000n,
};

const key = makeWalletKey();
const app = { clientId: 'app', redirectUri: 'com.example.app:/cb' };
const desktop = { clientId: 'desktop', redirectUri: 'http://127.0.0.1:51234/cb' };
const known = { clientId: 'known', redirectUri: 'https://wallet.example/cb?tenant=1' };
const clients = [
  { clientId: app.clientId, redirectUris: [app.redirectUri, 'com.example.app:/other'] },
  { clientId: desktop.clientId, redirectUris: ['http://127.0.0.1/cb', app.redirectUri] },
  { clientId: known.clientId, redirectUris: [known.redirectUri], jwks: { keys: [key.jwk] } },
  { clientId: 'no-login', jwks: { keys: [makeWalletKey().jwk] } },
];

let service: RunningService;
let world: ReturnType<typeof worldOf>;
let acts: ReturnType<typeof openidIssuer>;
let place: Awaited<ReturnType<typeof openLogin>>;
let templateId: string;
let otherTemplateId: string;
let issuer: string;
let configuration: string;

before(async () => {
  service = await startService(owner, { proofs, clock, config: { openid: { clients } } });
  world = worldOf(service);
  templateId = await registerCard(world, 'Field card');
  otherTemplateId = await registerCard(world, 'Another card');
  acts = openidIssuer(service.url, world.issuer, templateId);
  place = await openLogin(owner, service.url, world.issuer);
  issuer = `${service.url}/oid4vci/${world.issuer.did.slice(-64)}`;
  configuration = `zid.${templateId.slice(-64)}.1.0.0.sd`;
  ok(await place.set([templateId]));
});

beforeEach(() => {
  place.decision = {};
  skippedMs = 0;
});

const assertion = () => ({
  client_assertion: signToken(
    {},
    {
      ...{ iss: known.clientId, sub: known.clientId, aud: issuer, jti: randomUUID() },
      ...{ iat: seconds(), exp: seconds() + 60 },
    },
    key.key,
  ),
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
});
const walletOf = (more: Partial<CodeWalletOrder> = {}) =>
  codeWallet(issuer, { ...app, configuration, ...more });
const knownWallet = () => walletOf({ ...known, authenticate: assertion });

function refused(
  { status, body }: Omit<WalletAnswer, 'headers'>,
  error: string,
  word = /./,
  wanted = 400,
): void {
  assert.deepEqual([status, body.error], [wanted, error], JSON.stringify(body));
  assert.deepEqual(Object.keys(body).toSorted(), ['error', 'error_description']);
  assert.match(String(body.error_description), word);
}
function tokenOf({ status, body }: WalletAnswer): string {
  assert.equal(status, 200, JSON.stringify(body));
  return body.access_token as string;
}
function claimsOf({ status, body }: WalletAnswer): JsonObject {
  assert.equal(status, 200, JSON.stringify(body));
  const [{ credential }] = body.credentials as [{ credential: string }];
  return JSON.parse(Buffer.from(credential.split('.')[1], 'base64url').toString()) as JsonObject;
}
const serverMetadata = async (): Promise<JsonObject> =>
  (
    await getDocument(
      `${service.url}/.well-known/oauth-authorization-server${issuer.slice(service.url.length)}`,
    )
  ).body;

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
    refused(await walletOf().push(), 'unauthorized_client', /log in/);
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
    const token = tokenOf(answer);
    const holder = makeWalletKey();
    const asked = await wallet.named([holder]);
    const claims = claimsOf(await wallet.ask(token, asked));
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
    const token = tokenOf(answer);
    const [{ credential_identifiers: names }] = answer.body.authorization_details as JsonObject[];
    const sent = { credential_configuration_id: undefined, credential_identifier: (names as string[])[0] };
    refused(await wallet.ask(token, await wallet.named([makeWalletKey()])), 'invalid_credential_request');
    assert.equal(claimsOf(await wallet.ask(token, await wallet.named([makeWalletKey()]), sent)).iss, issuer);
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
    const wallet = walletOf(desktop);
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
    const token = tokenOf(await wallet.redeem(code));
    claimsOf(await wallet.ask(token, await wallet.named([makeWalletKey()])));
    assert.equal((await acts.state(offer)).state, 'issued');
    refused(await walletOf().push({ issuer_state }), 'invalid_request', /issuer_state/);
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
    const token = tokenOf(await wallet.redeem(code));
    const asked = await wallet.named([makeWalletKey()]);
    const { status, body } = await wallet.ask(token, asked);
    assert.equal(status, 202);
    ok(await place.sign(decided));
    claimsOf(await wallet.askLater(token, body.transaction_id));
    const other = await begun();
    ok(await acts.reject({ offerId: other.decided.offerId as string }));
    assert.equal((await acts.state({ offerId: other.decided.offerId as string })).state, 'withdrawn');
    refused(await other.wallet.redeem(other.code), 'invalid_grant', /unknown, used or expired/);
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

describe('what a wallet pushes', () => {
  test('each thing that is wrong is refused by its name', async () => {
    const wallet = walletOf();
    const details = (...ids: string[]) => ({
      scope: undefined,
      authorization_details: JSON.stringify(
        ids.map((id) => ({ type: 'openid_credential', credential_configuration_id: id })),
      ),
    });
    const of = (id: string): string => `zid.${id.slice(-64)}.1.0.0.sd`;
    const cases: readonly (readonly [Record<string, string | undefined>, error: string, word: RegExp])[] = [
      [{ client_id: undefined }, 'invalid_request', /client_id/],
      [{ client_id: 'nobody' }, 'invalid_client', /registered/],
      [{ client_id: known.clientId }, 'invalid_client', /assertion is missing/],
      [{ client_id: 'desktop', ...assertion() }, 'invalid_client', /keys|client/],
      [{ redirect_uri: undefined }, 'invalid_request', /redirect_uri/],
      [{ redirect_uri: 'https://evil.example/cb' }, 'invalid_request', /not registered/],
      [{ redirect_uri: `${app.redirectUri}/` }, 'invalid_request', /not registered/],
      [{ redirect_uri: known.redirectUri }, 'invalid_request', /not registered/],
      [{ response_type: 'token' }, 'unsupported_response_type', /./],
      [{ response_mode: 'fragment' }, 'invalid_request', /response_mode/],
      [{ code_challenge: undefined }, 'invalid_request', /code_challenge/],
      [{ code_challenge: wallet.verifier.slice(1) }, 'invalid_request', /SHA-256/],
      [{ code_challenge_method: undefined }, 'invalid_request', /S256/],
      [{ code_challenge_method: 'plain' }, 'invalid_request', /S256/],
      [{ scope: undefined }, 'invalid_request', /scope/],
      [{ scope: 'openid' }, 'invalid_scope', /login/],
      [{ scope: of(otherTemplateId) }, 'invalid_scope', /login/],
      [{ scope: configuration.replace('1.0.0', '9.9.9') }, 'invalid_scope', /login/],
      [{ scope: configuration.replace('.sd', '.range') }, 'invalid_scope', /one version/],
      [{ scope: `${configuration} ${of(otherTemplateId)}` }, 'invalid_scope', /one version/],
      [details(of(otherTemplateId)), 'invalid_authorization_details', /login/],
      [{ authorization_details: '{}' }, 'invalid_authorization_details', /./],
      [{ state: 'x'.repeat(1_025) }, 'invalid_request', /state/],
      [{ issuer_state: 'x' }, 'invalid_request', /issuer_state/],
      [{ request: 'a.b.c' }, 'invalid_request', /request/],
      [{ request_uri: 'urn:x' }, 'invalid_request', /request_uri/],
      [{ dpop_jkt: 'x' }, 'invalid_request', /thumbprint/],
    ];
    for (const [fields, error, word] of cases) refused(await wallet.push(fields), error, word);
    const proof = dpopProof(wallet.dpop, { url: wallet.at('par') });
    refused(
      await wallet.push({ dpop_jkt: 'A'.repeat(43) }, { dpop: proof }),
      'invalid_dpop_proof',
      /another key/,
    );
    assert.equal((await wallet.push({ unknown_member: '1', prompt: 'login' })).status, 201);
    assert.equal((await walletOf(desktop).push()).status, 201, 'on whatever port it listens');
  });

  test('is bounded, of one client and of all', async () => {
    const { kysely } = service.served.parts.database;
    const fill = async (clientId: string, state: 'pushed' | 'begun', count: number) => {
      const row = {
        ...{
          issuer: world.issuer.did,
          redirectUri: 'x',
          templateId,
          templateVersion: '1.0.0',
          clientId,
          state,
        },
        ...{ configurations: '[]', hasIdentifiers: 0, codeChallenge: 'x', dpopThumbprint: null },
        ...{ clientState: null, offerId: null, browserHash: null, referenceHash: null, ticketHash: null },
        ...{ codeHash: null, createdAt: 0, updatedAt: 0, expiresAt: clock.nowMs() + 60_000 },
      };
      for (let at = 0; at < count; at += 500)
        await kysely
          .insertInto('openidAuthorizations')
          .values(
            Array.from({ length: Math.min(500, count - at) }, () => {
              const id = `flood ${randomUUID()}`;
              return { ...row, id, requestHash: id };
            }),
          )
          .execute();
    };
    try {
      await fill('app', 'pushed', limits.pushedPerClientMax);
      refused(await walletOf().push(), 'temporarily_unavailable', /./, 429);
      assert.equal((await walletOf(desktop).push()).status, 201, 'others have room');
      await fill('somebody', 'begun', limits.waitingPerIssuerMax);
      refused(await walletOf(desktop).push(), 'temporarily_unavailable', /./, 429);
      skippedMs = 61_000;
      assert.equal((await walletOf().push()).status, 201, 'what is over takes no room');
    } finally {
      await kysely.deleteFrom('openidAuthorizations').where('id', 'like', 'flood %').execute();
    }
  });
});

describe('a browser', () => {
  test('begins with what was pushed once, in its time, for its client and issuer', async () => {
    const wallet = walletOf();
    const address = await wallet.pushed();
    const unknown = async (url: string) =>
      refused(await openBrowser().visit(url), 'invalid_request', /./, 404);
    const requestUri = new URL(address).searchParams.get('request_uri');
    await unknown(wallet.address(requestUri, 'desktop'));
    await unknown(address.replace('client_id=app&', ''));
    await unknown(wallet.address(`${requestUri}x`));
    const elsewhere = `${service.url}/oid4vci/${'0'.repeat(64)}`;
    await unknown(address.replace(issuer, elsewhere));
    refused(await openBrowser().visit(`${issuer}/authorize?client_id=app`), 'invalid_request', /request_uri/);
    const race = await Promise.all(Array.from({ length: 20 }, () => openBrowser().visit(address)));
    assert.equal(race.filter(({ status }) => status === 303).length, 1);
    await unknown(address);
    const late = await wallet.pushed();
    skippedMs = limits.pushedSeconds * 1_000 + 1;
    await unknown(late);
  });

  test('is sent to the login with a reference, and a cookie that no page reads', async () => {
    const { status, headers } = await getDocument(await walletOf().pushed());
    assert.equal(status, 303);
    const location = new URL(String(headers.location));
    assert.equal(location.searchParams.get('tenant'), '1');
    const reference = location.searchParams.get('reference') as string;
    const [cookie] = headers['set-cookie'] as unknown as string[];
    assert.match(
      cookie,
      /^symbolon-authorization-[0-9a-f]{16}=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    assert.ok(!cookie.includes(reference));
    const { offerId, state, redirectUri } = ok(await place.read(reference));
    assert.deepEqual([offerId, state, redirectUri], [undefined, 'begun', app.redirectUri]);
    const strangers = await postService(service.url, codeFlowPaths.read, { reference }, world.verifier);
    assert.equal(strangers.status >= 400, true);
    skippedMs = limits.loginSeconds * 1_000 + 1;
    assert.equal(ok(await place.read(reference)).state, 'expired');
    assert.equal(outcomeOf(await place.confirm(reference)), '409 stateForbids');
  });

  const decided = async () => {
    const [wallet, browser] = [walletOf(), openBrowser()];
    const { location } = await browser.visit(await wallet.pushed());
    const reference = new URL(location).searchParams.get('reference') as string;
    const { continueUrl } = ok(await place.confirm(reference));
    return { wallet, browser, reference, continueUrl: String(continueUrl) };
  };

  test('comes back once, and only the one that began', async () => {
    const { wallet, browser, reference, continueUrl } = await decided();
    assert.equal(outcomeOf(await place.confirm(reference)), '409 stateForbids', 'it is decided once');
    refused(await openBrowser().visit(continueUrl), 'access_denied', /browser/, 403);
    const other = openBrowser();
    await other.visit(await walletOf().pushed());
    refused(await other.visit(continueUrl), 'access_denied', /browser/, 403);
    const [[name]] = browser.cookies;
    other.cookies.set(name, 'A'.repeat(43));
    refused(await other.visit(continueUrl), 'access_denied', /browser/, 403);
    refused(await browser.visit(`${continueUrl.slice(0, -1)}_`), 'invalid_request', /./, 404);
    const kept = new Map(browser.cookies);
    const race = await Promise.all(
      Array.from({ length: 20 }, () => {
        const tab = openBrowser();
        for (const [cookie, value] of kept) tab.cookies.set(cookie, value);
        return tab.visit(continueUrl);
      }),
    );
    const [landing, ...more] = race.filter(({ status }) => status === 303);
    assert.deepEqual(more, []);
    tokenOf(await wallet.redeem(wallet.answer(landing).code));
    refused(await browser.visit(continueUrl), 'invalid_request', /./, 404);
  });

  test('comes too late', async () => {
    const { browser, continueUrl } = await decided();
    skippedMs = limits.continueSeconds * 1_000 + 1;
    refused(await browser.visit(continueUrl), 'invalid_request', /./, 404);
  });
});

describe('what an issuer decides', () => {
  test('has values where it grants and none where it denies, and these fit the template', async () => {
    const { location } = await openBrowser().visit(await walletOf().pushed());
    const reference = new URL(location).searchParams.get('reference') as string;
    const cases: readonly (readonly [order: object, outcome: string])[] = [
      [{ metadata: undefined, validUntil: undefined }, '400 requestMalformed'],
      [{ metadata: undefined }, '400 requestMalformed'],
      [{ validUntil: undefined }, '400 requestMalformed'],
      [{ decision: 'deny' }, '400 requestMalformed'],
      [{ decision: 'maybe' }, '400 requestMalformed'],
      [{ metadata: { fullName: 'A' } }, '400 attributesInvalid'],
      [{ validUntil: '2000-01-01' }, '400 validityInvalid'],
      [{ holder: 'x' }, '400 requestMalformed'],
      [{ reference: 'A'.repeat(43) }, '404 authorizationUnknown'],
    ];
    for (const [order, outcome] of cases)
      assert.equal(outcomeOf(await place.confirm(reference, order)), outcome, JSON.stringify(order));
    const race = await Promise.all(Array.from({ length: 20 }, () => place.confirm(reference)));
    assert.equal(race.filter(({ status }) => status === 200).length, 1);
  });
});

describe('a code', () => {
  test('is good for its client, its address, its secret and its key alone', async () => {
    const wallet = walletOf();
    const code = await wallet.code();
    refused(await wallet.redeem(code, { client_id: 'desktop' }), 'invalid_grant', /another client/);
    refused(await wallet.redeem(code, { client_id: undefined }), 'invalid_grant', /another client/);
    refused(await wallet.redeem(code, { client_id: known.clientId }), 'invalid_client', /assertion/);
    const other = 'com.example.app:/other';
    refused(await wallet.redeem(code, { redirect_uri: other }), 'invalid_grant', /redirect_uri/);
    refused(await wallet.redeem(code, { redirect_uri: undefined }), 'invalid_request', /redirect_uri/);
    refused(await wallet.redeem(code, { code_verifier: undefined }), 'invalid_request', /code_verifier/);
    refused(await wallet.redeem(code, { code_verifier: 'A'.repeat(43) }), 'invalid_grant', /code_verifier/);
    refused(await wallet.redeem('A'.repeat(43)), 'invalid_grant', /unknown/);
    const posed = {
      grant_type: 'urn:ietf:params:oauth:grant-type:pre-authorized_code',
      'pre-authorized_code': code,
    };
    refused(await wallet.redeem(code, posed), 'invalid_grant', /unknown/);
    const strange = JSON.stringify([{ type: 'openid_credential', credential_configuration_id: 'x' }]);
    refused(
      await wallet.redeem(code, { authorization_details: strange }),
      'invalid_authorization_details',
      /./,
    );
    tokenOf(await wallet.redeem(code));
  });

  test('is bound to a key that was named, or shown, when it was asked for', async () => {
    const dpop = makeWalletKey();
    const wallet = walletOf({ dpop });
    const proof = { dpop: dpopProof(dpop, { url: wallet.at('par') }) };
    const { body } = await wallet.push({}, proof);
    const { code } = wallet.answer(await openBrowser().follow(wallet.address(body.request_uri)));
    refused(await wallet.redeem(code, {}, makeWalletKey()), 'invalid_dpop_proof', /another DPoP key/);
    assert.equal((await wallet.redeem(code)).body.token_type, 'DPoP');
  });

  test('is good for a minute', async () => {
    const wallet = walletOf();
    const code = await wallet.code();
    skippedMs = limits.authorizationCodeSeconds * 1_000 + 1;
    refused(await wallet.redeem(code), 'invalid_grant', /expired/);
  });

  test('that comes again ends the token that it was good for', async () => {
    const wallet = walletOf();
    const code = await wallet.code();
    const token = tokenOf(await wallet.redeem(code));
    const holder = await wallet.named([makeWalletKey()]);
    const first = await wallet.ask(token, holder);
    claimsOf(first);
    refused(await wallet.redeem(code, { code_verifier: 'A'.repeat(43) }), 'invalid_grant', /code_verifier/);
    assert.deepEqual((await wallet.ask(token, holder)).body, first.body, 'nobody ends it without the secret');
    refused(await wallet.redeem(code), 'invalid_grant', /used/);
    refused(await wallet.ask(token, holder), 'invalid_token', /revoked/, 401);
    refused(await wallet.redeem(code), 'invalid_grant', /used/);
  });

  test('gives the same token again while nobody knows whether the answer came', async () => {
    const wallet = walletOf();
    const code = await wallet.code();
    const token = tokenOf(await wallet.redeem(code));
    const { kysely } = service.served.parts.database;
    await kysely.updateTable('openidGrants').set({ answeredAt: null }).execute();
    assert.equal(tokenOf(await wallet.redeem(code)), token);
    claimsOf(await wallet.ask(token, await wallet.named([makeWalletKey()])));
  });

  test('of twenty who redeem it at once with their own keys one does', async () => {
    const wallet = walletOf();
    const code = await wallet.code();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => wallet.redeem(code, {}, makeWalletKey())),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    for (const one of answers) if (one.status !== 200) refused(one, 'invalid_grant');
  });

  test('of a later login for the same offer is the one that counts', async () => {
    const offer = await acts.offer({ login: true });
    const { grants } = offer.made.offer as { grants: { authorization_code: { issuer_state: string } } };
    place.decision = { metadata: undefined, validUntil: undefined };
    const [earlier, later] = [walletOf(), walletOf()];
    const first = await earlier.code(grants.authorization_code);
    const second = await later.code(grants.authorization_code);
    refused(await earlier.redeem(first), 'invalid_grant', /unknown, used or expired/);
    tokenOf(await later.redeem(second));
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
  const token = tokenOf(await wallet.redeem(code));
  const ticket = String(continueUrl).split('/').at(-1) as string;
  const secrets = [...cookies, reference, ticket, code, token, wallet.verifier, wallet.state];
  const log = service.logged();
  for (const secret of [...secrets, String(pushed.body.request_uri)]) {
    assert.ok(secret.length >= 43);
    assert.ok(!log.includes(secret));
  }
});
