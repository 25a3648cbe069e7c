/**
 * A balancer as operators run them: it asks every process whether it is ready, sends requests to those that are, one
 * after the other, over connections that it keeps, and sends a second time only what is safe: what reached nobody, and
 * what only reads. Whatever else breaks is told to the client with 502.
 */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { send } from './http.ts';
import type { Owner } from './owner.ts';

export interface SafeBalancer {
  readonly url: string;
  /** How many processes say that they are ready. */
  ready(): number;
}

const lookMs = 100;

export async function startSafeBalancer(
  owner: Owner,
  processUrls: () => readonly string[],
): Promise<SafeBalancer> {
  const agent = new http.Agent({ keepAlive: true });
  let ready: readonly string[] = [];
  let turn = 0;
  let isOver = false;

  const looking = (async () => {
    while (!isOver) {
      const urls = processUrls();
      const found = await Promise.all(urls.map(isReady));
      ready = urls.filter((_, index) => found[index]);
      await sleep(lookMs);
    }
  })();

  const server = http.createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const candidates = ready.map((_, index) => ready[(turn + index) % ready.length] as string);
    turn += 1;
    for (const url of candidates) {
      const answer = await pass(agent, url, { request, body });
      if (answer === 'not reached') continue;
      if (answer === 'lost' && request.method === 'GET') continue;
      if (answer === 'lost') break;
      response.writeHead(answer.status, { ...answer.headers, connection: 'keep-alive' });
      response.end(answer.body);
      return;
    }
    response.writeHead(candidates.length === 0 ? 503 : 502, { 'content-type': 'application/json' });
    response.end('{"code":"ofTheBalancer"}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  owner.after(async () => {
    isOver = true;
    await looking;
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready: () => ready.length,
  };
}

const isReady = (url: string): Promise<boolean> =>
  send(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );

interface Passed {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

function pass(
  agent: http.Agent,
  url: string,
  { request, body }: { request: http.IncomingMessage; body: Buffer },
): Promise<Passed | 'not reached' | 'lost'> {
  const { method, url: path = '/', headers } = request;
  const { connection: _, 'transfer-encoding': __, ...kept } = headers;
  return new Promise((resolve) => {
    const far = http.request(`${url}${path}`, {
      agent,
      method,
      headers: { ...kept, 'content-length': String(body.length) },
    });
    far.once('response', async (answer) => {
      const { statusCode: status = 502, headers } = answer;
      try {
        const body = Buffer.concat(await answer.toArray());
        const { connection: _, 'transfer-encoding': __, ...kept } = headers;
        resolve({ status, headers: { ...kept, 'content-length': String(body.length) }, body });
      } catch {
        resolve('lost');
      }
    });
    far.on('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'ECONNREFUSED' ? 'not reached' : 'lost'),
    );
    far.end(body);
  });
}
