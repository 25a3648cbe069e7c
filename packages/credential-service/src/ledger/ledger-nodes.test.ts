import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { codes } from '@symbolon/core/ledger/terms/codes';
import { LedgerError, SdkError } from '@symbolon/sdk/errors/errors';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import type { JsonObject } from '@symbolon/wire/json/json';
import { serviceConfigSchema } from '../parts/service-config.ts';
import { guardClient } from './guarded-client.ts';
import { createLedgerNodes, type NodeChoice } from './ledger-nodes.ts';

async function listen(context: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Who it is that answers. */
async function nameOf(client: LedgerClient): Promise<unknown> {
  const { results } = await client.multiQuery({ items: [{ url: '/hello', method: 'GET' }] });
  return (results?.[0] as JsonObject | undefined)?.name;
}

/** A node that says its name, and what it was asked. */
async function nodeOf(context: TestContext, name: string) {
  const asked: string[] = [];
  const url = await listen(context, async (request, response) => {
    const body = (await request.toArray()).join('');
    asked.push(`${request.method} ${request.url} ${body}`);
    response.end(JSON.stringify({ error_code: 0, error_desc: '', results: [{ name }] }));
  });
  return { url, asked };
}

const nobody = 'http://127.0.0.1:9';
const broken: Readonly<Record<string, RequestListener>> = {
  'hangs up': (request) => request.socket.destroy(),
  'says nothing': () => undefined,
  'says something else': (_request, response) => response.end('<html>'),
  'is a proxy without a node': (_request, response) => response.writeHead(502).end('bad gateway'),
};

describe('several nodes', () => {
  for (const [what, listener] of Object.entries(broken))
    test(`the next is asked when one ${what}, and stays the one that is asked`, async (context) => {
      const moves: string[] = [];
      const [first, second] = [await listen(context, listener), await nodeOf(context, 'second')];
      const nodes = createLedgerNodes([first, second.url], {
        answerMs: 500,
        onMove: (url) => moves.push(url),
      });
      for (const _ of [1, 2]) assert.equal(await nameOf(nodes.client), 'second');
      assert.deepEqual([moves, nodes.place], [[second.url], 1]);
    });

  test('what a node refuses is its answer', async (context) => {
    const first = await listen(context, (_request, response) =>
      response.end(JSON.stringify({ error_code: codes.notFound, error_desc: 'no' })),
    );
    const second = await nodeOf(context, 'second');
    const { client, ...nodes } = createLedgerNodes([first, second.url]);
    await assert.rejects(client.getLedger({ seq: 7 }), LedgerError);
    assert.deepEqual([second.asked, nodes.place], [[], 0]);
  });

  test('a transaction is given to the next as it was', async (context) => {
    const seen: string[] = [];
    const first = await listen(context, async (request) => {
      seen.push((await request.toArray()).join(''));
      request.socket.destroy();
    });
    const second = await nodeOf(context, 'second');
    const { client } = createLedgerNodes([first, second.url]);
    const items = [{ transaction_blob: '0a', signatures: [] }];
    await client.submitTransaction({ items }).catch(() => undefined);
    assert.equal(seen.length, 1);
    assert.deepEqual(second.asked, [`POST /submitTransaction ${seen[0]}`]);
  });

  test('when none answers, each is asked once, and the failure is told', async (context) => {
    let count = 0;
    const cut = await listen(context, (request) => {
      count += 1;
      request.socket.destroy();
    });
    const { client } = createLedgerNodes([cut, nobody, cut]);
    await assert.rejects(
      client.multiQuery({ items: [] }),
      (error) => error instanceof SdkError && error.code === 'unreachable',
    );
    assert.equal(count, 2);
  });

  test('many that fail at once move on once', async (context) => {
    const second = await nodeOf(context, 'second');
    const moves: string[] = [];
    const { client } = createLedgerNodes([nobody, second.url, nobody], { onMove: (url) => moves.push(url) });
    const names = await Promise.all(Array.from({ length: 20 }, () => nameOf(client)));
    assert.deepEqual([...new Set(names)], ['second']);
    assert.deepEqual(moves, [second.url]);
  });

  test('one that is turned away is not asked any more; a word about another one changes nothing', async (context) => {
    const [first, second] = [await nodeOf(context, 'first'), await nodeOf(context, 'second')];
    const nodes = createLedgerNodes([first.url, second.url]);
    nodes.turnAway(1);
    assert.equal(nodes.place, 0);
    nodes.turnAway(0);
    nodes.turnAway(0);
    assert.equal(nodes.place, 1);
    assert.equal(await nameOf(nodes.client), 'second');
    assert.equal(nodes.others().length, 1);
    nodes.turnAway(1);
    assert.equal(nodes.place, 0);
  });

  test('one alone is never left', async () => {
    const nodes = createLedgerNodes([nobody]);
    await assert.rejects(nodes.client.hello(), SdkError);
    nodes.turnAway(0);
    assert.deepEqual([nodes.place, nodes.others()], [0, []]);
  });

  test('what pages ask goes to the one that answers', async (context) => {
    const second = await nodeOf(context, 'second');
    const { pass } = createLedgerNodes([nobody, second.url]);
    const { signal } = new AbortController();
    const { status, chunks } = await pass({
      method: 'GET',
      pathWithQuery: '/hello',
      bodyText: undefined,
      signal,
    });
    assert.equal(status, 200);
    let text = '';
    for await (const chunk of chunks) text += chunk;
    assert.match(text, /second/);
  });
});

describe('a transaction that waits', () => {
  const missing = () => new LedgerError(codes.notFound, 'not there', {}, 'getTransactionCache');
  const chain = {
    lookUp: (question: (one: unknown) => Promise<unknown>) => question(client),
    ask: (question: (one: unknown) => Promise<unknown>) => question(client),
  };
  const client = { getTransactionCache: async () => Promise.reject(missing()) };
  const guardedWith = (others: readonly unknown[]) =>
    guardClient(client as never, chain as never, { others: () => others } as unknown as NodeChoice);
  const found = { getTransactionCache: async () => ({ error_code: 0, result: 'found' }) };
  const away = {
    getTransactionCache: async () => Promise.reject(new SdkError('timedOut', 'x', { hint: '' })),
  };

  test('is looked for at the other nodes, too', async () => {
    const guarded = guardedWith([away, client, found]);
    assert.deepEqual(await guarded.getTransactionCache({ hash: 'ab' }), { error_code: 0, result: 'found' });
  });

  for (const [what, others] of Object.entries({ nobody: [], 'nobody who answers': [away, client] }))
    test(`is missing where ${what} has it`, async () => {
      await assert.rejects(
        guardedWith(others).getTransactionCache({ hash: 'ab' }),
        (error) => error instanceof LedgerError && error.code === codes.notFound,
      );
    });
});

describe('the setting', () => {
  for (const wrong of [['nonsense'], ['ftp://node'], [''], 'http://node', Array(9).fill('http://node')])
    test(`cannot be ${JSON.stringify(wrong).slice(0, 40)}`, () => {
      assert.equal(serviceConfigSchema.safeParse({ standbyNodeUrls: wrong }).success, false);
    });
  test('can name several, or none', () => {
    assert.deepEqual(serviceConfigSchema.parse({}).standbyNodeUrls, []);
    const two = ['http://b:36002', 'https://c'];
    assert.deepEqual(serviceConfigSchema.parse({ standbyNodeUrls: two }).standbyNodeUrls, two);
  });
});
