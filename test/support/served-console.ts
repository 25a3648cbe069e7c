/**
 * The console as a service serves it: its built files with a strict policy, and behind them, on the same origin, a real
 * service and a real node. It can stop answering, as a service does whose machine is gone.
 */
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Owner } from './owner.ts';

const dist = path.resolve(import.meta.dirname, '../../packages/console/dist');

export const consolePolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
].join('; ');

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export interface ServedConsole {
  readonly url: string;
  /** Ends connections from now on, or answers again. */
  setAnswering(isAnswering: boolean): void;
}

export interface ConsoleOrder {
  readonly service: string;
  readonly node: string;
  /** 0, if left out: any free one. */
  readonly port?: number;
}

/** Paths of the ledger behind `/ledger/` are names of routes; pages below it have slashes or known names. */
const isLedgerCall = (name: string): boolean =>
  /^\/ledger\/(get|hello|call|test|submit|multi)\w*(\?|$)/.test(name);
const isFile = (name: string): boolean => name.startsWith('/assets/');
const isPage = ({ headers }: IncomingMessage): boolean => headers.accept?.includes('text/html') ?? false;

function serveFile(name: string, answer: ServerResponse): void {
  const file = path.join(dist, path.normalize(name));
  const type = types[path.extname(file)];
  if (type === undefined || !file.startsWith(dist) || !existsSync(file))
    return void answer.writeHead(404).end();
  const packed = `${file}.br`;
  const isPacked = existsSync(packed);
  answer.writeHead(200, {
    'content-type': type,
    'content-security-policy': consolePolicy,
    'content-length': statSync(isPacked ? packed : file).size,
    'x-content-type-options': 'nosniff',
    ...(isPacked && { 'content-encoding': 'br' }),
  });
  createReadStream(isPacked ? packed : file).pipe(answer);
}

function passOn(from: IncomingMessage, answer: ServerResponse, base: string, place: string): void {
  const target = new URL(place, base);
  // The service judges pages by host and origin, so it is told its own.
  const { origin, ...headers } = from.headers;
  const given = { ...headers, host: target.host, ...(origin && { origin: target.origin }) };
  const passed = request(target, { method: from.method, headers: given }, (reply) => {
    answer.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(answer);
  });
  passed.on('error', () => answer.destroy());
  from.pipe(passed);
}

export async function serveConsole(
  owner: Owner,
  { service, node, port = 0 }: ConsoleOrder,
): Promise<ServedConsole> {
  let isAnswering = true;
  const server = createServer((asked, answer) => {
    const { url = '/' } = asked;
    if (!isAnswering) return void answer.destroy();
    if (isFile(url)) return serveFile(url, answer);
    if (isLedgerCall(url)) return passOn(asked, answer, node, url.slice('/ledger'.length));
    if (isPage(asked) && asked.method === 'GET') return serveFile('/index.html', answer);
    passOn(asked, answer, service, url);
  });
  owner.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    setAnswering(next) {
      isAnswering = next;
      if (!next) server.closeAllConnections();
    },
  };
}
