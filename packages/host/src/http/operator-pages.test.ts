import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { send, start } from './ledger-server-fixture.ts';

describe('plain hooks', () => {
  it('answer operators outside the route table', async (test) => {
    let problem: string | undefined = 'still replaying';
    let isAlive = true;
    const { port } = await start(test, {
      plain: {
        directory: () => ({ name: 'Things', version: '1', docs: '/docs' }),
        live: () => isAlive,
        readiness: async () => [
          { name: 'disk', state: 'ok' },
          { name: 'chain', state: problem === undefined ? 'ok' : 'failed', detail: problem },
        ],
        metrics: async () => ({ contentType: 'text/plain; version=0.0.4', text: 'up 1\n' }),
        openapi: () => ({ openapi: '3.1.0' }),
      },
    });
    const ask = async (path: string) => {
      const { status, text } = await send(port, path);
      return [status, text];
    };
    assert.deepEqual(await ask('/'), [200, '{"name":"Things","version":"1","docs":"/docs"}']);
    assert.deepEqual(await ask('/livez'), [200, 'ok']);
    assert.deepEqual(await ask('/readyz'), [503, 'still replaying']);
    assert.deepEqual(await ask('/readyz?verbose'), [503, 'disk: ok\nchain: failed, still replaying\n']);
    problem = undefined;
    isAlive = false;
    assert.deepEqual(await ask('/readyz'), [200, 'ok']);
    assert.deepEqual(await ask('/readyz?verbose'), [200, 'disk: ok\nchain: ok\n']);
    assert.equal((await ask('/livez'))[0], 503);
    assert.equal((await send(port, '/metrics')).headers['content-type'], 'text/plain; version=0.0.4');
    assert.deepEqual(await ask('/openapi.json'), [200, '{"openapi":"3.1.0"}']);
  });

  it('that throw answer 500 without their cause', async (test) => {
    const { port, lines } = await start(test, {
      plain: {
        live: () => {
          throw new Error('inner detail');
        },
        metrics: () => Promise.reject(new Error('inner detail')),
      },
    });
    for (const path of ['/livez', '/metrics']) {
      const answer = await send(port, path);
      assert.equal(answer.status, 500);
      assert.ok(!answer.text.includes('inner'));
    }
    assert.equal(lines.filter(({ level }) => level === 'error').length, 2);
  });

  it('do not exist unless given', async (test) => {
    const { port } = await start(test);
    for (const path of ['/', '/livez', '/readyz', '/metrics', '/openapi.json'])
      assert.equal((await send(port, path)).status, 404);
  });
});
