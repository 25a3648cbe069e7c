/** The explorer in a real browser before a real service and ledger. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { consoleSuite, heading } from '../support/console-suite.ts';
import { failingPayment, passBlock, pay, someCall } from '../support/explorer-story.ts';
import { nobodyYet } from '../support/lab-drafts.ts';

const { options, revisit, visit, world } = await consoleSuite();

const tableOf = (page: Page, name: string) => page.getByRole('table', { name });

describe('the explorer', options, () => {
  test('shows the ledger at a glance, and new blocks by themselves', async () => {
    await revisit({ path: '/ledger' }, async (page) => {
      await heading(page, 'Explorer').waitFor();
      await page.getByRole('img', { name: /transactions in the last/ }).waitFor();
      await page.locator('.plot-box canvas').first().waitFor();
      const { hash, ledgerSeq } = await pay(world());
      const link = page
        .locator('.tl li')
        .filter({ hasText: /pays 1\.5 Gas to .*Mira Example/ })
        .first();
      await link.waitFor();
      await page
        .locator('.newest-blocks')
        .getByRole('link', { name: String(ledgerSeq) })
        .waitFor();
      await page.getByText(`Block ${ledgerSeq}`, { exact: true }).first().waitFor();
      await link.getByRole('link').click();
      await page.waitForURL(new RegExp(hash));
      await page.getByRole('link', { name: 'Mira Example' }).first().waitFor();
    });
  });

  test('charts are tables for whoever reads, and their range stands in the address', async () => {
    await revisit({ path: '/ledger?blocks=1000' }, async (page) => {
      // The range has no more blocks than there are, and the chart has as many as it says.
      const all = page.getByRole('radio', { name: /^[\d,]+ blocks$/, checked: true });
      await all.waitFor();
      await page.getByRole('button', { name: 'Transactions per block as a table' }).click();
      const rows = page.getByRole('region', { name: 'Transactions per block' }).getByRole('row');
      const label =
        (await page
          .getByRole('radiogroup')
          .getByText(/ blocks$/)
          .last()
          .textContent()) ?? '';
      assert.equal(label, `${(await rows.count()) - 1} blocks`);
      await page.getByRole('button', { name: 'Fees per block as a table' }).click();
      await page.getByRole('region', { name: 'Fees per block' }).getByRole('row').nth(1).waitFor();
      await page.goto(`${world().console.url}/ledger?blocks=everything`);
      await page.getByRole('radio', { name: /blocks$/, checked: true }).waitFor();
      await page.locator('.plot-box.tall canvas').first().waitFor();
      const axes = 'document.querySelector(".plot-box.tall canvas").getContext("2d").font';
      assert.match(String(await page.evaluate(axes)), /^11px "Inter Variable"/, 'in the font of the console');
    });
  });

  test('finds by keyboard what somebody has: a block, a hash, the beginning of one, a name', async () => {
    const { hash } = await pay(world());
    await revisit({ path: '/ledger' }, async (page) => {
      await heading(page, 'Explorer').waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type(hash.slice(0, 10));
      await page.locator('.found a').first().waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(hash));
      await page.goto(`${world().console.url}/ledger`);
      await page.getByRole('searchbox').fill('2');
      await page.locator('.found a', { hasText: 'Block' }).first().click();
      await heading(page, 'Block 2').waitFor();
      await page.goto(`${world().console.url}/ledger`);
      await page.getByRole('searchbox').fill('no such thing');
      await page.getByText('Nothing on this ledger is called').waitFor();
    });
  });

  test('Enter goes where the whole of what was typed leads, however long the answer takes', async () => {
    const { hash } = await pay(world());
    await visit({ path: '/ledger' }, async (page) => {
      await heading(page, 'Explorer').waitFor();
      await page.route(/searchLedger/, async (route) => {
        await new Promise((done) => setTimeout(done, 700));
        await route.continue();
      });
      // Its first digits are a block's number, too.
      await page.getByRole('searchbox').fill('2');
      await page.locator('.found a', { hasText: 'Block' }).waitFor();
      await page.getByRole('searchbox').fill(hash.slice(0, 12));
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(hash));
    });
  });

  test('a private key or an API key that is searched for is sent to nobody', async () => {
    const { privateKey } = world().service.holder;
    const apiKey = `sym_abcdefgh_${'A-_'.repeat(14)}x`;
    await visit({ path: '/ledger' }, async (page) => {
      await heading(page, 'Explorer').waitFor();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(`${request.url()} ${request.postData() ?? ''}`));
      for (const secret of [privateKey, apiKey]) {
        await page.getByRole('searchbox').fill(secret);
        await page
          .locator('.ledger-search')
          .getByText('This looks like a secret. Nothing was sent.')
          .waitFor();
        await page.getByRole('searchbox').fill('');
        await page.keyboard.press('Control+k');
        await page.getByRole('dialog').getByRole('combobox').fill(secret);
        await page.getByRole('dialog').getByText('This looks like a secret. Nothing was sent.').waitFor();
        // Longer than a search waits for the next letter.
        await page.waitForTimeout(400);
        await page.keyboard.press('Escape');
        assert.deepEqual(
          asked.filter((one) => one.includes(secret.slice(0, 24))),
          [],
        );
      }
    });
  });

  test('a block has its transactions and its neighbours; one to come says so and appears', async () => {
    const { ledgerSeq } = await pay(world());
    await revisit({ path: `/ledger/blocks/${ledgerSeq + 1n}` }, async (page) => {
      await heading(page, 'There is no such block').waitFor();
      await pay(world());
      await heading(page, `Block ${ledgerSeq + 1n}`).waitFor();
      await page.getByRole('link', { name: 'Block before' }).click();
      await heading(page, `Block ${ledgerSeq}`).waitFor();
      await tableOf(page, 'Transactions').getByText('University of Example').first().waitFor();
      await page.goto(`${world().console.url}/ledger/blocks/first`);
      await page.getByText('Blocks are numbered from 1.').waitFor();
    });
  });

  test('lists are walked by keyboard, and who has scrolled is told what is new', async () => {
    // Enough to scroll.
    for (let count = 0; count < 4; count += 1) await pay(world());
    await revisit({ path: '/ledger/blocks' }, async (page) => {
      const rows = tableOf(page, 'Blocks').locator('.tr-line');
      const firstPath = () => rows.first().getByRole('link').getAttribute('href');
      const news = page.getByRole('button', { name: /^\d+ new$/ });
      await rows.nth(12).waitFor();
      await page.evaluate('scrollTo(0, 400)');
      const before = await firstPath();
      await pay(world());
      await news.waitFor();
      assert.equal(await firstPath(), before);
      await news.click();
      await news.waitFor({ state: 'detached' });
      await rows.nth(12).waitFor();
      await page.keyboard.press('j');
      const chosen = tableOf(page, 'Blocks').locator('.tr-line[data-chosen=true] a');
      const path = await chosen.getAttribute('href');
      // What comes on top of it takes nothing away from the choice.
      await pay(world());
      await rows.nth(1).locator(`a[href="${path}"]`).waitFor();
      assert.equal(await chosen.getAttribute('href'), path);
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.pathname === path);
      await heading(page, /^Block \d+$/).waitFor();
    });
  });

  test('failed transactions say that they did nothing, and why', async () => {
    const hash = await failingPayment(world());
    await revisit({ path: '/ledger/tx?show=failed' }, async (page) => {
      await tableOf(page, 'Transactions').getByText('failed, code 100').first().waitFor();
      await tableOf(page, 'Transactions').getByRole('link').first().click();
      await page.waitForURL(new RegExp(hash));
      await page.getByText('It did nothing but cost its fee.').waitFor();
      await page.getByText(/code 100\)/).waitFor();
      await page.getByRole('heading', { name: 'What it was to do' }).waitFor();
    });
  });

  test('a call shows its input, what it changed, who signed, its logs and all of it raw', async () => {
    const hash = await someCall(world());
    await revisit({ path: `/ledger/tx/${hash}` }, async (page) => {
      await page.getByRole('heading', { level: 1, name: /University of Example/ }).waitFor();
      await page.locator('.changes li').first().waitFor();
      await page.getByRole('region', { name: 'Input' }).getByText('"method"').waitFor();
      const tab = (name: RegExp) =>
        page.getByRole('navigation', { name: 'Transaction' }).getByRole('link', { name });
      await tab(/^Signatures/).click();
      await page.getByText('Public key').waitFor();
      await page.waitForURL(/tab=signatures/);
      await tab(/^Logs/).click();
      await page.locator('.logs, .empty').first().waitFor();
      await tab(/^Raw/).click();
      await page.getByRole('region', { name: 'Raw' }).getByText(`"${hash}"`).first().waitFor();
      await page.getByRole('heading', { name: 'What was signed, in bytes' }).waitFor();
      await page.getByText('without a limit of its own').waitFor();
      await page.getByRole('button', { name: 'Show as code' }).click();
      await page.getByRole('dialog').getByText('getTransactionEffects').first().waitFor();
    });
  });

  test('a transaction is proven in the browser as soon as a block follows, and not when an answer is changed', async () => {
    const { hash } = await pay(world());
    await revisit({ path: `/ledger/tx/${hash}` }, async (page) => {
      await page.getByRole('button', { name: 'Prove it' }).click();
      await page.getByText('Right so far.').waitFor();
      await pay(world());
      await page.getByText('Proven in this browser: it is in this block, and it was executed').waitFor();
    });
    await revisit({ path: `/ledger/tx/${hash}` }, async (page) => {
      await page.route('**/ledger/getLedger?*with_consvalue*', async (route) => {
        const answer = await route.fetch();
        const text = await answer.text();
        await route.fulfill({ response: answer, body: text.replace(/"nonce":\s?(\d+)/, '"nonce":77') });
      });
      await page.getByRole('button', { name: 'Prove it' }).click();
      await page.getByText('Not proven. What the node answered does not hold.').waitFor();
    });
    await revisit({}, async (page) => {
      await page.route('**/ledger/getTransactionHistory?*', async (route) => {
        const answer = await route.fetch();
        const text = await answer.text();
        await route.fulfill({
          response: answer,
          body: text.replace(/"amount":\s?1500000/, '"amount":9500000'),
        });
      });
      await page.goto(`${world().console.url}/ledger/tx/${hash}`);
      await page.getByRole('heading', { level: 1, name: /pays 9\.5 Gas/ }).waitFor();
      await page.getByRole('button', { name: 'Prove it' }).click();
      await page.getByText(/is no such transaction, or it is not as shown/).waitFor();
    });
  });

  test('a balance is proven by hash, header and signature; a changed one is refused', async () => {
    const path = `/ledger/accounts/${world().service.holder.address}`;
    await revisit({ path }, async (page) => {
      await heading(page, 'Mira Example').waitFor();
      await page.getByRole('button', { name: 'Prove it' }).click();
      await page.getByText('Right so far.').waitFor();
      await page.getByText('If the last step holds, too, the state holds:').waitFor();
      await passBlock(world());
      await passBlock(world());
      await page.getByText('Proven in this browser').waitFor();
      await page.getByText('By the proof the state holds:').waitFor();
    });
    await revisit({ path }, async (page) => {
      await heading(page, 'Mira Example').waitFor();
      await page.route('**/ledger/getStateProof*', async (route) => {
        const answer = await route.fetch();
        const reply = (await answer.json()) as { result: { value: string } };
        reply.result.value = reply.result.value.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
        await route.fulfill({ response: answer, json: reply });
      });
      await page.getByRole('button', { name: 'Prove it' }).click();
      await page.getByText('Not proven. What the node answered does not hold.').waitFor();
      assert.equal(await page.getByText('the state holds:').count(), 0);
    });
    // A proof that holds, beside a balance that somebody has changed on the way.
    await revisit({}, async (page) => {
      await page.route('**/ledger/getAccountBase*', async (route) => {
        const answer = await route.fetch();
        const reply = (await answer.json()) as { result: { balance: number } };
        reply.result.balance *= 1_000;
        await route.fulfill({ response: answer, json: reply });
      });
      await page.goto(`${world().console.url}${path}`);
      await heading(page, 'Mira Example').waitFor();
      await page.getByRole('button', { name: 'Prove it' }).click();
      await page.getByText('Contradiction. The page shows something else than what is proven.').waitFor();
      await pay(world());
      await pay(world());
      await page.getByText('Contradiction. The page shows something else than what is proven.').waitFor();
      assert.equal(await page.getByText('Proven in this browser').count(), 0);
    });
  });

  test('what a page shows after it was proven is not said to be proven', async () => {
    const path = `/ledger/accounts/${world().service.holder.address}`;
    await visit({ path }, async (page) => {
      await heading(page, 'Mira Example').waitFor();
      await page.getByRole('button', { name: 'Prove it' }).click();
      await page.getByText('Right so far.').waitFor();
      await passBlock(world());
      await passBlock(world());
      const proven = page.getByText('Proven in this browser', { exact: true });
      await proven.waitFor();
      await page.route('**/ledger/getAccountBase*', async (route) => {
        const answer = await route.fetch();
        const reply = (await answer.json()) as { result: { balance: number } };
        reply.result.balance *= 1_000;
        await route.fulfill({ response: answer, json: reply });
      });
      await pay(world());
      await page.getByText(/^Proven for block [\d,]+; what is shown now is not$/).waitFor();
      await page.getByText(/says something else since/).waitFor();
      assert.equal(await proven.count(), 0);
      assert.equal(await page.getByText(/newer state/).count(), 0);
    });
  });

  test('an account has its transactions as a file, and what nobody knows is proven not to be there', async () => {
    const { address } = world().service.issuer;
    await revisit({ path: `/ledger/accounts/${address}` }, async (page) => {
      await tableOf(page, 'Transactions').locator('.tr-line').first().waitFor();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'CSV' }).click(),
      ]);
      const text = await readFile((await file.path()) ?? '', 'utf8');
      assert.match(text, /^hash,block,time,part,source,code,fee,sentence\r\n[0-9a-f]{64},/);
      await page.getByRole('link', { name: 'Assets and metadata' }).click();
      await page.getByText(/^What contracts keep for it, such as tokens, .* not listed here\.$/).waitFor();
      await page.getByText('did.log').first().waitFor();
      await page.locator('.entries').getByRole('button', { name: 'Prove it' }).first().click();
      // What is proven is the entry, and not the account that it belongs to.
      await page.locator('.prove').getByRole('region', { name: 'Value' }).waitFor();
      await page.goto(`${world().console.url}/ledger/accounts`);
      await page.getByText('This service').waitFor();
      await page.goto(`${world().console.url}/ledger/accounts/${nobodyYet}`);
      await heading(page, 'The ledger has no such account').waitFor();
      await page.goto(`${world().console.url}/ledger/accounts/${address.slice(0, -3)}abc`);
      await heading(page, 'This is no address of this ledger').waitFor();
      assert.equal(await page.getByText('paying creates it').count(), 0);
    });
  });

  test('a contract shows its code and answers without a payment', async () => {
    const { network } = await world().service.stranger.getConsoleConfig();
    await revisit({ path: `/ledger/accounts/${network.templateRegistry}?tab=contract` }, async (page) => {
      await heading(page, 'Template registry').waitFor();
      await page.getByRole('region', { name: 'Code' }).getByText('function query').waitFor();
      await page.getByRole('textbox', { name: 'Input' }).fill('{"method":"no such method"}');
      await page.getByRole('button', { name: 'Ask', exact: true }).click();
      await page.locator('.fault, .json-code').first().waitFor();
      await page.getByRole('link', { name: 'Assets and metadata' }).click();
      await page.getByRole('textbox', { name: 'Key of an entry' }).fill('nothing');
      await page.getByRole('button', { name: 'Read', exact: true }).click();
      await page.getByText('There is no entry under this key').waitFor();
      await page.getByRole('button', { name: 'Prove it' }).first().click();
      await page.getByText(/nothing under this key/).waitFor();
      const { templates } = await world().service.stranger.listTemplates({});
      const token = templates.find(({ price }) => price?.symbol === 'EXC')?.price?.asset ?? '';
      await page.goto(`${world().console.url}/ledger/accounts/${token}`);
      await heading(page, 'Example coin (EXC)').waitFor();
      await page.getByText('It calls itself so. Nobody has confirmed it.').waitFor();
    });
  });

  test('hashes that no block has, the queue and the validators are honest', async () => {
    await revisit({ path: `/ledger/tx/${'cd'.repeat(32)}` }, async (page) => {
      await heading(page, 'The ledger does not know this transaction').waitFor();
      await page.goto(`${world().console.url}/ledger/tx/nonsense`);
      await heading(page, 'This is no hash of a transaction').waitFor();
      await page.goto(`${world().console.url}/ledger/pending`);
      await page.getByText('Nothing waits').waitFor();
      await page.goto(`${world().console.url}/ledger/validators`);
      await page.getByText(/signed \d+ of \d+/).waitFor();
    });
  });

  test('who does not answer is said, and what was read stays', async () => {
    await visit({ path: '/ledger' }, async (page) => {
      await page.locator('.tl li').first().waitFor();
      await page.locator('.newest-blocks td').first().waitFor();
      world().console.setAnswering(false);
      try {
        await page.getByText(/^Not connected since/).waitFor();
        assert.ok((await page.locator('.tl li').count()) > 0);
      } finally {
        world().console.setAnswering(true);
      }
      await page.getByText(/^Not connected since/).waitFor({ state: 'detached' });
    });
  });
});
