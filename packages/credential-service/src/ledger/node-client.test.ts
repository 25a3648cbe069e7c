import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { SdkError } from '@symbolon/sdk/errors/errors';
import { createHttpExchange, type HttpTransportOptions } from '@symbolon/sdk/transport/http-exchange';
import { createNodeClient, leanFetch } from './node-client.ts';

async function listen(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const exchangeWith = (url: string, options?: HttpTransportOptions) =>
  createHttpExchange(url, 'node', { ...options, fetch: leanFetch });

const request = (pathWithQuery: string, bodyText?: string) =>
  ({
    method: bodyText === undefined ? 'GET' : 'POST',
    ...{ pathWithQuery, bodyText, place: 'here', headers: { 'content-type': 'application/json' } },
    carries: 'plain',
  }) as const;

const fails = (code: string) => (error: unknown) => error instanceof SdkError && error.code === code;

describe('requests to a node', () => {
  test('say what is asked, and use one connection after the other', async (t) => {
    const sockets = new Set<Socket>();
    const url = await listen(t, async (incoming, response) => {
      sockets.add(incoming.socket);
      const chunks = await incoming.toArray();
      const { method, url: path, headers } = incoming;
      const seen = { method, path, type: headers['content-type'], length: headers['content-length'] };
      response.setHeader('retry-after', '7');
      response.setHeader('x-many', ['a', 'b']);
      response.end(JSON.stringify({ ...seen, text: Buffer.concat(chunks).toString() }));
    });
    const exchange = exchangeWith(url);
    const seen = async (...asked: Parameters<typeof request>) => {
      const answer = await exchange.send(request(...asked));
      assert.deepEqual([answer.status, answer.retryAfter, answer.headers['x-many']], [200, '7', 'a, b']);
      return JSON.parse(Buffer.from(answer.bytes).toString());
    };
    const type = 'application/json';
    assert.deepEqual(await seen('/a?b=c'), { method: 'GET', path: '/a?b=c', type, text: '' });
    const text = '{"ü":"€"}';
    assert.deepEqual(await seen('/d', text), { method: 'POST', path: '/d', type, length: '12', text });
    assert.equal(sockets.size, 1);
  });

  test('a read that finds its kept connection closed is made once more, anything else never', async (t) => {
    const asked: string[] = [];
    const url = await listen(t, (incoming, response) => {
      asked.push(`${incoming.method}`);
      if (asked.length === 1) response.end('{}');
      else incoming.socket.destroy();
    });
    const exchange = exchangeWith(url);
    await exchange.send(request('/'));
    await assert.rejects(exchange.send(request('/')), fails('unreachable'));
    await assert.rejects(exchange.send(request('/', '{}')), fails('unreachable'));
    assert.deepEqual(asked, ['GET', 'GET', 'GET', 'POST']);
  });

  test('another protocol is no answer', async (t) => {
    const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
    const server = createTcpServer((socket) => void socket.end(switching)).listen(0, '127.0.0.1');
    t.after(() => server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await assert.rejects(exchangeWith(`http://127.0.0.1:${port}`).send(request('/')), fails('unreachable'));
  });

  test('half an answer is none', async (t) => {
    const url = await listen(t, (incoming, response) => {
      response.writeHead(200, { 'content-length': 50 }).write('{');
      setImmediate(() => incoming.socket.destroy());
    });
    await assert.rejects(exchangeWith(url).send(request('/', '{}')), fails('unreachable'));
  });

  test('end in time, before an answer and within it', async (t) => {
    const url = await listen(t, (incoming, response) => {
      if (incoming.url === '/half') response.write('{');
    });
    const exchange = exchangeWith(url, { timeoutMs: 40 });
    await assert.rejects(exchange.send(request('/never')), fails('timedOut'));
    await assert.rejects(exchange.send(request('/half')), fails('timedOut'));
  });

  test('end when whoever asks does', async (t) => {
    const url = await listen(t, () => undefined);
    const reason = new Error('enough');
    const signal = AbortSignal.abort(reason);
    await assert.rejects(exchangeWith(url).send({ ...request('/'), signal }), reason);
    const ending = new AbortController();
    const asking = exchangeWith(url).send({ ...request('/'), signal: ending.signal });
    ending.abort(reason);
    await assert.rejects(asking, reason);
  });

  test('stop reading what is too large', async (t) => {
    const cut = Promise.withResolvers<void>();
    const url = await listen(t, (_incoming, response) => {
      const more = () => {
        while (!response.destroyed && response.write(' '.repeat(10_000)));
      };
      response.on('drain', more).on('close', cut.resolve);
      more();
    });
    const exchange = exchangeWith(url, { responseBytesMax: 100_000 });
    await assert.rejects(exchange.send(request('/')), fails('responseTooLarge'));
    await cut.promise;
  });

  test('follow nobody elsewhere', async (t) => {
    const elsewhere = await listen(t, () => assert.fail('nobody comes here'));
    const url = await listen(t, (_incoming, response) =>
      response.writeHead(302, { location: elsewhere }).end('{}'),
    );
    assert.equal((await exchangeWith(url).send(request('/'))).status, 302);
    await assert.rejects(createNodeClient(url).getLedger({}), fails('httpStatus'));
  });
});
