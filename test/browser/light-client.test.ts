/**
 * A light client in a real Chromium, by the SDK as it is packed and bundled for pages, against a node for each kind of lie:
 * it says of each what it says in Node, and believes none.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import type { createLightClient, httpTransport } from '@symbolon/sdk/index';
import {
  type LightCase,
  lightCases,
  nodeOfCase,
  putLightClientTo,
} from '@symbolon/sdk/testing/light-lies.test';
import { stringifyJson } from '@symbolon/wire/json/json';
import { build } from 'esbuild';
import { findChromium, openPage } from '../support/chromium.ts';
import type { Owner } from '../support/owner.ts';
import { packSdk, unpackSdk } from '../support/packed-sdk.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A page that never tells is a failure, on a busy machine, too. */
const pageMsMax = 240_000;

/** What the light client said, by what it was about; or what went wrong in the page. */
type Said = Readonly<Record<string, string>>;

interface GivenToPage {
  readonly createLightClient: typeof createLightClient;
  readonly httpTransport: typeof httpTransport;
  readonly putLightClientTo: typeof putLightClientTo;
}

declare const location: { readonly origin: string };

/** Runs in the browser, so it is one function without anything of its surroundings. */
async function askEverybody({
  createLightClient,
  httpTransport,
  putLightClientTo,
}: GivenToPage): Promise<void> {
  const said: Record<string, string> = {};
  try {
    const cases = (await (await fetch('/cases')).json()) as LightCase[];
    for (const [index, one] of cases.entries()) {
      const node = httpTransport(`${location.origin}/nodes/${index}`);
      said[one.what] = await putLightClientTo(createLightClient, node, one);
    }
  } catch (error) {
    said.failure = String(error);
  }
  await fetch('/told', { method: 'POST', body: JSON.stringify(said) });
}

/** The script of the page, bundled as pages are, with nothing of the checkout but the packed SDK. */
async function bundleScript(owner: Owner): Promise<string> {
  const project = tempFolder(owner);
  await unpackSdk(project, await packSdk(path.join(project, 'packed here')));
  const { outputFiles } = await build({
    stdin: {
      contents: `import { createLightClient, httpTransport } from '@symbolon/sdk';
        (${askEverybody})({ createLightClient, httpTransport, putLightClientTo: ${putLightClientTo} });`,
      resolveDir: project,
    },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2024',
    minify: true,
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

/** The page, and beside it a node for each row of the table. */
async function serveNodes(
  owner: Owner,
  script: string,
  cases: readonly LightCase[],
): Promise<{ readonly url: string; readonly told: Promise<Said> }> {
  const { promise: told, resolve } = Promise.withResolvers<Said>();
  const questions = JSON.stringify(cases.map(({ answers: _, ...question }) => question));
  const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
    '/': ['text/html', '<!doctype html><meta charset="utf-8"><script type="module" src="/page.js"></script>'],
    '/page.js': ['text/javascript', script],
    '/cases': ['application/json', questions],
  };
  const server = createServer(async (request, answer) => {
    const { url = '', method } = request;
    const send = (type: string, text: string) => answer.writeHead(200, { 'content-type': type }).end(text);
    answer.setHeader('content-security-policy', "default-src 'self'");
    if (method === 'POST') {
      resolve(JSON.parse((await request.toArray()).join('')) as Said);
      return send('application/json', '{}');
    }
    const [, index, route = ''] = /^\/nodes\/(\d+)(\/.*)$/.exec(url) ?? [];
    const asked = cases[Number(index)];
    if (asked) return send('application/json', stringifyJson(await nodeOfCase(asked)('GET', route)));
    const file = files[url];
    return file ? send(...file) : answer.writeHead(404).end();
  });
  owner.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, told };
}

const chromium = await findChromium();
const skip = 'missing' in chromium ? chromium.missing : false;

test('a light client in a page believes no lie', { skip, timeout: pageMsMax }, async (context) => {
  if ('missing' in chromium) return;
  const { honest, lies } = await lightCases(context);
  const cases = [...honest, ...lies];
  const { url, told } = await serveNodes(context, await bundleScript(context), cases);
  openPage(context, chromium, { url, names: [] });
  assert.deepEqual(await told, Object.fromEntries(cases.map(({ what, says }) => [what, says])));
  assert.ok(lies.length >= 30 && lies.every(({ says }) => says !== 'believed'));
  context.diagnostic(`${lies.length} kinds of lies`);
});
