/** Bodies that nothing reads: at both servers they are refused, not dropped, because they may hold a condition. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeSeal, startService } from '../service/service-server-fixture.ts';
import { json, raw, send, start } from './ledger-server-fixture.ts';

const place = '/1.0/identifiers/did:x:y?versionId=1';
const unread = [
  '{"versionId":"2"}',
  '{"__proto__":{}}',
  '{"a":1,"a":2}',
  '{"a":"\\u0000"}',
  '[]',
  '[{}]',
  '5',
  'null',
  '""',
  ' ',
  '{',
  '{}{}',
  'versionId=2',
  Buffer.from([0xff]),
  Buffer.from([0]),
];

describe('a route of the service without a body', () => {
  it('is not called with one', async (test) => {
    const { port, kept } = await startService(test);
    for (const body of unread)
      for (const [method, path] of [
        ['GET', place],
        ['DELETE', '/v1/thing/x'],
        ['POST', '/v1/thing/renew'],
      ] as const) {
        const answer = await send(port, path, {
          method,
          body,
          headers: { 'content-type': 'application/json' },
        });
        assert.equal(answer.status, 400, `${method} ${body}`);
        assert.equal(json(answer).code, 'requestMalformed');
        assert.match(String(json(answer).detail), /^this route takes no body/);
      }
    assert.deepEqual(kept, []);
  });

  it('says what belongs into the address', async (test) => {
    const { port } = await startService(test);
    const answer = await send(port, place, { body: '{"versionId":"2"}' });
    assert.match(answer.text, /this route takes no body: \\"versionId\\" may stand in the address/);
  });

  it('takes none, an empty one, and an object that says nothing', async (test) => {
    const { port } = await startService(test);
    for (const body of [undefined, '', '{}', ' {\r\n\t} '])
      for (const [method, path, status] of [
        ['GET', place, 201],
        ['DELETE', '/v1/thing/x', 200],
        ['POST', '/v1/thing/renew', 200],
      ] as const)
        assert.equal((await send(port, path, { method, body })).status, status, `${method} ${body}`);
  });

  it('is told apart however a body is announced, and reads no more than a little', async (test) => {
    const { port } = await startService(test, { limits: { smallBodyBytesMax: 20 } });
    const head = `GET ${place} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`;
    assert.match(await raw(port, `${head}5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n`), /^HTTP\/1.1 400 /);
    assert.match(await raw(port, `${head}0\r\n\r\n`), /^HTTP\/1.1 201 /);
    assert.match(await raw(port, `${head}ff\r\n${'x'.repeat(100)}`), /^HTTP\/1.1 413 /);
    assert.equal((await send(port, place, { body: `{"a":"${'x'.repeat(20)}"}` })).status, 413);
  });

  it('is the same behind the seal', async (test) => {
    const { seal, sealer } = await makeSeal();
    const { port, kept } = await startService(test, { seal });
    const path = '/v1/thing/enc/renew';
    const renew = async (text: string) => {
      const { open, ...sent } = sealer(path, text);
      return open((await send(port, path, { method: 'POST', ...sent })).text);
    };
    assert.match(String((await renew('{"name":"x"}')).detail), /^this route takes no body/);
    assert.equal((await renew(' ')).status, 400);
    assert.deepEqual(kept, []);
    assert.deepEqual([await renew(''), await renew('{}')], [{ count: 1 }, { count: 2 }]);
  });
});

describe('places for operators', () => {
  const plain = { live: () => true, metrics: async () => ({ contentType: 'text/plain', text: 'up 1\n' }) };

  it('take no body at either server', async (test) => {
    const servers = [await start(test, { plain }), await startService(test, { plain })];
    for (const { port } of servers)
      for (const path of ['/livez', '/metrics']) {
        for (const body of ['{"verbose":true}', 'x', Buffer.from([0xff])]) {
          const answer = await send(port, path, { body });
          assert.equal(answer.status, 400, path);
          assert.match(answer.text, /takes no body/);
        }
        for (const body of [undefined, '', '{}'])
          assert.equal((await send(port, path, { body })).status, 200, path);
      }
  });
});

describe('a query of the ledger', () => {
  it('reads a body as parameters, with either method', async (test) => {
    const { port } = await start(test);
    for (const method of ['GET', 'POST']) {
      const look = async (path: string, body: string) => json(await send(port, path, { method, body }));
      assert.deepEqual(await look('/look', '{"name":"y"}'), { name: 'y' });
      for (const body of ['', '{}']) assert.deepEqual(await look('/look?name=x', body), { name: 'x' });
      for (const body of ['{"name":"y"}', '{"nam":"x"}', '[]', 'x'])
        assert.equal((await look('/look?name=x', body)).error_code, 2, `${method} ${body}`);
    }
  });
});
