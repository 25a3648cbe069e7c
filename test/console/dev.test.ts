/** The developer's desk before a real service: keys are made, shown once and ended, webhooks posted again, calls and audit entries looked at. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, describe, test } from 'node:test';
import type { ApiScope } from '@symbolon/wire/http/service-route';
import { assertAccessible, consoleSuite, heading } from '../support/console-suite.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { registerCard, worldOf } from '../support/service-world.ts';
import { until } from '../support/until.ts';

const owner = ownerOfSuite();
const { options, visit, world } = await consoleSuite({
  isDemo: false,
  config: { callbacks: { allowLoopback: true } },
});

const keyOf = async (label: string, scopes: readonly ApiScope[], did?: string): Promise<string> =>
  (await world().service.served.apiKeys.create({ label, scopes: [...scopes], ...(did && { did }) })).token;

describe('the developer’s desk', options, () => {
  let receiver: { url: string; status: number };

  before(async () => {
    const server = createServer((_request, answer) => answer.writeHead(receiver.status).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    owner.after(() => {
      server.closeAllConnections();
      server.close();
    });
    receiver = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, status: 500 };
  });

  test('a key is made with some scopes, shown once, acts, and is ended', async () => {
    await visit({ path: '/dev/keys', apiKey: world().service.issuer.apiKey }, async (page) => {
      await heading(page, 'API keys').waitFor();
      await page.getByRole('button', { name: 'Make a key' }).click();
      const form = page.getByRole('dialog', { name: 'Make a key' });
      await form.getByLabel('Name').fill('nightly export');
      await form.getByLabel('issue').check();
      assert.equal(await form.getByLabel('admin').count(), 0, 'nobody gives what they have not');
      // What is about to be asked, where the drawer is out of reach.
      await form.getByRole('button', { name: 'Show as code' }).click();
      await form.locator('.code', { hasText: '"label": "nightly export"' }).waitFor();
      await assertAccessible(page);
      await form.getByRole('button', { name: 'Make the key' }).click();
      const shown = page.getByRole('dialog', { name: 'The key nightly export' });
      const apiKey = (await shown.locator('output').textContent()) ?? '';
      const client = world().service.clientWith({ apiKey });
      assert.equal((await client.countIssuerRecords()).applications !== undefined, true);
      // What is shown once is not lost by a slip.
      await page.keyboard.press('Escape');
      await page.mouse.click(5, 5);
      assert.equal(await shown.locator('output').textContent(), apiKey);
      await shown.getByRole('button', { name: 'I have it' }).click();
      assert.ok(!((await page.textContent('body')) ?? '').includes(apiKey));
      await page.getByRole('button', { name: 'End the key nightly export' }).click();
      const asked = page.getByRole('dialog', { name: 'End the key nightly export?' });
      await asked.getByRole('button', { name: 'End the key' }).click();
      await page.getByText('Ended the key nightly export.').waitFor();
      await asked.waitFor({ state: 'detached' });
      await assert.rejects(client.countIssuerRecords(), { code: 'notAuthenticated' });
      // What has no room says its whole text to who points at it.
      await page.setViewportSize({ width: 320, height: 900 });
      const label = page.locator('b.cut', { hasText: 'demo issuer' }).first();
      await label.hover();
      assert.equal(await label.getAttribute('title'), 'demo issuer');
      const ownKey = page.getByRole('row').filter({ has: label });
      await ownKey.getByText('issue', { exact: false }).locator('visible=true').first().waitFor();
      await ownKey.getByText('Last used: ', { exact: false }).locator('visible=true').waitFor();
      await page.setViewportSize({ width: 1280, height: 900 });
      // The drawer has the request that was made, with its id, and not the key.
      await page.keyboard.press('c');
      const drawer = page.getByRole('dialog', { name: 'Show as code' });
      await drawer.getByText('Just done').waitFor();
      await drawer.locator('.code-made-line .mono').first().waitFor();
      const said = (await drawer.textContent()) ?? '';
      assert.ok(!said.includes(apiKey));
      // The dialogs are closed: the page has its own request again.
      assert.match(said, /\/v1\/keys\?limit=/);
    });
  });

  test('the last key of the operator is not ended, in words', async () => {
    const apiKey = await keyOf('operator', ['admin']);
    const { keys } = await world().service.admin.listApiKeys();
    const admins = keys.filter(({ scopes, endedAt }) => scopes.includes('admin') && !endedAt);
    const { admin } = world().service;
    for (const { id, label } of admins) if (label !== 'operator') await admin.endApiKey({ id });
    await visit({ path: '/dev/keys', apiKey }, async (page) => {
      await page.getByRole('button', { name: 'End the key operator' }).click();
      const asked = page.getByRole('dialog', { name: 'End the key operator?' });
      await asked.getByText('signs you out', { exact: false }).waitFor();
      await asked.getByRole('button', { name: 'End the key' }).click();
      await asked.getByText('lastAdminKey').waitFor();
    });
  });

  test('a webhook is set, fails, and is posted again when its receiver is back', async () => {
    const { issuer, served } = world().service;
    await visit({ path: '/dev/webhooks', apiKey: issuer.apiKey }, async (page) => {
      await page.getByText('No webhooks yet').waitFor();
      await page.getByRole('button', { name: 'Set a webhook' }).click();
      const form = page.getByRole('dialog', { name: 'Set a webhook' });
      await form.getByLabel('Name').fill('books');
      await form.getByLabel('Address').fill('http://192.0.2.1/hook');
      await form.getByRole('button', { name: 'Show as code' }).click();
      await form.locator('.code', { hasText: '"callbackUrl": "http://192.0.2.1/hook"' }).waitFor();
      await form.getByRole('button', { name: 'Set it' }).click();
      await form.getByText('callbackRefused').waitFor();
      await form.getByLabel('Address').fill(receiver.url);
      await form.getByRole('button', { name: 'Set it' }).click();
      await page.getByRole('link', { name: 'books' }).waitFor();
      await page.getByRole('link', { name: 'books' }).click();
      await heading(page, 'Webhook books').waitFor();
      await page.getByText('Nothing was posted yet').waitFor();
      await registerCard(worldOf(world().service), 'Hooked card');
      await until('the event to be posted', async () => {
        await served.runChore('webhooks');
        return (await issuer.client.listDeliveries({ name: 'books' })).deliveries[0];
      });
      await page.reload();
      await page.getByText('500', { exact: true }).first().waitFor();
      await page.getByText('Failing').waitFor();
      await assertAccessible(page);
      receiver.status = 200;
      await page.getByRole('button', { name: 'Post again' }).first().click();
      await page.getByText('Posted again, and taken.').waitFor();
      await page.getByRole('button', { name: 'Remove it' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove it' }).click();
      await page.getByText('No webhooks yet').waitFor();
    });
  });

  test('one’s own calls are listed by key, and one of them in detail', async () => {
    const { verifier } = world().service;
    await verifier.client.getAuditHead().catch(() => undefined);
    const [refused] = await until('the call to be noted', async () => {
      const { requests } = await verifier.client.listRequests();
      const found = requests.filter(({ operation }) => operation === 'getAuditHead');
      return found.length > 0 ? found : undefined;
    });
    await visit({ path: '/dev/requests?outcome=refused', apiKey: verifier.apiKey }, async (page) => {
      await page.getByRole('link', { name: 'getAuditHead' }).first().click();
      await heading(page, 'getAuditHead').waitFor();
      await page.getByText(refused?.requestId ?? '?').waitFor();
      await page.getByRole('link', { name: 'notAllowed' }).waitFor();
      await page.goto(`${world().console.url}/dev/requests`);
      await page.getByRole('link', { name: 'getAuditHead' }).first().waitFor();
      assert.equal(await page.getByRole('link', { name: 'getSignedIn' }).count(), 0);
      await page.getByLabel('The console’s own').check({ force: true });
      await page.waitForURL(/own=true/);
      await page.getByRole('link', { name: 'getSignedIn' }).first().waitFor();
      await page.goto(`${world().console.url}/dev/requests/req_never`);
      await page.getByText('No such call is kept').waitFor();
    });
  });

  test('an entry of the audit log is proved in the browser, with and without the ledger', async () => {
    const { served } = world().service;
    await served.runChore('anchor');
    await served.parts.audit.record({ action: 'trustList.set', subject: 'after the anchor' });
    const apiKey = await keyOf('auditor', ['admin']);
    await visit({ path: '/dev/audit', apiKey }, async (page) => {
      await heading(page, 'Audit log').waitFor();
      await page.getByLabel('Action').fill('service.start');
      await page.getByRole('button', { name: 'Filter' }).click();
      await page.waitForURL(/action=service\.start/);
      await page
        .getByRole('link', { name: /service\.start/ })
        .first()
        .click();
      await page.getByText('It stands in the log that the ledger holds').waitFor();
      await assertAccessible(page);
      await page.goto(`${world().console.url}/dev/audit?action=trustList.st`);
      await page.getByText('Did you mean “trustList.set”?').waitFor();
      await page.goto(`${world().console.url}/dev/audit?action=trustList.set`);
      await page
        .getByRole('link', { name: /trustList\.set/ })
        .first()
        .click();
      await page.getByText(/Nothing on the ledger covers it yet/).waitFor();
    });
    await visit({ path: '/dev/audit', apiKey: world().service.issuer.apiKey }, async (page) => {
      await page.getByText('You may not do this').waitFor();
      await page.getByText('service key create --data FOLDER --scope admin').waitFor();
      const links = page.getByRole('navigation', { name: 'Main', exact: true });
      await links.getByRole('link', { name: 'API keys' }).waitFor();
      assert.equal(await links.getByRole('link', { name: 'Audit log' }).count(), 0);
    });
  });

  test('nobody is asked to sign in, and finds the way', async () => {
    await visit({ path: '/dev/keys' }, async (page) => {
      await page.getByRole('alert').getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('dialog', { name: 'Sign in' }).waitFor();
    });
  });
});
