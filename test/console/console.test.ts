/**
 * The console in a real Chromium before a real service and ledger: it shows what they say, works by keyboard, in both
 * languages and themes, says so when nobody answers, and asks nobody else. Every screen is looked at in `screens.test.ts`.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertAccessible, consoleSuite, heading } from '../support/console-suite.ts';

const { options, visit, world } = await consoleSuite();

describe('the console', options, () => {
  test('shows what the service and the ledger say', async () => {
    await visit({}, async (page) => {
      await heading(page, 'Everything is running.').waitFor();
      await page.locator('b', { hasText: 'University degree' }).waitFor();
      await page.locator('.feed li').first().waitFor();
      await page.getByText(/^Block \d+$/).waitFor();
      // No desk is built, so none is offered.
      assert.equal(
        await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link').count(),
        1,
      );
    });
  });

  test('takes the chair of one of the people of the demo, in this tab alone', async () => {
    await visit({}, async (page) => {
      await heading(page, 'Whose chair do you take?').waitFor();
      await page.getByText('I issue', { exact: true }).click();
      const sidebar = page.getByRole('complementary');
      await sidebar.getByRole('button', { name: /^University of Example/ }).waitFor();
      const other = await page.context().newPage();
      await other.goto(world().console.url);
      await other
        .getByRole('complementary')
        .getByRole('button', { name: /^Not signed in/ })
        .waitFor();
      await page.reload();
      await sidebar.getByRole('button', { name: /^University of Example/ }).waitFor();
      assert.equal(await page.evaluate('document.cookie'), '');
    });
  });

  test('the palette works by keyboard alone', async () => {
    await visit({ path: '/parts' }, async (page) => {
      await heading(page, 'Parts and states').waitFor();
      await page.keyboard.press('Control+k');
      const box = page.getByRole('dialog').getByRole('combobox');
      await box.waitFor();
      await assertAccessible(page);
      await page.keyboard.type('hom');
      await page.keyboard.press('Enter');
      await heading(page, /running/).waitFor();
      assert.equal(await page.getByRole('dialog').count(), 0);
      await page.keyboard.press('Control+k');
      await box.waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    });
  });

  test('the person switch, look and language work by keyboard alone', async () => {
    await visit({}, async (page) => {
      await heading(page, /running/).waitFor();
      const opener = page.getByRole('complementary').getByRole('button', { name: /^Not signed in/ });
      await opener.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menu').waitFor();
      await assertAccessible(page);
      await page.getByRole('menuitem', { name: 'Dark' }).press('Enter');
      assert.equal(await page.evaluate('document.documentElement.dataset.mantineColorScheme'), 'dark');
      await page.getByRole('menuitem', { name: 'Deutsch' }).press('Enter');
      await heading(page, 'Alles läuft.').waitFor();
      assert.equal(await page.evaluate('document.documentElement.lang'), 'de');
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
      await page.reload();
      await heading(page, 'Alles läuft.').waitFor();
      assert.equal(await page.evaluate('document.documentElement.dataset.mantineColorScheme'), 'dark');
      assert.deepEqual(
        await page.evaluate('Object.keys(localStorage).sort()'),
        ['symbolon-language', 'symbolon-look'],
        'nothing else is kept',
      );
    });
  });

  test('a reader whose browser asks for German gets German', async () => {
    await visit({ language: 'de-AT' }, (page) => heading(page, 'Alles läuft.').waitFor());
  });

  test('shows its requests as code that runs', async () => {
    await visit({}, async (page) => {
      await heading(page, /running/).waitFor();
      await page.getByRole('button', { name: 'Show as code' }).click();
      const drawer = page.getByRole('dialog', { name: 'Show as code' });
      await drawer.getByText('/cred/tds/templates').waitFor();
      await assertAccessible(page);
      await drawer.getByText('TypeScript', { exact: true }).click();
      await drawer.getByText('createCredentialClient').first().waitFor();
      await drawer.getByText('CLI', { exact: true }).click();
      await drawer.getByText('template list').waitFor();
      await page.keyboard.press('Escape');
      await drawer.waitFor({ state: 'detached' });
    });
  });

  test('rows are moved through with J and K', async () => {
    await visit({ path: '/parts' }, async (page) => {
      const table = page.getByRole('table', { name: 'Sample rows' });
      await table.waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      await page.keyboard.press('k');
      assert.match((await table.locator('[data-chosen="true"]').textContent()) ?? '', /credential 3/);
      await page.getByRole('button', { name: '2 new' }).click();
      await table.getByText('credential 1', { exact: false }).first().waitFor();
      await page.getByRole('button', { name: 'Show more' }).click();
      await table.getByText('credential 12').waitFor();
    });
  });

  test('who does not answer is said, what was read stays, and it comes back by itself', async () => {
    await visit({}, async (page) => {
      await page.locator('.feed li').first().waitFor();
      world().console.setAnswering(false);
      try {
        await page.getByText(/^Not connected since \d\d:\d\d/).waitFor();
        await page.locator('b', { hasText: 'University degree' }).waitFor();
        assert.ok((await page.locator('.feed li').count()) > 0);
        await assertAccessible(page);
      } finally {
        world().console.setAnswering(true);
      }
      await page.getByText(/^Not connected since/).waitFor({ state: 'detached' });
      await heading(page, 'Everything is running.').waitFor();
    });
  });
});
