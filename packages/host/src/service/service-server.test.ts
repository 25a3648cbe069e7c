import assert from 'node:assert/strict';
import net from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { json, raw, send } from '../http/ledger-server-fixture.ts';
import { pagePolicy } from '../http/web-pages.ts';
import type { Authenticate } from './service-access.ts';
import { apiKeys, makeSeal, type ServiceLogLine, startService } from './service-server-fixture.ts';

const post = (body: unknown, headers: Record<string, string> = {}) => ({
  method: 'POST',
  body: typeof body === 'string' ? body : JSON.stringify(body),
  headers,
});

describe('routes of the service', () => {
  it('are reached at their path and aliases, by their own method only', async (test) => {
    const { port, observations } = await startService(test);
    for (const path of ['/v1/thing', '/thing']) {
      const answer = await send(port, path, post({ name: 'a' }));
      assert.equal(answer.status, 200);
      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
      assert.equal(json(answer).raw, '{"name":"a"}');
    }
    const wrong = await send(port, '/v1/thing');
    assert.equal(wrong.status, 405);
    assert.equal(json(wrong).code, 'methodNotAllowed');
    assert.equal(wrong.headers.allow, 'POST');
    assert.equal(json(await send(port, '/v1/nothing')).code, 'routeUnknown');
    assert.deepEqual(
      observations.map(({ route, status, code }) => [route, status, code]),
      [
        ['put', 200, 'ok'],
        ['put', 200, 'ok'],
        ['other', 405, 'methodNotAllowed'],
        ['other', 404, 'routeUnknown'],
      ],
    );
  });

  it('take DIDs in their paths, with colons and percent signs', async (test) => {
    const { port } = await startService(test);
    const did = `did:zid:${'a'.repeat(64)}`;
    for (const written of [did, encodeURIComponent(did), did.replaceAll(':', '%3a')]) {
      const answer = await send(port, `/1.0/identifiers/${written}?versionId=1`, {
        headers: { accept: 'x/y' },
      });
      assert.equal(answer.status, 201);
      assert.deepEqual(json(answer), { did, versionId: '1', accept: 'x/y' });
      assert.equal(answer.headers['content-type'], 'application/did');
      assert.equal(answer.headers['x-extra'], 'yes');
    }
    const url = encodeURIComponent(`${did}/path?a=b#key-1`);
    assert.equal(json(await send(port, `/1.0/identifiers/${url}`)).did, `${did}/path?a=b#key-1`);
    for (const odd of ['%zz', '%ff%fe', 'x'.repeat(3_000)]) {
      const answer = await send(port, `/1.0/identifiers/${odd}`);
      assert.ok([400, 404].includes(answer.status), odd.slice(0, 9));
      assert.match(String(answer.headers['content-type']), /^application\/problem\+json/);
    }
  });

  it('answer HEAD as GET without its body, except where reading does something', async (test) => {
    const { port, kept } = await startService(test);
    const head = await send(port, '/1.0/identifiers/did:x:y', { method: 'HEAD' });
    assert.deepEqual([head.status, head.text], [201, '']);
    const refused = await send(port, '/v1/thing/noted', { method: 'HEAD' });
    assert.deepEqual([refused.status, refused.headers.allow, kept], [405, 'DELETE, GET', []]);
    assert.equal((await send(port, '/v1/thing/noted')).status, 200);
    assert.deepEqual(kept, ['noted']);
  });

  it('are also deleted from, and answer preflight requests for it', async (test) => {
    const { port } = await startService(test, { pages: pagePolicy({ allowOrigin: '*', host: '127.0.0.1' }) });
    assert.deepEqual(json(await send(port, '/v1/thing/x', { method: 'DELETE' })), { dropped: 'x' });
    const asked = await send(port, '/v1/thing/x', {
      method: 'OPTIONS',
      headers: { origin: 'https://a.example', 'access-control-request-method': 'DELETE' },
    });
    assert.equal(asked.headers['access-control-allow-methods'], 'GET, POST, DELETE');
    assert.match(
      String(asked.headers['access-control-expose-headers']),
      /x-request-id.*retry-after.*x-callback-signature/,
    );
  });
});

describe('problem details', () => {
  it('point at what is wrong in a body', async (test) => {
    const { port } = await startService(test);
    const answer = await send(port, '/v1/thing', post({ name: 'too long', size: 'x' }));
    assert.equal(answer.status, 400);
    assert.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8');
    const { type, title, status, code, errors, requestId } = json(answer) as never as Record<string, unknown>;
    assert.deepEqual([type, status, code], ['urn:symbolon:fault:requestMalformed', 400, 'requestMalformed']);
    assert.equal(title, 'The request is not valid');
    assert.equal(requestId, answer.headers['x-request-id']);
    assert.deepEqual(
      (errors as { pointer: string }[]).map(({ pointer }) => pointer),
      ['/name', '/size'],
    );
    for (const blank of ['versionId', 'versionId=', 'versionId=%20', 'versionId=+']) {
      const empty = await send(port, `/1.0/identifiers/did:x:y?${blank}`);
      assert.equal(empty.status, 400, blank);
      assert.match(empty.text, /"pointer":"\/query\/versionId","detail":"must not be empty"/);
    }
    const bad = await send(port, '/1.0/identifiers/did:x:y?versionId=12345');
    assert.match(bad.text, /"pointer":"\/query\/versionId"/);
    for (const doubled of [
      'versionId=1&versionId=2',
      'versionId=1&versionId=',
      'versionId=1&version%49d=1',
    ]) {
      const twice = await send(port, `/1.0/identifiers/did:x:y?${doubled}`);
      assert.equal(twice.status, 400, doubled);
      assert.match(twice.text, /"pointer":"\/query\/versionId","detail":"is given twice"/);
    }
  });

  it('refuse bodies that are no JSON, or not only one thing to everybody', async (test) => {
    const { port } = await startService(test);
    const bodies = [
      '',
      '   ',
      'x',
      '[]',
      '{"name":"a"',
      '{"name":"a","name":"b"}',
      '{"name":"a","__proto__":{}}',
      '"x"',
      Buffer.from([0x7b, 0xff, 0x7d]),
      `${'['.repeat(100)}${']'.repeat(100)}`,
    ];
    for (const body of bodies) {
      const answer = await send(port, '/v1/thing', { method: 'POST', body });
      assert.equal(answer.status, 400, String(body));
      assert.equal(json(answer).code, 'requestMalformed');
    }
  });

  it('tell faults as they are and defects not at all', async (test) => {
    const bugs: Error[] = [];
    const { port, lines } = await startService(test, { onBug: (error) => bugs.push(error) });
    const taken = await send(port, '/v1/thing', post({ name: 'taken' }));
    assert.equal(taken.status, 409);
    assert.deepEqual([json(taken).code, json(taken).detail], ['templateExists', 'taken already']);
    assert.equal(lines.length, 0);
    const expected = { bug: 'internalError', error: 'internalError', ledger: 'ledgerFailed' };
    for (const [name, code] of Object.entries(expected)) {
      const answer = await send(port, `/v1/thing/${name}`, { method: 'DELETE' });
      assert.deepEqual([answer.status, json(answer).code], [500, code]);
      assert.doesNotMatch(answer.text, /inner/);
      const { level, fields } = lines.at(-1) as ServiceLogLine;
      assert.deepEqual([level, fields.requestId, fields.route], ['error', json(answer).requestId, 'drop']);
      assert.match(String(fields.err), /inner detail/);
    }
    assert.equal(lines.length, 3);
    assert.equal(bugs.length, 1);
    const busy = await send(port, '/v1/thing/busy', { method: 'DELETE' });
    assert.deepEqual([busy.status, busy.headers['retry-after']], [503, '1']);
  });

  it('also answer what is too large, too slow or no HTTP', async (test) => {
    const { port } = await startService(test, { limits: { headerBytesMax: 2_000, requestTimeoutMs: 200 } });
    const large = await send(port, '/v1/own', post({ a: 'x'.repeat(200) }, { 'x-api-key': 'key-issuer' }));
    assert.deepEqual([large.status, json(large).code], [413, 'bodyTooLarge']);
    assert.match(
      await raw(port, 'nonsense\r\n\r\n'),
      /^HTTP\/1.1 400 [\s\S]*problem\+json[\s\S]*"status":400/,
    );
    const slow = 'POST /v1/thing HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{"a"';
    assert.match(await raw(port, slow), /^HTTP\/1.1 408 [\s\S]*too long/);
  });

  it('carry headers that keep browsers from doing anything with them', async (test) => {
    const { port } = await startService(test);
    const { headers } = await send(port, '/nothing');
    assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'");
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['cache-control'], 'no-store');
  });
});

it('an idempotency key is refused where it would not be honoured, and nothing is done', async (test) => {
  const { port } = await startService(test);
  const headers = { 'idempotency-key': 'once', 'x-api-key': 'key-issuer' };
  const answer = await send(port, '/v1/own', post({}, headers));
  assert.deepEqual([answer.status, json(answer).code], [400, 'requestMalformed'], answer.text);
  assert.match(answer.text, /Idempotency-Key/);
  // What only reads may be repeated as it is.
  assert.equal((await send(port, '/1.0/identifiers/x', { headers })).status, 201);
});

describe('who may call', () => {
  it('is decided by the API key, in either header', async (test) => {
    const { port } = await startService(test);
    const own = (headers: Record<string, string>) => send(port, '/v1/own', post({}, headers));
    for (const headers of [
      { authorization: 'Bearer key-issuer' },
      { authorization: 'bearer  key-issuer' },
      { 'x-api-key': 'key-issuer' },
    ])
      assert.deepEqual(json(await own(headers as never)), { keyId: 'issuer', did: 'did:zid:1' });
    const missing = await own({});
    assert.deepEqual([missing.status, json(missing).code], [401, 'notAuthenticated']);
    assert.match(String(missing.headers['www-authenticate']), /^Bearer/);
    for (const wrong of ['nonsense', '', 'x'.repeat(1_000), 'constructor', '__proto__'])
      assert.equal(json(await own({ authorization: `Bearer ${wrong}` })).code, 'notAuthenticated', wrong);
    const other = await own({ 'x-api-key': 'key-bbs' });
    assert.deepEqual([other.status, json(other).code], [401, 'notAllowed']);
  });

  it('is not decided where two keys are shown', async (test) => {
    const { port } = await startService(test, { isApiKey: (token) => token.startsWith('key-') });
    const both = { authorization: 'Bearer key-issuer', 'x-api-key': 'key-bbs' };
    const sign = (authorization: string, headers: Record<string, string>) =>
      send(port, '/v1/sign', post({ authorization, data: 'x' }, headers));
    for (const answer of [
      await send(port, '/v1/own', post({}, both)),
      await send(port, '/v1/thing', post({ name: 'a' }, both)),
      await sign('Bearer key-issuer', { 'x-api-key': 'key-bbs' }),
    ]) {
      assert.deepEqual([answer.status, json(answer).code], [400, 'requestMalformed'], answer.text);
      assert.match(answer.text, /two API keys/);
    }
    // The same twice, and what a gateway asks for beside the key.
    for (const authorization of ['Bearer key-issuer', 'Basic key-bbs', 'Bearer other', ''])
      assert.equal(
        json(await send(port, '/v1/own', post({}, { authorization, 'x-api-key': 'key-issuer' }))).keyId,
        'issuer',
        authorization,
      );
    assert.equal(json(await sign('key-bbs', { 'x-api-key': 'key-bbs' })).keyId, 'bbs');
    assert.equal((await send(port, '/1.0/identifiers/x', { headers: both })).status, 201);
  });

  it('is decided before a body is read', async (test) => {
    const { port } = await startService(test);
    const head = 'POST /v1/own HTTP/1.1\r\nHost: x\r\nContent-Length: 90\r\nConnection: close\r\n\r\n';
    assert.match(await raw(port, head), /^HTTP\/1.1 401 /);
  });

  it('may be anybody where a key is optional, but nobody with a wrong one', async (test) => {
    const { port } = await startService(test);
    const put = (headers: Record<string, string>) => send(port, '/v1/thing', post({ name: 'a' }, headers));
    assert.equal(json(await put({})).keyId, null);
    assert.equal(json(await put({ 'x-api-key': 'key-bbs' })).keyId, 'bbs');
    assert.equal((await put({ 'x-api-key': 'wrong' })).status, 401);
    assert.equal((await send(port, '/1.0/identifiers/x', { headers: { 'x-api-key': 'wrong' } })).status, 201);
  });

  it('may stand in the body where the route says so', async (test) => {
    const { port } = await startService(test);
    const sign = (body: object, headers = {}) => send(port, '/v1/sign', post(body, headers));
    for (const authorization of ['Bearer key-bbs', 'key-bbs'])
      assert.deepEqual(json(await sign({ authorization, data: 'x' })), { data: 'x', keyId: 'bbs' });
    assert.equal(json(await sign({ data: 'x' }, { 'x-api-key': 'key-bbs' })).keyId, 'bbs');
    assert.equal(json(await sign({ data: 'x' })).code, 'notAuthenticated');
    assert.equal(json(await sign({ authorization: 'key-issuer', data: 'x' })).code, 'notAllowed');
    assert.equal(json(await sign({ authorization: 5, data: 'x' } as never)).code, 'notAuthenticated');
    assert.equal((await send(port, '/v1/own', post({ authorization: 'key-issuer' }))).status, 401);
  });
});

describe('rates', () => {
  const nowMs = () => 1_000_000;

  it('are counted for each key and address, light and heavy apart', async (test) => {
    const rates = { light: { perMinute: 60, burst: 3 }, heavy: { perMinute: 60, burst: 1 } };
    const { port } = await startService(test, { rates, nowMs });
    const put = (headers = {}) => send(port, '/v1/thing', post({ name: 'a' }, headers));
    const first = await put();
    assert.equal(first.headers['ratelimit-policy'], '"light";q=3;w=3');
    assert.equal(first.headers.ratelimit, '"light";r=2;t=1');
    await put();
    await put();
    const refused = await put();
    assert.deepEqual([refused.status, json(refused).code], [429, 'tooManyRequests']);
    assert.equal(refused.headers['retry-after'], '1');
    assert.equal((await put({ 'x-api-key': 'key-bbs' })).status, 200);
    const own = () => send(port, '/v1/own', post({}, { 'x-api-key': 'key-issuer' }));
    assert.deepEqual([(await own()).status, (await own()).status], [200, 429]);
    const sign = () => send(port, '/v1/sign', post({ authorization: 'key-bbs', data: 'x' }));
    assert.deepEqual([(await sign()).status, (await sign()).status, (await sign()).status], [200, 200, 429]);
  });

  it('stop whoever guesses keys', async (test) => {
    const rates = {
      light: { perMinute: 6_000 },
      heavy: { perMinute: 6_000 },
      wrongKeys: { perMinute: 2, burst: 2 },
    };
    const efforts: string[] = [];
    const authenticate: Authenticate = async (token, effort) => {
      efforts.push(effort);
      return apiKeys.get(token);
    };
    const { port } = await startService(test, { rates, nowMs, authenticate });
    const guess = (key: string) => send(port, '/v1/own', post({}, { 'x-api-key': key }));
    assert.deepEqual([(await guess('a')).status, (await guess('b')).status], [401, 401]);
    assert.equal((await guess('c')).status, 429);
    assert.equal((await guess('key-issuer')).status, 200, 'a good key is nobody’s guess');
    assert.deepEqual(efforts, ['thorough', 'thorough', 'known', 'known']);
    assert.equal((await send(port, '/v1/thing', post({ name: 'a' }))).status, 200);
  });

  it('believe a proxy only when told to', async (test) => {
    const rates = { light: { perMinute: 60, burst: 1 }, heavy: { perMinute: 60 } };
    const ask = (port: number, address: string) =>
      send(port, '/1.0/identifiers/x', { headers: { 'x-forwarded-for': address } });
    const plain = await startService(test, { rates, nowMs });
    assert.deepEqual(
      [(await ask(plain.port, '1.1.1.1')).status, (await ask(plain.port, '2.2.2.2')).status],
      [201, 429],
    );
    const behind = await startService(test, { rates, nowMs, trustedProxies: ['127.0.0.1'] });
    assert.deepEqual(
      [(await ask(behind.port, '1.1.1.1')).status, (await ask(behind.port, '2.2.2.2')).status],
      [201, 201],
    );
  });
});

describe('idempotency keys', () => {
  const key = { 'idempotency-key': 'abc' };

  it('make a request happen once', async (test) => {
    const { port, kept } = await startService(test);
    const put = (body: object, headers: object = key) =>
      send(port, '/v1/thing', post(body, headers as Record<string, string>));
    const first = await put({ name: 'a' });
    const again = await put({ name: 'a' }, { 'idempotency-key': '"abc"' });
    assert.equal(again.text, first.text);
    assert.equal(again.headers['idempotency-replayed'], 'true');
    assert.equal(first.headers['idempotency-replayed'], undefined);
    const other = await put({ name: 'b' });
    assert.deepEqual([other.status, json(other).code], [422, 'idempotencyMismatch']);
    assert.equal((await put({ name: 'b' }, { ...key, 'x-api-key': 'key-bbs' })).status, 200);
    assert.deepEqual(kept, ['a', 'b']);
    for (const odd of [' ', 'a b', 'ä', 'x'.repeat(300)])
      assert.equal(
        (await put({ name: 'a' }, { 'idempotency-key': Buffer.from(odd).toString('latin1') })).status,
        400,
      );
  });

  it('are busy while the first is under way, and free again after a failure', async (test) => {
    const { port, slow } = await startService(test);
    const put = (name: string) => send(port, '/v1/thing', post({ name }, key));
    const first = put('slow');
    await slow.begun.promise;
    const second = await put('slow');
    assert.deepEqual([second.status, json(second).code], [409, 'requestInProgress']);
    slow.mayEnd.resolve();
    assert.equal((await first).status, 200);
    const failing = { 'idempotency-key': 'other' };
    assert.equal((await send(port, '/v1/thing', post({ name: 'taken' }, failing))).status, 409);
    assert.equal((await send(port, '/v1/thing', post({ name: 'ok' }, failing))).status, 200);
  });
});

describe('sealed paths', () => {
  it('do the same behind the seal, failures included', async (test) => {
    const { seal, sealer } = await makeSeal();
    const { port, kept, observations } = await startService(test, { seal });
    const ask = async (path: string, text: string, headers = {}) => {
      const sealed = sealer(path, text);
      const answer = await send(port, path, post(sealed.body, { ...sealed.headers, ...headers }));
      assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8');
      return { status: answer.status, content: sealed.open(answer.text), headers: answer.headers };
    };
    const done = await ask('/v1/enc/thing', '{"name":"a"}', { 'idempotency-key': 'k' });
    assert.deepEqual([done.status, done.content.name, kept.length], [200, 'a', 1]);
    const replayed = await ask('/v1/enc/thing', '{"name":"a"}', { 'idempotency-key': 'k' });
    assert.deepEqual([replayed.content.count, replayed.headers['idempotency-replayed']], [1, 'true']);
    const plain = await send(port, '/v1/thing', post('{"name":"a"}', { 'idempotency-key': 'k' }));
    assert.equal(plain.headers['idempotency-replayed'], 'true');
    for (const [text, code] of [
      ['{"name":"taken"}', 'templateExists'],
      ['{"name":"a","name":"b"}', 'requestMalformed'],
      ['x', 'requestMalformed'],
    ] as const)
      assert.equal((await ask('/v1/enc/thing', text)).content.code, code);
    const unknown = await ask('/v1/enc/own', '{}');
    assert.deepEqual([unknown.status, unknown.content.code], [401, 'notAuthenticated']);
    assert.equal((await ask('/v1/enc/own', '{}', { 'x-api-key': 'key-issuer' })).content.keyId, 'issuer');
    assert.equal(observations.at(-1)?.route, 'own');
  });

  it('answer everything that cannot be opened alike', async (test) => {
    const { seal, sealer } = await makeSeal();
    const { port } = await startService(test, { seal });
    const { body, headers } = sealer('/v1/enc/thing', '{"name":"a"}');
    const attempts = [
      post('x', headers),
      post('{"name":"a"}', headers),
      post(body, { ...headers, secretKey: 'AA' }),
    ];
    for (const attempt of attempts) {
      const answer = await send(port, '/v1/enc/thing', attempt);
      const { requestId: _, ...problem } = json(answer);
      assert.deepEqual([answer.status, problem.code, problem.detail], [400, 'sealMalformed', problem.title]);
    }
    const bare = await send(port, '/v1/enc/thing', post(body));
    assert.match(json(bare).detail as string, /secretKey/);
    const moved = await send(port, '/v1/enc/own', post(body, { ...headers, 'x-api-key': 'key-issuer' }));
    assert.equal(json(moved).code, 'sealMalformed');
  });

  it('do not exist without a seal', async (test) => {
    const { port } = await startService(test);
    assert.equal((await send(port, '/v1/enc/thing', post('x'))).status, 404);
  });
});

describe('what is done once the answer was sent', () => {
  it('is done then, and not for a caller who hung up before', async (test) => {
    const { port, kept, answered } = await startService(test);
    await send(port, '/v1/thing', post({ name: 'a' }));
    for (let turn = 0; turn < 100 && answered.length === 0; turn++) await delay(5);
    assert.deepEqual(answered, ['a']);
    const body = JSON.stringify({ name: 'wait' });
    const socket = net.connect(port, '127.0.0.1');
    socket.write(
      `POST /v1/thing HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    await delay(100);
    socket.destroy();
    for (let turn = 0; turn < 200 && kept.length < 2; turn++) await delay(10);
    await delay(50);
    assert.deepEqual([kept, answered], [['a', 'wait'], ['a']]);
  });
});

describe('a caller who hangs up', () => {
  it('is noticed by the handler', async (test) => {
    const { port, kept } = await startService(test);
    const body = '{"name":"wait"}';
    const socket = net.connect(port, '127.0.0.1');
    socket.write(`POST /v1/thing HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    await delay(50);
    assert.deepEqual(kept, []);
    socket.destroy();
    for (let tries = 0; tries < 100 && kept.length === 0; tries++) await delay(10);
    assert.deepEqual(kept, ['wait']);
  });
});

describe('connections beyond the limit', () => {
  it('are told so, and to come again', async (test) => {
    const { port } = await startService(test, { limits: { connectionsMax: 1 } });
    const first = net.connect(port, '127.0.0.1');
    await new Promise((resolve) => first.once('connect', resolve));
    await delay(20);
    const { status, headers, text } = await send(port, '/v1/thing', post({ name: 'quick' }));
    assert.equal(status, 503);
    assert.equal(headers['retry-after'], '1');
    assert.equal(headers.connection, 'close');
    assert.equal(JSON.parse(text).code, 'overloaded');
    first.destroy();
    const again = async () => (await send(port, '/v1/thing', post({ name: 'quick' }))).status;
    let later = await again();
    for (let tries = 0; tries < 100 && later === 503; tries++) {
      await delay(20);
      later = await again();
    }
    assert.notEqual(later, 503);
  });

  it('that do not ask are dropped in time, and those beyond them at once', async (test) => {
    const { port } = await startService(test, { limits: { connectionsMax: 1 } });
    const opened = Array.from({ length: 300 }, () => net.connect(port, '127.0.0.1'));
    const isOpen = (socket: net.Socket) => !socket.destroyed;
    for (const socket of opened) socket.on('error', () => undefined).resume();
    test.after(() => opened.forEach((socket) => void socket.destroy()));
    for (let tries = 0; tries < 600 && opened.filter(isOpen).length > 1; tries++) await delay(50);
    assert.equal(opened.filter(isOpen).length, 1);
  });
});

describe('pages beside the routes', () => {
  it('are served, and closing waits for answers', async (test) => {
    const readiness = async () => [{ name: 'service', state: 'failed' as const, detail: 'starting' }];
    const plain = { live: () => true, readiness };
    const { server, port, slow } = await startService(test, { plain });
    assert.equal((await send(port, '/livez')).text, 'ok');
    assert.equal((await send(port, '/readyz')).status, 503);
    const asked = send(port, '/v1/thing', post({ name: 'slow' }));
    await slow.begun.promise;
    const closed = server.close();
    slow.mayEnd.resolve();
    assert.equal((await asked).status, 200);
    await closed;
  });
});
