/**
 * The web console as the service serves it: one page under every path of its navigation, the ledger under the same
 * origin, blocks as they come, and what a demo adds on its own machine alone.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { type JsonObject, parseJson } from '@symbolon/wire/json/json';
import { openBrowser } from '../support/browser-tabs.ts';
import { json, raw, send } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { fundAddress } from '../support/payment-world.ts';
import { person } from '../support/people.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
const script = 'export const answer = 42;\n'.repeat(50);
const page = '<!doctype html><title>Symbolon</title><script type="module" src="/assets/main-1.js"></script>';
let service: RunningService;

function builtConsole(): string {
  const folder = makeTempFolder();
  owner.after(() => removeFolder(folder));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(join(folder, 'assets', 'main-1.js'), script);
  writeFileSync(join(folder, 'assets', 'main-1.js.br'), brotliCompressSync(script));
  writeFileSync(join(folder, 'assets', 'proof.wasm'), 'x');
  writeFileSync(join(folder, 'manifest.webmanifest'), '{}');
  writeFileSync(join(folder, 'secrets.pem'), 'x');
  writeFileSync(join(folder, 'assets', '.hidden.js'), 'x');
  return folder;
}

before(async () => {
  service = await startService(owner, { proofs, isDemo: true, consoleFolder: builtConsole() });
});

const html = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const get = (path: string, headers: Record<string, string> = {}) =>
  send(`${service.url}${path}`, { headers: { host: new URL(service.url).host, ...headers } });

describe('the page', () => {
  test('is what browsers get under every path of the navigation, also from a link elsewhere', async () => {
    const paths = [
      '/',
      '/issue/applications/did:zid:1',
      '/wallet/cards',
      '/verify/sessions/1',
      '/ledger',
      '/ledger/blocks/12',
      '/ledger/tx/ab',
      '/lab/build?draft=1',
      '/dev/keys',
    ];
    for (const path of paths) {
      const { status, text, headers } = await get(path, { ...html, 'sec-fetch-site': 'cross-site' });
      assert.deepEqual([status, text, headers['cache-control']], [200, page, 'no-cache'], path);
    }
  });

  test('asks nobody else, runs nothing else, and is framed by nobody', async () => {
    const { headers } = await get('/', html);
    const served = String(headers['content-security-policy']);
    const documented = readFileSync(new URL('../../docs/console.md', import.meta.url), 'utf8')
      .replaceAll(/\s+/g, ' ')
      .match(/default-src 'none'; script-src .*?report-uri \S+/)?.[0];
    assert.equal(documented, served, 'docs/console.md prints what is served');
    const policy = served.split('; ');
    for (const rule of [
      "default-src 'none'",
      "script-src 'self' 'wasm-unsafe-eval'",
      "style-src 'self'",
      "connect-src 'self'",
      "worker-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ])
      assert.ok(policy.includes(rule), rule);
    assert.ok(!policy.some((rule) => /unsafe-inline|'unsafe-eval'|https?:|\*/.test(rule)));
    const {
      'x-frame-options': frames,
      'x-content-type-options': types,
      'referrer-policy': referrer,
    } = headers;
    assert.deepEqual([frames, types, referrer], ['DENY', 'nosniff', 'no-referrer']);
    assert.deepEqual(
      [headers['cross-origin-opener-policy'], headers['cross-origin-resource-policy']],
      ['same-origin', 'same-origin'],
    );
    assert.match(String(headers['permissions-policy']), /camera=\(self\).*geolocation=\(\)/);
  });

  test('is no answer to programs: they get the directory, and refusals, as ever', async () => {
    assert.equal(json(await get('/')).openapi, '/openapi.json');
    assert.equal(json(await get('/', { accept: 'application/json' })).openapi, '/openapi.json');
    assert.equal((await get('/issue/applications')).status, 404);
    const desk = await get('/wallet');
    assert.deepEqual([desk.status, desk.headers.allow], [404, undefined], 'no other method would do');
    assert.match(String(desk.headers.vary), /accept/);
    assert.equal((await get('/ledger/nothing')).status, 404);
    const wrongMethod = await get('/wallet/hsm/sign-blob');
    assert.deepEqual([wrongMethod.status, wrongMethod.headers.allow], [405, 'POST']);
  });

  test('is answered by its headers where they alone are asked for, as is all that GET gets', async () => {
    const script = page.match(/src="([^"]+)"/)?.[1] ?? '';
    const asked = [
      ['/', html],
      ['/', {}],
      ['/verify/ask', html],
      [script, {}],
      ['/readyz', {}],
      ['/cred/tds/templates', {}],
      ['/ledger/getLedger', {}],
      ['/console/config', {}],
      ['/issue/applications', {}],
      ['/v1/verification', {}],
    ] as const;
    for (const [path, headers] of asked) {
      const whole = await get(path, headers);
      const head = await send(`${service.url}${path}`, { method: 'HEAD', headers });
      const told = ({ status, headers: all }: typeof head) => [status, all['content-type'], all.etag];
      assert.deepEqual([...told(head), head.text], [...told(whole), ''], path);
    }
  });

  test('is asked for again only where it has changed', async () => {
    const { headers } = await get('/wallet/cards', html);
    const again = await get('/wallet/cards', { ...html, 'if-none-match': String(headers.etag) });
    assert.deepEqual([again.status, again.text], [304, '']);
  });
});

describe('its files', () => {
  test('are kept for good, compressed for who takes that, with their types', async () => {
    const plain = await get('/assets/main-1.js');
    assert.deepEqual(
      [plain.text, plain.headers['content-type'], plain.headers['cache-control']],
      [script, 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
    );
    const packed = await fetch(`${service.url}/assets/main-1.js`, { headers: { 'accept-encoding': 'br' } });
    assert.deepEqual([packed.headers.get('content-encoding'), await packed.text()], ['br', script]);
    assert.equal(brotliDecompressSync(brotliCompressSync(script)).toString(), script);
    const refusing = await fetch(`${service.url}/assets/main-1.js`, {
      headers: { 'accept-encoding': 'deflate, gzip;q=0.5, br;q=0' },
    });
    assert.deepEqual([refusing.headers.get('content-encoding'), await refusing.text()], ['gzip', script]);
    const none = await get('/assets/main-1.js', { 'accept-encoding': 'gzip;q=0, br; q=0.0' });
    assert.equal(none.headers['content-encoding'], undefined);
    assert.equal((await get('/assets/proof.wasm')).headers['content-type'], 'application/wasm');
    assert.equal((await get('/manifest.webmanifest')).headers['cache-control'], 'no-cache');
  });

  test('are those of a list: no path leads anywhere else', async () => {
    const paths = [
      '/assets/../secrets.pem',
      '/assets/..%2fsecrets.pem',
      '/assets/%2e%2e/index.html',
      '/secrets.pem',
      '/assets/.hidden.js',
      '/assets/main-1.js.br',
      '/assets/',
      '/index.html',
      '//etc/passwd',
    ];
    for (const path of paths) assert.equal((await get(path)).status, 404, path);
  });

  test('may report what the policy kept from them, and that is counted', async () => {
    const report = async (body: string) =>
      (
        await send(`${service.url}/console/policy-reports`, {
          method: 'POST',
          body,
          headers: { host: new URL(service.url).host, origin: service.url },
        })
      ).status;
    assert.equal(await report('{"csp-report":{"blocked-uri":"https://evil.example"}}'), 204);
    assert.equal(await report('[{"type":"csp-violation"},{"type":"csp-violation"}]'), 204);
    assert.equal(await report('x'.repeat(20_000)), 413);
    const { text } = await get('/metrics');
    assert.match(text, /^symbolon_console_policy_reports_total 3$/m);
  });
});

describe('the ledger under the same origin', () => {
  test('answers as the node does, under every spelling', async () => {
    const { address } = service.holder;
    for (const path of ['getAccountBase', 'v1/account/getAccountBase', 'getAccountMetadata']) {
      const [here, there] = await Promise.all([
        get(`/ledger/${path}?address=${address}`),
        send(`${service.node.url}/${path}?address=${address}`),
      ]);
      assert.deepEqual([here.status, here.text], [there.status, there.text]);
      assert.equal(here.headers['content-type'], there.headers['content-type']);
    }
    const body = JSON.stringify({ items: [{ url: 'getLedger', method: 'GET' }] });
    const many = await send(`${service.url}/ledger/multiQuery`, { method: 'POST', body });
    assert.equal((json(many).results as JsonObject[]).length, 1);
    const refused = await send(`${service.url}/ledger/submitTransaction`, { method: 'POST', body: '{' });
    assert.equal(json(refused).error_code, 2);
  });

  test("is the routes of its table: neither the node's metrics nor anything else", async () => {
    for (const path of [
      'metrics',
      'livez',
      'readyz',
      'openapi.json',
      'getLedger/../metrics',
      'v1/node/metrics',
      'v1/a/b/getLedger',
    ])
      assert.equal((await get(`/ledger/${path}`)).status, 404, path);
    assert.equal((await send(`${service.url}/ledger/getLedger`, { method: 'DELETE' })).status, 405);
  });

  test('says so where the node gives no answer, and ends what takes too much', async (context) => {
    const away = await startService(owner, {
      proofs,
      node: service.node,
      ledgerUrl: 'http://127.0.0.1:9',
    });
    context.after(() => away.close());
    const answer = await send(`${away.url}/ledger/getLedger`);
    assert.deepEqual([answer.status, json(answer).code], [502, 'ledgerSilent']);
    const large = 'x'.repeat(9 * 1024 * 1024);
    const tooLarge = await send(`${service.url}/ledger/submitTransaction`, { method: 'POST', body: large });
    assert.equal(tooLarge.status, 413);
  });

  test('counts against the address, like every call', async (context) => {
    const slow = await startService(owner, {
      proofs,
      node: service.node,
      config: {
        rates: {
          lightPerMinute: 8,
          heavyPerMinute: 100,
          proofUnitsPerMinute: 100,
          proofUnitsPerMinuteWithKey: 100,
        },
      },
    });
    context.after(() => slow.close());
    const statuses: number[] = [];
    for (let count = 0; count < 4; count++) statuses.push((await send(`${slow.url}/ledger/hello`)).status);
    assert.deepEqual(statuses, [200, 200, 429, 429]);
  });
});

interface Told {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: JsonObject;
}

/** Reads a stream of events for as long as a test runs. */
async function listen(url: string, headers: Record<string, string> = {}) {
  const ending = new AbortController();
  const answer = await fetch(url, { headers, signal: ending.signal });
  const told: Told[] = [];
  const reading = (async () => {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const lines = new Map(part.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]));
        const data = lines.get('data');
        if (data !== undefined)
          told.push({
            event: lines.get('event') ?? '',
            id: lines.get('id'),
            data: parseJson(data) as JsonObject,
          });
      }
    }
  })().catch(() => undefined);
  owner.after(() => ending.abort());
  return {
    told,
    status: answer.status,
    async close() {
      ending.abort();
      await reading;
    },
  };
}

describe('blocks as they come', () => {
  const events = () => `${service.url}/ledger/events`;
  const blocksOf = (told: readonly Told[]) => told.filter(({ event }) => event === 'block');

  test('are told once each, in order, with their transactions, and go on behind the last', async () => {
    const first = await listen(events());
    await until('the stream to begin', async () => first.told.length > 0 || undefined);
    const { address } = person('paid for the stream');
    await fundAddress(service.ledger, address);
    const paid = await until('a block', async () =>
      blocksOf(first.told).find(({ data }) => data.transactionCount === 1),
    );
    const [transaction] = paid.data.transactions as JsonObject[];
    assert.deepEqual([transaction?.code, transaction?.operations], [0, 1]);
    assert.equal(paid.id, paid.data.seq);
    const { seq } = paid.data;
    await first.close();
    await fundAddress(service.ledger, person('another').address);
    const again = await listen(events(), { 'last-event-id': String(seq) });
    const next = await until('the next block', async () => blocksOf(again.told)[0]);
    assert.equal(BigInt(next.id ?? 0), BigInt(seq as string) + 1n);
    const seqs = blocksOf(again.told).map(({ id }) => Number(id));
    assert.deepEqual(
      seqs,
      seqs.toSorted((left, right) => left - right),
    );
    assert.equal(new Set(seqs).size, seqs.length);
    await again.close();
  });

  test('say what is left out, and refuse a place that is none', async () => {
    const ahead = await listen(events(), { 'last-event-id': '999999999' });
    await until('a gap', async () => ahead.told.find(({ event }) => event === 'gap'));
    await ahead.close();
    const malformed = await send(events(), { headers: { 'last-event-id': 'x' } });
    assert.equal(malformed.status, 400);
  });

  test('are told to so many readers of one address', async () => {
    const readers = await Promise.all(Array.from({ length: 22 }, () => listen(events())));
    const statuses = readers.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 429).length, 2);
    await Promise.all(readers.map((reader) => reader.close()));
    await until('room', async () => {
      const reader = await listen(events());
      await reader.close();
      return reader.status === 200 || undefined;
    });
  });
});

test('a stream of blocks says when the node is lost, and when it is back', async () => {
  let isAway = false;
  const way: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      if (isAway) return void request.socket.destroy();
      const body = Buffer.concat(chunks);
      const answer = await send(`${service.node.url}${request.url}`, {
        method: request.method ?? 'GET',
        ...(body.length > 0 && { body }),
      });
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text);
    });
  });
  await new Promise<void>((resolve) => void way.listen(0, '127.0.0.1', resolve));
  owner.after(() => void way.close());
  const url = `http://127.0.0.1:${(way.address() as AddressInfo).port}`;
  const { createNodeClient } = await import('@symbolon/credential-service/ledger/node-client');
  const cut = await startService(owner, { proofs, node: service.node, client: createNodeClient(url) });
  const reader = await listen(`${cut.url}/ledger/events`);
  await until('the stream to begin', async () => reader.told.find(({ event }) => event === 'open'));
  isAway = true;
  await until('lost', async () => reader.told.find(({ event }) => event === 'lost'));
  isAway = false;
  await until('back', async () => reader.told.find(({ event }) => event === 'back'));
  await reader.close();
});

describe('what a demo adds', () => {
  test('people with their keys, for a browser on this machine alone', async () => {
    const tab = openBrowser(service.url).tab();
    const { body } = await tab.call('/console/config');
    assert.deepEqual([body.isDemo, body.name], [true, 'Symbolon demo']);
    const people = body.people as JsonObject[];
    assert.deepEqual(
      people.map(({ person: name }) => name),
      ['issuer', 'holder', 'holder2', 'verifier'],
    );
    const network = body.network as JsonObject;
    assert.match(String(network.genesisHash), /^[0-9a-f]{64}$/);
    assert.equal(network.credentialRegistry, service.demo.pins?.credentialRegistry);
    for (const headers of [
      { 'x-forwarded-for': '203.0.113.9' },
      { forwarded: 'for=203.0.113.9' },
      { 'cf-connecting-ip': '203.0.113.9' },
    ] as Record<string, string>[]) {
      const passed = await tab.call('/console/config', { headers });
      assert.deepEqual([passed.body.people, passed.body.signIn], [undefined, ['signature', 'apiKey']]);
      assert.ok(!passed.text.includes(service.demo.issuer.privateKey));
      const order = { method: 'POST', body: { person: 'issuer' }, headers };
      assert.equal((await tab.call('/console/session', order)).status, 404);
    }
    // What a bare `proxy_pass` of nginx makes of anybody's request.
    const line = `HTTP/1.0\r\nHost: ${new URL(service.url).host}\r\nConnection: close\r\nAccept: */*\r\n\r\n`;
    const passed = await raw(service.url, `GET /console/config ${line}`);
    assert.match(passed, /"isDemo":true/);
    assert.ok(!passed.includes(service.demo.issuer.privateKey));
  });

  test('coins for an address, so often', async () => {
    const tab = openBrowser(service.url).tab();
    const { address } = person('thirsty');
    const pour = (to: string) => tab.call('/demo/faucet', { method: 'POST', body: { address: to } });
    const poured = await pour(address);
    assert.deepEqual([poured.status, poured.body.amount], [200, '100000000'], poured.text);
    const { result } = await service.ledger.getAccountBase({ address });
    assert.equal(BigInt(result?.balance ?? 0), 100_000_000n);
    assert.equal((await pour('nowhere')).status, 400);
    const many = await Promise.all(Array.from({ length: 12 }, () => pour(address)));
    const statuses = many.map(({ status }) => status);
    assert.ok(statuses.includes(429) && statuses.includes(200), String(statuses));
  });
});

test('a service on all addresses shows nobody the keys of its demo', async () => {
  const open = await startService(owner, {
    proofs,
    node: service.node,
    isDemo: true,
    config: { host: '0.0.0.0' },
  });
  const local = open.url.replace('0.0.0.0', '127.0.0.1');
  const { body } = await openBrowser(local).tab().call('/console/config');
  assert.deepEqual([body.isDemo, body.people], [true, undefined]);
});
