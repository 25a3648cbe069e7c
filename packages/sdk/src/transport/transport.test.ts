import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import type { JsonValue } from '@symbolon/wire/json/json';
import type { SdkErrorCode } from '../errors/error-words.ts';
import { SdkError } from '../errors/errors.ts';
import { openTestChain, serveTestChain } from '../testing/test-chain.test.ts';
import { createHttpExchange } from './http-exchange.ts';
import { directTransport, httpTransport } from './transport.ts';

async function listen(t: TestContext, listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answering =
  (text: string | Uint8Array, status = 200): RequestListener =>
  (_request, response) => {
    response.writeHead(status).end(text);
  };

const fails = (code: SdkErrorCode) => (error: unknown) => {
  assert.ok(error instanceof SdkError, String(error));
  assert.equal(error.code, code, error.message);
  assert.ok(error.hint.length > 0);
  return true;
};

describe('both transports', () => {
  test('answer alike, big numbers, strange texts and unknown routes included', async (t) => {
    const chain = await openTestChain(t);
    const http = await serveTestChain(t, chain);
    const account = `/getAccountBase?address=${chain.genesis.address}`;
    const metadata = `/getAccountMetaData?address=${chain.genesis.address}&key=${encodeURIComponent('a&b=ü%')}`;
    for (const path of [account, metadata, '/getAccount?address=%', '/noSuchRoute', '/v1/ledger/getLedger']) {
      const [direct, over] = [await chain.transport('GET', path), await http('GET', path)];
      const { request_id: _, ...withoutId } = over as Record<string, unknown>;
      assert.deepEqual(withoutId, direct, path);
    }
    const base = (await http('GET', account)) as { result: { balance: unknown } };
    assert.equal(base.result.balance, 100_000_000_000_000_000n);
    const body: JsonValue = { items: [{ url: '/getStatus' }, { big: 2n ** 62n }] };
    assert.deepEqual(
      await http('POST', '/multiQuery', body),
      await chain.transport('POST', '/multiQuery', body),
    );
  });

  test('a defect of a handler passes through the direct one', async () => {
    const transport = directTransport(new Map([['broken', () => Promise.reject(new RangeError('a bug'))]]));
    await assert.rejects(transport('GET', '/broken'), RangeError);
  });
});

describe('the HTTP transport', () => {
  test('a redirect is an answer and not a way: what was meant for one address goes to no other', async (t) => {
    const arrived: string[] = [];
    const elsewhere = await listen(t, (request, response) => {
      arrived.push(String(request.headers['x-custody-password']));
      request.on('data', (chunk) => arrived.push(String(chunk))).on('end', () => response.end('{}'));
    });
    for (const status of [301, 302, 303, 307, 308]) {
      const url = await listen(t, (_request, response) => {
        response.writeHead(status, { location: `${elsewhere}/taken` }).end();
      });
      const exchange = createHttpExchange(url, 'service');
      const headers = { 'x-custody-password': 'secret' };
      const request = { pathWithQuery: '/x', place: 'x', carries: 'secret', headers } as const;
      assert.equal((await exchange.send({ ...request, method: 'POST', bodyText: 'secret' })).status, status);
      assert.equal((await exchange.send({ ...request, method: 'GET' })).status, status);
      assert.equal((await exchange.open({ ...request, method: 'GET' })).status, status);
      await assert.rejects(httpTransport(url)('POST', '/submitTransaction', {}), fails('httpStatus'));
    }
    assert.deepEqual(arrived, []);
  });

  test('keeps a path in front of the routes', async (t) => {
    const asked: (string | undefined)[] = [];
    const url = await listen(t, (request, response) => {
      asked.push(request.url);
      response.end('{}');
    });
    await httpTransport(`${url}/ledger/`)('GET', '/hello?x=1');
    await httpTransport(url)('GET', '/hello');
    assert.deepEqual(asked, ['/ledger/hello?x=1', '/hello']);
  });

  for (const address of [
    '',
    'node',
    '127.0.0.1:80',
    'ftp://x',
    'file:///etc',
    'http://me:word@x',
    'http://x?y',
    'http://x#y',
  ])
    test(`refuses the address "${address}"`, () => {
      assert.throws(
        () => httpTransport(address),
        (error: SdkError) => {
          assert.ok(!`${error.message}${error.hint}`.includes('word'));
          return fails('invalidArgument')(error);
        },
      );
    });

  test('says that nobody is there', async () => {
    const server = createTcpServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const transport = httpTransport(`http://127.0.0.1:${port}`);
    await assert.rejects(transport('GET', '/hello'), fails('unreachable'));
    await assert.rejects(transport('POST', '/submitTransaction', {}), fails('unreachable'));
  });

  test('repeats a read once when the connection breaks, a submission never', async (t) => {
    const asked: (string | undefined)[] = [];
    const url = await listen(t, (request, response) => {
      asked.push(`${request.method} ${request.url}`);
      // Half an answer is a broken connection too.
      if (asked.length % 2 === 0) response.writeHead(200, { 'content-length': 50 }).write('{');
      setImmediate(() => request.socket.destroy());
    });
    const transport = httpTransport(url);
    await assert.rejects(transport('GET', '/hello'), fails('unreachable'));
    assert.deepEqual(asked.splice(0), ['GET /hello', 'GET /hello']);
    await assert.rejects(transport('POST', '/submitTransaction', {}), fails('unreachable'));
    assert.deepEqual(asked, ['POST /submitTransaction']);
  });

  test('is content when the repetition works', async (t) => {
    let requests = 0;
    const url = await listen(t, (request, response) => {
      requests++;
      if (requests === 1) request.socket.destroy();
      else response.end('{"error_code":0}');
    });
    assert.deepEqual(await httpTransport(url)('GET', '/hello'), { error_code: 0 });
    assert.equal(requests, 2);
  });

  test('gives up in time, before and within an answer, without asking again', async (t) => {
    let requests = 0;
    const url = await listen(t, (request, response) => {
      requests++;
      if (request.url === '/half') response.write('{');
    });
    // Long enough for a request to arrive on a machine that has much to do.
    const transport = httpTransport(url, { timeoutMs: 500 });
    await assert.rejects(transport('GET', '/never'), fails('timedOut'));
    await assert.rejects(transport('GET', '/half'), fails('timedOut'));
    await assert.rejects(transport('POST', '/never', {}), fails('timedOut'));
    assert.equal(requests, 3);
  });

  test('gives up in time also where a given fetch never ends', async () => {
    const fetch = () => new Promise<never>(() => undefined);
    const transport = httpTransport('http://127.0.0.1:1', { timeoutMs: 20, fetch });
    await assert.rejects(transport('GET', '/never'), fails('timedOut'));
  });

  test('stops reading an answer that is too large', async (t) => {
    let wasCut = false;
    const url = await listen(t, (_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(' '.repeat(10_000)));
      };
      response.on('drain', more).on('close', () => {
        wasCut = true;
      });
      more();
    });
    const transport = httpTransport(url, { responseBytesMax: 100_000 });
    await assert.rejects(transport('GET', '/hello'), fails('responseTooLarge'));
    for (let turn = 0; turn < 200 && !wasCut; turn++) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.ok(wasCut);
  });

  test('takes an answer of exactly the limit', async (t) => {
    const url = await listen(t, answering('{"a":1}'));
    assert.deepEqual(await httpTransport(url, { responseBytesMax: 7 })('GET', '/x'), { a: 1 });
    await assert.rejects(httpTransport(url, { responseBytesMax: 6 })('GET', '/x'), fails('responseTooLarge'));
  });

  const notJson: Record<string, string | Uint8Array> = {
    empty: '',
    'a page': '<html></html>',
    'cut off': '{"error_code":0',
    'not UTF-8': Uint8Array.of(0x22, 0xff, 0x22),
    'too deep': '['.repeat(100) + ']'.repeat(100),
    'an absurd number': `[${'9'.repeat(1_000)}]`,
  };
  for (const [name, text] of Object.entries(notJson))
    test(`does not take ${name} for JSON`, async (t) => {
      const url = await listen(t, answering(text));
      await assert.rejects(httpTransport(url)('GET', '/hello'), fails('notJson'));
    });

  test("takes a node's own failure as a reply, and no other one", async (t) => {
    const envelope = '{"error_code":2,"error_desc":"the body is too large","result":null}';
    const url = await listen(t, answering(envelope, 413));
    assert.deepEqual(await httpTransport(url)('POST', '/submitTransaction', {}), JSON.parse(envelope));
    for (const text of [
      '',
      'Bad Gateway',
      '{}',
      '{"error_code":0}',
      '{"error_code":"2"}',
      '[]',
      'null',
      '7',
    ]) {
      const other = await listen(t, answering(text, 502));
      await assert.rejects(httpTransport(other)('GET', '/hello'), (error: SdkError) => {
        assert.match(error.message, /502/);
        return fails('httpStatus')(error);
      });
    }
  });

  test('keeps parameters out of its errors', async (t) => {
    const url = await listen(t, answering('', 500));
    const path = '/getAddress?private_key=privSECRET';
    for (const transport of [httpTransport(url), httpTransport('http://127.0.0.1:1')])
      await assert.rejects(transport('GET', path), (error: SdkError) => {
        assert.match(error.message, /getAddress/);
        assert.ok(!JSON.stringify([error.message, error.hint, String(error.cause)]).includes('SECRET'));
        return true;
      });
  });

  test('uses the fetch it is given', async () => {
    const seen: unknown[] = [];
    const fetch = async (input: unknown, init?: RequestInit) => {
      seen.push(input, init?.method, init?.body);
      return new Response('[18446744073709551615]');
    };
    const answer = await httpTransport('https://node.example', { fetch })('POST', '/x', {
      amount: 2n ** 63n - 1n,
    });
    assert.deepEqual(answer, [18446744073709551615n]);
    assert.deepEqual(seen, ['https://node.example/x', 'POST', '{"amount":9223372036854775807}']);
  });
});
