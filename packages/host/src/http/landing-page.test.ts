import assert from 'node:assert/strict';
import { test } from 'node:test';
import { send, start } from './ledger-server-fixture.ts';

const plain = {
  about: 'Keeps <things>; see `docs`.',
  directory: () => ({
    name: 'Things & more',
    version: '1.2',
    docs: '/docs',
    health: '/readyz',
    service: 'http://127.0.0.1:8080',
    webSocket: 'ws://127.0.0.1:36003',
  }),
};
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test('a browser gets a page that runs and fetches nothing', async (context) => {
  const { port } = await start(context, { plain });
  const { status, headers, text } = await send(port, '/', { headers: { accept: browser } });
  assert.equal(status, 200);
  assert.match(String(headers['content-type']), /^text\/html/);
  assert.match(
    String(headers['content-security-policy']),
    /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  );
  assert.equal(headers.vary, 'accept');
  assert.doesNotMatch(text, /<script|\bsrc=|@import|style="|\bon\w+=|<link/);
  assert.ok(text.includes('<h1>Things &amp; more</h1>'));
  assert.ok(text.includes('Keeps &lt;things&gt;; see <code>docs</code>.'));
  const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, link]) => link);
  assert.deepEqual(links, ['./docs', './readyz', 'http://127.0.0.1:8080']);
  assert.ok(text.includes('ws://127.0.0.1:36003'));
});

test('whoever wants a text gets one, and programs get JSON', async (context) => {
  const { port } = await start(context, { plain });
  const ask = async (accept?: string) => {
    const { headers, text } = await send(port, '/', accept === undefined ? {} : { headers: { accept } });
    return [String(headers['content-type']).split(';')[0], text] as const;
  };
  const [type, text] = await ask('text/plain');
  assert.equal(type, 'text/plain');
  assert.match(text, /^Things & more 1\.2\n\nKeeps <things>; see docs\.\n/);
  assert.match(text, /\n {2}\/docs {17,}The interface: /);
  for (const accept of [
    undefined,
    '*/*',
    'application/json',
    'application/json, text/plain, */*',
    'image/png',
  ])
    assert.deepEqual(await ask(accept), ['application/json', JSON.stringify(plain.directory())], accept);
  for (const accept of ['text/html', 'text/*', 'text/html;q=0.9,application/json;q=0.5'])
    assert.equal((await ask(accept))[0], 'text/html', accept);
  assert.equal((await ask('text/html;q=0,*/*'))[0], 'application/json');
});
