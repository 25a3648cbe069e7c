/**
 * The vault of the console on a page of its own: bundled as browsers take it, before an authenticator that Chromium plays
 * and that gives secrets. A passkey is bound to a name, so the page is at `localhost`.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import type { Owner } from './owner.ts';

const folder = path.resolve(import.meta.dirname, '../../packages/console/src/vault');

/** Everything that pages call, in one global. */
const entry = `
import * as vaults from './vaults.ts';
import * as list from './vault-list.ts';
import * as open from './open-vaults.ts';
import * as backup from './backup.ts';
import * as passkey from './passkey.ts';
import { VaultFailure } from './vault-failure.ts';
import { generateKey } from '@symbolon/sdk/keys/generated-key';
const outcome = async (work) => { try { return await work(); } catch (error) { if (error instanceof VaultFailure) return error.code; throw error; } };
globalThis.kit = { ...vaults, ...list, ...open, ...backup, ...passkey, generateKey, outcome };`;

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: folder, loader: 'ts' },
    bundle: true,
    format: 'iife',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

export interface VaultPages {
  /** A page in a browser profile of its own, with an authenticator. */
  open(): Promise<Page>;
}

export async function serveVaultPages(owner: Owner, browser: Browser): Promise<VaultPages> {
  const script = await bundle();
  const server = createServer((request, answer) => {
    const isScript = request.url === '/kit.js';
    answer.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    answer.end(isScript ? script : '<!doctype html><title>vault</title><script src="/kit.js"></script>');
  });
  owner.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    async open() {
      const context = await browser.newContext();
      owner.after(() => context.close());
      const page = await context.newPage();
      await addAuthenticator(page);
      await page.goto(`http://localhost:${port}/`);
      return page;
    },
  };
}

/** One that is always there, always willing, and gives secrets. */
export async function addAuthenticator(page: Page): Promise<void> {
  const driver = await page.context().newCDPSession(page);
  await driver.send('WebAuthn.enable');
  await driver.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      hasPrf: true,
      automaticPresenceSimulation: true,
    },
  });
}
