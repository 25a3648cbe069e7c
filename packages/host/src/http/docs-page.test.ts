import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceGuide } from '@symbolon/wire/openapi/llms-text';
import { startService } from '../service/service-server-fixture.ts';
import { send } from './ledger-server-fixture.ts';

const plain = { openapi: () => ({ openapi: '3.1.0' }) };

test('the page and its policy let nothing come from outside', async (context) => {
  const { port } = await startService(context, { plain, hasDocs: true });
  const moved = await send(port, '/docs');
  assert.deepEqual([moved.status, moved.headers.location], [308, 'docs/']);
  const { status, headers, text } = await send(port, '/docs/');
  assert.equal(status, 200);
  assert.match(String(headers['content-type']), /^text\/html/);

  assert.doesNotMatch(text, /https?:|\bsrc="\/\/|@import/);
  const sources = [...text.matchAll(/\b(?:src|href)="([^"]*)"/g)].map(([, source]) => source);
  assert.deepEqual(sources, ['js/scalar.js']);
  for (const off of ['"withDefaultFonts": false', '"telemetry": false', '"proxyUrl": ""', '"disabled": true'])
    assert.ok(text.includes(off), off);
  assert.ok(text.includes('"url": "../openapi.json"'));

  const directives = new Map(
    String(headers['content-security-policy'])
      .split('; ')
      .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)] as const),
  );
  assert.deepEqual(directives.get('default-src'), ["'none'"]);
  assert.deepEqual(directives.get('connect-src'), ["'self'"]);
  for (const values of directives.values())
    for (const value of values)
      assert.match(value, /^('none'|'self'|'unsafe-inline'|data:|'sha256-[\w+/=]+')$/);
  assert.ok(!directives.get('script-src')?.includes("'unsafe-inline'"));
  assert.ok(directives.get('script-src')?.some((value) => value.startsWith("'sha256-")));
});

test('the viewer itself comes from this server, packed for whoever takes that', async (context) => {
  const { port } = await startService(context, { plain, hasDocs: true });
  const script = await send(port, '/docs/js/scalar.js');
  assert.match(String(script.headers['content-type']), /^text\/javascript/);
  assert.match(script.text, /createApiReference/);
  const packed = await fetch(`http://127.0.0.1:${port}/docs/js/scalar.js`);
  assert.equal(packed.headers.get('content-encoding'), 'gzip');
  assert.equal((await packed.text()).length, script.text.length);
});

test('the errors have a page to which every refusal leads, and it runs nothing', async (context) => {
  const { port } = await startService(context, { plain, hasDocs: true });
  const { status, headers, text } = await send(port, '/docs/errors');
  assert.equal(status, 200);
  assert.match(String(headers['content-type']), /^text\/html/);
  assert.match(
    String(headers['content-security-policy']),
    /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  );
  assert.doesNotMatch(text, /<script|https?:|\bsrc=|@import|style="|\bon\w+=/);
  const refused = JSON.parse((await send(port, '/nowhere')).text) as { help: string; hint: string };
  const [page, anchor] = refused.help.split('#');
  assert.equal(page, '/docs/errors');
  assert.ok(text.includes(`id="${anchor}"`));
  assert.ok(text.includes(refused.hint));
  assert.ok(text.includes('id="ledger-93"'));
});

test('every link of the guide for language models leads somewhere', async (context) => {
  const hooks = { ...plain, readiness: async () => [], guide: serviceGuide };
  const { port } = await startService(context, { plain: hooks, hasDocs: true });
  const { status, headers, text } = await send(port, '/llms.txt');
  assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8']);
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link as string);
  assert.ok(links.includes('/openapi.json') && links.includes('/docs/errors'));
  for (const link of links) assert.equal((await send(port, link)).status, 200, link);
  assert.match(text, /`POST \/cred\/v1\/vc\/apply`: /);
  assert.match(text, /`GET \/1\.0\/identifiers\/\{did\}`: /);
});

test('there is no page where nobody wants one', async (context) => {
  const { port } = await startService(context, { plain });
  assert.equal((await send(port, '/docs/')).status, 404);
  for (const path of ['/docs/errors', '/llms.txt']) assert.equal((await send(port, path)).status, 404);
  assert.equal((await send(port, '/openapi.json')).status, 200);
});
