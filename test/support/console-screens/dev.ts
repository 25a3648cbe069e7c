/** Signing in, and the developer's desk: its lists full and empty, its dialogs, and what the operator alone sees. */
import type { Page } from 'playwright-core';
import { takeChair } from '../console-suite.ts';
import type { ConsoleWorld } from '../console-world.ts';
import type { Screens } from './screen.ts';

let operatorKey: Promise<string> | undefined;

/** The operator's key, and an entry that the ledger holds. */
async function prepareOperator({ service: { served } }: ConsoleWorld): Promise<undefined> {
  operatorKey ??= served.apiKeys
    .create({ label: 'Operator of the pictures', scopes: ['admin'] })
    .then(({ token }) => token);
  await served.runChore('anchor');
  await operatorKey;
}

/** Nobody of the demo runs the service, so whoever looks signs in with the key and goes there again. */
async function asOperator(page: Page, path: string, seen: string): Promise<void> {
  const { origin } = new URL(page.url());
  await takeChair(page, origin, { apiKey: (await operatorKey) ?? '' });
  await page.goto(`${origin}${path}`);
  await page.locator(seen).first().waitFor();
}

const openSignIn = async (page: Page, way: string): Promise<void> => {
  await page.getByRole('alert').getByRole('button', { name: 'Sign in' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in' });
  await dialog.getByText(way, { exact: true }).first().click();
};

export const devScreens: Screens = {
  'sign-in-key-file': {
    path: '/dev/keys',
    seen: '.fault',
    arrive: (page) => openSignIn(page, 'Key file'),
  },
  'sign-in-api-key': {
    path: '/dev/keys',
    seen: '.fault',
    arrive: async (page) => {
      await openSignIn(page, 'API key');
      await page.getByRole('dialog').getByLabel('API key', { exact: true }).last().fill('privBnothing');
      await page.getByText('Nothing was sent', { exact: false }).waitFor();
    },
  },
  'dev-keys': { path: '/dev/keys', as: 'issuer', seen: '.table-rows .tr' },
  'dev-make-key': {
    path: '/dev/keys',
    as: 'issuer',
    seen: '.table-rows .tr',
    arrive: async (page) => {
      await page.getByRole('button', { name: 'Make a key' }).click();
      const form = page.getByRole('dialog', { name: 'Make a key' });
      await form.getByLabel('Name').fill('Nightly export');
      await form.getByLabel('issue').check();
    },
  },
  'dev-webhooks': { path: '/dev/webhooks', as: 'verifier', seen: '.empty' },
  'dev-requests': {
    path: '/dev/requests',
    as: 'issuer',
    prepare: async ({ service: { issuer } }) => {
      await issuer.client.getAuditHead().catch(() => undefined);
      await issuer.client.listApplications();
      return undefined;
    },
    seen: '.tr-line',
  },
  'dev-audit': {
    path: '/parts',
    prepare: prepareOperator,
    seen: '.page',
    arrive: (page) => asOperator(page, '/dev/audit', '.table-rows .tr'),
  },
  'dev-audit-entry': {
    path: '/parts',
    prepare: prepareOperator,
    seen: '.page',
    arrive: (page) => asOperator(page, '/dev/audit/1', '.dev-two'),
  },
};
