/**
 * Signing in with a browser, and everything that somebody else's page, tab, port or machine could try: over real HTTP,
 * with cookies as browsers keep them.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { didOfPublicKey } from '@symbolon/core/did/did';
import { signInLimits } from '@symbolon/core/limits/console';
import type { JsonObject } from '@symbolon/wire/json/json';
import { type Browser, openBrowser, type Tab, type TabAnswer } from '../support/browser-tabs.ts';
import { custodySettings } from '../support/custody-journey.ts';
import { send } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { keyFormat, type Person, person } from '../support/people.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { shiftedClock } from '../support/service-error-world.ts';
import { presenceLines, signText } from '../support/service-steps.ts';
import { peopleOf } from '../support/service-world.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
const clock = shiftedClock();
let service: RunningService;
let issuer: Person & { readonly did: string };
let browser: Browser;
const stranger = person('nobody of a demo');

before(async () => {
  service = await startService(owner, { proofs, clock, isDemo: true, config: { custody: custodySettings } });
  issuer = peopleOf(service.demo).issuer;
  browser = openBrowser(service.url);
});

const applications = '/cred/v1/vc/applications';
const outcome = ({ status, body }: TabAnswer) => [status, body.code ?? 'ok'];
const refused = [401, 'notAuthenticated'];
const challengeOf = async (tab: Tab): Promise<string> =>
  (await tab.call('/console/challenge', { method: 'POST' })).body.challenge as string;

interface Signing {
  readonly did?: string;
  readonly audience?: string;
  readonly purpose?: string;
  readonly challenge?: string | undefined;
  readonly subject?: string;
}

/** What a tab sends that lets somebody's key sign a challenge. */
async function signed(
  tab: Tab,
  who: Person & { readonly did: string },
  changed: Signing = {},
): Promise<JsonObject> {
  const { did = who.did, audience = service.url, purpose = 'sign-in', subject = did } = changed;
  const challenge = 'challenge' in changed ? changed.challenge : await challengeOf(tab);
  const signedText = presenceLines(purpose, subject, {
    audience,
    nowMs: clock.nowMs(),
    ...(challenge !== undefined && { challenge }),
  });
  return { did, signedText, signData: signText(who, signedText) };
}

const asIssuer = async (tab = browser.tab()): Promise<Tab> => {
  const answer = await tab.signIn(await signed(tab, issuer));
  assert.equal(answer.status, 200, answer.text);
  return tab;
};

describe('signing in', () => {
  test('by a signature gives what the API keys of the DID may, and no secret to the page', async () => {
    const tab = browser.tab();
    const answer = await tab.signIn(await signed(tab, issuer));
    const { session, until, keyId, ...facts } = answer.body;
    assert.deepEqual(facts, {
      way: 'signature',
      did: issuer.did,
      scopes: ['templates', 'issue', 'revoke', 'bbs', 'present', 'verify'],
      idleSeconds: 1_800,
    });
    const cookie = String(answer.headers['set-cookie']?.at(-1));
    assert.match(
      cookie,
      /^symbolon-session-[0-9a-f]{16}=[A-Za-z0-9_-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const secret = cookie.slice(cookie.indexOf('=') + 1, cookie.indexOf(';'));
    assert.ok(!answer.text.includes(secret) && !cookie.includes(session as string));
    assert.deepEqual(outcome(await tab.call(applications)), [200, 'ok']);
    const who = await tab.call('/console/session');
    assert.deepEqual(who.body, { ...facts, keyId, until });
    assert.ok(!service.logged().includes(secret) && !service.logged().includes(session as string));
  });

  test('by an API key once, by an account in custody, and as one of the demo', async () => {
    const tab = browser.tab();
    const byKey = await tab.signIn({ apiKey: service.demo.verifier.apiKey });
    assert.deepEqual([byKey.body.way, byKey.body.scopes], ['apiKey', ['verify']]);
    const account = await tab.call('/wallet/hsm/account/create', {
      method: 'POST',
      body: { password: 'correct horse battery' },
    });
    const { zetrixAddress: address } = account.body.data as JsonObject;
    const custody = { address: address as string, password: 'correct horse battery' };
    const held = await tab.signIn(custody);
    assert.deepEqual([held.body.way, held.body.scopes], ['custody', []]);
    assert.deepEqual(outcome(await tab.signIn({ ...custody, password: 'wrong' })), [401, 'passwordWrong']);
    const shown = await tab.signIn({ person: 'holder' });
    assert.deepEqual([shown.body.way, shown.body.did], ['person', service.demo.holder.did]);
  });

  test('takes nobody without any proof', async () => {
    const tab = browser.tab();
    const forms: JsonObject[] = [
      { apiKey: `${service.demo.issuer.apiKey.slice(0, -1)}x` },
      { apiKey: 'sym_' },
      {},
      { person: 'nobody' },
      { apiKey: service.demo.issuer.apiKey, person: 'holder' },
      { did: issuer.did },
    ];
    for (const body of forms) {
      const { status, headers, text } = await tab.signIn(body);
      assert.ok(status >= 400 && headers['set-cookie'] === undefined, text);
      assert.ok(!text.includes(service.demo.issuer.apiKey.slice(13, -1)));
    }
  });

  test('gives a stranger a session that may do nothing, and holders need no more', async () => {
    const tab = browser.tab();
    const did = service.demo.holder2.did;
    const raw = keyFormat.parsePublicKey(stranger.publicKey) as Uint8Array;
    const own = { ...stranger, did: didOfPublicKey(raw, keyFormat.profile) };
    const answer = await tab.signIn(await signed(tab, own));
    assert.deepEqual(
      [answer.status, answer.body.scopes, answer.body.keyId],
      [200, [], undefined],
      answer.text,
    );
    assert.deepEqual(outcome(await tab.call(applications)), [401, 'notAllowed']);
    assert.deepEqual(outcome(await tab.call('/v1/webhooks')), refused);
    const other = await tab.signIn(await signed(tab, own, { did }));
    assert.deepEqual(outcome(other), [401, 'signerMismatch']);
  });

  test('each tab is its own person', async () => {
    const [one, other] = [browser.tab(), browser.tab()];
    await one.signIn({ person: 'issuer' });
    await other.signIn({ person: 'verifier' });
    const whoIs = async (tab: Tab) => (await tab.call('/console/session')).body.did;
    assert.deepEqual(
      [await whoIs(one), await whoIs(other)],
      [service.demo.issuer.did, service.demo.verifier.did],
    );
    assert.deepEqual(outcome(await other.call(applications)), [401, 'notAllowed']);
  });
});

describe('what a session is not', () => {
  test('a cookie without the header, or the header without the cookie', async () => {
    const tab = await asIssuer();
    const { session } = tab;
    tab.session = undefined;
    assert.deepEqual(outcome(await tab.call(applications)), refused);
    const elsewhere = openBrowser(service.url).tab();
    elsewhere.session = session;
    assert.deepEqual(outcome(await elsewhere.call(applications)), refused);
    tab.session = session;
    assert.deepEqual(outcome(await tab.call(applications)), [200, 'ok']);
  });

  test("one session's id with another's cookie, a made-up id, or a cookie that comes twice", async () => {
    const tab = await asIssuer();
    const [victim, thief] = [openBrowser(service.url), openBrowser(service.url)];
    const own = victim.tab();
    await own.signIn({ person: 'issuer' });
    const stolen = thief.tab();
    await stolen.signIn({ person: 'holder' });
    const [name] = [...thief.cookies.keys()];
    const [victims = ''] = [...victim.cookies.keys()];
    thief.cookies.set(victims, thief.cookies.get(name as string) as string);
    stolen.session = own.session;
    assert.deepEqual(outcome(await stolen.call(applications)), refused);
    for (const id of ['A'.repeat(22), '', 'x', `${tab.session}x`, "' or 1=1 --"]) {
      const headers = { 'x-symbolon-session': id };
      assert.deepEqual(outcome(await tab.call(applications, { headers })), refused, id);
    }
    const pair = `${victims}=${victim.cookies.get(victims)}`;
    const twice = { headers: { cookie: `${pair}; ${victims}=${'A'.repeat(43)}` } };
    assert.deepEqual(outcome(await own.call(applications, twice)), refused);
  });

  test('something beside an API key', async () => {
    const tab = await asIssuer();
    const headers = { 'x-api-key': service.demo.issuer.apiKey };
    assert.deepEqual(outcome(await tab.call(applications, { headers })), [400, 'requestMalformed']);
    const nonsense = { authorization: 'Bearer xyz' };
    assert.deepEqual(outcome(await tab.call(applications, { headers: nonsense })), [400, 'requestMalformed']);
    // A gateway's own password is no API key.
    const basic = { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` };
    assert.deepEqual(outcome(await tab.call(applications, { headers: basic })), [200, 'ok']);
  });

  test('good after signing out, after rest, after its time, or for a key that was revoked', async () => {
    const tab = await asIssuer();
    const { session } = tab;
    const kept = new Map(browser.cookies);
    assert.deepEqual((await tab.call('/console/session', { method: 'DELETE' })).body, { signedOut: true });
    assert.ok(browser.cookies.size < kept.size);
    for (const [name, value] of kept) browser.cookies.set(name, value);
    tab.session = session;
    assert.deepEqual(outcome(await tab.call(applications)), refused);

    const resting = await asIssuer();
    clock.advanceMs(signInLimits.idleMs);
    assert.deepEqual(outcome(await resting.call(applications)), refused);

    const { token, facts } = await service.served.apiKeys.create({
      label: 'short',
      scopes: ['issue'],
      did: issuer.did,
    });
    const byKey = browser.tab();
    await byKey.signIn({ apiKey: token });
    assert.deepEqual(outcome(await byKey.call(applications)), [200, 'ok']);
    await service.served.apiKeys.revoke(facts.id);
    assert.deepEqual(outcome(await byKey.call(applications)), refused);
  });

  test('a stream: it ends as soon as its reader has signed out', async () => {
    const tab = browser.tab();
    await tab.signIn({ person: 'verifier' });
    const credentials = [{ id: `did:zid:${'5'.repeat(64)}`, format: 'ldp_vc' }];
    const body = { requirements: { credentials }, trustedIssuers: [issuer.did] };
    const asked = await tab.call('/v1/verification/request', { method: 'POST', body });
    const { presentationId } = asked.body.object as JsonObject;
    const streams = ['/v1/events', `/v1/verification/${presentationId}/events`];
    const ends = Promise.all(streams.map((path) => tab.call(path)));
    await sleep(300);
    assert.deepEqual(outcome(await tab.call('/console/session', { method: 'DELETE' })), [200, 'ok']);
    const ended = await Promise.race([ends, sleep(3_000, [])]);
    assert.deepEqual(ended.map(outcome), [
      [200, 'ok'],
      [200, 'ok'],
    ]);
  });

  test('one that somebody else has chosen: id and secret are new at every sign-in', async () => {
    const own = openBrowser(service.url);
    const tab = own.tab();
    const planted = 'A'.repeat(22);
    tab.session = planted;
    const headers = {
      cookie: `symbolon-session-${'0'.repeat(16)}=${'B'.repeat(43)}`,
      'x-symbolon-session': planted,
    };
    const answer = await tab.call('/console/session', {
      method: 'POST',
      body: { person: 'issuer' },
      headers,
    });
    assert.notEqual(answer.body.session, planted);
    // A cookie of no session is taken away.
    assert.match(String(answer.headers['set-cookie']), /^symbolon-session-0{16}=; Max-Age=0/);
    const again = await tab.signIn({ person: 'issuer' });
    assert.notEqual(again.body.session, answer.body.session);
    assert.equal(new Set(own.cookies.values()).size, own.cookies.size);
  });
});

describe('a challenge', () => {
  test('is good once, at this service, for this purpose, and for minutes', async () => {
    const tab = browser.tab();
    const body = await signed(tab, issuer);
    assert.equal((await tab.signIn(body)).status, 200);
    assert.deepEqual(outcome(await tab.signIn(body)), [401, 'presenceRefused']);
    const made = await challengeOf(tab);
    const wrong: Signing[] = [
      { audience: 'https://console.example' },
      { audience: service.url.replace('127.0.0.1', 'rebound.example') },
      { purpose: 'download-all' },
      { subject: service.demo.holder.did },
      { challenge: undefined },
      { challenge: 'made-up' },
      { challenge: `${made}x` },
    ];
    for (const changed of wrong) {
      const answer = await tab.signIn(await signed(tab, issuer, changed));
      assert.deepEqual(outcome(answer), [401, 'presenceRefused'], JSON.stringify(changed));
    }
    const late = await signed(tab, issuer);
    clock.advanceMs(signInLimits.challengeMs);
    assert.deepEqual(outcome(await tab.signIn(late)), [401, 'presenceRefused']);
  });

  test('lets one of twenty in who race with it', async () => {
    const tab = browser.tab();
    const body = await signed(tab, issuer);
    const raced = await Promise.all(Array.from({ length: 20 }, () => browser.tab().signIn(body)));
    const outcomes = raced.map((one) => outcome(one).join(' '));
    assert.deepEqual(outcomes.filter((one) => one === '200 ok').length, 1);
    assert.ok(
      outcomes.every((one) => one === '200 ok' || one === '401 presenceRefused'),
      String(outcomes),
    );
  });
});

describe('pages of others', () => {
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };

  test('cannot sign in, call, or learn anything, with every cookie there is', async () => {
    const tab = await asIssuer();
    const asked: [string, string][] = [
      ['POST', '/console/session'],
      ['POST', '/console/challenge'],
      ['DELETE', '/console/session'],
      ['GET', '/console/session'],
      ['GET', '/console/config'],
      ['POST', '/demo/faucet'],
      ['GET', applications],
      ['POST', '/ledger/submitTransaction'],
    ];
    for (const [method, path] of asked) {
      const answer = await tab.call(path, { method, headers: foreign });
      assert.deepEqual(outcome(answer), [403, 'pageRefused'], path);
      assert.equal(answer.headers['access-control-allow-origin'], undefined);
    }
    // The port of another program on this machine is another origin.
    const neighbour = { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-site' };
    assert.deepEqual(outcome(await tab.call(applications, { headers: neighbour })), [403, 'pageRefused']);
  });

  test('are told by no preflight that they may send the header', async () => {
    const answer = await send(`${service.url}${applications}`, {
      method: 'OPTIONS',
      headers: {
        ...foreign,
        host: new URL(service.url).host,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-symbolon-session',
      },
    });
    const names = Object.keys(answer.headers).filter((name) => name.startsWith('access-control'));
    assert.deepEqual(names, []);
  });

  test('whose name was bound to this machine get nothing', async () => {
    const tab = await asIssuer();
    for (const host of ['rebound.example', `rebound.example:${new URL(service.url).port}`]) {
      const headers = { host, origin: `http://${host}` };
      for (const path of ['/console/config', '/console/session', applications, '/ledger/getLedger', '/'])
        assert.deepEqual(outcome(await tab.call(path, { headers })), [421, 'hostUnknown'], path);
    }
  });

  test('cannot have a form act: a form sends no header', async () => {
    const tab = await asIssuer();
    tab.session = undefined;
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await tab.call('/cred/v1/vc/reject', {
      method: 'POST',
      body: { vcId: 'x' },
      headers: form,
    });
    assert.deepEqual(outcome(answer), refused);
  });
});

describe('sessions', () => {
  test('are begun and used on sealed routes, too', async () => {
    const keptCookies = new Map<string, string>();
    const headers: Record<string, string> = {};
    const paths: string[] = [];
    const fetchAsTab: typeof fetch = async (url, request) => {
      const given = { ...(request?.headers as Record<string, string>), ...headers };
      const answer = await fetch(url, { ...request, headers: given });
      paths.push(new URL(String(url)).pathname);
      for (const line of answer.headers.getSetCookie()) {
        const [pair = ''] = line.split(';', 1);
        keptCookies.set(pair.slice(0, pair.indexOf('=')), pair);
      }
      return answer;
    };
    const client = service.clientWith({ sealed: true, fetch: fetchAsTab as never });
    const { session } = await client.signIn({ apiKey: service.demo.issuer.apiKey });
    headers['x-symbolon-session'] = session;
    await assert.rejects(client.createBbsKey({ seed: 'ab'.repeat(32) }), /session/);
    headers.cookie = [...keptCookies.values()].join('; ');
    const { publicKeyMultibase } = await client.createBbsKey({ seed: 'ab'.repeat(32) });
    assert.match(String(publicKeyMultibase), /^z/);
    assert.ok(paths.includes('/console/enc/session') && paths.includes('/cred/bbs/enc/create'));
  });

  test('are in the audit log where they stand on a key', async () => {
    const tab = await asIssuer();
    await tab.call('/console/session', { method: 'DELETE' });
    const { entries } = await service.admin.listAuditEntries({ action: 'signIn.end' });
    const { body } = await (await asIssuer()).call('/console/session');
    assert.deepEqual([entries.at(-1)?.subject, entries.at(-1)?.outcome], [body.keyId, 'done']);
    assert.ok(JSON.stringify(entries.at(-1)).includes(issuer.did));
  });

  test('have cookies that nobody else on the domain can set, where the service is reached by https', async () => {
    const secure = await startService(owner, {
      proofs,
      node: service.node,
      config: { publicUrl: 'https://console.example' },
    });
    const own = openBrowser(secure.url);
    const tab = own.tab();
    const answer = await tab.signIn({ apiKey: secure.demo.issuer.apiKey });
    assert.match(
      String(answer.headers['set-cookie']),
      /^__Host-symbolon-session-[0-9a-f]{16}=[^;]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
    assert.deepEqual(outcome(await tab.call(applications)), [200, 'ok']);
    const [name = '', value = ''] = [...own.cookies][0] ?? [];
    const plain = { cookie: `${name.replace('__Host-', '')}=${value}` };
    assert.deepEqual(outcome(await tab.call(applications, { headers: plain })), refused);
    // No demo, no people, no faucet.
    assert.deepEqual(outcome(await tab.signIn({ person: 'issuer' })), [404, 'routeUnknown']);
    const faucet = await tab.call('/demo/faucet', {
      method: 'POST',
      body: { address: secure.holder.address },
    });
    assert.deepEqual(outcome(faucet), [404, 'routeUnknown']);
    const { body } = await tab.call('/console/config');
    assert.deepEqual([body.isDemo, body.people, body.signIn], [false, undefined, ['signature', 'apiKey']]);
  });
});
