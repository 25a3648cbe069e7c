import assert from 'node:assert/strict';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { defineServiceRoute, type ServiceHandlers } from '@symbolon/wire/http/service-route';
import { z } from 'zod';
import { createServiceServer } from './service-server.ts';

const routes = {
  watch: defineServiceRoute({
    method: 'GET',
    path: '/v1/watch/:how',
    access: 'open',
    carries: 'plain',
    cost: 'light',
    group: 'thing',
    summary: 'Goes on while things happen',
    params: z.object({ how: z.string() }),
    reply: z.looseObject({}),
    faults: [],
    read: ({ params }) => params,
  }),
};

async function startStreams(test: TestContext) {
  const ended: string[] = [];
  async function* speak(how: string, signal: AbortSignal | undefined) {
    try {
      yield 'first\n';
      if (how === 'broken') throw new Error('inner detail');
      if (how === 'endless' && signal && !signal.aborted) await once(signal, 'abort');
      yield 'last\n';
    } finally {
      ended.push(how);
    }
  }
  const handlers: ServiceHandlers<typeof routes> = {
    watch: async ({ how }, { signal }) => ({
      contentType: 'text/event-stream',
      chunks: speak(how, signal),
      headers: { 'x-extra': 'yes' },
    }),
  };
  const quiet = () => undefined;
  const server = createServiceServer({
    routes,
    handlers,
    authenticate: async () => undefined,
    rates: { light: { perMinute: 6_000 }, heavy: { perMinute: 6_000 } },
    logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    // Nothing that ends with the server ends because it has been waited for.
    limits: { closeGraceMs: 3_600_000 },
  });
  test.after(() => server.close());
  const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
  const open = async (how: string, method = 'GET'): Promise<IncomingMessage> => {
    const request = http.request(`${url}/v1/watch/${how}`, { agent: false, method });
    request.on('error', quiet).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response.on('error', quiet);
  };
  return { server, open, ended };
}

async function untilEnded(ended: readonly string[]): Promise<void> {
  for (let tries = 0; tries < 200 && ended.length === 0; tries++) await delay(10);
  assert.equal(ended.length, 1);
}

describe('an answer that goes on', () => {
  it('is sent as it comes, with its headers, until it ends', async (test) => {
    const { open, ended } = await startStreams(test);
    const response = await open('short');
    assert.deepEqual(
      [response.statusCode, response.headers['content-type'], response.headers['x-extra']],
      [200, 'text/event-stream', 'yes'],
    );
    assert.equal((await response.toArray()).join(''), 'first\nlast\n');
    assert.deepEqual(ended, ['short']);
  });

  it('ends when its reader hangs up', async (test) => {
    const { open, ended } = await startStreams(test);
    const response = await open('endless');
    await once(response, 'data');
    assert.deepEqual(ended, []);
    response.destroy();
    await untilEnded(ended);
  });

  it('ends at once where its headers alone are asked for', async (test) => {
    const { open, ended } = await startStreams(test);
    const response = await open('endless', 'HEAD');
    assert.deepEqual([response.statusCode, response.headers['content-type']], [200, 'text/event-stream']);
    assert.deepEqual(await response.toArray(), []);
    await untilEnded(ended);
  });

  it('ends at once when the server closes', async (test) => {
    const { open, ended, server } = await startStreams(test);
    const response = await open('endless');
    await once(response, 'data');
    await server.close();
    await untilEnded(ended);
  });

  it('that breaks is cut off and tells nothing of the inside', async (test) => {
    const { open, ended } = await startStreams(test);
    const response = await open('broken');
    let text = '';
    response.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    await new Promise((resolve) => response.on('close', resolve));
    assert.doesNotMatch(text, /inner detail/);
    await untilEnded(ended);
  });
});
