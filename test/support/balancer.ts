/**
 * One address in front of several nodes, as a load balancer is: every request goes to one of them, chosen for the
 * request, for its connection, or by what the test says meanwhile.
 */
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Owner } from './owner.ts';

export type Choice =
  /** Every request to the node after the one before. */
  | 'requests'
  /** Every connection to the node after the one before. */
  | 'connections'
  /** All to the node of this number. */
  | number;

export interface Balancer {
  readonly url: string;
  choose(choice: Choice): void;
}

export async function startBalancer(owner: Owner, nodeUrls: readonly string[]): Promise<Balancer> {
  let choice: Choice = 0;
  let requests = 0;
  let connections = 0;
  const numbers = new WeakMap<Socket, number>();
  const placeOf = (socket: Socket): number => {
    if (typeof choice === 'number') return choice;
    return (choice === 'requests' ? requests++ : (numbers.get(socket) ?? 0)) % nodeUrls.length;
  };
  const server = createServer((request, response) => {
    const { method, headers, url = '/' } = request;
    const far = send(`${nodeUrls[placeOf(request.socket)]}${url}`, { method, headers }, (answer) => {
      // Short connections, so that a choice by connections is one among many.
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, connection: 'close' });
      answer.pipe(response);
    });
    far.on('error', () => request.socket.destroy());
    request.pipe(far);
  });
  server.on('connection', (socket) => numbers.set(socket, connections++));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  owner.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    choose(next) {
      choice = next;
    },
  };
}
