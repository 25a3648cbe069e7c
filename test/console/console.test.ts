/**
 * The console in a real Chromium before a real service and ledger: it shows what they say, works by keyboard, in both
 * languages and themes, says so when nobody answers, and asks nobody else. Every screen is looked at in
 * `screens-*.test.ts`.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Page, Response } from 'playwright-core';
import { openDegreeSession } from '../support/answered-sessions.ts';
import {
  assertAccessible,
  consoleSuite,
  type DemoRole,
  heading,
  takeChair,
} from '../support/console-suite.ts';
import { provideCurl } from '../support/curl.ts';

const { options, visit, world } = await consoleSuite();

const firstLoadBytesMax = 300_000;

/** Pages whose samples are tried out, with who sits there and what the page is called. */
const sampledPages: readonly (readonly [DemoRole, path: string, title: string | RegExp])[] = [
  ['issuer', '/issue/applications', /./],
  ['issuer', '/issue/templates', /./],
  ['issuer', '/issue/issued', /./],
  ['issuer', '/issue/keys', /./],
  ['issuer', '/dev/keys', 'API keys'],
  ['holder', '/wallet/cards', /./],
  ['verifier', '/verify/sessions', /./],
  ['verifier', '/verify/ask', /./],
  ['verifier', '/ledger', /./],
];

/** Each sample of the drawer, with the names that stand under it. */
const samplesOn = async (page: Page) =>
  Promise.all(
    (await page.locator('.code-block').all()).map(async (block) => ({
      text: (await block.locator('pre').textContent()) ?? '',
      open: await block.locator('xpath=following-sibling::*[1][@class="code-open"]//dt').allTextContents(),
    })),
  );

/** What a sample of curl is answered with; a stream is cut off. */
async function statusOf(sample: string, env: Record<string, string>): Promise<number> {
  const told = `curl() { command curl --silent --output /dev/null --max-time 5 --write-out '%{http_code}' "$@" || true; }`;
  const { stdout } = await promisify(execFile)('bash', ['-c', `${told}\n${sample}`], {
    env: { ...process.env, ...env },
  });
  return Number(stdout);
}

describe('the console', options, () => {
  test('shows what the service and the ledger say', async () => {
    await visit({}, async (page) => {
      await heading(page, 'Everything is running.').waitFor();
      await page.locator('b', { hasText: 'University degree' }).waitFor();
      await page.locator('.feed li').first().waitFor();
      await page.getByText(/^Block \d+$/).waitFor();
      // Whoever is not signed in is offered what is open to all, and nothing else.
      const places = page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link');
      assert.deepEqual(await places.allTextContents(), [
        'Home',
        'Check a document',
        'Explorer',
        'Pending',
        'Validators',
        'Transaction lab',
        'Decode',
        'Call a contract',
      ]);
    });
  });

  test('loads less than 300 kB of compressed JavaScript with its first page', async (context) => {
    await visit({}, async (page) => {
      const scripts: Response[] = [];
      page.on('response', (answer) => {
        if (answer.url().endsWith('.js')) scripts.push(answer);
      });
      await page.reload();
      await page.locator('.feed li').first().waitFor();
      await page.locator('b', { hasText: 'University degree' }).waitFor();
      const files = new Map(scripts.map((answer) => [answer.url(), answer]));
      const bodies = await Promise.all([...files.values()].map((answer) => answer.body()));
      const bytes = bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0);
      context.diagnostic(`${bytes} bytes in ${files.size} files`);
      assert.ok(files.size > 3, 'scripts were seen');
      assert.ok(bytes < firstLoadBytesMax, `${bytes} bytes`);
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

  test('nine windows of one browser side by side are all answered', async () => {
    await visit({ as: 'verifier' }, async (page) => {
      const origin = world().console.url;
      const open = async (person: DemoRole, path: string, title: string | RegExp): Promise<void> => {
        const tab = await page.context().newPage();
        await takeChair(tab, origin, { person });
        await tab.goto(`${origin}${path}`);
        await heading(tab, title).waitFor();
      };
      for (let count = 0; count < 4; count += 1) {
        await open('issuer', '/issue/applications', /./);
        const session = await openDegreeSession(world().service);
        await open('verifier', `/verify/sessions/${session}`, 'Waiting for a wallet');
      }
      await page.goto(`${origin}/ledger`);
      await heading(page, /./).waitFor();
    });
  });

  test('every place is reached on a low screen and on a phone', async () => {
    await visit({ as: 'issuer', height: 700 }, async (page) => {
      const side = page.getByRole('complementary');
      await side.getByRole('link', { name: 'Request log' }).waitFor();
      const low = await side.evaluate((box) => box.scrollHeight - box.clientHeight);
      assert.equal(low, 0, 'the sidebar stays in the window');
      await side.getByText(/^Block \d+$/).waitFor();
      await side.getByRole('link', { name: 'Request log' }).click();
      await heading(page, 'Request log').waitFor();
    });
    await visit({ as: 'issuer', width: 390 }, async (page) => {
      const tabs = page.getByRole('navigation', { name: 'Main, phone' });
      await tabs.getByRole('link', { name: 'Applications' }).waitFor();
      const tall = await tabs.locator('.nav-text').evaluateAll((all) => all.map((one) => one.clientHeight));
      assert.ok(
        tall.every((height) => height < 20),
        `words in one line: ${tall}`,
      );
      await tabs.getByRole('button', { name: 'More' }).press('Enter');
      const sheet = page.getByRole('dialog', { name: 'All places' });
      await sheet.waitFor();
      await assertAccessible(page);
      for (const name of ['Bulk issue', 'Keys', 'Explorer', 'Transaction lab', 'API keys'])
        await sheet.getByRole('link', { name, exact: true }).waitFor();
      await sheet.getByRole('link', { name: 'Explorer' }).press('Enter');
      await heading(page, 'Explorer').waitFor();
      await sheet.waitFor({ state: 'detached' });
      await page.goto(`${world().console.url}/issue/issued`);
      const ends = page.locator('.table-rows .st').first().or(page.locator('.table-rows .right').first());
      await ends.first().waitFor();
      const boxes = await Promise.all((await ends.all()).map((one) => one.boundingBox()));
      const edges = new Set(boxes.map((box) => box && Math.round(box.x + box.width)));
      assert.deepEqual([boxes.length, edges.size], [2, 1], 'a status ends its line as a figure does');
    });
  });

  test('samples of code are answered as they stand, or say what is to be filled in', async () => {
    await provideCurl();
    const { people = [] } = await world().service.admin.getConsoleConfig();
    for (const [as, path, title] of sampledPages) {
      const did = people.find(({ person }) => person === as)?.did;
      const { token } = await world().service.served.apiKeys.create({
        label: `samples of ${path}`,
        scopes: ['templates', 'issue', 'revoke', 'bbs', 'present', 'verify'],
        ...(did !== undefined && { did }),
      });
      await visit({ as, path }, async (page) => {
        await heading(page, title).waitFor();
        await page.keyboard.press('c');
        await page.locator('.code-block').first().waitFor();
        for (const { text, open } of await samplesOn(page)) {
          for (const name of open) assert.ok(text.includes(name), name);
          if (open.length > 0) continue;
          assert.doesNotMatch(text, /[<…]/);
          const status = await statusOf(text, { SYMBOLON_API_KEY: token });
          assert.ok(status >= 200 && status < 400, `${path}: ${status} to ${text}`);
        }
      });
    }
  });

  test('every code is in the font of the console', async () => {
    await visit({ path: '/parts' }, async (page) => {
      await heading(page, 'Parts and states').waitFor();
      await page.locator('code').first().waitFor();
      const fonts = await page.evaluate(
        '[...new Set([...document.querySelectorAll("code")].map((code) => getComputedStyle(code).fontFamily))].join()',
      );
      assert.match(String(fonts), /^"JetBrains Mono Variable"[^;]+$/);
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
      await opener
        .or(page.getByRole('button', { name: /^Nicht angemeldet/ }))
        .first()
        .focus();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('English');
      await page.keyboard.press('Enter');
      await heading(page, /running/).waitFor();
      assert.match(String(await page.evaluate('document.activeElement.innerText')), /Not signed in/);
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('Deutsch');
      await page.keyboard.press('Enter');
      await heading(page, 'Alles läuft.').waitFor();
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

  test('a browser that loses its network says so at once, and comes back at once', async () => {
    await visit({ path: '/parts' }, async (page) => {
      await heading(page, 'Parts and states').waitFor();
      const bar = page.locator('.offline-place').getByText(/^Not connected since .* can still be checked/);
      await page.locator('.side-foot .live:not(.off):not(.wait)').waitFor();
      await page.context().setOffline(true);
      await bar.waitFor({ timeout: 3_000 });
      assert.equal(await page.locator('.side-foot .live.off').count(), 1, 'the dot says what the bar says');
      // What was never loaded fails in its own place: the page stays, then the frame.
      await page.keyboard.press('Control+k');
      const missing = /^This browser is not connected: this part of the console could not be loaded/;
      await page.getByText(missing).first().waitFor();
      await heading(page, 'Parts and states').waitFor();
      await page.locator('.side').getByRole('link', { name: 'Pending' }).click();
      await heading(page, 'This browser is not connected').waitFor();
      assert.equal(
        await page.locator('main').getByText('This browser is not connected', { exact: true }).count(),
        1,
      );
      assert.equal(await page.getByText('If something was to be changed').count(), 0, 'it only reads');
      await page.locator('.side').getByRole('link', { name: 'Validators' }).waitFor();
      // Long enough for pauses between tries to grow.
      await page.waitForTimeout(3_000);
      await page.context().setOffline(false);
      await bar.waitFor({ state: 'detached', timeout: 1_500 });
      await heading(page, 'Pending').waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
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
