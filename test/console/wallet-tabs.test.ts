/**
 * One wallet in several tabs of a browser, and a wallet beside a session: what one tab shares counts in the other, nothing
 * that tells a value leaves unasked, and what ends with a session is said as it is.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { templateOf } from '../support/console-screens/issue-templates.ts';
import { askForRange, askMira } from '../support/console-screens/wallet.ts';
import { consoleSuite, heading, takeChair } from '../support/console-suite.ts';
import { holdBack, loseAnswers } from '../support/slow-answers.ts';
import { until } from '../support/until.ts';

const { options, visit, world } = await consoleSuite();

const share = (page: Page) => page.getByRole('button', { name: 'Share with Example Bank' });
const isShared = (page: Page) => heading(page, 'You shared with Example Bank').waitFor({ timeout: 60_000 });
const telling = (page: Page) => page.getByText(/so few values that it tells the value/);

/** Two tabs of Mira's browser, each before a request of its own. */
async function inTwoTabs(
  requests: readonly [string, string],
  work: (one: Page, other: Page) => Promise<void>,
): Promise<void> {
  const { url } = world().console;
  await visit({ as: 'holder', path: `/wallet/requests/${requests[0]}` }, async (one) => {
    await share(one).waitFor();
    const other = await one.context().newPage();
    await takeChair(other, url, { person: 'holder' });
    await other.goto(`${url}/wallet/requests/${requests[1]}`);
    await share(other).waitFor();
    assert.equal(await telling(other).count(), 0);
    await work(one, other);
  });
}

const bothSides = async (key: string, value: string): Promise<[string, string]> => [
  await askForRange(world(), key, { maximum: value }),
  await askForRange(world(), key, { minimum: value }),
];

describe('a wallet in several tabs', options, () => {
  test('what one tab shares is reckoned with in the other at once', async () => {
    await inTwoTabs(await bothSides('graduatedOn', '2024-07-05'), async (one, other) => {
      await share(one).click();
      await isShared(one);
      await telling(other).waitFor();
      await share(other).click();
      await isShared(other);
    });
  });

  test('what became telling while another tab made its proof is not sent before it is asked anew', async () => {
    await inTwoTabs(await bothSides('birthDate', '1999-04-12'), async (one, other) => {
      const sent: string[] = [];
      other.on('request', (request) => {
        if (request.url().endsWith('/presentation/submit')) sent.push(request.url());
      });
      const release = await holdBack(one, '**/ledger/**');
      await share(one).click();
      await one.getByRole('button', { name: 'Asking the ledger' }).waitFor();
      await share(other).click();
      await other.getByRole('button', { name: 'Looking at what was shared before' }).waitFor();
      release();
      await isShared(one);
      await other.getByText('Nothing was sent: it would tell something else now').waitFor();
      await telling(other).waitFor();
      assert.deepEqual(sent, []);
      await share(other).click();
      await isShared(other);
      assert.equal(sent.length, 1);
    });
  });

  test('a request that is answered in one tab is not answered anew in the other', async () => {
    const id = await askForRange(world(), 'grade', { maximum: '4.0' });
    await inTwoTabs([id, id], async (one, other) => {
      await loseAnswers(one, '**/presentation/submit');
      await share(one).click();
      await heading(one, 'Handed in, and no answer came').waitFor({ timeout: 60_000 });
      await heading(other, 'Handed in, and no answer came').waitFor();
    });
  });
});

describe('a wallet and a session', options, () => {
  test('a session that ended takes no wallet along, and says so', async () => {
    const path = `/wallet/requests/${await askMira(world())}`;
    await visit({ as: 'holder', path }, async (page) => {
      await share(page).waitFor();
      await page.evaluate(`fetch('/console/session', {
        method: 'DELETE',
        headers: { 'x-symbolon-session': sessionStorage.getItem('symbolon-session') },
      })`);
      const over = page.getByText(/^Your session ended at/);
      await until('whoever comes back to the tab is told', async () => {
        await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
        return over.isVisible();
      });
      await page.getByText(/The wallet in this tab is open still/).waitFor();
      assert.equal(await page.getByText(/nothing more is sent/).count(), 0);
      await share(page).click();
      await isShared(page);
    });
  });

  test('who signs out has locked the wallet in every tab, also where no answer comes', async () => {
    const { url } = world().console;
    await visit({ as: 'holder', path: '/wallet/cards' }, async (page) => {
      await page.locator('.card-wall li').nth(1).waitFor();
      const other = await page.context().newPage();
      await takeChair(other, url, { person: 'holder' });
      await other.goto(`${url}/wallet/cards`);
      await other.locator('.card-wall li').nth(1).waitFor();
      await page.route('**/console/session', async (route) => {
        if (route.request().method() !== 'DELETE') return route.continue();
        await route.fetch();
        await route.abort();
      });
      await page
        .getByRole('complementary')
        .getByRole('button', { name: /act as somebody else/ })
        .click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByText(/^You are signed out here/).waitFor();
      await heading(other, 'The wallet is locked').waitFor();
      assert.equal(await page.locator('.card-wall li').count(), 0);
    });
  });

  test('an offer waits for whoever has no wallet yet, through the chair that is taken for it', async () => {
    const templateId = templateOf(world(), 'Transcript of records');
    const metadata = { name: 'Mira Example', studentNumber: 'EX-9', credits: '30' };
    const { link } = await world().service.issuer.client.makeOffer({
      templateId,
      metadata,
      waivePrice: true,
    });
    await visit({ path: `/wallet/apply#offer=${encodeURIComponent(link)}` }, async (page) => {
      await page.getByText(/^An offer waits for you/).waitFor();
      await page.getByRole('button', { name: /^Not signed in/ }).click();
      await page.getByRole('menuitem', { name: /Mira Example/ }).click();
      await page.getByText('EX-9').waitFor();
    });
  });
});
