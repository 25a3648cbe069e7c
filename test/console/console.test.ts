/**
 * The console in a real Chromium before a real service and ledger: it shows what they say, works by keyboard, in both
 * languages and themes, says so when nobody answers, and asks nobody else. axe looks at every screen.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { findChromium } from '../support/chromium.ts';
import {
  openBrowser,
  openConsolePage,
  type PageOrder,
  type WatchedPage,
} from '../support/console-browser.ts';
import { type ConsoleWorld, startConsoleWorld } from '../support/console-world.ts';
import { ownerOfSuite } from '../support/owner.ts';

const owner = ownerOfSuite();
const chromium = await findChromium();
const skip = 'missing' in chromium ? chromium.missing : false;
const timeout = 240_000;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let world: ConsoleWorld;
let browser: Browser;

before(
  async () => {
    if ('missing' in chromium) return;
    [world, browser] = await Promise.all([startConsoleWorld(owner), openBrowser(owner, chromium)]);
  },
  { timeout },
);

interface Visit extends Omit<PageOrder, 'origin'> {
  readonly path?: string;
}

/** Opens a page, does something there, and looks whether anything happened that must not. */
async function visit({ path = '/', ...order }: Visit, work: (page: Page) => Promise<void>): Promise<void> {
  const origin = world.console.url;
  const { page, faults }: WatchedPage = await openConsolePage(browser, { origin, ...order });
  try {
    await page.goto(`${origin}${path}`);
    await work(page);
    assert.deepEqual(faults, []);
  } finally {
    await page.context().close();
  }
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

interface AxeFault {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

/** WCAG 2.1 AA. axe is put in by the driver, past the policy that holds for the page. */
async function assertAccessible(page: Page): Promise<void> {
  await page.evaluate(axe);
  const found = (await page.evaluate(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }).then((r) => r.violations)",
  )) as readonly AxeFault[];
  const told = found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}\n${failureSummary}`),
  );
  assert.deepEqual(told, []);
}

describe('the console', { skip, timeout }, () => {
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
      await other.goto(world.console.url);
      await other
        .getByRole('complementary')
        .getByRole('button', { name: /^Not signed in/ })
        .waitFor();
      await page.reload();
      await sidebar.getByRole('button', { name: /^University of Example/ }).waitFor();
      assert.equal(await page.evaluate('document.cookie'), '');
    });
  });

  for (const theme of ['light', 'dark'] as const)
    for (const [path, seen] of [
      ['/', '.feed li'],
      ['/parts', '.vc.broken'],
      ['/dev/nowhere', '.empty'],
    ] as const)
      for (const width of [1280, 390])
        test(`axe finds no fault: ${path}, ${theme}, ${width}`, async () => {
          await visit({ path, theme, width }, async (page) => {
            await page.locator(seen).first().waitFor();
            await assertAccessible(page);
            const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
            assert.ok((wide as number) <= 0, `${wide} pixels too wide`);
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
      world.console.setAnswering(false);
      try {
        await page.getByText(/^Not connected since \d\d:\d\d/).waitFor();
        await page.locator('b', { hasText: 'University degree' }).waitFor();
        assert.ok((await page.locator('.feed li').count()) > 0);
        await assertAccessible(page);
      } finally {
        world.console.setAnswering(true);
      }
      await page.getByText(/^Not connected since/).waitFor({ state: 'detached' });
      await heading(page, 'Everything is running.').waitFor();
    });
  });
});
