import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { walletLimits } from '../limits/command-limits.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { callableOrigins, callOut, parseOrigin } from './calling-policy.ts';

const servers: Server[] = [];
after(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const get = (url: string) => ({ url, method: 'GET', headers: {} }) as const;
const service = 'http://127.0.0.1:1';
const refused = (pattern: RegExp) => (error: unknown) =>
  error instanceof CommandFailure && pattern.test(error.message);

describe('whom the owner names', () => {
  test('a host means https; an origin means itself', () => {
    assert.equal(parseOrigin('example.org'), 'https://example.org');
    assert.equal(parseOrigin('Example.org:8443'), 'https://example.org:8443');
    assert.equal(parseOrigin('http://127.0.0.1:80'), 'http://127.0.0.1');
  });

  for (const text of ['http://example.org', 'http://10.0.0.7:8080', 'http://localhost.example'])
    test(`${text} is not called: others could read and change what is paid`, () =>
      assert.throws(() => parseOrigin(text), /https/));

  for (const text of [
    '',
    'ftp://example.org',
    'https://example.org/path',
    'https://u:p@example.org',
    'a b',
    '?',
    'x#y',
  ])
    test(`${JSON.stringify(text)} is no host`, () =>
      assert.throws(() => parseOrigin(text), /must be a host/));
});

describe('calling', () => {
  test('only what was named, by its very origin', async () => {
    const url = await serve((_request, response) => response.setHeader('x-one', 'two').end('hello'));
    const origins = callableOrigins(service, [url]);
    const answer = await callOut(origins, get(`${url}/path?query`));
    assert.deepEqual([answer.status, answer.text, answer.headers['x-one']], [200, 'hello', 'two']);
    const { port } = new URL(url);
    for (const elsewhere of [
      `http://localhost:${port}/`,
      `https://127.0.0.1:${port}/`,
      `http://u:p@127.0.0.1:${port}/`,
      'http://169.254.169.254/latest',
      'file:///etc/passwd',
      'nonsense',
    ])
      await assert.rejects(callOut(origins, get(elsewhere)), refused(/Nothing was sent/));
  });

  test('a name that stands for a private address is not called, unless it says so itself', async () => {
    const url = await serve((_request, response) => response.end('inside'));
    const { port } = new URL(url);
    const named = `http://localhost.localdomain:${port}`;
    await assert.rejects(callOut(callableOrigins(service, [named]), get(named)), refused(/Nothing was sent/));
    const plain = `http://localhost:${port}`;
    assert.equal((await callOut(callableOrigins(service, [plain]), get(plain))).text, 'inside');
  });

  test('a redirect is an answer and not a way', async () => {
    let visits = 0;
    const inside = await serve((_request, response) => {
      visits++;
      response.end();
    });
    const url = await serve((_request, response) => response.writeHead(302, { location: inside }).end());
    const answer = await callOut(callableOrigins(service, [url, inside]), get(url));
    assert.equal(answer.status, 302);
    assert.equal(visits, 0);
  });

  test('an answer without end, too long or broken off is no answer', async () => {
    const large = await serve((_request, response) =>
      response.end('x'.repeat(walletLimits.answerBytesMax + 1)),
    );
    const broken = await serve((request, response) => {
      response.write('half');
      request.socket.destroy();
    });
    for (const url of [large, broken, service])
      await assert.rejects(callOut(callableOrigins(url, []), get(url)), refused(/gave no answer/));
  });
});
