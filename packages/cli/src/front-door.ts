/** The front door on the service port: says whether everything is up, and where everything is. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StartedNode } from './start-node.ts';

export interface FrontDoor {
  readonly url: string;
  close(): Promise<void>;
}

const host = '127.0.0.1';

export async function openFrontDoor({ port, node }: { port: number; node: StartedNode }): Promise<FrontDoor> {
  const directory = {
    ledger: node.httpUrl,
    webSocket: node.socketUrl,
    openapi: `${node.httpUrl}/openapi.json`,
    metrics: `${node.httpUrl}/metrics`,
  };
  const pages: Record<string, () => [status: number, body: object]> = {
    '/': () => [200, { name: 'Symbolon', ...directory }],
    '/livez': () => [200, { status: 'ok' }],
    '/readyz': () => {
      const problem = node.notReady();
      return problem ? [503, { status: 'not ready', problem }] : [200, { status: 'ok' }];
    },
  };
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (request, response) => {
    const path = (request.url ?? '/').split('?')[0];
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    const [status, body] = page ? page() : [404, { status: 'not found' }];
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(body));
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: boundPort } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${boundPort}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
