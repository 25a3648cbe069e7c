/**
 * Signing in at a service that is no demo, in a real browser: every way, what is refused and in which words, what a tab
 * keeps, and how a session ends.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Clock } from '@symbolon/host/work/clock';
import { writeKeyFile } from '@symbolon/sdk/keys/key-file';
import type { Page } from 'playwright-core';
import { assertAccessible, assertFits, consoleSuite, heading } from '../support/console-suite.ts';

let skippedMs = 0;
const clock: Clock = {
  nowMs: () => Date.now() + skippedMs,
  nowMicros: () => BigInt(Date.now() + skippedMs) * 1000n,
};
const { options, visit, world } = await consoleSuite({
  isDemo: false,
  clock,
  config: { custody: { enabled: true } },
});

const password = 'a long password of nobody';
const keyFileOf = async (privateKey: string) => ({
  name: 'key.json',
  mimeType: 'application/json',
  buffer: Buffer.from(await writeKeyFile(privateKey, password)),
});

const personButton = (page: Page, name: string | RegExp) =>
  page.getByRole('complementary').getByRole('button', { name });

async function openDialog(page: Page, way: string) {
  await personButton(page, /^Not signed in/).click();
  await page.getByRole('menuitem', { name: 'Sign in' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in' });
  await dialog.getByText(way, { exact: true }).first().click();
  return dialog;
}

async function signInByApiKey(page: Page, apiKey: string): Promise<void> {
  const dialog = await openDialog(page, 'API key');
  await dialog.getByLabel('API key', { exact: true }).last().fill(apiKey);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Everything that a page can keep, as one text. */
const keptByTab = async (page: Page): Promise<string> =>
  (await page.evaluate(
    'indexedDB.databases().then((all) => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, all, document.cookie]))',
  )) as string;

describe('signing in outside of the demo', options, () => {
  test('a key file signs a challenge; key and password stay out of every store', async () => {
    const { issuer } = world().service;
    await visit({}, async (page) => {
      await heading(page, 'Everything is running.').waitFor();
      const sent: string[] = [];
      page.on('request', (request) => sent.push(request.postData() ?? ''));
      const dialog = await openDialog(page, 'Key file');
      await assertAccessible(page);
      await dialog
        .getByLabel('Key file')
        .last()
        .setInputFiles(await keyFileOf(issuer.privateKey));
      await dialog.getByLabel('Password of the file').fill('not this one');
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await dialog.getByText('The password does not open it').waitFor();
      await dialog.getByLabel('Password of the file').fill(password);
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await dialog.waitFor({ state: 'detached' });
      await personButton(page, /^University of Example|^[0-9a-f]{4}…/).waitFor();
      const all = `${await keptByTab(page)} ${sent.join(' ')}`;
      for (const secret of [password, issuer.privateKey]) assert.ok(!all.includes(secret));
      await page.reload();
      await personButton(page, /^University of Example|^[0-9a-f]{4}…/).waitFor();
    });
  });

  test('an API key is sent once; what is none is not sent at all', async () => {
    const { issuer } = world().service;
    await visit({ width: 390, height: 800 }, async (page) => {
      await page.getByRole('button', { name: /^Not signed in/ }).click();
      await page.getByRole('menuitem', { name: 'Sign in' }).click();
      const dialog = page.getByRole('dialog', { name: 'Sign in' });
      await dialog.getByText('API key', { exact: true }).first().click();
      await dialog.getByLabel('API key', { exact: true }).last().fill(issuer.privateKey);
      await dialog.getByText('Nothing was sent', { exact: false }).waitFor();
      assert.ok(await dialog.getByRole('button', { name: 'Sign in' }).isDisabled());
      await assertFits(page);
      const wrong = issuer.apiKey.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
      await dialog.getByLabel('API key', { exact: true }).last().fill(wrong);
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await dialog.getByText('the API key is not valid', { exact: false }).waitFor();
      await dialog.getByLabel('API key', { exact: true }).last().fill(issuer.apiKey);
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await dialog.waitFor({ state: 'detached' });
      assert.ok(!(await keptByTab(page)).includes(issuer.apiKey));
    });
  });

  test('an account in custody comes in by its password, and says when it is wrong', async () => {
    const account = await world().service.stranger.createCustodyAccount({ password });
    await visit({}, async (page) => {
      const dialog = await openDialog(page, 'Custody');
      await dialog.getByLabel('Address of the account').fill(account.zetrixAddress);
      await dialog.getByLabel('Password of the account').fill('not this one');
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await dialog.getByText('The password does not open it').waitFor();
      await dialog.getByLabel('Password of the account').fill(password);
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await dialog.waitFor({ state: 'detached' });
      await personButton(page, /^[0-9a-f]{4}…/).waitFor();
      assert.ok(!(await keptByTab(page)).includes(password));
    });
  });

  test('logging out ends it in the tab and at the service; another tab is another person', async () => {
    const { issuer, verifier } = world().service;
    await visit({}, async (page) => {
      await signInByApiKey(page, issuer.apiKey);
      const session = (await page.evaluate("sessionStorage.getItem('symbolon-session')")) as string;
      const other = await page.context().newPage();
      await other.goto(world().console.url);
      await signInByApiKey(other, verifier.apiKey);
      const statusOf = (tab: Page): Promise<number> =>
        tab.evaluate(
          async (id) => (await fetch('/console/session', { headers: { 'x-symbolon-session': id } })).status,
          session,
        );
      assert.equal(await statusOf(page), 200);
      await personButton(page, /act as somebody else/).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByText(/^Signed out/).waitFor();
      await personButton(page, /^Not signed in/).waitFor();
      assert.equal(await page.evaluate("sessionStorage.getItem('symbolon-session')"), null);
      assert.equal(await statusOf(page), 401);
      await other.reload();
      await personButton(other, /^Example Bank|^[0-9a-f]{4}…/).waitFor();
    });
  });

  for (const [name, cut] of [
    ['its answer is lost', 'answer'],
    ['it does not arrive', 'request'],
    ['there is no network', 'network'],
  ] as const)
    test(`signing out is done here, and what the service knows of it is said: ${name}`, async () => {
      const { issuer } = world().service;
      await visit({}, async (page) => {
        await signInByApiKey(page, issuer.apiKey);
        await page.goto(`${world().console.url}/dev/keys`);
        const ends = page.getByRole('button', { name: /^End the key/ });
        await ends.first().waitFor();
        const session = (await page.evaluate("sessionStorage.getItem('symbolon-session')")) as string;
        await page.route('**/console/session', async (route) => {
          if (route.request().method() !== 'DELETE') return route.continue();
          if (cut === 'answer') await route.fetch();
          await route.abort();
        });
        if (cut === 'network') await page.context().setOffline(true);
        await personButton(page, /act as somebody else/).click();
        await page.getByRole('menuitem', { name: 'Sign out' }).click();
        await page.getByText(/^You are signed out here/).waitFor();
        await personButton(page, /^Not signed in/).waitFor();
        assert.equal(await page.evaluate("sessionStorage.getItem('symbolon-session')"), null);
        assert.equal(await ends.count(), 0);
        await page.unroute('**/console/session');
        await page.context().setOffline(false);
        await page.getByText('The service has ended your session, too.').waitFor();
        assert.equal(await page.getByText(/^You are signed out here/).count(), 0);
        const status = await page.evaluate(
          async (id) => (await fetch('/console/session', { headers: { 'x-symbolon-session': id } })).status,
          session,
        );
        assert.equal(status, 401);
      });
    });

  test('a session that ended elsewhere is said, and whoever comes back finds the page as it was', async () => {
    const { issuer } = world().service;
    await visit({ path: '/dev/keys' }, async (page) => {
      await signInByApiKey(page, issuer.apiKey);
      await page.getByRole('button', { name: 'Make a key' }).first().click();
      const form = page.getByRole('dialog', { name: 'Make a key' });
      await form.getByLabel('Name').fill('a name that was typed');
      skippedMs += 31 * 60_000;
      await form.getByLabel('verify').check();
      await form.getByRole('button', { name: 'Make the key' }).click();
      await form.getByText('You are not signed in').waitFor();
      await page.getByText(/^Your session ended at/).waitFor();
      assert.equal(await page.getByText(/nothing more is sent/).count(), 0, 'a wallet and a key still could');
      await form.getByRole('alert').getByRole('button', { name: 'Sign in' }).click();
      const again = page.getByRole('dialog', { name: 'Sign in' });
      await again.getByText('API key', { exact: true }).first().click();
      await again.getByLabel('API key', { exact: true }).last().fill(issuer.apiKey);
      await again.getByRole('button', { name: 'Sign in' }).click();
      await again.waitFor({ state: 'detached' });
      assert.equal(await form.getByLabel('Name').inputValue(), 'a name that was typed');
      await form.getByRole('button', { name: 'Make the key' }).click();
      await page.getByRole('dialog', { name: 'The key a name that was typed' }).waitFor();
    });
  });

  test('a tab in which nobody moves signs out by itself', async () => {
    const { issuer } = world().service;
    await visit({}, async (page) => {
      await page.clock.install();
      await page.goto(world().console.url);
      await signInByApiKey(page, issuer.apiKey);
      await page.clock.fastForward(31 * 60_000);
      await page.getByText(/^Nobody moved here/).waitFor();
      assert.equal(await page.evaluate("sessionStorage.getItem('symbolon-session')"), null);
      await page.getByRole('button', { name: 'Sign in again' }).click();
      await page.getByRole('dialog', { name: 'Sign in' }).waitFor();
    });
  });
});
