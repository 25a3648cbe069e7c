/**
 * What an issuer makes in the console, in a real Chromium before a real service and ledger: templates and their versions,
 * price and issuing at once, offers, credentials from a table that goes on after a fault, keys. With the refusals.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { applyForCredential } from '@symbolon/sdk/flows/holder-flows';
import { acceptOffer } from '@symbolon/sdk/flows/offer-flows';
import { didOfSigner, type Signer, signerFromSeed } from '@symbolon/sdk/keys/signer';
import type { Locator, Page } from 'playwright-core';
import {
  fillOffer,
  offerIsShown,
  pasteTable,
  sendOffer,
  templateOf,
} from '../support/console-screens/issue-templates.ts';
import { consoleSuite, focusedText, heading, takeChair } from '../support/console-suite.ts';
import { loseAnswers } from '../support/slow-answers.ts';

const { options, revisit, visit, world } = await consoleSuite();

const panel = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const button = (page: Page | Locator, name: string | RegExp): Locator =>
  page.getByRole('button', { name, exact: typeof name === 'string' });

/** What is selected in the JSON of a template. */
const chosenText = `(() => {
  const { value, selectionStart, selectionEnd } = document.querySelector('.json-text');
  return value.slice(selectionStart, selectionEnd);
})()`;

/** How thick the line below the last row of a list is. */
const lastEdge = `getComputedStyle([...document.querySelectorAll('.tr-line .tr')].at(-1)).borderBottomWidth`;

/** Everything that tables have left in this browser. */
const keptInBrowser = `(async () => {
  const asked = indexedDB.open('symbolon-bulk');
  await new Promise((done) => { asked.onsuccess = done; });
  const read = (name) => new Promise((done) => {
    const all = asked.result.transaction(name).objectStore(name).getAll();
    all.onsuccess = () => done(all.result);
  });
  return JSON.stringify([await read('rows'), await read('runs')]);
})()`;

/** Somebody new who has applied for a degree. */
async function applicant(name: string): Promise<{ readonly signer: Signer; readonly did: string }> {
  const signer = await signerFromSeed(randomBytes(32));
  const { service } = world();
  await applyForCredential(service.stranger, {
    signer,
    templateId: templateOf(world()),
    attributes: { ...degree, name },
  });
  return { signer, did: didOfSigner(signer) };
}

const degree = {
  birthDate: '1999-04-12',
  studentNumber: 'EX-1',
  degree: 'BSc',
  faculty: 'Science',
  grade: '1.70',
  graduatedOn: '2024-07-05',
};

/** What is wrong with one field moves none beside it. */
async function assertOneLine(page: Page, labels: readonly string[]): Promise<void> {
  const boxes = await Promise.all(labels.map((label) => page.getByLabel(label).boundingBox()));
  assert.equal(new Set(boxes.map((box) => box?.y)).size, 1);
}

/** A price in a token is typed in the token's own unit, and a token must answer. */
async function priceInToken(page: Page): Promise<void> {
  const { templates } = await world().service.stranger.listTemplates({});
  const asset = templates.find(({ price }) => price?.symbol === 'EXC')?.price?.asset ?? '';
  const price = panel(page, 'Price');
  await button(price, 'Change').click();
  await price.getByText('Token', { exact: true }).click();
  await page.getByLabel('Address of the token contract').fill('nowhere');
  await price.getByText('No token answers at this address.').waitFor();
  await page.getByLabel('Address of the token contract').fill(asset);
  await price.getByText('EXC').waitFor();
  await page.getByLabel('Amount').fill('0,25');
  await page.keyboard.press('Enter');
  await price.getByText('0.25').waitFor();
  await button(price, 'Change').click();
  await button(price, 'Give it away').click();
  await price.getByText('free').waitFor();
}

/** What came of it has the focus, and nothing is typed into what is registered. */
async function registered(page: Page, version: string): Promise<void> {
  await page.getByText(`Version ${version} is registered. Recorded in block`).waitFor();
  assert.match(await focusedText(page), new RegExp(`^Version ${version} is registered`));
  assert.equal(await page.getByLabel('Name', { exact: true }).isEditable(), false);
}

/** The same draft as JSON: what is wrong is found there, and what is right stands in the form again. */
async function editAsJson(page: Page): Promise<void> {
  await page.getByText('JSON', { exact: true }).click();
  const json = page.locator('.json-text');
  const text = await json.inputValue();
  await json.fill(text.replace('"fullName"', '"full name"'));
  await button(page, /^Line \d+$/).click();
  assert.match((await page.evaluate(chosenText)) as string, /"full name"/);
  await button(page, /^Sign and register/).click();
  await page.getByText('One thing is wrong still:').waitFor();
  await json.fill(`${text}]`);
  await page.getByText('Something follows behind the end.').waitFor();
  await json.fill(text);
  await page.getByText('It can be read, and it fits.').waitFor();
  await page.getByText('Form', { exact: true }).click();
  assert.equal(await page.getByLabel('Key of Full name').inputValue(), 'fullName');
}

describe('the issuer desk: templates, offers, tables, keys', options, () => {
  test('a template is built by form and JSON, tested, signed and recorded; then a new version', async () => {
    await revisit({ as: 'issuer', path: '/issue/templates' }, async (page) => {
      await heading(page, 'Templates of University of Example').waitFor();
      await page.getByRole('link', { name: 'University degree' }).waitFor();
      assert.equal(await page.evaluate(lastEdge), '0px', 'the edge of the panel ends the last row');
      await page.keyboard.press('n');
      await heading(page, 'New template').waitFor();
      await button(page, /^Sign and register/).click();
      await page.getByText('Name: is missing').waitFor();
      await page.getByLabel('Name', { exact: true }).and(page.locator(':focus')).waitFor();
      assert.doesNotMatch(await page.locator('main').innerText(), /\/templateName/);
      await assertOneLine(page, ['Name for people of attribute 1', 'Kind of attribute 1']);
      await page.getByLabel('Name', { exact: true }).fill('<b>Library</b> card');
      await page.getByLabel('Name for people of attribute 1').fill('Full name');
      await page.getByText('The draft is kept in this tab').waitFor();
      await page.reload();
      assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), '<b>Library</b> card');
      assert.equal(await page.getByLabel('Key of Full name').inputValue(), 'fullName');

      await editAsJson(page);

      await button(page, 'Test it').click();
      await page.getByText(/^Would succeed, for at most [\d.]+ Gas/).waitFor();
      // It arrives, and its answer does not: what is registered is found all the same.
      await loseAnswers(page, '**/cred/tds/template/submit');
      await button(page, 'Sign and register 1.0.0').click();
      await registered(page, '1.0.0');
      await page.unroute('**/cred/tds/template/submit');
      await page.getByRole('link', { name: 'Open it' }).click();
      await heading(page, '<b>Library</b> card 1.0.0').waitFor();
      assert.equal(await page.locator('h1 b').count(), 0);

      await page.goto(`${world().console.url}/issue/templates/new`);
      assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), '', 'it is registered');
      await page.goBack();
      await page.getByRole('link', { name: 'New version' }).click();
      await heading(page, '<b>Library</b> card 1.1.0').waitFor();
      await page.getByText('The name makes the id, so it stays.').first().waitFor();
      await page.getByLabel('Version', { exact: true }).fill('1.0.0');
      await page.getByText('The version must be higher than the one before.').first().waitFor();
      await page.getByLabel('Version', { exact: true }).fill('1.1.0');
      await button(page, 'Add').click();
      await page.keyboard.type('Books at once');
      await page.getByLabel('Kind of Books at once').selectOption('integer');
      await page.getByRole('switch', { name: 'Books at once is required' }).press('Enter');
      await button(page, /^Move Books at once/).press('ArrowUp');
      await page.getByText('booksAtOnce Whole number optional').waitFor();
      await button(page, 'Sign and register 1.1.0').click();
      await registered(page, '1.1.0');
      await panel(page, 'Changes since 1.0.0').getByText('booksAtOnce Whole number optional').waitFor();
      assert.equal(await page.getByText('Nothing changes.').count(), 0, 'it is not compared with itself');
      await page.getByRole('link', { name: 'Open it' }).click();
      await panel(page, 'Versions').getByText('booksAtOnce Whole number optional').waitFor();
      const keys = await panel(page, 'Attributes').locator('td.mono').allTextContents();
      assert.deepEqual(keys, ['booksAtOnce', 'fullName']);
      await page.getByRole('link', { name: '1.0.0' }).click();
      await heading(page, '<b>Library</b> card 1.0.0').waitFor();
      await page.getByText('Shown here').waitFor();
    });
  });

  test('price and issuing at once are set, read back and ended', async () => {
    await revisit({ as: 'issuer', path: `/issue/templates/${templateOf(world())}` }, async (page) => {
      await page.locator('.hl').getByText('Degree', { exact: true }).waitFor();
      await panel(page, 'Price').getByText('No price is set').waitFor();
      await button(panel(page, 'Price'), 'Set').click();
      await page.getByLabel('Amount').fill('2.5000001');
      await page.getByText('Must be a number with at most 6 digits').waitFor();
      await page.getByLabel('Amount').fill('2.5');
      await page.keyboard.press('Enter');
      await panel(page, 'Price').getByText('2.5').waitFor();
      await page.reload();
      await button(panel(page, 'Price'), 'Change').click();
      await button(page, 'Give it away').click();
      await panel(page, 'Price').getByText('free').waitFor();
      await priceInToken(page);

      const atOnce = panel(page, 'Issue at once');
      await button(atOnce, 'Turn on').click();
      await page.getByLabel('How many a day at most').fill('3');
      await button(atOnce, 'Issue at once').click();
      await atOnce.getByText('In force').waitFor();
      await atOnce.getByText('0 of 3').waitFor();
      await button(atOnce, 'End it').click();
      const asked = page.getByRole('dialog', { name: 'End issuing University degree at once?' });
      await button(asked, 'End it').click();
      await atOnce.getByText('You approve each application yourself.').waitFor();
    });
  });

  test('an offer is made with link, QR code and a further code; refused twice; accepted; withdrawn', async () => {
    const template = templateOf(world(), 'Transcript of records');
    const path = `/issue/offers/new?template=${encodeURIComponent(template)}`;
    await revisit({ as: 'issuer', path }, async (page) => {
      await heading(page, 'New offer').waitFor();
      await button(page, 'Make an offer').click();
      await page.getByText('is missing', { exact: true }).first().waitFor();
      await page.getByLabel(/^Whom it is for/).fill('a private note');
      assert.doesNotMatch(await page.locator('.side-stack .vc').innerText(), /private/);
      await page.locator('.side').getByRole('link', { name: 'Templates' }).click();
      await heading(page, 'Templates').waitFor();
      await page.goBack();
      const whom = page.getByLabel(/^Whom it is for/);
      await whom.waitFor();
      assert.equal(await whom.inputValue(), 'a private note', 'whoever comes back finds what was typed');
      await button(page, 'Discard').click();
      assert.equal(await whom.inputValue(), '');
      await fillOffer(page, 'nora@example.org');
      const address = new URL((await page.locator('.offer-link').first().textContent()) ?? '');
      assert.equal(`${address.origin}${address.pathname}`, `${world().console.url}/wallet/apply`);
      const link = new URLSearchParams(address.hash.slice(1)).get('offer') ?? '';
      const txCode = (await page.locator('.tx-code').textContent()) ?? '';
      assert.match(link, /^openid-credential-offer:/);
      await page.getByRole('link', { name: 'All offers' }).click();
      const leaving = page.getByRole('dialog', { name: /^Leave the offer of Transcript/ });
      await leaving.waitFor();
      await page.keyboard.press('Escape');
      await leaving.waitFor({ state: 'detached' });
      assert.equal(await page.locator('.tx-code').textContent(), txCode, 'it is told still');
      assert.match(txCode, /^\d{6}$/);
      const { service } = world();
      const signer = await signerFromSeed(randomBytes(32));
      const accepted = await acceptOffer(service.stranger, { signer, offer: link, txCode });
      assert.equal(accepted.templateId, template);
      await page.getByText('It was accepted').waitFor();
      await page.getByRole('link', { name: 'All offers' }).click();
      await heading(page, 'Offers').waitFor();
      assert.equal(await leaving.count(), 0, 'nothing is left to be lost');
      await page.goBack();
      await whom.waitFor();
      assert.equal(await whom.inputValue(), '', 'what was made is no draft any more');
      await fillOffer(page, 'omar@example.org');
      await button(page, 'Make another').click();
      for (const [label, value] of [
        ['Name', 'Omar Example'],
        ['Student number', 'EX-2'],
        ['Credits', 'many'],
      ] as const)
        await page.getByLabel(label, { exact: true }).fill(value);
      await page.getByText(/must be a whole number/).waitFor();
      await page.getByLabel('Credits', { exact: true }).fill('12');
      await page.getByLabel(/^Whom it is for/).fill('omar@example.org');
      await button(page, 'Make an offer').click();
      await page.getByRole('alert').getByText('offerExists').waitFor();
      assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Omar Example');

      await page.goto(`${world().console.url}/issue/offers?state=nonsense`);
      const rows = page.getByRole('row');
      await rows.filter({ hasText: 'nora@example.org' }).getByText('Accepted', { exact: true }).waitFor();
      const omar = rows.filter({ hasText: 'omar@example.org' });
      await button(omar, 'Withdraw').click();
      const asked = page.getByRole('dialog', { name: 'Withdraw the offer for omar@example.org?' });
      await button(asked, 'Withdraw').click();
      await omar.getByText('Withdrawn').waitFor();
      await page.getByLabel('State').selectOption('withdrawn');
      await page.waitForURL(/state=withdrawn/);
      await rows.filter({ hasText: 'nora@example.org' }).waitFor({ state: 'detached' });
    });
  });

  test('an offer whose answer got lost is one offer when it is repeated, and none when another is made', async () => {
    const template = templateOf(world(), 'Transcript of records');
    const path = `/issue/offers/new?template=${encodeURIComponent(template)}`;
    const states = async () => {
      const { offers } = await world().service.issuer.client.listOffers({ templateId: template });
      return offers.filter(({ reference }) => reference === undefined).map(({ state }) => state);
    };
    await visit({ as: 'issuer', path }, async (page) => {
      await heading(page, 'New offer').waitFor();
      await loseAnswers(page, '**/offers/create');
      await sendOffer(page, '');
      await page.getByText('Outcome not known yet').waitFor();
      assert.deepEqual(await states(), ['open']);
      await page.unroute('**/offers/create');
      await button(page, 'Make an offer').click();
      await offerIsShown(page);
      assert.deepEqual(await states(), ['open'], 'the same offer');

      await loseAnswers(page, '**/offers/create');
      await button(page, 'Make another').click();
      await sendOffer(page, '');
      await page.getByText('Outcome not known yet').waitFor();
      await page.unroute('**/offers/create');
      await page.getByLabel('Credits', { exact: true }).fill('60');
      await button(page, 'Make an offer').click();
      await offerIsShown(page);
      assert.deepEqual(await states(), ['open', 'withdrawn', 'open'], 'nobody has the link of the second');
    });
  });

  test('a table is looked over, issued row by row, and goes on after a fault without issuing twice', async () => {
    const names = ['Ana', 'Ben', 'Cleo', 'Dara', 'Emil', 'Fay'].map((name) => `${name} Example`);
    const people = await Promise.all(names.map(applicant));
    const rows = people.map(({ did }, at) => `${did};${names[at]};1999-04-12;x`);
    const good = ['did;Name;Born;Remarks', ...rows].join('\n');
    const templateId = templateOf(world());
    const issuedCounts = async () => {
      const { issued } = await world().service.issuer.client.listIssued({ templateId, limit: '200' });
      return people.map(({ did }) => issued.filter(({ holder }) => holder === did).length).join('');
    };
    const path = `/issue/bulk?template=${encodeURIComponent(templateId)}`;
    await visit({ as: 'issuer', path }, async (first) => {
      await pasteTable(first, `${good}\nnobody;Eve Example;tomorrow;x`);
      assert.equal(await first.getByLabel('Born').inputValue(), '', 'nobody can guess it');
      await first.getByLabel('Born').selectOption('attribute:birthDate');
      await first.getByText('6 rows fit.').waitFor();
      await first.getByText('1 does not.').waitFor();
      await first.getByText('6 of 6 have an application that waits.').waitFor();
      const wrong = first.getByRole('row').filter({ hasText: '8' });
      assert.equal(await wrong.filter({ hasText: 'Born' }).count(), 1);
      assert.equal(await first.getByText('tomorrow').count(), 0);
      assert.equal(await first.getByLabel('Remarks').inputValue(), '');
      assert.equal(await issuedCounts(), '000000');

      // The service goes away in the middle, however fast it is, and the tab is closed.
      let submits = 0;
      await first.route('**/vc/submit', (route) => {
        submits += 1;
        return submits <= 2 ? route.continue() : route.abort();
      });
      await button(first, 'Sign and issue 6 credentials').click();
      await first.locator('.outcome-list li').first().waitFor();
      assert.match(await focusedText(first), /\d of 6/);
      world().console.setAnswering(false);
      const page = await first.context().newPage();
      await first.close();
      world().console.setAnswering(true);
      await takeChair(page, world().console.url, { person: 'issuer' });
      await page.goto(`${world().console.url}${path}`);
      await page.getByText(/^Issuing University degree stopped after \d of 6 rows\.$/).waitFor();
      const kept = (await page.evaluate(keptInBrowser)) as string;
      assert.doesNotMatch(kept, /Example|1999/);
      assert.match(kept, /"rows":6/);

      await pasteTable(page, good);
      assert.equal(await page.getByLabel('Born').inputValue(), 'attribute:birthDate', 'as it was chosen');
      await button(page, /^Sign and issue [1-6] credentials?$/).click();
      await button(page, 'CSV of the outcomes').waitFor();
      await page.getByText('6 of 6 rows').first().waitFor();
      await page.getByText('All 6 rows are issued.').waitFor();
      assert.equal(await button(page, /^Sign and issue/).count(), 0, 'nothing is left to issue');
      assert.equal(await page.getByText('Nothing was sent').count(), 0);
      assert.equal(await issuedCounts(), '111111');
      assert.equal(await page.locator('.outcome-list .blk').count(), 6, 'each with its block');
      await page.getByText(/stopped after/).waitFor({ state: 'detached' });

      const stranger = didOfSigner(await signerFromSeed(randomBytes(32)));
      await pasteTable(page, `${good}\n${stranger};Eve Example;1999-04-12;x`);
      await page.getByLabel('Born').selectOption('attribute:birthDate');
      await page.getByText('0 of 7 have an application that waits. So there is nothing to issue.').waitFor();
      assert.equal(await button(page, /^Sign and issue/).count(), 0);
      await button(page, 'See what was issued before').click();
      await page.getByText('no application of this holder waits for this template').waitFor();
      await page.getByText('7 of 7 rows').first().waitFor();
      assert.equal(await page.getByText('Issued before').count(), 6);
      assert.equal(await issuedCounts(), '111111');
      await page.close();
    });
  });

  test('a key is made, published and withdrawn; a key that was left is taken back', async () => {
    await revisit({ as: 'issuer', path: '/issue/keys' }, async (page) => {
      await heading(page, 'Keys of University of Example').waitFor();
      await page.getByText('Key 1', { exact: true }).waitFor();
      await page.getByText('the vault of the service').waitFor();
      await button(page, 'Make and publish a key').click();
      await page.getByText('Key 2 is published. Recorded in block').waitFor();
      const second = page.locator('.key-rows li').filter({ hasText: 'Key 2' });
      await second.getByText('kept by the service').waitFor();
      await button(second, 'Withdraw').click();
      const asked = page.getByRole('dialog', { name: 'Withdraw key 2?' });
      await asked.getByText('It cannot be undone.').waitFor();
      await page.keyboard.press('Escape');
      await asked.waitFor({ state: 'detached' });
      await button(second, 'Withdraw').click();
      await button(asked, 'Withdraw').click();
      await page.getByText('Key 2 is withdrawn. Recorded in block').waitFor();
      await second.getByText('Withdrawn', { exact: true }).last().waitFor();
      assert.equal(await button(second, 'Withdraw').count(), 0);

      await button(page, 'Take it back').click();
      const question = page.getByRole('dialog', { name: /^Take back the key of/ });
      await button(question, 'Take it back').click();
      await page.getByText('The service does not have it.').waitFor();
    });
    const { issuingKey, bbsKeys } = await world().service.issuer.client.listIssuerKeys();
    assert.equal(issuingKey.isHeld, false);
    assert.deepEqual(
      bbsKeys.map(({ isPublished }) => isPublished),
      [false, true],
    );
  });

  test('without a key at the service nothing is issued at once, and the console does not ask for it', async () => {
    await revisit({ as: 'issuer', path: `/issue/templates/${templateOf(world())}` }, async (page) => {
      await button(page, 'Turn on').click();
      await page.getByText('The console never hands it over').waitFor();
      await page.getByText(/^symbolon template auto-issue/).waitFor();
    });
  });

  test('whoever is not signed in is told so, and so is whoever is not connected', async () => {
    await revisit({ path: '/issue/templates' }, async (page) => {
      await page.getByText('You are not signed in').waitFor();
    });
    await visit({ as: 'issuer', path: `/issue/templates/${templateOf(world())}/new` }, async (page) => {
      await page.locator('li.at').first().waitFor();
      world().console.setAnswering(false);
      try {
        await page.getByText(/^Not connected since/).waitFor();
        assert.ok(await button(page, /^Sign and register/).isDisabled());
        assert.equal(await page.getByLabel('Key of Degree').inputValue(), 'degree');
      } finally {
        world().console.setAnswering(true);
      }
      await page.getByText(/^Not connected since/).waitFor({ state: 'detached' });
    });
  });
});
