/**
 * A bundled page as its owner would serve it, on loopback and compressed, with one script more: somebody who chooses
 * file after file and tells the test what the page says. What the browser loads is weighed as it went over the wire.
 */
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Owner } from '../support/owner.ts';

export interface PageLoads {
  /** Bytes that went over the wire until the page was ready, and after that; data of the test's own not counted. */
  readonly page: number;
  readonly onDemand: number;
  /** What was asked for, in order. */
  readonly paths: readonly string[];
}

export interface ServedPage {
  readonly url: string;
  /** What the page said of each file, or what went wrong in it. */
  readonly told: Promise<Readonly<Record<string, string>>>;
  loads(): PageLoads;
}

declare const document: { querySelector(selector: string): Element };
interface Element {
  textContent: string;
  files: unknown;
  dispatchEvent(event: unknown): void;
}
declare const addEventListener: (name: string, listener: (event: Record<string, unknown>) => void) => void;
declare const DataTransfer: new () => {
  readonly items: { add(file: unknown): void };
  readonly files: unknown;
};

/** Runs in the browser, so it is one function without anything of its surroundings. */
async function chooseFiles(): Promise<void> {
  const tell = (path: string, body: unknown) =>
    fetch(path, { method: 'POST', body: JSON.stringify(body) }).then((answer) => answer.json());
  const fail = (error: unknown) => void tell('/told', { failure: String(error) });
  addEventListener('error', ({ message }) => fail(message));
  addEventListener('unhandledrejection', ({ reason }) => fail(reason));
  const verdict = document.querySelector('#verdict');
  const settled = async (passing: readonly string[]): Promise<string> => {
    while (passing.includes(verdict.textContent)) await new Promise((resolve) => setTimeout(resolve, 20));
    return verdict.textContent;
  };
  await settled(['Loading.']);
  const files = Object.entries((await tell('/ready', {})) as Record<string, string>);
  const said: Record<string, string> = {};
  for (const [name, text] of files) {
    const chosen = new DataTransfer();
    chosen.items.add(new File([text], `${name}.json`));
    const input = document.querySelector('#presentation');
    input.files = chosen.files;
    input.dispatchEvent(new Event('change'));
    said[name] = await settled(['Checking.']);
  }
  await tell('/told', said);
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
};
/** Nothing but the page's own address may be asked, and no text becomes code; WebAssembly does. */
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

/** `files`: what is chosen, by name. */
export async function servePage(
  owner: Owner,
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<ServedPage> {
  const weights = { page: 0, onDemand: 0 };
  const paths: string[] = [];
  let isReady = false;
  const { promise: told, resolve } = Promise.withResolvers<Readonly<Record<string, string>>>();

  const serve = (file: string, answer: ServerResponse): void => {
    const name = file === '/' ? '/index.html' : file;
    const type = types[path.extname(name)];
    if (type === undefined) return void answer.writeHead(404).end();
    const plain = readFileSync(path.join(folder, path.normalize(name)));
    const packed = gzipSync(plain, { level: 9 });
    paths.push(name);
    if (type !== types['.json']) weights[isReady ? 'onDemand' : 'page'] += packed.length;
    const withScript = plain.toString().replace('</body>', '<script src="/chooser.js"></script></body>');
    const body = type === types['.html'] ? gzipSync(withScript) : packed;
    answer.setHeader('content-security-policy', policy);
    answer.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' }).end(body);
  };

  const server = createServer((request, answer) => {
    const { url = '' } = request;
    if (url === '/chooser.js')
      return void answer.writeHead(200, { 'content-type': 'text/javascript' }).end(`(${chooseFiles})();`);
    if (request.method !== 'POST') return serve(url, answer);
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      if (url === '/ready') isReady = true;
      else resolve(JSON.parse(text) as Readonly<Record<string, string>>);
      answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(files));
    });
  });
  owner.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, told, loads: () => ({ ...weights, paths }) };
}
