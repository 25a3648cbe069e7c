/**
 * Requests as bytes on the wire, spoiled: in the query, in the body, in the headers, or as HTTP itself. Those of
 * `spoiledRequest` are still one request each and must be answered; those of `brokenHttp` need not be anything.
 */
import type { Random } from '../crash/seeded-random.ts';
import { spoilBytes, spoilJson } from './json-mutations.ts';
import type { GoodRequest } from './request-corpus.ts';

export interface WireRequest {
  readonly bytes: Uint8Array;
  /** Whether an answer has a body: one to HEAD has none. */
  readonly hasBody: boolean;
}

export const oddParameters: readonly string[] = [
  ...[
    '',
    ' ',
    '0',
    '-1',
    '1.5',
    '1e3',
    '+1',
    '007',
    '9223372036854775807',
    '9223372036854775808',
    '9'.repeat(60),
  ],
  ...[
    'null',
    'true',
    'TRUE',
    'undefined',
    '__proto__',
    '%',
    '%zz',
    '%00',
    '%ff%fe',
    '%ed%a0%80',
    '%F0%9F%98%80',
  ],
  ...[
    '/',
    '../..',
    '&',
    '=',
    '==',
    '&&&',
    '#',
    '?',
    ';',
    '+',
    '%26a%3Db',
    '[]',
    '{}',
    '%22',
    'ff',
    'f',
    '00'.repeat(32),
  ],
  'x'.repeat(200),
  'x'.repeat(5_000),
  '00'.repeat(6_000),
  '%C3%A9'.repeat(1_500),
];

const oddNames = [
  '',
  '__proto__',
  'constructor',
  'address',
  'hash',
  'seq',
  'limit',
  'items',
  '%',
  '%5B%5D',
  'x'.repeat(500),
];
const oddTypes = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  ';',
  'x',
];
const methods = ['GET', 'POST'];
const oddMethods = ['HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND', 'QUERY'];

/** Parameters of an address or a form, one or two of them spoiled. */
export function spoilQuery(query: Readonly<Record<string, string>>, random: Random): string {
  const pairs = Object.entries(query).map(
    ([name, value]) => [name, encodeURIComponent(value)] as [string, string],
  );
  for (let changes = 1 + random.below(2); changes > 0; changes--) {
    const at = random.below(pairs.length);
    const how = random.below(5);
    const pair = pairs[at];
    if (how < 2 && pair) pair[1] = random.pick(oddParameters);
    else if (how === 2 && pair) pairs.splice(at, 1);
    else if (how === 3 && pair) pairs.push([pair[0], random.pick(oddParameters)]);
    else pairs.push([random.pick(oddNames), random.pick(oddParameters)]);
  }
  return pairs.map(([name, value]) => (random.chance(0.95) ? `${name}=${value}` : name)).join('&');
}

function pathOf({ name, group }: GoodRequest, random: Random): string {
  const kind = random.below(40);
  if (kind === 0) return `/v1/${encodeURIComponent('x'.repeat(random.below(200)))}/${name}`;
  if (kind === 1)
    return random.pick([`//${name}`, `/${name}/`, `/v1/${name}`, `/V1/${group}/${name}`, `/${name}%00`]);
  if (kind === 2)
    return random.pick(['/', '/livez', '/readyz', '/metrics', '/openapi.json', '/%zz', '/x', '/v1']);
  return kind < 20 ? `/v1/${group}/${name}` : `/${name}`;
}

function bodyOf({ body }: GoodRequest, random: Random): Uint8Array {
  const value = body ?? { a: [1, { b: 'c' }] };
  const kind = random.below(10);
  const text = kind < 7 ? spoilJson(value, random) : JSON.stringify(value, (_key, part) => plain(part));
  const bytes = new TextEncoder().encode(text);
  return kind < 6 ? bytes : spoilBytes(bytes, random);
}

const plain = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);

/** The body in chunks, as a client that does not know its length sends it. */
function chunked(body: Uint8Array, random: Random): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < body.length; ) {
    const piece = body.subarray(at, at + 1 + random.below(2_000));
    parts.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
    at += piece.length;
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}

/** One request with something wrong in it; HTTP itself is as it should be. */
export function spoiledRequest(good: GoodRequest, random: Random): WireRequest {
  const method = random.chance(0.98) ? random.pick(methods) : random.pick(oddMethods);
  const query = random.chance(good.body ? 0.2 : 0.9) ? spoilQuery(good.query, random) : '';
  const target = query === '' ? pathOf(good, random) : `${pathOf(good, random)}?${query}`;
  const hasRequestBody = random.chance(good.body ? 0.97 : 0.1);
  const body = hasRequestBody ? bodyOf(good, random) : undefined;
  const isChunked = body !== undefined && random.chance(0.05);
  const headers = ['Host: localhost'];
  if (random.chance(0.3)) headers.push(`Content-Type: ${random.pick(oddTypes)}`);
  if (random.chance(0.05)) headers.push(`X-Request-Id: ${random.pick(oddParameters).replaceAll('\0', '')}`);
  if (random.chance(0.02)) headers.push('Expect: 100-continue');
  if (random.chance(0.05)) headers.push('Origin: http://example.org');
  if (isChunked) headers.push('Transfer-Encoding: chunked');
  else if (body) headers.push(`Content-Length: ${body.length}`);
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`, 'latin1');
  const content = body === undefined ? [] : [isChunked ? chunked(body, random) : body];
  return { bytes: Buffer.concat([head, ...content]), hasBody: method !== 'HEAD' };
}

const brokenPieces: readonly string[] = [
  'GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
  'POST /hello HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /submitTransaction HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n',
  'POST /submitTransaction HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
  'POST /submitTransaction HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n{}',
  'POST /submitTransaction HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n{}',
  'POST /submitTransaction HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"items":[',
  'GET /hello HTTP/1.1\r\nHost: localhost\r\nBroken header\r\n\r\n',
  'GET /hello HTTP/1.1\r\nHost: localhost\r\nX: \0\x01\x02\r\n\r\n',
  'GET /hello HTTP/9.9\r\n\r\n',
  'GET /hello\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'GET /hello HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: localhost\r\nAccess-Control-Request-Method: \r\nOrigin: null\r\n\r\n',
  'GET http://elsewhere/hello HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(50),
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  `GET /${'x'.repeat(40_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  `GET /hello HTTP/1.1\r\nHost: localhost\r\n${'X: y\r\n'.repeat(3_000)}\r\n`,
  `GET /hello HTTP/1.1\r\nHost: localhost\r\nX: ${'y'.repeat(70_000)}\r\n\r\n`,
  '\r\n'.repeat(100),
  '\0'.repeat(100),
];

/** Bytes that are no request, or only the beginning of one. */
export function brokenHttp(good: GoodRequest, random: Random): Uint8Array {
  const base = random.chance(0.5)
    ? Buffer.from(random.pick(brokenPieces), 'latin1')
    : spoiledRequest(good, random).bytes;
  return random.chance(0.3) ? base : spoilBytes(base, random);
}
