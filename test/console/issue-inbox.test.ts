/**
 * The issuer's desk before a real service and ledger: applications are reviewed, corrected, issued, rejected, several at
 * once, and what is issued is suspended, reinstated and revoked. What the page says was recorded, the ledger has.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { consoleSuite, focusedText, heading } from '../support/console-suite.ts';
import { applyForDegree, issueDegree } from '../support/issuer-steps.ts';
import { attribute } from '../support/service-steps.ts';
import { worldOf } from '../support/service-world.ts';

const { options, revisit, visit, world } = await consoleSuite();

const inbox = '/issue/applications';
const reviewOf = (vcId: string): string => `${inbox}/${encodeURIComponent(vcId)}`;
const issuedOf = (vcId: string): string => `/issue/issued/${encodeURIComponent(vcId)}`;

/** What the service says of it, on the ledger's word. */
const issued = (vcId: string) => world().service.issuer.client.getIssued({ vcId });

/** Done, and the block that the page names is the one that the ledger has it in. */
async function blockSaid(page: Page, title: string): Promise<string> {
  const note = page.locator('.done-note', { hasText: title });
  await note.waitFor({ timeout: 60_000 }).catch(async (error: unknown) => {
    // What it said instead tells more than that it did not.
    assert.fail(`${error}\n${await page.locator('.rev').innerText()}`);
  });
  assert.ok((await focusedText(page)).startsWith(title), 'what came of the act has the focus');
  return ((await note.locator('.blk').textContent()) ?? '').replaceAll(',', '').trim();
}

/** Whoever's values say no name is called as their DID is, and on whose word; a department is nobody. */
async function callsNobodyByAnotherText(page: Page): Promise<void> {
  const { steps, issuer, holder } = worldOf(world().service);
  const attributes = [attribute('department', 'string', 1)];
  const { templateId } = await steps.registerTemplate(issuer, { templateName: 'Pass', attributes });
  const vcId = await steps.apply(holder, templateId as string, { department: 'Department of Logic' });
  await page.goto(`${world().console.url}${reviewOf(vcId)}`);
  await heading(page, 'Mira Example').waitFor();
  await page.locator('.rev-who').getByText('named by the operator of this service').waitFor();
  await page.locator('.app-i', { hasText: 'Mira Example' }).waitFor();
  assert.equal(await page.locator('.app-i', { hasText: 'Department' }).count(), 0);
}

/** Two clicks as fast as a hand can: before the page draws what the first one did. */
const clickTwice =
  "document.querySelectorAll('.rev-bar .btn.pri').forEach((one) => [1, 2].forEach(() => one.click()))";

/** However long the name beside it is. */
const agesOnOneLine =
  "[...document.querySelectorAll('.app-i time')].every((age) => age.getClientRects().length === 1)";

/** How often the page has asked for a draft of a credential. */
function countDrafts(page: Page): () => number {
  let drafts = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/vc/create')) drafts += 1;
  });
  return () => drafts;
}

/** The next request of this kind reaches the service, and only its answer gets lost. */
const loseAnswer = (page: Page, path: RegExp): Promise<unknown> =>
  page.route(
    path,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );

/** What "Show as code" says; its drawer is closed again. */
async function shownCode(page: Page): Promise<string> {
  await page.keyboard.press('c');
  const drawer = page.getByRole('dialog', { name: 'Show as code' });
  await drawer.locator('.code').first().waitFor();
  const said = await drawer.innerText();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  return said;
}

/** How much of what is in a field lies outside of what is drawn of it. */
const unseenPixels = (field: unknown): number => {
  const { scrollHeight, clientHeight, scrollWidth, clientWidth } = field as Record<
    'scrollHeight' | 'clientHeight' | 'scrollWidth' | 'clientWidth',
    number
  >;
  return scrollHeight - clientHeight + scrollWidth - clientWidth;
};

describe("the issuer's inbox", options, () => {
  test('an application arrives by itself, is corrected, signed and issued by keyboard', async () => {
    await revisit({ as: 'issuer', path: inbox }, async (page) => {
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.reload();
      await heading(page, 'No applications wait').waitFor();
      await page.getByText('it shows up here by itself').waitFor();
      await page.getByRole('link', { name: 'Make an offer' }).waitFor();
      await page.getByRole('button', { name: 'Apply as Mira Example' }).waitFor();
      assert.equal(
        asked.find((url) => /issuer=(&|$)/.test(url)),
        undefined,
        'templates of nobody are not asked for',
      );
      const faculty = `Faculty of ${'very long names '.repeat(12)}and their ends`;
      const vcId = await applyForDegree(world(), 'Lena Example', { faculty });
      await heading(page, '1 application waits').waitFor();
      await page.locator('.app-i').waitFor();
      await page.keyboard.press('j');
      await heading(page, 'Lena Example').waitFor();
      assert.doesNotMatch(await page.title(), /Lena/, 'titles of windows stay in the history of the browser');
      await page.getByText('The applicant’s own key signed this application').waitFor();
      await page.getByText(/^wants a University degree \S+; the application is signed by did:/).waitFor();
      await page.getByText('All 7 values fit the template').waitFor();
      await page.getByText('None of these values goes to the ledger.').waitFor();
      await page.getByLabel('Date of birth').fill('yesterday');
      await page.getByText('1 value does not fit the template').waitFor();
      assert.ok(await page.getByRole('button', { name: 'Sign and issue' }).isDisabled());
      await page.getByLabel('Date of birth').fill('3 Mar 2000');
      assert.equal(await page.getByLabel('Faculty').inputValue(), faculty);
      assert.equal(await page.getByLabel('Faculty').evaluate(unseenPixels), 0, 'all that is signed is seen');
      await page.getByLabel('Valid until').fill('1.2.2020');
      await page.getByText('This day is over').waitFor();
      assert.equal(await page.getByText(/\b0 days/).count(), 0);
      assert.ok(await page.getByRole('button', { name: 'Sign and issue' }).isDisabled());
      await page.getByLabel('Valid until').fill('31.12.2031');
      await page.getByText(/^31 Dec 2031, \d+ years/).waitFor();
      await page.getByLabel('Faculty').fill('Science');
      await page.getByText('you changed it').waitFor();
      await page.getByLabel('Faculty').blur();
      assert.match(await shownCode(page), /\/cred\/v1\/vc\/create[\s\S]*\/cred\/v1\/vc\/reject/);
      await page.keyboard.press('e');
      const block = await blockSaid(page, 'Issued. Recorded in block');
      assert.doesNotMatch(await shownCode(page), /vc\/reject/, 'what cannot be done any more');
      const { ledgerSeq, txHash, status, validUntil } = await issued(vcId);
      assert.equal(block, ledgerSeq);
      assert.equal(status, 'Active');
      assert.equal(validUntil, '2031-12-31T23:59:59.000Z', 'to the end of the day that was said');
      await page.getByRole('heading', { name: 'What was signed' }).waitFor();
      await page.getByText(/^was issued a University degree \S+ for did:/).waitFor();
      await page.locator('.crumbs', { hasText: 'Lena Example' }).waitFor();
      assert.match(await page.title(), /^University degree/, 'not what is left in the list');
      assert.equal(await page.locator('.rev-bar').count(), 0, 'no bar without anything to press');
      assert.equal(await page.getByLabel('Faculty').inputValue(), 'Science');
      const side = page.getByRole('complementary', { name: 'What comes of it' });
      await side.getByText(`Recorded in block ${Number(block).toLocaleString('en')}`).waitFor();
      assert.doesNotMatch(await side.innerText(), /Draft|or a later one/);
      assert.equal(await page.locator('.done-note .ref').first().getAttribute('title'), txHash);
      await page
        .locator('main')
        .getByText(/^Request \S+$/)
        .waitFor();
      await callsNobodyByAnotherText(page);
      const recorded = await world().service.ledger.getTransactionHistory({ hash: txHash });
      assert.equal(recorded.result?.transactions[0]?.error_code, 0);
    });
  });

  test('is rejected with a reason, which the address then filters by', async () => {
    const vcId = await applyForDegree(world(), 'Rosa Example');
    await revisit({ as: 'issuer', path: reviewOf(vcId) }, async (page) => {
      await heading(page, 'Rosa Example').waitFor();
      const waiting = page.locator('.side .nav .n');
      const before = Number.parseInt(await waiting.innerText(), 10);
      await page.keyboard.press('r');
      const dialog = page.getByRole('dialog', { name: /^Reject Rosa Example/ });
      await dialog.waitFor();
      assert.ok(await dialog.getByRole('button', { name: 'Reject' }).isDisabled(), 'a reason is needed');
      await dialog.getByLabel('Reason').fill('The student number is of somebody else.');
      await dialog.getByRole('button', { name: 'Reject' }).click();
      await page.getByText('You rejected it: The student number is of somebody else.').waitFor();
      if (before > 1) await waiting.getByText(String(before - 1), { exact: true }).waitFor();
      else await waiting.waitFor({ state: 'detached' });
      await page.goto(`${world().console.url}${inbox}?status=Rejected`);
      // What she is called is a value of hers, which is not kept once she is rejected.
      await page.locator(`.app-i a[href*="${encodeURIComponent(vcId)}"]`).waitFor();
      await page.goto(`${world().console.url}${inbox}?status=Nonsense&template=x`);
      await page.getByRole('radio', { name: /^Pending/, checked: true }).waitFor({ state: 'attached' });
    });
    const { status, reason } = await world().service.issuer.client.getApplication({ vcId });
    assert.deepEqual([status, reason], ['Rejected', 'The student number is of somebody else.']);
  });

  test('several are issued together; one that cannot be says so, and the others are', async () => {
    const ids: string[] = [];
    const names = ['Ada Example', 'Bo Example', 'Cyrilla Maximiliane Wilhelmina Example-Longname'];
    for (const name of names) ids.push(await applyForDegree(world(), name));
    await revisit({ as: 'issuer', path: inbox }, async (page) => {
      await page.locator('.app-i').nth(2).waitFor();
      assert.ok(await page.evaluate(agesOnOneLine));
      for (const name of names) await page.getByRole('checkbox', { name: `Tick ${name}` }).check();
      await heading(page, '3 applications ticked').waitFor();
      await world().service.issuer.client.rejectApplication({ vcId: ids[1] ?? '', reason: 'Meanwhile.' });
      await page.keyboard.press('e');
      const row = (name: string) => page.locator('.several li', { hasText: name });
      await row('Bo Example').and(page.locator('[data-state="failed"]')).waitFor({ timeout: 90_000 });
      await row('Bo Example').getByText('It was decided on already').waitFor();
      await page.getByText('2 of 3 are issued.').waitFor();
      assert.equal(await page.locator('.several li[data-state="done"] .blk').count(), 2);
      assert.equal(
        await page.getByText('can be tried again').count(),
        0,
        'what is over is not offered again',
      );
      assert.equal(await page.getByRole('button', { name: 'Sign and issue' }).count(), 0);
    });
    for (const vcId of [ids[0], ids[2]]) assert.equal((await issued(vcId as string)).status, 'Active');
  });

  test('the day that was read is the day that is signed, whoever issues meanwhile', async () => {
    const vcId = await applyForDegree(world(), 'Nils Example');
    await revisit({ as: 'issuer', path: reviewOf(vcId) }, async (page) => {
      const until = page.getByLabel('Valid until');
      await until.waitFor();
      const read = await until.inputValue();
      await issueDegree(world(), 'Orla Example', {}, '2031-05-05');
      await page.getByText('Orla Example').first().waitFor();
      assert.equal(await until.inputValue(), read);
      await page.keyboard.press('e');
      await blockSaid(page, 'Issued. Recorded in block');
    });
    const { validUntil } = await issued(vcId);
    assert.doesNotMatch(String(validUntil), /^2031-05/);
    await issueDegree(world(), 'Pia Example', {}, '2099-12-31T23:59:59Z');
  });

  test('a double click issues once, one application or several, also when the answer gets lost', async () => {
    const vcId = await applyForDegree(world(), 'Ida Example');
    await revisit({ as: 'issuer', path: reviewOf(vcId) }, async (page) => {
      const drafts = countDrafts(page);
      await page.getByText('All 7 values fit the template').waitFor();
      await page.getByText(/^31 Dec 2\d{3}, \d+ years, as the last one issued$/).waitFor();
      await loseAnswer(page, /\/vc\/submit/);
      await page.evaluate(clickTwice);
      await blockSaid(page, 'Issued. Recorded in block');
      assert.equal(drafts(), 1);
      assert.equal(await page.locator('.fault').count(), 0);
      await applyForDegree(world(), 'Jon Example');
      await page.getByRole('checkbox', { name: 'Tick Jon Example' }).check();
      await page.getByText(/years, as the last one issued$/).waitFor();
      await page.evaluate(clickTwice);
      await page.getByText('It is issued.').waitFor({ timeout: 60_000 });
      assert.equal(drafts(), 2);
      assert.equal(await page.getByText('can be tried again').count(), 0);
      assert.equal(await page.getByRole('button', { name: /^Sign and issue/ }).count(), 0);
    });
  });

  test('a holder and a stranger are refused in words', async () => {
    await revisit({ as: 'holder', path: inbox }, async (page) => {
      await page.getByText('You may not do this').first().waitFor();
    });
    await revisit({ path: inbox }, async (page) => {
      await page.getByText('You are not signed in').first().waitFor();
    });
  });

  test('offline keeps what was read, and signs nothing', async () => {
    const vcId = await applyForDegree(world(), 'Dag Example');
    await visit({ as: 'issuer', path: reviewOf(vcId) }, async (page) => {
      await heading(page, 'Dag Example').waitFor();
      world().console.setAnswering(false);
      try {
        await page.getByText(/^Not connected since/).waitFor();
        await page.keyboard.press('e');
        const fault = page.locator('.rev .fault', { hasText: 'The service does not answer' });
        await fault.waitFor();
        const { y = 0, height = 0 } = (await fault.boundingBox()) ?? {};
        assert.ok(y + height <= (page.viewportSize()?.height ?? 0), 'it is said where one looks');
        await heading(page, 'Dag Example').waitFor();
      } finally {
        world().console.setAnswering(true);
      }
    });
    assert.equal((await world().service.issuer.client.getApplication({ vcId })).status, 'Pending');
  });
});

describe('what is issued', options, () => {
  test('is suspended, reinstated and revoked, each confirmed by name and recorded', async () => {
    const vcId = await issueDegree(world(), 'Eva Example');
    await revisit({ as: 'issuer', path: issuedOf(vcId) }, async (page) => {
      await heading(page, 'Eva Example: University degree').waitFor();
      const change = async (act: string, title: RegExp, reason?: string): Promise<void> => {
        await page.getByRole('button', { name: `${act}…` }).click();
        const dialog = page.getByRole('dialog', { name: title });
        if (reason !== undefined) await dialog.getByLabel(/^Reason/).fill(reason);
        await dialog.getByRole('button', { name: act }).click();
        await dialog.waitFor({ state: 'detached', timeout: 60_000 });
      };
      await change('Suspend', /^Suspend Eva Example’s University degree\?$/, 'Under review');
      await page.locator('.history li', { hasText: 'Under review' }).waitFor();
      await change('Reinstate', /^Reinstate/);
      await page.getByRole('button', { name: 'Suspend…' }).waitFor();
      await page.getByRole('button', { name: 'Revoke…' }).click();
      await page.getByText('It cannot be undone. To pause it, suspend it.').waitFor();
      await page.keyboard.press('Escape');
      assert.equal((await issued(vcId)).status, 'Active', 'closing the question revokes nothing');
      await loseAnswer(page, /\/revoke\/submit/);
      await change('Revoke', /^Revoke Eva Example’s/);
      const block = await blockSaid(page, 'Revoked. Recorded in block');
      const { status, history } = await issued(vcId);
      assert.equal(status, 'Revoked');
      assert.equal(history[0]?.ledgerSeq, block);
      await page.locator('.vc.broken').waitFor();
      assert.equal(await page.getByRole('button', { name: /…$/ }).count(), 0, 'nothing is left to do');
    });
  });

  test('is filtered by the address, saved as CSV, and several are revoked by keyboard', async () => {
    const ids = [await issueDegree(world(), 'Fay Example'), await issueDegree(world(), 'Gil Example')];
    await revisit({ as: 'issuer', path: '/issue/issued?status=Active' }, async (page) => {
      await page.getByRole('link', { name: 'Gil Example' }).waitFor();
      assert.equal(await page.getByRole('link', { name: 'Oren Example' }).count(), 0, 'he is revoked');
      const saving = page.waitForEvent('download');
      await page.getByRole('button', { name: 'CSV' }).click();
      const file = readFileSync(await (await saving).path(), 'utf8');
      assert.match(file, /^vcId,status,/);
      assert.ok(ids.every((vcId) => file.includes(vcId)));
      assert.doesNotMatch(file, /Revoked/);
      for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
      await page.getByText('2 ticked').waitFor();
      await page.getByRole('button', { name: 'Revoke those ticked…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Revoke 2 credentials?' });
      await dialog.getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('2 of 2 are revoked.').waitFor({ timeout: 90_000 });
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      await page.getByRole('link', { name: 'Gil Example' }).waitFor({ state: 'detached' });
    });
    for (const vcId of ids) assert.equal((await issued(vcId)).status, 'Revoked');
  });

  test('what nobody issued is not there', async () => {
    await revisit({ as: 'issuer', path: issuedOf(`did:zid:${'0'.repeat(64)}`) }, async (page) => {
      await page.locator('.fault', { hasText: 'credentialUnknown' }).waitFor();
    });
  });

  test('whoever leaves a desk, for another chair or for none, asks nothing more in its name', async () => {
    await revisit({ path: '/issue/issued', as: 'issuer' }, async (page) => {
      const refused: string[] = [];
      page.on('response', (answer) => {
        if (answer.status() === 401) refused.push(answer.url());
      });
      await heading(page, /issued|credential/i).waitFor();
      await page.keyboard.press('4');
      await page.waitForURL(/\/verify\//);
      await page.keyboard.press('1');
      await page.waitForURL(/\/issue\//);
      await page.getByRole('button', { name: /act as somebody else/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByText(/^Signed out/).waitFor();
      await page.getByRole('heading', { name: /Whose chair do you take/ }).waitFor();
      assert.deepEqual(refused, []);
    });
  });
});
