import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { fetchLimits } from '../limits/service-limits.ts';
import { createGuardedFetch, type GuardedFetchOptions } from './guarded-fetch.ts';
import { OutboundProblem, type PinnedAddress } from './outbound-address.ts';

const json = { 'content-type': 'application/json; charset=utf-8' };
const types = ['application/did+json', 'application/json'];

/** A host that does whatever somebody hostile would. */
const hostile: Readonly<Record<string, (answer: ServerResponse) => void>> = {
  '/good': (answer) => answer.writeHead(200, json).end('{"id":"x"}'),
  '/other-type': (answer) => answer.writeHead(200, { 'content-type': 'text/html' }).end('{}'),
  '/no-type': (answer) => answer.writeHead(200).end('{}'),
  '/redirect': (answer) => answer.writeHead(302, { ...json, location: '/good' }).end('{}'),
  '/missing': (answer) => answer.writeHead(404, json).end('{}'),
  '/empty': (answer) => answer.writeHead(204, json).end(),
  '/said-large': (answer) => answer.writeHead(200, { ...json, 'content-length': '9999999' }).end('{}'),
  '/large': (answer) => {
    answer.writeHead(200, json);
    for (let sent = 0; sent < 40; sent++) answer.write('x'.repeat(1_000));
    answer.end();
  },
  '/bomb': (answer) =>
    answer.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000_000))),
  '/not-utf8': (answer) => answer.writeHead(200, json).end(Buffer.from([0x22, 0xff, 0x22])),
  '/cut': (answer) => {
    answer.writeHead(200, { ...json, 'content-length': '100' }).write('{');
    setTimeout(() => answer.destroy(), 20);
  },
  '/silent': () => undefined,
  '/drip': (answer) => {
    answer.writeHead(200, json);
    const drip = setInterval(() => answer.write(' '), 20);
    answer.on('close', () => clearInterval(drip));
  },
};

async function host(context: TestContext) {
  const asked: string[] = [];
  const server: Server = createServer((request, answer) => {
    asked.push(String(request.url));
    hostile[String(request.url)]?.(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked };
}

const fetcher = (options: Partial<GuardedFetchOptions> = {}) =>
  createGuardedFetch({ nowMs: () => 0, reach: 'loopback', timeoutMs: 2_000, ...options });

const refuses = (what: RegExp) => (error: unknown) =>
  error instanceof OutboundProblem && what.test(error.message);

describe('documents of others', () => {
  test('are fetched from this machine where that is allowed, and remembered for a while', async (context) => {
    const { port, asked } = await host(context);
    let now = 0;
    const fetch = fetcher({ nowMs: () => now });
    const order = { url: `http://127.0.0.1:${port}/good#part`, types };
    const [first, second] = await Promise.all([fetch(order), fetch(order)]);
    assert.deepEqual([first.text, first.contentType], ['{"id":"x"}', 'application/json']);
    assert.equal(second.text, first.text);
    now = fetchLimits.rememberedMs - 1;
    await fetch(order);
    assert.equal(asked.length, 1);
    now += 1;
    await fetch(order);
    await fetch({ ...order, ageMsMax: 0 });
    assert.equal(asked.length, 3);
  });

  test('of a hostile host are refused in a few words', async (context) => {
    const { port } = await host(context);
    const cases: readonly (readonly [path: string, what: RegExp])[] = [
      ['/other-type', /another type/],
      ['/no-type', /another type/],
      ['/redirect', /sends on/],
      ['/missing', /answered 404/],
      ['/empty', /answered 204/],
      ['/said-large', /larger than 20000 bytes/],
      ['/large', /larger than 20000 bytes/],
      ['/bomb', /compressed/],
      ['/not-utf8', /not text/],
      ['/cut', /reached|too early/],
    ];
    for (const [path, what] of cases)
      await assert.rejects(
        fetcher()({ url: `http://127.0.0.1:${port}${path}`, types, bytesMax: 20_000 }),
        refuses(what),
        path,
      );
  });

  test('that never end are not waited for', async (context) => {
    const { port } = await host(context);
    const fetch = fetcher({ timeoutMs: 300 });
    for (const path of ['/silent', '/drip'])
      await assert.rejects(
        fetch({ url: `http://127.0.0.1:${port}${path}`, types }),
        refuses(/too long/),
        path,
      );
    const slowNames = fetcher({ timeoutMs: 100, resolve: () => new Promise(() => undefined) });
    await assert.rejects(slowNames({ url: 'https://slow.example/', types }), refuses(/too long/));
  });

  test('are not fetched from inside, by whatever spelling', async (context) => {
    const { port, asked } = await host(context);
    const fetch = fetcher({ reach: 'public' });
    for (const name of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '0.0.0.0',
      '2130706433',
      '0x7f.1',
      '[::ffff:127.0.0.1]',
    ])
      for (const scheme of ['http', 'https'])
        await assert.rejects(
          fetch({ url: `${scheme}://${name}:${port}/good`, types }),
          OutboundProblem,
          name,
        );
    for (const url of [
      '',
      'good',
      'file:///etc/passwd',
      'data:application/json,{}',
      'https://u:p@a.example/',
    ])
      await assert.rejects(fetch({ url, types }), OutboundProblem, url);
    await assert.rejects(fetch({ url: `https://a.example/${'x'.repeat(3_000)}`, types }), OutboundProblem);
    await assert.rejects(fetch({ url: 'http://a.example/', types }), refuses(/not https/));
    assert.deepEqual(asked, []);
  });

  test('of a name go to the address that was checked, whatever the name stands for afterwards', async (context) => {
    const { port, asked } = await host(context);
    const answers: PinnedAddress[][] = [
      [{ address: '127.0.0.1', family: 4 }],
      [{ address: '1.1.1.1', family: 4 }],
    ];
    const rebinding = async () => answers.shift() ?? [];
    const fetch = fetcher({ reach: 'public', resolve: rebinding });
    await assert.rejects(
      fetch({ url: `https://rebind.example:${port}/good`, types }),
      refuses(/public address/),
    );
    const both = async () => [
      { address: '1.1.1.1', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ];
    await assert.rejects(
      fetcher({ reach: 'public', resolve: both })({ url: 'https://two.example/', types }),
      refuses(/public address/),
    );
    await assert.rejects(
      fetcher({ resolve: async () => [] })({ url: 'https://none.example/', types }),
      refuses(/no address/),
    );
    assert.deepEqual(asked, []);
    // Pinned: the name is nobody's, and the connection goes to the checked address all the same.
    let connections = 0;
    const plain = createTcpServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    context.after(() => plain.close());
    const pinned = fetcher({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
    const tlsUrl = `https://nobody.invalid:${(plain.address() as AddressInfo).port}/`;
    await assert.rejects(pinned({ url: tlsUrl, types }), refuses(/cannot be reached/));
    assert.equal(connections, 1);
  });

  test('are fetched so many at a time, and no more', async (context) => {
    const { port } = await host(context);
    const fetch = fetcher({ timeoutMs: 1_000 });
    const all = Array.from({ length: fetchLimits.fetchesMax + 3 }, (_, index) =>
      fetch({ url: `http://127.0.0.1:${port}/silent?${index}`, types }).then(
        () => 'done',
        (error: Error) => error.message,
      ),
    );
    const refused = (await Promise.all(all)).filter((what) => /too many/.test(what));
    assert.equal(refused.length, 3);
  });
});
