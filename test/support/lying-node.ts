/** A node in front of another: it passes everything on and changes what it likes in the answers. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isJsonObject, type JsonObject, parseJson, stringifyJson } from '@symbolon/wire/json/json';
import type { Owner } from './owner.ts';

/** By route: changes the answer in its place. */
export type Lies = Readonly<Record<string, (answer: JsonObject) => void>>;

export interface LyingNode {
  readonly url: string;
  /** Routes that were called, in order. */
  readonly called: readonly string[];
}

export async function startLyingNode(owner: Owner, nodeUrl: string, lies: Lies): Promise<LyingNode> {
  const called: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const route = /^\/(\w+)/.exec(request.url ?? '')?.[1] ?? '';
    called.push(route);
    const { method = 'GET' } = request;
    const body = method === 'GET' ? undefined : Buffer.concat(chunks);
    const answer = await fetch(`${nodeUrl}${request.url}`, {
      method,
      headers: { 'content-type': request.headers['content-type'] ?? 'application/json' },
      ...(body && { body }),
    });
    const json = parseJson(await answer.text());
    if (isJsonObject(json)) lies[route]?.(json);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(stringifyJson(json));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  owner.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, called };
}
