import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { loadConfig } from '../config/config.ts';
import { json, send, start } from './ledger-server-fixture.ts';
import { allowOriginSetting, judgePage, type PageHeaders, type PagePolicy, pagePolicy } from './web-pages.ts';

const page = 'https://wallet.example';
const allowed = 'access-control-allow-origin';
const local = { host: '127.0.0.1' };

const verdictOf = (policy: PagePolicy, headers: PageHeaders, isPublic = false): string => {
  const verdict = judgePage(policy, headers, isPublic);
  return verdict.refused ? `refused ${verdict.refused}` : (verdict.readableBy ?? 'fine');
};

describe('web pages', () => {
  const open = pagePolicy({ allowOrigin: 'public', ...local });
  const host = '127.0.0.1:8080';

  it('programs say nothing of pages and pass', () => {
    assert.equal(verdictOf(open, { host }), 'fine');
    assert.equal(verdictOf(open, {}), 'fine');
    assert.equal(verdictOf(open, { host, 'sec-fetch-site': 'none' }), 'fine');
  });

  it('of the server itself do everything', () => {
    for (const name of [host, 'localhost:8080', '[::1]:8080', 'app.localhost:8080'])
      assert.equal(verdictOf(open, { host: name, origin: `http://${name}` }), 'fine', name);
    assert.equal(verdictOf(open, { host: 'localhost', origin: 'http://localhost' }), 'fine');
    assert.equal(verdictOf(open, { host, 'sec-fetch-site': 'same-origin' }), 'fine');
  });

  it('of other origins read what is public, and nothing else', () => {
    for (const origin of [page, 'null', 'http://127.0.0.1:8081', 'http://localhost:8080', 'file://', 'x']) {
      assert.equal(verdictOf(open, { host, origin }), 'refused origin', origin);
      assert.equal(verdictOf(open, { host, origin }, true), '*', origin);
    }
    for (const site of ['cross-site', 'same-site']) {
      assert.equal(verdictOf(open, { host, 'sec-fetch-site': site }), 'refused origin');
      assert.equal(verdictOf(open, { host, 'sec-fetch-site': site }, true), 'fine', 'a link to it');
    }
  });

  it('may be named, may all be allowed, or none', () => {
    const named = pagePolicy({ allowOrigin: `${page}, public`, ...local });
    assert.equal(verdictOf(named, { host, origin: page }), page);
    assert.equal(verdictOf(named, { host, origin: `${page}:1` }), 'refused origin');
    assert.equal(verdictOf(named, { host, origin: `${page}.evil` }, true), '*');
    const strict = pagePolicy({ allowOrigin: page, ...local });
    assert.equal(verdictOf(strict, { host, origin: 'https://evil.example' }, true), 'refused origin');
    assert.equal(verdictOf(pagePolicy({ allowOrigin: '*', ...local }), { host, origin: 'null' }), '*');
    const none = pagePolicy({ allowOrigin: '', ...local });
    for (const isPublic of [true, false])
      assert.equal(verdictOf(none, { host, origin: page }, isPublic), 'refused origin');
  });

  it('whose name was bound to this machine get nothing', () => {
    for (const allowOrigin of ['public', '*', '', page]) {
      const policy = pagePolicy({ allowOrigin, ...local });
      for (const name of ['evil.test', 'evil.test:8080', '127.0.0.1.evil.test', 'localhost.evil.test', ''])
        for (const isPublic of [true, false])
          assert.equal(verdictOf(policy, { host: name, origin: `http://${name}` }, isPublic), 'refused host');
    }
    const known = pagePolicy({ allowOrigin: '', ...local, publicUrl: 'https://verifier.example' });
    const origin = 'https://verifier.example';
    assert.equal(verdictOf(known, { host: 'verifier.example', origin }), 'fine');
    assert.equal(verdictOf(known, { host: '127.0.0.1:8080', origin }), 'fine', 'through a proxy');
    assert.equal(verdictOf(known, { host: 'evil.example' }), 'refused host');
  });

  it('of a server for others are its own by the name that its operator gives', () => {
    const unnamed = pagePolicy({ allowOrigin: '', host: '0.0.0.0' });
    assert.equal(verdictOf(unnamed, { host: 'a.example', origin: 'https://a.example' }), 'fine');
    const named = pagePolicy({ allowOrigin: '', host: '0.0.0.0', publicUrl: 'https://a.example' });
    assert.equal(verdictOf(named, { host: 'a.example', origin: 'https://a.example' }), 'fine');
    assert.equal(verdictOf(named, { host: 'evil.test', origin: 'http://evil.test' }), 'refused origin');
    assert.equal(verdictOf(named, { host: '10.0.0.1:80', origin: 'http://10.0.0.1' }), 'fine');
    assert.equal(verdictOf(named, { host: 'node.internal' }), 'fine', 'programs call by any name');
  });
});

describe('the setting for pages', () => {
  const schema = z.strictObject({ allowOrigin: allowOriginSetting() });
  const read = (text?: string) =>
    loadConfig(schema, { env: text === undefined ? {} : { SYMBOLON_ALLOW_ORIGIN: text } }).allowOrigin;

  it('is public by default, and empty where it is empty', () => {
    assert.equal(read(), 'public');
    assert.equal(read(''), '');
    assert.equal(read('*'), '*');
    assert.equal(read('public, https://a.example'), 'public, https://a.example');
  });

  it('refuses what names no page', () => {
    for (const text of [
      'a.example',
      'https://a.example/',
      'https://a.example/x',
      '*, https://a.example',
      'x',
    ])
      assert.throws(() => read(text), /origins such as/, text);
  });
});

describe('a server', () => {
  const policy = (allowOrigin: string) => ({ pages: pagePolicy({ allowOrigin, ...local }) });

  it('lets every page read what is public and do nothing, unless told otherwise', async (test) => {
    const { port } = await start(test, policy('public'));
    const origin = page;
    assert.equal((await send(port, '/look?name=x', { headers: { origin } })).headers[allowed], '*');
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json']) {
      const headers = { origin, 'content-type': type };
      const put = await send(port, '/put', { method: 'POST', body: '{"name":"x"}', headers });
      assert.equal(put.status, 403);
      assert.match(String(json(put).error_desc), /web page/);
      assert.equal(put.headers[allowed], undefined);
    }
    assert.equal((await send(port, '/put', { method: 'POST', body: '{"name":"x"}' })).status, 200);
  });

  it('allows nothing without a policy', async (test) => {
    const { port } = await start(test);
    const answer = await send(port, '/look?name=x', { headers: { origin: page } });
    assert.equal(answer.status, 403);
    assert.equal(answer.headers[allowed], undefined);
  });

  it('answers named pages, failures too', async (test) => {
    const { port } = await start(test, policy(page));
    const asked = await send(port, '/look?name=x', { headers: { origin: page } });
    assert.equal(asked.headers[allowed], page);
    assert.equal(asked.headers.vary, 'origin');
    for (const other of ['https://wallet.example.evil', 'null', 'https://wallet.example:1'])
      assert.equal((await send(port, '/look', { headers: { origin: other } })).headers[allowed], undefined);
    assert.equal((await send(port, '/fail', { headers: { origin: page } })).headers[allowed], page);
  });

  it('answers to its own names alone', async (test) => {
    const { port } = await start(test, policy('*'));
    const rebound = await send(port, '/look?name=x', { headers: { host: 'evil.test' } });
    assert.equal(rebound.status, 421);
    assert.match(String(json(rebound).error_desc), /name/);
    assert.equal((await send(port, '/look?name=x', { headers: { host: `localhost:${port}` } })).status, 200);
  });

  it('answers preflight requests', async (test) => {
    const { port } = await start(test, policy(page));
    const headers = {
      origin: page,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };
    const answer = await send(port, '/v1/thing/put', { method: 'OPTIONS', headers });
    assert.equal(answer.status, 204);
    assert.equal(answer.headers[allowed], page);
    assert.equal(answer.headers['access-control-allow-methods'], 'GET, POST');
    assert.equal(answer.headers['access-control-allow-headers'], 'content-type');
    const refused = await send(port, '/put', {
      method: 'OPTIONS',
      headers: { ...headers, origin: 'https://evil.example' },
    });
    assert.equal(refused.headers[allowed], undefined);
    assert.equal(refused.headers['access-control-allow-methods'], undefined);
  });
});
