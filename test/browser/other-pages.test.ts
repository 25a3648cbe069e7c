/**
 * Web pages in a real browser that are not ours: one of another origin, and some whose name was bound to this machine
 * after they were loaded. They try every route of a running node and service, and reach nothing but what is public.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { before, describe, test } from 'node:test';
import type { ServiceRoute } from '@symbolon/wire/http/service-route';
import { stringifyJson } from '@symbolon/wire/json/json';
import { ledgerRoutes } from '@symbolon/wire/ledger/routes';
import { allRoutes } from '@symbolon/wire/openapi/all-routes';
import { findChromium, openPage } from '../support/chromium.ts';
import { type Owner, ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { operations } from '../support/running-node.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import { until } from '../support/until.ts';
import { type Attempt, type PageOrder, type PageReport, tryEverything } from './foreign-page.ts';

const chromium = await findChromium();
const skip = 'missing' in chromium ? chromium.missing : false;
const owner = ownerOfSuite();
const receiver = person('bob');

interface Tried extends Attempt {
  readonly isPublic: boolean;
}

const others = ['/', '/livez', '/readyz', '/metrics', '/openapi.json', '/nothing'];
const publicOthers = new Set(['/', '/livez', '/readyz', '/openapi.json', '/docs/']);

function serviceAttempts(base: string, apiKey: string): Tried[] {
  const rows = Object.entries(allRoutes as Readonly<Record<string, ServiceRoute>>).map(
    ([name, { method, path, isPublic = false, isForWallets = false, access }]): Tried => ({
      name: `service ${name}`,
      url: base + path.replaceAll(/:[A-Za-z]+/g, 'x'),
      method,
      // Wallets may be pages of any origin, and show no key and no cookie there.
      isPublic: isPublic || isForWallets,
      ...(method === 'POST' && { body: '{}' }),
      // Even a page that has come by a key.
      ...(access === 'key' && { headers: { 'x-api-key': apiKey } }),
    }),
  );
  const plain = [...others, '/docs/', '/llms.txt'].map((path) => ({
    name: `service ${path}`,
    url: base + path,
    method: 'GET',
    isPublic: publicOthers.has(path) || path === '/llms.txt',
  }));
  return [...rows, ...plain];
}

function nodeAttempts(base: string): Tried[] {
  const rows = Object.entries(ledgerRoutes).map(([name, route]): Tried => {
    const isPublic = !('body' in route);
    const order = isPublic ? { method: 'GET' } : { method: 'POST', body: '{}' };
    return { name: `node ${name}`, url: `${base}/${name}`, isPublic, ...order };
  });
  const plain = [...others, '/docs/'].map((path) => ({
    name: `node ${path}`,
    url: base + path,
    method: 'GET',
    isPublic: publicOthers.has(path),
  }));
  return [...rows, ...plain];
}

const portOf = (server: net.Server): number => (server.address() as AddressInfo).port;

const listening = (owner: Owner, server: net.Server): Promise<void> => {
  owner.after(() => void server.close());
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
};

/** A name's server: the attacker's own at first, and whoever listens at `port` once the attacker wants. */
async function switchable(owner: Owner, own: number, port: number) {
  let target = own;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const peer = net.connect(target, '127.0.0.1');
    for (const socket of [client, peer]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    client.pipe(peer).pipe(client);
  });
  await listening(owner, server);
  owner.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  return {
    port: portOf(server),
    rebind: () => {
      target = port;
    },
  };
}

/** The attacker's own server: its page for each name, what a name becomes on demand, and the reports. */
function attackerServer(reports: Map<string, PageReport>) {
  const orders = new Map<string, PageOrder>();
  const rebinds = new Map<string, () => void>();
  const pages = createServer((request, answer) => {
    const { url } = request;
    const { host = '' } = request.headers;
    answer.setHeader('connection', 'close');
    if (url === '/told') {
      let text = '';
      request.on('data', (chunk) => {
        text += chunk;
      });
      request.on('end', () => {
        const { as, got } = JSON.parse(text) as { as: string; got: PageReport };
        reports.set(as, got);
        answer.end();
      });
      return;
    }
    if (url === '/rebind') {
      rebinds.get(host)?.();
      return void answer.end();
    }
    const order = orders.get(host);
    if (url !== '/' || !order) return void answer.writeHead(404).end();
    answer.setHeader('content-type', 'text/html');
    answer.end(`<body><script>(${tryEverything})(${JSON.stringify(order)})</script>`);
  });
  return { orders, rebinds, pages };
}

describe('web pages that are not ours', { skip }, () => {
  let service: RunningService;
  let tried: Tried[];
  let unreadBefore: bigint;
  const reports = new Map<string, PageReport>();

  before(async () => {
    if ('missing' in chromium) return;
    service = await startService(owner);
    const { node } = service;
    const { orders, rebinds, pages } = attackerServer(reports);
    await listening(owner, pages);
    const home = `evil.test:${portOf(pages)}`;
    const report = `http://${home}/told`;
    const socketPort = Number(new URL(node.served.socketUrl).port);
    const payment = await node.sign({ operations: [operations.payCoin(receiver.address, 10n ** 9n)] });
    const blindBody = stringifyJson({ items: [payment] });
    unreadBefore = await node.balance(receiver.address);

    const reboundTargets = [
      {
        name: 'service',
        url: service.url,
        attempts: (base: string) => serviceAttempts(base, service.issuer.apiKey),
      },
      { name: 'node', url: node.url, attempts: nodeAttempts },
      { name: 'socket', url: `http://127.0.0.1:${socketPort}`, attempts: () => [] },
    ];
    for (const { name, url, attempts } of reboundTargets) {
      const place = await switchable(owner, portOf(pages), Number(new URL(url).port));
      const host = `${name}.rebound.test:${place.port}`;
      rebinds.set(host, place.rebind);
      orders.set(host, {
        as: `rebound ${name}`,
        report,
        rebind: '/rebind',
        attempts: attempts(`http://${host}`),
        blind:
          name === 'node'
            ? [{ name: 'submit', url: `http://${host}/submitTransaction`, method: 'POST', body: blindBody }]
            : [],
        sockets: name === 'socket' ? [`ws://${host}/`] : [],
        streams: name === 'service' ? [`http://${host}/v1/verification/x/events`] : [],
        frames: [],
      });
    }
    tried = [...serviceAttempts(service.url, service.issuer.apiKey), ...nodeAttempts(node.url)];
    orders.set(home, {
      as: 'another origin',
      report,
      attempts: tried,
      blind: [{ name: 'submit', url: `${node.url}/submitTransaction`, method: 'POST', body: blindBody }],
      sockets: [node.served.socketUrl],
      streams: [`${service.url}/v1/verification/x/events`],
      frames: [...orders.keys()].map((host) => `http://${host}/`),
    });
    openPage(owner, chromium, { url: `http://${home}/`, names: ['evil.test', '*.rebound.test'] });
    await until('the pages to tell', async () => reports.size === orders.size);
  });

  test('of another origin read what is public, and nothing else', () => {
    const got = reports.get('another origin') ?? {};
    for (const { name, isPublic } of tried)
      assert.equal(got[name] === 'blocked' ? 'blocked' : 'read', isPublic ? 'read' : 'blocked', name);
    assert.equal(got[`socket ${service.node.served.socketUrl}`], 'blocked');
    assert.equal(got[`stream ${service.url}/v1/verification/x/events`], 'blocked');
  });

  test('of a name that was bound to this machine learn that this is not theirs', () => {
    for (const name of ['service', 'node', 'socket']) {
      const told = Object.entries(reports.get(`rebound ${name}`) ?? {});
      assert.ok(told.length > (name === 'socket' ? 0 : 10), name);
      for (const [what, got] of told)
        assert.equal(got, /^(socket|stream)/.test(what) ? 'blocked' : '421', what);
    }
  });

  test('change nothing, whatever they send without reading the answer', async () => {
    assert.equal(await service.node.balance(receiver.address), unreadBefore);
    const reply = await service.node.ask('getTransactionCache', {});
    assert.ok(!stringifyJson(reply).includes(receiver.address));
  });
});
