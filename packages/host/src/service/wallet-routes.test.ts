import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import { defineServiceRoute, type ServiceHandlers } from '@symbolon/wire/http/service-route';
import { jsonAnswer, sendOn } from '@symbolon/wire/http/text-replies';
import {
  credentialEnvelope,
  grantRow,
  notificationEnvelope,
  walletRow,
} from '@symbolon/wire/oauth/oauth-envelope';
import { z } from 'zod';
import { json, send } from '../http/ledger-server-fixture.ts';
import { pagePolicy } from '../http/web-pages.ts';
import { createServiceServer } from './service-server.ts';

const common = { group: 'wallets', carries: 'secret', faults: ['grantInvalid'] } as const;
const params = z.object({ issuer: z.string().regex(/^[0-9a-f]{4}$/, 'must be 4 hex digits') });

/** One route of every kind that wallets call. */
const routes = {
  metadata: defineServiceRoute({
    ...common,
    ...walletRow,
    method: 'GET',
    path: '/.well-known/openid-credential-issuer/oid4vci/:issuer',
    access: 'open',
    summary: 'A document at the root of the host',
    params,
    reply: z.looseObject({}),
    read: ({ params }) => params,
  }),
  token: defineServiceRoute({
    ...common,
    ...walletRow,
    method: 'POST',
    path: '/oid4vci/:issuer/token',
    access: 'open',
    bodyKind: 'form',
    bodyBytesMax: 1_000,
    summary: 'A form',
    params,
    query: z.object({ hint: z.string().optional() }),
    body: z.object({ grant_type: z.string('is missing'), code: z.string().optional() }),
    reply: z.looseObject({}),
    read: ({ params, query, body }) => ({ ...params, ...query, ...body }),
  }),
  nonce: defineServiceRoute({
    ...common,
    ...walletRow,
    method: 'POST',
    path: '/oid4vci/:issuer/nonce',
    access: 'open',
    summary: 'Reads no body',
    params,
    reply: z.looseObject({}),
    read: () => ({}),
  }),
  credential: defineServiceRoute({
    ...common,
    ...grantRow,
    method: 'POST',
    path: '/oid4vci/:issuer/credential',
    bodyKind: 'jsonOrJwt',
    otherStatuses: { 202: { when: 'Not yet' } },
    summary: 'With an access token, JSON or encrypted',
    params,
    body: z.union([z.string(), z.object({ id: z.string() })]),
    reply: z.looseObject({}),
    read: ({ body }) => ({ body }),
  }),
  notify: defineServiceRoute({
    ...common,
    ...grantRow,
    envelope: notificationEnvelope,
    method: 'POST',
    path: '/oid4vci/:issuer/notification',
    status: 204,
    summary: 'Answers nothing',
    params,
    body: z.object({ event: z.string('is missing') }),
    reply: z.null(),
    read: ({ body }) => body,
  }),
  request: defineServiceRoute({
    ...common,
    ...walletRow,
    method: 'GET',
    path: '/oid4vp/request/:issuer',
    access: 'open',
    replyTypes: ['application/oauth-authz-req+jwt'],
    summary: 'A JWT',
    params,
    reply: z.string(),
    read: () => ({}),
  }),
  authorize: defineServiceRoute({
    ...common,
    ...walletRow,
    method: 'GET',
    path: '/oid4vci/:issuer/authorize',
    access: 'open',
    summary: 'Sends a browser on',
    params,
    reply: z.unknown(),
    read: () => ({}),
  }),
  issue: defineServiceRoute({
    group: 'vc-api',
    carries: 'personal',
    faults: [],
    method: 'POST',
    path: '/vc-api/:issuer/credentials/issue',
    access: 'key',
    scope: 'issue',
    cost: 'light',
    status: 201,
    replyTypes: ['application/vc', 'application/json'],
    summary: 'Makes something',
    params,
    body: z.strictObject({ credential: z.looseObject({}) }),
    reply: z.looseObject({}),
    read: ({ body }) => body,
  }),
};

const handlers: ServiceHandlers<typeof routes> = {
  metadata: async ({ issuer }) => ({ issuer }),
  token: async (request) => {
    if (request.code === 'used') throw new Fault('grantInvalid', { detail: 'the code was "used"\n' });
    if (request.code === 'stale') throw new Fault('dpopNonceWanted', { facts: { dpopNonce: 'fresh' } });
    if (request.code === 'bug') throw new Error('inner detail');
    return request;
  },
  nonce: async () => ({ c_nonce: 'n' }),
  credential: async ({ body }, { grant }) => {
    if (grant?.token === 'ended') throw new Fault('accessTokenInvalid');
    if (typeof body === 'object' && body.id === 'later') return jsonAnswer({ id: 't' }, { status: 202 });
    return { body, grant: { ...grant } };
  },
  notify: async () => null,
  request: async () => ({ contentType: 'application/oauth-authz-req+jwt', text: 'a.b.c' }),
  authorize: async () => sendOn('https://wallet.example/cb?code=1'),
  issue: async ({ credential }) => ({ verifiableCredential: credential }),
};

async function start(test: TestContext, allowOrigin = 'public') {
  const file = { contentType: 'text/html', bytes: Buffer.from('<p>console'), tag: '"1"' };
  const index = { ...file, packed: undefined, isLasting: false };
  const silent = () => undefined;
  const server = createServiceServer({
    routes,
    handlers,
    authenticate: async (token) =>
      token === 'key' ? { keyId: 'k', scopes: new Set(['issue'] as const) } : undefined,
    rates: { light: { perMinute: 6_000 }, heavy: { perMinute: 6_000 } },
    logger: { debug: silent, info: silent, warn: silent, error: silent },
    pages: pagePolicy({ allowOrigin, host: '127.0.0.1' }),
    plain: { console: { files: { index, files: new Map() }, onReport: silent } },
  });
  test.after(() => server.close());
  return (await server.listen({ host: '127.0.0.1', port: 0 })).port;
}

const at = (name: string) => `/oid4vci/00aa/${name}`;
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const post = (body: string, headers: Record<string, string> = {}) => ({ method: 'POST', body, headers });
const bearer = { authorization: 'Bearer t0ken' };

describe('routes that wallets call', () => {
  it('stand anywhere below the host, with a console beside them', async (test) => {
    const port = await start(test);
    const wellKnown = '/.well-known/openid-credential-issuer/oid4vci/00aa';
    const answer = await send(port, wellKnown, { headers: { accept: 'text/html' } });
    assert.deepEqual([answer.status, json(answer)], [200, { issuer: '00aa' }]);
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.ok(Math.abs(Date.parse(String(answer.headers.date)) - Date.now()) < 60_000);
    for (const path of ['/.well-known/openid-credential-issuer', `${wellKnown}/`, '/oid4vci', '/types/x'])
      assert.equal((await send(port, path, { headers: { accept: 'text/html' } })).status, 404, path);
  });

  it('take forms, and pass over what they do not know', async (test) => {
    const port = await start(test);
    const good = await send(
      port,
      `${at('token')}?random=1&hint=h`,
      post('grant_type=a%3Ab+c&code=&x=1&random=%7B%7D', form),
    );
    assert.deepEqual([good.status, json(good)], [200, { issuer: '00aa', hint: 'h', grant_type: 'a:b c' }]);
    const bare = await send(port, at('token'), post('grant_type=a%3D=b'));
    assert.equal(json(bare).grant_type, 'a==b');
    assert.equal((await send(port, at('nonce'), post('{"random":1}'))).text, '{"c_nonce":"n"}');
    assert.equal((await send(port, at('nonce'), { method: 'POST' })).status, 200);
  });

  it('refuse with exactly two members, whatever is wrong', async (test) => {
    const port = await start(test);
    const many = Array.from({ length: 101 }, (_, index) => `p${index}=1`).join('&');
    const wrong: readonly (readonly [body: string, status: number, error: string])[] = [
      ['', 400, 'invalid_request'],
      ['code=1', 400, 'invalid_request'],
      ['grant_type=a&grant_type=a', 400, 'invalid_request'],
      ['grant_type=a&grant%5Ftype=b', 400, 'invalid_request'],
      ['grant_type=a&x=1&x=', 400, 'invalid_request'],
      ['grant_type=%zz', 400, 'invalid_request'],
      ['grant_type=%ff', 400, 'invalid_request'],
      ['grant_type=a%00', 400, 'invalid_request'],
      ['{"grant_type":"a"}', 400, 'invalid_request'],
      [`grant_type=a&${many}`, 400, 'invalid_request'],
      [`grant_type=${'a'.repeat(1_000)}`, 413, 'invalid_request'],
      ['grant_type=a&code=used', 400, 'invalid_grant'],
      ['grant_type=a&code=bug', 500, 'server_error'],
    ];
    for (const [body, status, error] of wrong) {
      const answer = await send(port, at('token'), post(body, form));
      assert.deepEqual([answer.status, json(answer).error], [status, error], body.slice(0, 60));
      assert.deepEqual(Object.keys(json(answer)), ['error', 'error_description']);
      assert.match(String(json(answer).error_description), /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.doesNotMatch(answer.text, /inner detail/);
    }
    const latin = await send(port, at('token'), {
      ...post('', form),
      body: Buffer.from('grant_type=\xe4', 'latin1'),
    });
    assert.equal(json(latin).error, 'invalid_request');
    const nobody = await send(port, '/oid4vci/xyz/token', post('grant_type=a', form));
    assert.equal(json(nobody).error, 'invalid_request');
    const stale = await send(port, at('token'), post('grant_type=a&code=stale', form));
    assert.deepEqual(
      [stale.status, json(stale).error, stale.headers['dpop-nonce']],
      [400, 'use_dpop_nonce', 'fresh'],
    );
  });

  it('answer with other types and statuses, and send on only where they are meant to', async (test) => {
    const port = await start(test);
    const request = await send(port, '/oid4vp/request/00aa');
    assert.deepEqual(
      [request.headers['content-type'], request.text],
      ['application/oauth-authz-req+jwt', 'a.b.c'],
    );
    const noted = await send(port, at('notification'), post('{"event":"e"}', bearer));
    assert.deepEqual([noted.status, noted.text, noted.headers['content-type']], [204, '', undefined]);
    const malformed = await send(port, at('notification'), post('{}', bearer));
    assert.deepEqual([malformed.status, json(malformed).error], [400, 'invalid_notification_request']);
    const made = await send(
      port,
      '/vc-api/00aa/credentials/issue',
      post('{"credential":{}}', { 'x-api-key': 'key' }),
    );
    assert.deepEqual([made.status, json(made)], [201, { verifiableCredential: {} }]);
    const sent = await send(port, at('authorize'));
    assert.deepEqual([sent.status, sent.headers.location], [303, 'https://wallet.example/cb?code=1']);
  });

  it('may be called by any page, without what its browser has, unless the operator says otherwise', async (test) => {
    const port = await start(test);
    const origin = 'https://wallet.example';
    const asking = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'dpop',
    };
    const asked = await send(port, at('credential'), { method: 'OPTIONS', headers: asking });
    assert.equal(asked.status, 204);
    assert.equal(asked.headers['access-control-allow-origin'], '*');
    assert.equal(asked.headers['access-control-allow-methods'], 'POST');
    assert.equal(asked.headers['access-control-allow-headers'], 'dpop');
    assert.equal(asked.headers['access-control-allow-credentials'], undefined);
    const done = await send(
      port,
      at('token'),
      post('grant_type=a', { origin, 'sec-fetch-site': 'cross-site' }),
    );
    assert.deepEqual([done.status, done.headers['access-control-allow-origin']], [200, '*']);
    assert.match(String(done.headers['access-control-expose-headers']), /www-authenticate, dpop-nonce/);
    const own = await send(port, '/vc-api/00aa/credentials/issue', { method: 'OPTIONS', headers: asking });
    assert.equal(own.headers['access-control-allow-origin'], undefined);
    const closed = await start(test, 'https://other.example');
    const refused = await send(closed, at('token'), post('grant_type=a', { origin }));
    assert.deepEqual([refused.status, refused.headers['access-control-allow-origin']], [403, undefined]);
    const toldNothing = await send(closed, at('token'), { method: 'OPTIONS', headers: asking });
    assert.equal(toldNothing.headers['access-control-allow-origin'], undefined);
    const wrongMethod = await send(port, at('token'));
    assert.deepEqual([wrongMethod.status, wrongMethod.headers.allow], [405, 'POST']);
  });
});

describe('an access token', () => {
  const dpop = 'aaa.bbb.ccc';
  const call = (port: number, headers: Record<string, string>, body = '{"id":"x","random":1}', query = '') =>
    send(port, `${at('credential')}${query}`, post(body, headers));

  it('reaches the handler as it was shown, with its proof, and is no API key', async (test) => {
    const port = await start(test);
    const shown = json(await call(port, bearer));
    assert.deepEqual(shown, { body: { id: 'x' }, grant: { scheme: 'Bearer', token: 't0ken' } });
    const proven = json(await call(port, { authorization: 'dpop a.b~c/d+e==', dpop }));
    assert.deepEqual(proven.grant, { scheme: 'DPoP', token: 'a.b~c/d+e==', dpopProof: dpop });
    const both = json(await call(port, { ...bearer, dpop }));
    assert.deepEqual(both.grant, { scheme: 'Bearer', token: 't0ken', dpopProof: dpop });
    assert.equal((await call(port, bearer, '{"id":"later"}')).status, 202);
    for (const jwt of ['aaa.bbb.ccc', 'aaa..iv.cc.dd', 'aaa.kk.iv.cc.dd'])
      assert.equal(json(await call(port, bearer, jwt)).body, jwt);
    const elsewhere = await send(port, '/vc-api/00aa/credentials/issue', post('{"credential":{}}', bearer));
    assert.equal(json(elsewhere).code, 'notAuthenticated');
  });

  it('is asked for before anything else, and refused in words of OAuth', async (test) => {
    const port = await start(test);
    const missing: readonly Record<string, string>[] = [
      {},
      { authorization: '' },
      { authorization: 'Basic dTpw' },
      { authorization: 'Bearertoken' },
      { 'x-api-key': 'key' },
    ];
    for (const headers of missing) {
      const answer = await call(port, headers, 'not even json');
      assert.deepEqual([answer.status, json(answer).error], [401, 'invalid_token']);
      assert.match(
        String(answer.headers['www-authenticate']),
        /^Bearer realm="symbolon", DPoP .*algs="ES256/,
      );
    }
    for (const token of ['', ' ', 'a b', 'ä', 'a,b', '=', 'x'.repeat(4_097), 'ended'])
      for (const scheme of ['Bearer', 'DPoP']) {
        const answer = await call(port, {
          authorization: Buffer.from(`${scheme} ${token}`).toString('latin1'),
          dpop,
        });
        assert.deepEqual(
          [answer.status, json(answer).error],
          [401, 'invalid_token'],
          `${scheme} ${token.slice(0, 9)}`,
        );
        assert.match(String(answer.headers['www-authenticate']), /^Bearer error="invalid_token"/);
      }
    const doubled = `${dpop}, ${dpop}`;
    const proofs: readonly Record<string, string>[] = [
      {},
      { dpop: 'x' },
      { dpop: doubled },
      { dpop: `a.b.${'c'.repeat(9_000)}` },
    ];
    for (const proof of proofs) {
      const answer = await call(port, { authorization: 'DPoP t0ken', ...proof });
      assert.deepEqual([answer.status, json(answer).error], [401, 'invalid_dpop_proof']);
      assert.match(String(answer.headers['www-authenticate']), /^DPoP error="invalid_dpop_proof"/);
    }
    for (const query of ['?access_token=t0ken', '?access%5Ftoken=t0ken&x=1', '?x&access_token='])
      for (const headers of [{}, bearer]) {
        const answer = await call(port, headers, undefined, query);
        assert.deepEqual([answer.status, json(answer).error], [400, 'invalid_credential_request']);
        assert.doesNotMatch(answer.text, /t0ken/);
      }
    for (const body of ['', '{', '[]', 'a.b', 'a.b.c.d', '{"id":"x","id":"y"}', '{"id":1}', '"a.b.c"'])
      assert.equal(json(await call(port, bearer, body)).error, 'invalid_credential_request', body);
    assert.equal(credentialEnvelope.refusalName, 'OauthRefusal');
  });
});
