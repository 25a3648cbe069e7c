/**
 * The HTTP interface under strain and in the hands of strangers: bounded bodies, slow clients, many connections,
 * web pages of other origins, nonsense of every kind; and the addresses that operators and tools ask.
 */
import assert from 'node:assert/strict';
import net from 'node:net';
import { before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import { ledgerRoutes } from '@symbolon/wire/ledger/routes';
import fc from 'fast-check';
import { at, json, type Query, raw, send } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { richest } from '../support/people.ts';
import { operations, type RunningNode, startNode } from '../support/running-node.ts';
import { until } from '../support/until.ts';

const owner = ownerOfSuite();
const page = 'https://a.example';
const bodyBytesMax = 100_000;
const connectionsMax = 20;

let node: RunningNode;
let strict: RunningNode;

before(async () => {
  [node, strict] = await Promise.all([
    startNode(owner),
    startNode(owner, {
      config: {
        allowOrigin: `${page}, https://b.example`,
        http: { bodyBytesMax, connectionsMax, requestTimeoutMs: 1_000 },
      },
    }),
  ]);
});

describe('bodies', () => {
  test('are bounded, said or unsaid', async () => {
    const fitting = `{"x":"${'y'.repeat(bodyBytesMax - 8)}"}`;
    assert.equal(fitting.length, bodyBytesMax);
    const ok = await send(`${strict.url}/getTransactionBlob`, { method: 'POST', body: fitting });
    assert.deepEqual([ok.status, json(ok).error_code], [200, 2], 'it is read, and is no transaction');
    const tooLarge = await send(`${strict.url}/getTransactionBlob`, { method: 'POST', body: `${fitting} ` });
    assert.equal(tooLarge.status, 413);
    assert.equal(json(tooLarge).error_code, 2);
    const head =
      'POST /getTransactionBlob HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n';
    const chunked = await raw(
      strict.url,
      `${head}\r\n${(bodyBytesMax + 1).toString(16)}\r\n${fitting} \r\n0\r\n\r\n`,
    );
    assert.match(chunked, /^HTTP\/1\.1 413 /);
    const ignored = await send(`${node.url}/getStatus`, { method: 'POST', body: 'x'.repeat(70_000) });
    assert.equal(ignored.status, 413, 'a route that reads none takes even less');
  });

  test('of very many members are refused before they are read', async () => {
    const many = `{${Array.from({ length: 600_000 }, (_, index) => `"k${index}":1`).join()}}`;
    for (const name of ['getTransactionBlob', 'callContract', 'submitTransaction', 'multiQuery'])
      for (const body of [many, `{"operations":[${many}]}`]) {
        const reply = json(await send(`${node.url}/${name}`, { method: 'POST', body }));
        assert.equal(reply.error_code, 2);
        assert.equal(reply.error_desc, 'request has too many members', name);
      }
  });

  test('of deep or absurd JSON are refused, not choked on', async () => {
    const bodies = [
      '['.repeat(50_000),
      `{"operations":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
      `{"nonce":${'9'.repeat(50_000)}}`,
      `{"operations":[${Array(30_000).fill('{}').join(',')}]}`,
      `{"a":"${'\\u0000'.repeat(1_000)}"}`,
    ];
    for (const body of bodies) {
      const answer = await send(`${node.url}/getTransactionBlob`, { method: 'POST', body });
      assert.equal(answer.status, 200);
      assert.ok([0, 2].includes(json(answer).error_code as number));
    }
  });
});

/** Connects and writes; resolves with what came back when the server has hung up. */
function drip(url: string, first: string, more: string): Promise<{ text: string; ms: number }> {
  const { hostname, port } = new URL(url);
  const startedAt = performance.now();
  return new Promise((resolve) => {
    let text = '';
    const socket = net.connect(Number(port), hostname, () => socket.write(first));
    const timer = setInterval(() => socket.write(more), 50);
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(timer);
      resolve({ text, ms: performance.now() - startedAt });
    });
  });
}

describe('slow clients', () => {
  test('that drip headers or bodies are cut', async () => {
    const dripping = await Promise.all([
      drip(strict.url, 'GET /getStatus HTTP/1.1\r\nHost: localhost\r\n', 'X: y\r\n'),
      drip(strict.url, 'POST /multiQuery HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000\r\n\r\n', ' '),
      drip(strict.url, '', 'G'),
    ]);
    for (const { text, ms } of dripping) {
      assert.ok(ms < 10_000, `cut after ${ms} ms`);
      assert.match(text, /^HTTP\/1\.1 (408|400) /);
      assert.match(text, /"error_code":(114|2)/);
    }
    assert.equal((await send(`${strict.url}/getStatus`)).status, 200);
  });
});

/** A connection that only stands there; answers whether the server has hung up. */
async function idleConnection(url: string): Promise<{ isOpen: () => boolean; close: () => void }> {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  let isOpen = false;
  socket.on('connect', () => {
    isOpen = true;
  });
  // Whoever reads nothing does not notice that the other side has ended.
  socket.on('error', () => {}).resume();
  socket.on('close', () => {
    isOpen = false;
  });
  await new Promise((resolve) => socket.once('connect', resolve).once('error', resolve));
  return { isOpen: () => isOpen, close: () => socket.destroy() };
}

describe('many connections', () => {
  test('beyond the limit are not taken, and room is given back', async () => {
    const connections = await Promise.all(
      Array.from({ length: 3 * connectionsMax }, () => idleConnection(strict.url)),
    );
    await until(
      'the surplus is turned away',
      () => connections.filter((it) => it.isOpen()).length <= connectionsMax,
    );
    for (const { close } of connections) close();
    const answer = await until('there is room again', () =>
      send(`${strict.url}/getStatus`).catch(() => undefined),
    );
    assert.equal(answer.status, 200);
  });

  test('are served side by side', async () => {
    const answers = await Promise.all(
      Array.from({ length: 300 }, () => send(`${node.url}/getGenesisAccount`)),
    );
    assert.ok(answers.every(({ status, text }) => status === 200 && text.includes('100000000000000000')));
  });

  test('that end in the middle do no harm', async () => {
    const { hostname, port } = new URL(node.url);
    for (const bytes of [
      '',
      'GET /get',
      'POST /multiQuery HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"it',
    ]) {
      const socket = net.connect(Number(port), hostname, () => {
        socket.write(bytes);
        socket.resetAndDestroy();
      });
      socket.on('error', () => {});
    }
    await delay(50);
    assert.equal((await send(`${node.url}/readyz`)).status, 200);
  });
});

describe('web pages', () => {
  test('of every origin may read by default, and do nothing else', async () => {
    const answer = await send(`${node.url}/getStatus`, { headers: { origin: page } });
    assert.equal(answer.headers['access-control-allow-origin'], '*');
    const headers = { origin: page, 'content-type': 'text/plain' };
    const submitted = await send(`${node.url}/submitTransaction`, { method: 'POST', headers, body: '{}' });
    assert.equal(submitted.status, 403);
    assert.equal((await send(`${node.url}/metrics`, { headers })).status, 403);
    assert.equal((await send(`${node.url}/getStatus`, { headers: { host: 'evil.test' } })).status, 421);
    const preflight = await send(`${node.url}/submitTransaction`, {
      method: 'OPTIONS',
      headers: {
        origin: page,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers['access-control-allow-methods'], undefined);
  });

  test('of named origins alone, where origins are named', async () => {
    const allowed = async (origin: string) =>
      (await send(`${strict.url}/getStatus`, { headers: { origin } })).headers['access-control-allow-origin'];
    assert.equal(await allowed(page), page);
    assert.equal(await allowed('https://b.example'), 'https://b.example');
    assert.equal(await allowed('https://evil.example'), undefined);
    const failure = await send(`${strict.url}/nothing`, { headers: { origin: page } });
    assert.equal(failure.headers['access-control-allow-origin'], page, 'failures are readable too');
  });

  test('may be allowed nowhere', async (context) => {
    const closed = await startNode(context, { config: { allowOrigin: '' } });
    const answer = await send(`${closed.url}/getStatus`, { headers: { origin: page } });
    assert.equal(answer.headers['access-control-allow-origin'], undefined);
  });
});

const stackTrace = /\n\s+at |node:internal|\.ts:\d|node_modules/;

describe('nonsense', () => {
  test('that is too long for any name is simply not there, or no name', async () => {
    const long = 'Z'.repeat(6_000);
    const { address } = richest;
    const queries: [string, Query, number][] = [
      ['getAccount', { address: long }, 4],
      ['getAccount', { address, key: long }, 0],
      ['getAccount', { address, code: long, issuer: long }, 0],
      ['getAccountBase', { address: long }, 4],
      ['getAccountAssets', { address, code: long, issuer: address }, 0],
      ['getAccountMetaData', { address, key: long }, 0],
      ['getStateProof', { address: long }, 0],
      ['getStateProof', { address, key: long }, 0],
      ['getTransactionHistory', { hash: long }, 2],
      ['getAddress', { public_key: long }, 90],
      ['getAddress', { private_key: long }, 91],
      ['getLedger', { seq: '9'.repeat(6_000) }, 2],
    ];
    for (const [name, query, code] of queries) {
      assert.equal((await node.ask(name, query)).error_code, code, `${name} ${Object.keys(query)}`);
    }
    const note = [operations.log('t', 'd')];
    const called = await node.post('callContract', { contract_address: long, opt_type: 2 });
    assert.equal(called.error_code, 4);
    const tested = await node.post('testTransaction', { source_address: long, nonce: 1, operations: note });
    assert.equal(tested.error_code, 103);
    const submitted = await node.submit({ nonce: 1, operations: note, fields: { source_address: long } });
    assert.equal(submitted.error_code, 103);
    // A condition can join texts, so it can name what no request could.
    const joined = `a = "${'Z'.repeat(3_000)}", jsonpath(account(a + a), ".nonce") >= 0`;
    const executed = await node.execute({ operations: note, fields: { expr_condition: joined } });
    assert.equal(executed.error_code, 21);
    assert.equal(node.served.notReady(), undefined);
  });

  test('is answered with a code, never with a stack', async () => {
    const names = Object.keys(ledgerRoutes);
    const anyText = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.json(),
      fc.constantFrom('', '%', '\0'),
    );
    const request = fc.record({
      name: fc.constantFrom(...names),
      parameter: fc.constantFrom(
        'address',
        'key',
        'hash',
        'ledger_seq',
        'seq',
        'blob',
        'limit',
        'private_key',
        'code',
      ),
      value: anyText,
      body: fc.oneof(anyText, fc.json({ maxDepth: 5 })),
      isPost: fc.boolean(),
    });
    const property = fc.asyncProperty(request, async ({ name, parameter, value, body, isPost }) => {
      const url = `${node.url}/${name}?${parameter}=${encodeURIComponent(value.toWellFormed())}`;
      const answer = await send(url, { method: isPost ? 'POST' : 'GET', body });
      assert.equal(answer.status, 200, answer.text);
      assert.doesNotMatch(answer.text, stackTrace);
      json(answer);
    });
    await fc.assert(property, { numRuns: 300 });
    assert.equal(node.served.notReady(), undefined);
    assert.doesNotMatch(node.logged(), /"level":"(error|fatal)"/);
  });
});

describe('operators and tools', () => {
  test('learn whether the node lives and is ready', async () => {
    assert.equal((await send(`${node.url}/livez`)).text, 'ok');
    assert.equal((await send(`${node.url}/readyz`)).text, 'ok');
    const answer = await send(`${node.url}/getStatus`, { headers: { 'x-request-id': 'mine-1' } });
    assert.equal(answer.headers['x-request-id'], 'mine-1');
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
  });

  test('read what is measured', async () => {
    await node.execute({ operations: [operations.log('t', 'd')] });
    const { headers, text } = await send(`${node.url}/metrics`);
    assert.match(headers['content-type'] ?? '', /^text\/plain/);
    const value = (name: string) => Number(new RegExp(`^\\w*${name}\\S* (\\d+)`, 'm').exec(text)?.[1]);
    assert.equal(value('ledger_block'), Number(node.served.node.chain.head.seq));
    assert.ok(value('ledger_transactions_total') >= 1);
    assert.equal(value('ledger_queue_transactions'), 0);
    assert.ok(!text.includes(richest.address));
  });

  test('find every route in the OpenAPI document', async () => {
    const document = json(await send(`${node.url}/openapi.json`));
    assert.match(document.openapi as string, /^3\.1\./);
    assert.equal(typeof at(document, 'info', 'title'), 'string');
    const paths = document.paths as Record<string, Record<string, JsonObject>>;
    const identifiers: JsonValue[] = [];
    for (const [name, route] of Object.entries(ledgerRoutes)) {
      const path = `/v1/${route.group}/${name}`;
      const operation = paths[path]?.['body' in route ? 'post' : 'get'];
      assert.ok(operation, `${path} is documented`);
      identifiers.push(operation.operationId);
      assert.ok(at(operation, 'responses', '200', 'content', 'application/json', 'schema'), path);
      assert.equal(at(operation, 'requestBody', 'required') === true, 'body' in route, path);
      for (const other of operation['x-other-paths'] as string[])
        assert.notEqual((await send(`${node.url}${other}`)).status, 404, other);
    }
    assert.equal(new Set(identifiers).size, identifiers.length, 'operation ids are unique');
    for (const reference of referencesIn(document)) {
      const target = reference.replace('#/', '').split('/');
      assert.ok(at(document, ...target), `${reference} resolves`);
    }
  });
});

function referencesIn(value: JsonValue): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === '$ref' ? [member as string] : referencesIn(member),
  );
}
