/** The way to a service that serves the console. It can stop answering, as a service does whose machine is gone. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Owner } from './owner.ts';

export interface ServedConsole {
  readonly url: string;
  /** Ends connections from now on, or answers again. */
  setAnswering(isAnswering: boolean): void;
}

function passOn(from: IncomingMessage, answer: ServerResponse, service: string): void {
  const target = new URL(from.url ?? '/', service);
  // The service judges pages by host and origin, so it is told its own.
  const { origin, ...headers } = from.headers;
  const given = { ...headers, host: target.host, ...(origin && { origin: target.origin }) };
  const passed = request(target, { method: from.method, headers: given }, (reply) => {
    answer.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(answer);
  });
  passed.on('error', () => answer.destroy());
  // A stream ends with its reader.
  answer.once('close', () => passed.destroy());
  from.pipe(passed);
}

/** At any free port. */
export async function serveConsole(owner: Owner, service: string): Promise<ServedConsole> {
  let isAnswering = true;
  const server = createServer((asked, answer) => {
    if (isAnswering) passOn(asked, answer, service);
    else answer.destroy();
  });
  owner.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    setAnswering(next) {
      isAnswering = next;
      if (!next) server.closeAllConnections();
    },
  };
}
