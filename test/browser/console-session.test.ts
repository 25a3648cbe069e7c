/**
 * The console's page in a real browser: what it holds when somebody has signed in, what its policy keeps from it, and
 * that the browser reports that. The page can tell the test nothing but through its own origin, so a way lies in front.
 */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { findChromium, openPage } from '../support/chromium.ts';
import { send } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';
import { liveInConsole } from './console-page.ts';

const chromium = await findChromium();
const skip = 'missing' in chromium ? chromium.missing : false;
const owner = ownerOfSuite();

function builtConsole(): string {
  const folder = tempFolder(owner);
  mkdirSync(join(folder, 'assets'));
  const page = '<!doctype html><title>x</title><body><script type="module" src="/assets/main-1.js"></script>';
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(join(folder, 'assets', 'main-1.js'), `await (${liveInConsole})();`);
  return folder;
}

/** Everything goes to the service as it came, but for what the page tells. */
async function wayTo(port: number, told: (text: string) => void): Promise<number> {
  const way = createServer((request, answer) => {
    if (request.url === '/told') {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        told(Buffer.concat(chunks).toString());
        answer.end();
      });
      return;
    }
    const { method, url: path, headers } = request;
    const passed = forward({ host: '127.0.0.1', port, method, path, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => void way.listen(0, '127.0.0.1', resolve));
  owner.after(() => {
    way.closeAllConnections();
    way.close();
  });
  return (way.address() as AddressInfo).port;
}

describe('the console in a browser', { skip }, () => {
  let service: RunningService;
  let got: Record<string, unknown>;
  let framed = 0;

  before(async () => {
    if ('missing' in chromium) return;
    service = await startService(owner, { isDemo: true, consoleFolder: builtConsole() });
    const servicePort = Number(new URL(service.url).port);
    const tales: string[] = [];
    const port = await wayTo(servicePort, (text) => void tales.push(text));
    openPage(owner, chromium, { url: `http://127.0.0.1:${port}/wallet/cards`, names: [] });
    got = JSON.parse(await until('the page to tell', async () => tales[0])) as Record<string, unknown>;

    const framedPort = await wayTo(servicePort, () => {
      framed += 1;
    });
    let isLoaded = false;
    const evil = createServer((request, answer) => {
      if (request.url === '/loaded') isLoaded = true;
      answer.setHeader('content-type', 'text/html');
      answer.end(
        `<iframe src="http://127.0.0.1:${framedPort}/" onload="setTimeout(() => fetch('/loaded'), 1000)"></iframe>`,
      );
    });
    await new Promise<void>((resolve) => void evil.listen(0, '127.0.0.1', resolve));
    owner.after(() => {
      evil.closeAllConnections();
      evil.close();
    });
    const { port: evilPort } = evil.address() as AddressInfo;
    openPage(owner, chromium, { url: `http://evil.test:${evilPort}/`, names: ['evil.test'] });
    await until('the frame to load or not', async () => isLoaded || undefined);
  });

  test('signs in at a click, and holds a session that no script can read', () => {
    assert.deepEqual(
      [got.signedIn, got.cookies, got.withoutHeader, got.withHeader, got.after],
      [200, '', 401, 200, 401],
      JSON.stringify(got),
    );
  });

  test('hears of blocks, and asks nobody else', () => {
    assert.deepEqual(
      [got.stream, got.elsewhere, got.inline, got.evaluated],
      ['open', 'blocked', 'blocked', 'blocked'],
    );
  });

  test('has what was kept from it reported, and counted', async () => {
    const counted = await until('reports', async () => {
      const { text } = await send(`${service.url}/metrics`);
      const count = Number(/^symbolon_console_policy_reports_total (\d+)$/m.exec(text)?.[1]);
      return count >= 3 ? count : undefined;
    });
    assert.ok(counted >= 3);
  });

  test('is shown in no frame of another page', () => assert.equal(framed, 0));
});
