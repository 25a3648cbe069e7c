/**
 * Connections beyond what a server takes. A connection that is dropped without a word looks like a broken network. So a
 * bounded number of further ones is accepted for a moment, long enough to send a request and to get status 503. Those
 * that send nothing in time are dropped, and so are all beyond that number.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { surplusLimits } from '../limits/server-limits.ts';

/** Whether a connection is one too many. */
export type IsSurplus = (socket: Socket) => boolean;

export function boundConnections(server: Server, connectionsMax: number): IsSurplus {
  const surplus = new WeakSet<Socket>();
  let taken = 0;
  server.maxConnections = connectionsMax + surplusLimits.connectionsMax;
  server.on('connection', (socket: Socket) => {
    if (taken >= connectionsMax) {
      surplus.add(socket);
      const timer = setTimeout(() => socket.destroy(), surplusLimits.askMs).unref();
      socket.once('close', () => clearTimeout(timer));
      return;
    }
    taken += 1;
    socket.once('close', () => {
      taken -= 1;
    });
  });
  return (socket) => surplus.has(socket);
}

/** What the framework is told: answered like any other refusal of the server, and the connection ends with it. */
export class TooManyConnections extends Error {
  readonly statusCode = 503;
  constructor() {
    super('the server has as many connections as it takes');
  }
}

export const surplusHeaders: Readonly<Record<string, string>> = {
  'retry-after': String(surplusLimits.retryAfterSeconds),
  connection: 'close',
};
