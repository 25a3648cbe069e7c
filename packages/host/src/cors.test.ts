import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { send, start } from './serve-fixture.ts';

describe('cross-origin rules', () => {
  const origin = 'https://wallet.example';
  const allowed = 'access-control-allow-origin';

  it('allow nothing unless configured', async (test) => {
    const { port } = await start(test);
    assert.equal((await send(port, '/look?name=x', { headers: { origin } })).headers[allowed], undefined);
  });

  it('allow every page, or exactly the listed ones', async (test) => {
    const everyone = await start(test, { cors: { origins: '*' } });
    assert.equal((await send(everyone.port, '/look?name=x', { headers: { origin } })).headers[allowed], '*');
    const { port } = await start(test, { cors: { origins: [origin] } });
    const asked = await send(port, '/look?name=x', { headers: { origin } });
    assert.equal(asked.headers[allowed], origin);
    assert.equal(asked.headers.vary, 'origin');
    for (const other of ['https://wallet.example.evil', 'null', 'https://wallet.example:1'])
      assert.equal((await send(port, '/look', { headers: { origin: other } })).headers[allowed], undefined);
    assert.equal((await send(port, '/fail', { headers: { origin } })).headers[allowed], origin);
  });

  it('answer preflight requests', async (test) => {
    const { port } = await start(test, { cors: { origins: [origin] } });
    const headers = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };
    const answer = await send(port, '/v1/thing/put', { method: 'OPTIONS', headers });
    assert.equal(answer.status, 204);
    assert.equal(answer.headers[allowed], origin);
    assert.equal(answer.headers['access-control-allow-methods'], 'GET, POST');
    assert.equal(answer.headers['access-control-allow-headers'], 'content-type');
    const refused = await send(port, '/put', {
      method: 'OPTIONS',
      headers: { ...headers, origin: 'https://evil.example' },
    });
    assert.equal(refused.headers[allowed], undefined);
    assert.equal(refused.headers['access-control-allow-methods'], undefined);
  });
});
