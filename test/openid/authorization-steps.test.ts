/**
 * What wallets push, what browsers show and what issuers decide in the authorization code flow, each with one thing wrong;
 * request, reference and the way back are good once, in their time and in their place.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, beforeEach, describe, test } from 'node:test';
import { openidIssuanceLimits as limits } from '@symbolon/credential-service/limits/openid-limits';
import { openidAuthorizationRoutes } from '@symbolon/wire/openid/authorization-routes';
import { codeFlowPaths, openBrowser } from '../support/code-flow.ts';
import {
  appClient,
  assertRefused,
  type CodeFlowWorld,
  desktopClient,
  keyedClient,
  makeCodeFlowWorld,
  tokenIn,
} from '../support/code-flow-world.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { dpopProof, getDocument } from '../support/raw-wallet.ts';
import { outcomeOf, postService } from '../support/service-http.ts';
import { ok } from '../support/service-steps.ts';

const owner = ownerOfSuite();
let site: CodeFlowWorld;
let service: CodeFlowWorld['service'];
let world: CodeFlowWorld['world'];
let place: CodeFlowWorld['place'];
let templateId: CodeFlowWorld['templateId'];
let otherTemplateId: CodeFlowWorld['otherTemplateId'];
let issuer: CodeFlowWorld['issuer'];
let configuration: CodeFlowWorld['configuration'];
let walletOf: CodeFlowWorld['walletOf'];
let assertion: CodeFlowWorld['assertion'];

before(async () => {
  site = await makeCodeFlowWorld(owner);
  ({ service, world, place, templateId, otherTemplateId, issuer, configuration, walletOf, assertion } = site);
});
beforeEach(() => {
  place.decision = {};
  site.time.skippedMs = 0;
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
      [{ client_id: keyedClient.clientId }, 'invalid_client', /assertion is missing/],
      [{ client_id: 'desktop', ...assertion() }, 'invalid_client', /keys|client/],
      [{ redirect_uri: undefined }, 'invalid_request', /redirect_uri/],
      [{ redirect_uri: 'https://evil.example/cb' }, 'invalid_request', /not registered/],
      [{ redirect_uri: `${appClient.redirectUri}/` }, 'invalid_request', /not registered/],
      [{ redirect_uri: keyedClient.redirectUri }, 'invalid_request', /not registered/],
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
    for (const [fields, error, word] of cases) assertRefused(await wallet.push(fields), error, word);
    const proof = dpopProof(wallet.dpop, { url: wallet.at('par') });
    assertRefused(
      await wallet.push({ dpop_jkt: 'A'.repeat(43) }, { dpop: proof }),
      'invalid_dpop_proof',
      /another key/,
    );
    assert.equal((await wallet.push({ unknown_member: '1', prompt: 'login' })).status, 201);
    assert.equal((await walletOf(desktopClient).push()).status, 201, 'on whatever port it listens');
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
        ...{ codeHash: null, createdAt: 0, updatedAt: 0, expiresAt: site.clock.nowMs() + 60_000 },
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
      assertRefused(await walletOf().push(), 'temporarily_unavailable', /./, 429);
      assert.equal((await walletOf(desktopClient).push()).status, 201, 'others have room');
      await fill('somebody', 'begun', limits.waitingPerIssuerMax);
      assertRefused(await walletOf(desktopClient).push(), 'temporarily_unavailable', /./, 429);
      site.time.skippedMs = 61_000;
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
      assertRefused(await openBrowser().visit(url), 'invalid_request', /./, 404);
    const requestUri = new URL(address).searchParams.get('request_uri');
    await unknown(wallet.address(requestUri, 'desktop'));
    await unknown(address.replace('client_id=app&', ''));
    await unknown(wallet.address(`${requestUri}x`));
    const elsewhere = `${service.url}/oid4vci/${'0'.repeat(64)}`;
    await unknown(address.replace(issuer, elsewhere));
    assertRefused(
      await openBrowser().visit(`${issuer}/authorize?client_id=app`),
      'invalid_request',
      /request_uri/,
    );
    const race = await Promise.all(Array.from({ length: 20 }, () => openBrowser().visit(address)));
    assert.equal(race.filter(({ status }) => status === 303).length, 1);
    await unknown(address);
    const late = await wallet.pushed();
    site.time.skippedMs = limits.pushedSeconds * 1_000 + 1;
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
    assert.deepEqual([offerId, state, redirectUri], [undefined, 'begun', appClient.redirectUri]);
    const strangers = await postService(service.url, codeFlowPaths.read, { reference }, world.verifier);
    assert.equal(strangers.status >= 400, true);
    site.time.skippedMs = limits.loginSeconds * 1_000 + 1;
    assert.equal(ok(await place.read(reference)).state, 'expired');
    assert.equal(outcomeOf(await place.confirm(reference)), '409 stateForbids');
  });

  const decided = async () => {
    const [wallet, browser] = [walletOf(), openBrowser()];
    const { location } = await browser.visit(await wallet.pushed());
    const reference = new URL(location).searchParams.get('reference') as string;
    const { continueUrl } = ok(await place.confirm(reference));
    const name = 'continueOpenidAuthorization';
    const { path } = openidAuthorizationRoutes[name];
    assert.ok(
      String(continueUrl).startsWith(
        service.url + path.replace(':issuer', issuer.slice(-64)).replace(':ticket', ''),
      ),
    );
    return { wallet, browser, reference, continueUrl: String(continueUrl) };
  };

  test('comes back once, and only the one that began', async () => {
    const { wallet, browser, reference, continueUrl } = await decided();
    assert.equal(outcomeOf(await place.confirm(reference)), '409 stateForbids', 'it is decided once');
    assertRefused(await openBrowser().visit(continueUrl), 'access_denied', /browser/, 403);
    const other = openBrowser();
    await other.visit(await walletOf().pushed());
    assertRefused(await other.visit(continueUrl), 'access_denied', /browser/, 403);
    const [[name]] = browser.cookies;
    other.cookies.set(name, 'A'.repeat(43));
    assertRefused(await other.visit(continueUrl), 'access_denied', /browser/, 403);
    assertRefused(await browser.visit(`${continueUrl.slice(0, -1)}_`), 'invalid_request', /./, 404);
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
    tokenIn(await wallet.redeem(wallet.answer(landing).code));
    assertRefused(await browser.visit(continueUrl), 'invalid_request', /./, 404);
  });

  test('comes too late', async () => {
    const { browser, continueUrl } = await decided();
    site.time.skippedMs = limits.continueSeconds * 1_000 + 1;
    assertRefused(await browser.visit(continueUrl), 'invalid_request', /./, 404);
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
