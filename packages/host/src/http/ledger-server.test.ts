import assert from 'node:assert/strict';
import http from 'node:http';
import net from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { json, type LogLine, raw, send, start } from './ledger-server-fixture.ts';

describe('routing', () => {
  it('serves a route at its name, its aliases and under any group of /v1, by GET and POST', async (test) => {
    const { port } = await start(test);
    for (const path of ['/look', '/peek', '/v1/thing/look', '/v1/anything/look', '/v1/thing/peek'])
      for (const method of ['GET', 'POST']) {
        const answer = await send(port, `${path}?name=x`, { method });
        assert.equal(answer.status, 200);
        assert.deepEqual(json(answer), { name: 'x' });
      }
  });

  it('answers what is no route with 404 and code 4', async (test) => {
    const { port } = await start(test);
    for (const path of ['/', '/nothing', '/LOOK', '/v1/look', '/v1/a/b/look', '/v2/thing/look', '/look/x']) {
      const answer = await send(port, path);
      assert.equal(answer.status, 404, path);
      assert.equal(json(answer).error_code, 4);
      assert.equal(json(answer).request_id, answer.headers['x-request-id']);
    }
    for (const method of ['PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'])
      assert.equal((await send(port, '/look?name=x', { method })).status, 404, method);
    assert.equal((await send(port, '/nothing', { method: 'POST', body: 'x' })).status, 404);
  });

  it('answers malformed and overlong paths with an envelope', async (test) => {
    const { port } = await start(test);
    for (const path of ['/%', '/%zz/look', `/v1/${'g'.repeat(5_000)}/look`]) {
      const answer = await send(port, path);
      assert.ok(answer.status >= 400 && answer.status < 500, `${path.slice(0, 20)} ${answer.status}`);
      assert.equal(typeof json(answer).error_code, 'number');
    }
  });

  it('reads the query by the rules of the table', async (test) => {
    const { port } = await start(test);
    assert.deepEqual(json(await send(port, '/look?name=b%20c&name=b+c')), { name: 'b c' });
    assert.deepEqual(json(await send(port, '/look?name=%zz')), { name: '%zz' });
    for (const path of ['/look', '/look?', '/look?name=', '/look?name=&name=']) {
      const answer = await send(port, path);
      assert.equal(answer.status, 200);
      assert.deepEqual(json(answer), { error_code: 4, error_desc: 'no name', result: null });
    }
  });
});

describe('bodies', () => {
  it('are JSON whatever the content type says, with exact integers in both directions', async (test) => {
    const { port } = await start(test);
    const body = '{"balance":100000000000000000,"text":"✓"}';
    const types = [
      undefined,
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'garbage',
      ';;',
      '',
    ];
    for (const type of types) {
      const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
      for (const method of ['POST', 'GET']) {
        const answer = await send(port, '/put', { method, body, headers });
        assert.equal(answer.status, 200);
        assert.equal(answer.text, `{"body":${body}}`);
        assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
      }
    }
  });

  it('arrive in chunks of any size', async (test) => {
    const { port } = await start(test);
    const text =
      'POST /put HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n';
    assert.match(await raw(port, text), /\{"body":\{"a":1\}\}/);
  });

  it('that are no JSON object get status 200 and code 2', async (test) => {
    const { port } = await start(test);
    const bad = [
      undefined,
      '',
      ' ',
      '{',
      '[]',
      'null',
      '5',
      '['.repeat(100_000),
      Uint8Array.of(0x7b, 0xff, 0x7d),
    ];
    for (const body of bad) {
      const answer = await send(port, '/put', { method: 'POST', body });
      assert.equal(answer.status, 200);
      assert.deepEqual(json(answer), {
        error_code: 2,
        error_desc: 'request must be in json format',
        result: null,
      });
    }
    assert.equal(json(await send(port, '/put')).error_code, 2);
  });

  it('that are not UTF-8 are refused even inside a string', async (test) => {
    const { port } = await start(test);
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.of(0xff), Buffer.from('"}')]);
    assert.equal(json(await send(port, '/put', { method: 'POST', body })).error_code, 2);
  });

  it('hold the parameters of a route that reads nothing else', async (test) => {
    const { port } = await start(test);
    const look = async (search: string, body: string) =>
      json(await send(port, `/look${search}`, { method: 'POST', body }));
    assert.deepEqual(await look('', '{"name":"y"}'), { name: 'y' });
    assert.deepEqual(await look('?name=x', ''), { name: 'x' });
    for (const body of ['not json', '{"name":"y"}', '{"nam":"x"}'])
      assert.equal((await look('?name=x', body)).error_code, 2, body);
  });

  it('beyond the limit get 413, code 2 and a closed connection, announced or not', async (test) => {
    const { port, observations } = await start(test, { limits: { bodyBytesMax: 100 } });
    const announced = await send(port, '/put', {
      method: 'POST',
      body: 'x'.repeat(101),
      headers: { connection: 'keep-alive' },
    });
    assert.equal(announced.status, 413);
    assert.equal(announced.headers.connection, 'close');
    assert.equal(json(announced).error_code, 2);
    const head = 'POST /put HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    const chunked = await raw(port, `${head}c8\r\n${'x'.repeat(200)}\r\n`);
    assert.match(chunked, /^HTTP\/1.1 413 /);
    assert.match(chunked, /"error_code":2/);
    assert.deepEqual(
      observations.map(({ status }) => status),
      [413, 413],
    );
    assert.equal((await send(port, '/put', { method: 'POST', body: '{}' })).status, 200);
  });

  it('of routes that read nothing but parameters have a limit of their own', async (test) => {
    const { port } = await start(test, { limits: { smallBodyBytesMax: 10 } });
    assert.equal((await send(port, '/look?name=x', { method: 'POST', body: 'x'.repeat(11) })).status, 413);
  });
});

describe('handlers', () => {
  it('may answer text that is rendered already', async (test) => {
    const { port, observations } = await start(test);
    assert.equal((await send(port, '/peek?name=ready')).text, '{"rendered":true}');
    assert.equal(observations.length, 1);
    const [{ seconds, ...observation }] = observations;
    assert.deepEqual(observation, { route: 'look', method: 'GET', status: 200, code: 0 });
    assert.ok(seconds >= 0 && seconds < 5);
  });

  it('are observed by route and code, never by what was asked', async (test) => {
    const { port, observations } = await start(test);
    for (const path of ['/look?name=x', '/v1/odd/peek', '/put', '/fail', '/unknown-path'])
      await send(port, path);
    assert.deepEqual(
      observations.map(({ route, status, code }) => [route, status, code]),
      [
        ['look', 200, 0],
        ['look', 200, 4],
        ['put', 200, 2],
        ['fail', 500, 1],
        ['other', 404, 4],
      ],
    );
  });

  it('that throw give 500, code 1, the request id, and their cause only to the log', async (test) => {
    const bugs: Error[] = [];
    const { port, lines, observations } = await start(test, { onBug: (error) => bugs.push(error) });
    for (const how of ['sync', 'async', 'bug']) {
      const answer = await send(port, `/fail?how=${how}`);
      assert.equal(answer.status, 500);
      assert.deepEqual(json(answer), {
        error_code: 1,
        error_desc: 'internal error',
        result: null,
        request_id: String(answer.headers['x-request-id']),
      });
      assert.ok(!answer.text.includes('inner'));
      const { level, fields } = lines.at(-1) as LogLine;
      assert.equal(level, 'error');
      assert.match(fields.err?.stack ?? '', /inner detail\n\s+at /);
      assert.equal(fields.requestId, answer.headers['x-request-id']);
      assert.equal(fields.route, 'fail');
    }
    assert.deepEqual(
      bugs.map(({ name }) => name),
      ['BrokenInvariant'],
    );
    assert.deepEqual(
      observations.map(({ status }) => status),
      [500, 500, 500],
    );
  });

  it('do not have their parameters logged', async (test) => {
    const { port, lines } = await start(test);
    await send(port, '/fail?how=sync&private_key=privSecret');
    assert.ok(!JSON.stringify(lines).includes('privSecret'));
  });
});

describe('request ids', () => {
  it('are given to every answer and differ', async (test) => {
    const { port } = await start(test);
    const ids = [];
    for (const path of ['/look?name=x', '/look', '/nothing'])
      ids.push((await send(port, path)).headers['x-request-id']);
    assert.equal(new Set(ids).size, 3);
    assert.ok(ids.every((id) => typeof id === 'string' && id.length > 5));
  });

  it('are the caller’s own where that is harmless', async (test) => {
    const { port } = await start(test);
    const answered = async (id: string) =>
      (await send(port, '/look', { headers: { 'x-request-id': id } })).headers['x-request-id'];
    assert.equal(await answered('trace-1.2:3_a'), 'trace-1.2:3_a');
    for (const hostile of ['', 'a b', '<script>', 'x'.repeat(65), '{"a":1}'])
      assert.notEqual(await answered(hostile), hostile);
  });
});

describe('difficult clients', () => {
  it('who do not speak HTTP are told so and cut off', async (test) => {
    const { port } = await start(test);
    const received = await raw(port, 'nonsense\r\n\r\n');
    assert.match(received, /^HTTP\/1.1 400 Bad Request\r\n/);
    assert.match(received, /"error_code":2/);
  });

  it('who send too many header bytes or too long an address get 431', async (test) => {
    const { port } = await start(test, { limits: { headerBytesMax: 2_000 } });
    const padded = await raw(port, `GET /look HTTP/1.1\r\nHost: x\r\nX-Pad: ${'x'.repeat(4_000)}\r\n\r\n`);
    assert.match(padded, /^HTTP\/1.1 431 /);
    assert.match(
      await raw(port, `GET /look?name=${'x'.repeat(4_000)} HTTP/1.1\r\nHost: x\r\n\r\n`),
      /^HTTP\/1.1 431 /,
    );
  });

  it('who dawdle with headers or body are cut off with 408', async (test) => {
    const { port } = await start(test, { limits: { headersTimeoutMs: 100, requestTimeoutMs: 200 } });
    // Of what has not arrived nothing is judged: whoever takes the code for a verdict on a transaction is misled.
    assert.match(
      await raw(port, 'GET /look HTTP/1.1\r\nHost'),
      /^HTTP\/1.1 408 [\s\S]*"error_code":114,[\s\S]*too long/,
    );
    const slowBody = 'POST /put HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{"a"';
    assert.match(await raw(port, slowBody), /^HTTP\/1.1 408 /);
  });

  it('who hang up in the middle of a body leave the server in order', async (test) => {
    const { port, lines } = await start(test);
    await new Promise<void>((resolve) => {
      const socket = net.connect(port, '127.0.0.1', () => {
        socket.write('POST /put HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{"a"', () =>
          socket.destroy(),
        );
      });
      socket.on('close', () => resolve());
    });
    assert.equal((await send(port, '/look?name=x')).status, 200);
    assert.deepEqual(
      lines.filter(({ level }) => level === 'error'),
      [],
    );
  });

  it('beyond the connection limit are told so, and to come again', async (test) => {
    const { port } = await start(test, { limits: { connectionsMax: 1 } });
    const first = net.connect(port, '127.0.0.1');
    await new Promise((resolve) => first.once('connect', resolve));
    await delay(20);
    const { status, headers, text } = await send(port, '/look?name=x');
    assert.equal(status, 503);
    assert.equal(headers['retry-after'], '1');
    assert.equal(headers.connection, 'close');
    assert.match(text, /"error_code":114,"error_desc":"the node has as many connections/);
    first.destroy();
    await delay(50);
    assert.equal((await send(port, '/look?name=x')).status, 200);
  });
});

describe('closing', () => {
  it('lets answers under way finish and takes nobody new', async (test) => {
    const { server, port } = await start(test);
    const agent = new http.Agent({ keepAlive: true });
    const underWay = new Promise<string>((resolve, reject) => {
      http
        .get({ host: '127.0.0.1', port, path: '/wait?ms=150', agent }, (response) => {
          response.setEncoding('utf8');
          response.on('data', resolve);
        })
        .on('error', reject);
    });
    await delay(50);
    const startedAt = Date.now();
    const closed = server.close();
    await delay(20);
    await assert.rejects(send(port, '/look?name=x'));
    assert.equal(await underWay, '{"waited":150}');
    await closed;
    assert.ok(Date.now() - startedAt < 3_000, 'an idle kept-alive connection held the server open');
    agent.destroy();
  });

  it('ends after its grace even when an answer never comes', async (test) => {
    const { server, port } = await start(test, { limits: { closeGraceMs: 50 } });
    const stuck = assert.rejects(send(port, '/wait?ms=300'));
    await delay(50);
    await server.close();
    await stuck;
  });
});
