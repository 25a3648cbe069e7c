/**
 * The wallet in a real Chromium before a real service and ledger: cards are verified before they are kept, requests are
 * answered with what was agreed to and nothing else, and nothing of it is readable on disk.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { writeKeyFile } from '@symbolon/sdk/keys/key-file';
import { writeOfferLink } from '@symbolon/wire/offers/offer-link';
import type { Page } from 'playwright-core';
import { templateOf } from '../support/console-screens/issue-templates.ts';
import { askForEither, askForMore, askMira } from '../support/console-screens/wallet.ts';
import { assertAccessible, consoleSuite, heading } from '../support/console-suite.ts';
import { addBrokenRecord, everythingKept } from '../support/kept-in-browser.ts';
import { holdBack, loseAnswers } from '../support/slow-answers.ts';
import { until } from '../support/until.ts';
import { bringKey, forgetLocked, orderTranscript } from '../support/wallet-acts.ts';

const { options, visit, world } = await consoleSuite();

const cards = (page: Page) => page.locator('.card-wall li');

/** Paths of everything that the service worker keeps. */
const cachedPaths = `(async () => {
  const names = await caches.keys();
  const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  return lists.flat().map(({ url }) => new URL(url).pathname);
})()`;

/** What a card is called, and what its values are, is no word of the service. */
const lieAboutNames = (page: Page) =>
  page.route('**/cred/tds/templates**', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll('University degree', 'Library card');
    await route.fulfill({ response, body });
  });

/** Pages that nobody has opened are kept, too. */
async function filesKept(page: Page): Promise<void> {
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await until('the worker serves', () => page.evaluate('navigator.serviceWorker.controller !== null'));
  await until('they are kept', async () =>
    ((await page.evaluate(cachedPaths)) as string[]).some((path) => path.includes('/activity-page')),
  );
}

/** A page opens that nobody has opened before; of the service nothing is kept. */
async function assertOnlyFilesKept(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Activity' }).click();
  await heading(page, 'Activity').waitFor();
  const cached = (await page.evaluate(cachedPaths)) as string[];
  const others = cached.filter((path) => path !== '/' && !path.startsWith('/assets/'));
  assert.deepEqual(others, []);
}

describe('the wallet', options, () => {
  test('the cards of somebody of the demo come by themselves, verified, and are sealed', async () => {
    await visit({ path: '/wallet/cards', as: 'holder', width: 390 }, async (page) => {
      await cards(page).nth(1).waitFor();
      await page.getByText('its key is publicly known', { exact: false }).waitFor();
      await page.getByRole('img', { name: /University degree.*Active/ }).click();
      await page.getByText('BSc Mathematics').first().waitFor();
      await page.getByText('Recorded in block').waitFor();
      const kept = (await page.evaluate(everythingKept)) as string;
      assert.match(kept, /Mira Example/, 'the name of the vault is seen');
      for (const secret of ['BSc Mathematics', 'EX-20417', 'verifiableCredential', 'credentialSubject'])
        assert.ok(!kept.includes(secret), `${secret} is readable`);
      const { privateKey } = world().service.holder;
      assert.ok(!kept.includes(privateKey), 'the private key is readable');
      await page.getByRole('link', { name: 'All cards' }).click();
      await page.getByRole('button', { name: 'Lock' }).click();
      await heading(page, 'The wallet is locked').waitFor();
      assert.equal(await page.getByText('BSc Mathematics').count(), 0);
      await page.getByRole('button', { name: /demo/ }).click();
      await cards(page).nth(1).waitFor();
    });
  });

  test('a request is answered with what was agreed to, and nothing else leaves', async () => {
    const id = await askMira(world());
    await visit({ as: 'holder' }, async (page) => {
      const release = await holdBack(page, '**/vc/download');
      await page.goto(`${world().console.url}/wallet/requests/${id}`);
      await page.getByRole('button', { name: 'Decline' }).waitFor();
      await page.getByText('Fetching your cards').waitFor();
      assert.equal(await page.getByText(/You have no card/).count(), 0, 'cards are on their way');
      release();
      await heading(page, 'Example Bank asks for three facts').waitFor();
      await page.locator('.crumbs b', { hasText: 'Example Bank' }).waitFor();
      await page.getByText('Cards of any issuer count here.').waitFor();
      await page.getByText('1 shared', { exact: true }).waitFor();
      await page.getByText('18 years or older').waitFor();
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/presentation/submit')) sent.push(request.postData() ?? '');
      });
      await page.getByRole('button', { name: 'Share with Example Bank' }).click();
      await heading(page, 'You shared with Example Bank').waitFor({ timeout: 60_000 });
      await page.getByText('Verified', { exact: true }).waitFor();
      await page.getByText('Goes along every time:').waitFor();
      assert.equal(await page.getByText(/left, and nothing else/).count(), 0);
      assert.equal(sent.length, 1);
      assert.match(sent[0] ?? '', /BSc Mathematics/);
      for (const hidden of ['1999-04-12', '1.7', 'EX-20417', 'Science', '2024-07-05'])
        assert.ok(!sent[0]?.includes(`"${hidden}`), `${hidden} was sent`);
      await page.getByRole('link', { name: 'See activity' }).click();
      await page.getByText('Shared with Example Bank').waitFor();
      await page.getByText('University degree came from University of Example').waitFor();

      await page.goto(`${world().console.url}/wallet/requests/${await askForMore(world())}`);
      await page.getByText(/^Passport: no card of this wallet answers this besides/).waitFor();
      await page.getByText('1 proved', { exact: true }).waitFor();
      assert.equal(await page.getByText(/so few values that it tells/).count(), 0);
      await page.getByLabel(/^From Proof of residence: Date of birth/).check();
      await page.getByText(/so few values that it tells the value.*Date of birth/).waitFor();
      await page.getByText('All active').waitFor();
      const faculty = page.getByLabel('Faculty: share Science');
      assert.equal(await faculty.isChecked(), false, 'what is not needed is left off');
      await page.getByText('0 shared', { exact: true }).waitFor();
      await faculty.check();
      await page.getByText('1 shared', { exact: true }).waitFor();
      await heading(page, 'Example Bank asks for one fact').waitFor();
      await assertAccessible(page);

      await page.goto(`${world().console.url}/wallet/requests/${await askForEither(world())}`);
      const [both, home] = [page.getByLabel(/^From University/), page.getByLabel(/^From Proof of residence/)];
      await page.getByText('One of these is enough for Example Bank. Which one is your choice:').waitFor();
      assert.deepEqual([await both.isChecked(), await home.isChecked()], [false, true], 'the least');
      assert.equal(await page.locator('.consent-part').count(), 1);
      await page.getByText('Transcript of records / A card with Number: no card of this wallet').waitFor();
      await both.check();
      await page.locator('.consent-part').nth(1).waitFor();
      await assertAccessible(page);
    });
    const session = await world().service.verifier.client.getVerification({ id });
    assert.equal(session.status, 'VERIFIED');
  });

  test('what was handed in and got no answer is known to have left, and is handed in as it is', async () => {
    const id = await askMira(world());
    await visit({ path: `/wallet/requests/${id}`, as: 'holder' }, async (page) => {
      await loseAnswers(page, '**/presentation/submit');
      await page.getByRole('button', { name: 'Share with Example Bank' }).click();
      await heading(page, 'Handed in, and no answer came').waitFor({ timeout: 60_000 });
      for (const wrong of [/nothing of yours/i, /somebody else was first/i, 'Share with Example Bank'])
        assert.equal(await page.getByText(wrong).count(), 0, String(wrong));
      await assertAccessible(page);
      await page.unroute('**/presentation/submit');
      await page.goto(`${world().console.url}/wallet/activity`);
      await page.getByText(/Shared Degree: BSc Mathematics/).waitFor();
      await page.getByRole('link', { name: 'no answer came' }).click();
      await page.getByRole('button', { name: 'Hand in the same once more' }).click();
      await page.getByText('Verified', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'See activity' }).click();
      await page.getByText('Shared with Example Bank').waitFor();
      assert.equal(await page.getByText('no answer came').count(), 0);
    });
    const session = await world().service.verifier.client.getVerification({ id });
    assert.equal(session.status, 'VERIFIED');
  });

  test('who declines tells the verifier that, and nothing else', async () => {
    const id = await askMira(world());
    await visit({ path: '/wallet/requests', as: 'holder', width: 390 }, async (page) => {
      await page.getByRole('textbox').fill(`https://elsewhere.example/v1/presentation/${id}`);
      await page.getByRole('button', { name: 'Open' }).click();
      await page.getByText('This is of https://elsewhere.example. Nothing was sent there.').waitFor();
      await page.getByRole('textbox').fill(id);
      await page.route('**/own-applications', (route) => route.abort());
      await page.getByRole('button', { name: 'Open' }).click();
      await page
        .locator('main')
        .getByText(/does not answer/)
        .first()
        .waitFor();
      assert.equal(await page.getByText(/You have no card/).count(), 0, 'nobody has said which there are');
      await page.setViewportSize({ width: 390, height: 320 });
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      await page.getByRole('button', { name: 'Decline' }).click();
      await page.getByText('You declined. Example Bank was told, and nothing else.').waitFor();
      const top = 'document.querySelector("h1").getBoundingClientRect().top';
      await page.waitForFunction(`${top} > 0 && ${top} < innerHeight`);
      await page.goto(page.url());
      await page.getByRole('alert').waitFor();
    });
    const session = await world().service.verifier.client.getVerification({ id });
    assert.deepEqual([session.status, session.abortedBy], ['ABORTED', 'wallet']);
  });

  test('a forged credential is not kept, and that is said', async () => {
    await visit({ as: 'holder' }, async (page) => {
      await page.route('**/vc/download', async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ response: answer, body: (await answer.text()).replaceAll('BSc', 'PhD') });
      });
      await page.goto(`${world().console.url}/wallet/cards`);
      await page.getByText(/^Not kept: University degree/).waitFor();
      await cards(page).first().waitFor();
      assert.equal(await cards(page).count(), 1, 'the other one is genuine');
      assert.equal(await page.getByText('PhD Mathematics').count(), 0);
    });
  });

  test('an application waits for the issuer, who may turn it down and say why', async () => {
    await visit({ path: '/wallet/apply', as: 'holder2' }, async (page) => {
      const refused: string[] = [];
      page.on('response', (response) => {
        if (response.status() === 403) refused.push(response.url());
      });
      await page.locator('.wallet-row', { hasText: 'University degree' }).getByText('Revoked').waitFor();
      assert.equal(await page.getByText('Waits for the issuer').count(), 0);
      await page.getByRole('link', { name: /Proof of residence/ }).click();
      await heading(page, 'Apply for Proof of residence').waitFor();
      await page
        .getByRole('img', { name: /Proof of residence, issued by University of Example\.$/ })
        .waitFor();
      await page.getByRole('button', { name: 'Sign and apply' }).click();
      await page.getByText('The issuer needs this').first().waitFor();
      const values = {
        Name: 'Oren Example',
        'Date of birth': '30.11.2001',
        Street: '1 Some Street',
        City: 'Exampleton',
        Country: 'Exampleland',
        'Resident since': '1 Jan 2020',
      };
      for (const [label, value] of Object.entries(values))
        await page.getByLabel(label, { exact: true }).fill(value);
      await page.goBack();
      await page.getByText('What is issued here').waitFor();
      await page.goForward();
      await page.getByText('30 Nov 2001').waitFor();
      await page.getByRole('button', { name: 'Sign and apply' }).click();
      await heading(page, 'You applied for Proof of residence').waitFor();
      assert.deepEqual(refused, [], 'what cannot be had is not asked for');
      const { client } = world().service.issuer;
      const { applications } = await client.listApplications({ status: 'Pending' });
      const vcId = applications.at(-1)?.vcId ?? '';
      await client.rejectApplication({ vcId, reason: 'The street does not exist' });
      await page.getByRole('link', { name: 'See applications' }).click();
      await page.getByText('Turned down').waitFor();
      await page.getByText('The street does not exist').waitFor();
      await page.goto(`${world().console.url}/wallet`);
      const wall = page.locator('.card-wall');
      await wall.getByRole('img', { name: /University degree.*Revoked/ }).click();
      await page.getByText('Revoked in block').waitFor();
      assert.equal(await page.getByText('Show it to somebody').count(), 0, 'everybody would refuse it');
    });
  });

  test('what costs something says so first, and comes for exactly that', async () => {
    await visit({ path: '/wallet/apply', as: 'holder' }, async (page) => {
      await orderTranscript(page, 'Mira Example');
      await page.getByRole('button', { name: 'Pay and get it' }).click();
      const done = heading(page, 'Transcript of records is in your wallet').and(page.locator(':focus'));
      await done.waitFor({ timeout: 60_000 });
      await page.getByRole('link', { name: 'See the card' }).click();
      await page.getByText('180', { exact: true }).waitFor();
      await page.goto(`${world().console.url}/wallet/activity`);
      await page.getByText('Paid 2.5 EXC for Transcript of records').waitFor();
    });
  });

  test('a payment whose answer is lost is not known, cannot be made again, and is found out', async () => {
    await visit({ path: '/wallet/apply', as: 'holder2' }, async (page) => {
      const release = await holdBack(page, '**/vc/pay/status/**');
      await loseAnswers(page, '**/vc/pay/apply', 'paymentId');
      await orderTranscript(page, 'Oren Example');
      await page.getByRole('button', { name: 'Pay and get it' }).dblclick();
      await heading(page, 'Outcome not known yet').waitFor({ timeout: 60_000 });
      for (const wrong of [/Nothing was paid/, /did not happen/, 'Pay and get it'])
        assert.equal(await page.getByText(wrong).count(), 0, String(wrong));
      await page.goto(page.url());
      await heading(page, 'Outcome not known yet').waitFor();
      release();
      await heading(page, 'Transcript of records is in your wallet').waitFor({ timeout: 60_000 });
      await page.goto(`${world().console.url}/wallet/apply`);
      await page.locator('.wallet-row', { hasText: 'Transcript of records' }).getByText('Issued').waitFor();
      await page.goto(`${world().console.url}/wallet/activity`);
      await page.getByText('Paid 2.5 EXC for Transcript of records').waitFor();
      assert.equal(await page.getByText('Transcript of records came from').count(), 1);
    });
  });

  test('an offer is of this service and readable, or nothing is sent; it is accepted once', async () => {
    const { client } = world().service.issuer;
    const templateId = templateOf(world(), 'Transcript of records');
    const metadata = { name: 'Mira Example', studentNumber: 'EX-7', credits: 60 };
    const order = { templateId, metadata, txCode: true, waivePrice: true };
    const { link, txCode = '' } = await client.makeOffer(order);
    await visit({ path: '/wallet/apply', as: 'holder', width: 390 }, async (page) => {
      const field = page.getByLabel('Link that an issuer sent you');
      const elsewhere = {
        service: 'https://elsewhere.example',
        templateIds: [templateId],
        code: 'x'.repeat(43),
      };
      for (const [text, said] of [
        ['hello', 'This is no offer that can be read. Nothing was sent.'],
        [writeOfferLink(elsewhere), /^This is an offer of https:\/\/elsewhere.example/],
      ] as const) {
        await field.fill(text);
        await page.getByRole('button', { name: 'Look' }).click();
        await page.getByText(said).waitFor();
        assert.equal(await field.inputValue(), text, 'what was typed stays');
      }
      // Opened in the tab that is here already: nothing but what stands behind the `#` changes.
      const open = (behind: string) => page.evaluate(`location.hash = ${JSON.stringify(behind)}`);
      for (const broken of ['#offer=', `#offer=${encodeURIComponent(link.slice(0, 90))}`]) {
        await open(broken);
        await page.getByText(/^This link is damaged/).waitFor();
        await field.press('x');
        await field.and(page.locator(':focus')).waitFor();
        await field.fill('');
      }
      await open(`#offer=${encodeURIComponent(link)}`);
      await page.getByText(/^The code shows the values: Name/).waitFor();
      const opened = page.getByRole('group', { name: 'A card is offered to you' });
      await opened.and(page.locator(':focus')).waitFor();
      const { y = -1 } = (await opened.boundingBox()) ?? {};
      assert.ok(y > 0 && y < 300, `it is in view, not ${y} px down`);
      await page.locator('.who', { hasText: 'University of Example' }).waitFor();
      const code = page.getByLabel('Code that came another way');
      for (const [typed, said] of [
        [txCode.slice(1), 'The code has 6 digits.'],
        [txCode === '111111' ? '222 222' : '111 111', /^This code is wrong. 4 more tries/],
      ] as const) {
        await code.fill(typed);
        await page.getByRole('button', { name: 'Look' }).click();
        await page.getByText(said).waitFor();
        await page.getByText(/^The code shows the values: Name/).waitFor();
      }
      await code.fill(` ${txCode.slice(0, 3)}-${txCode.slice(3)}\u200b`);
      await page.getByRole('button', { name: 'Look' }).click();
      await page.getByText('EX-7').waitFor();
      await page.getByRole('button', { name: 'Accept' }).dblclick();
      await page.locator('.toast').first().waitFor();
      assert.equal(await page.locator('.toast').count(), 1);
    });
  });

  test('an offer is written as its card is; a reload, a lost connection and accepting it leave nobody without a word', async () => {
    const templateId = templateOf(world(), 'University degree');
    const person = { name: 'Mira Example', birthDate: '2001-02-01', studentNumber: 'EX-8' };
    const metadata = {
      ...person,
      degree: 'BSc',
      faculty: 'Science',
      grade: '1.5',
      graduatedOn: '2026-07-14',
    };
    const { link } = await world().service.issuer.client.makeOffer({ templateId, metadata });
    const offer = `#offer=${encodeURIComponent(link)}`;
    await visit({ path: `/wallet/apply${offer}`, as: 'holder', width: 390 }, async (page) => {
      await page.getByText('1 Feb 2001').waitFor();
      await page.getByRole('img', { name: /^University degree/ }).waitFor();
      assert.equal(await page.getByRole('img', { name: /Active/ }).count(), 0, 'a template is no card');
      await page.reload();
      await page.getByText(/^An offer was open here/).waitFor();
      await page.evaluate(`location.hash = ${JSON.stringify(offer)}`);
      const accept = page.getByRole('button', { name: 'Accept' });
      await accept.waitFor();
      await page.context().setOffline(true);
      await page.locator('.offline-next').waitFor();
      await accept.click();
      await page.locator('main').getByText('This browser is not connected').waitFor();
      await page.context().setOffline(false);
      await page.getByText('This browser was not connected').waitFor();
      await accept.press('Enter');
      await page
        .getByRole('group', { name: /^Accepted/ })
        .and(page.locator(':focus'))
        .waitFor();
    });
  });

  test('what was changed on disk is said and costs no card, and so is a browser that keeps nothing', async () => {
    await visit({ path: '/wallet/cards', as: 'holder' }, async (page) => {
      await cards(page).nth(1).waitFor();
      await page.evaluate(addBrokenRecord);
      await page.reload();
      await page.getByText(/^One record of this wallet was changed or is broken/).waitFor();
      await cards(page).nth(1).waitFor();
      await page.addInitScript('IDBFactory.prototype.open = () => { throw new Error("not kept"); }');
      await page.goto(`${world().console.url}/wallet/cards`);
      await page.getByText('This browser keeps nothing').waitFor();
    });
  });

  test('a card that is removed stays away until it is wanted again', async () => {
    await visit({ path: '/wallet/cards', as: 'holder' }, async (page) => {
      const degree = page.locator('.card-wall').getByRole('img', { name: /University degree/ });
      await degree.click();
      await page.getByRole('button', { name: 'Remove from this wallet' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove from this wallet' }).click();
      const there = heading(page, /cards$/).and(page.locator(':focus'));
      await there.waitFor();
      await page.goto(`${world().console.url}/wallet/apply`);
      await page.getByRole('button', { name: 'Fetch it again' }).waitFor();
      await page.goto(`${world().console.url}/wallet/cards`);
      await cards(page).first().waitFor();
      assert.equal(await degree.count(), 0);
      await page.goto(`${world().console.url}/wallet/apply`);
      await page.getByRole('button', { name: 'Fetch it again' }).click();
      await page.getByRole('link', { name: 'University degree', exact: true }).waitFor();
    });
  });

  test('outside of the demo: a key file, a password, a backup for another browser, and no network', async () => {
    const { privateKey } = world().service.holder;
    const keyFile = await writeKeyFile(privateKey, 'password of the file');
    let backup = '';
    await visit({ path: '/wallet/cards', width: 390 }, async (page) => {
      await heading(page, 'A wallet in this browser').waitFor();
      await lieAboutNames(page);
      await bringKey(page, keyFile);
      await heading(page, 'Mira herself’s cards').waitFor({ timeout: 60_000 });
      await page.getByRole('button', { name: 'Mira herself: act as somebody else' }).waitFor();
      await cards(page).nth(1).waitFor();
      await cards(page).filter({ hasText: 'University degree' }).waitFor();
      assert.equal(await cards(page).filter({ hasText: 'Library card' }).count(), 0);
      await page.unrouteAll({ behavior: 'wait' });

      await page.goto(`${world().console.url}/wallet/backup`);
      await page.getByRole('button', { name: 'Not signed in: act as somebody else' }).waitFor();
      await page.getByLabel('Password', { exact: true }).fill('another one');
      await page.getByRole('button', { name: 'Unlock' }).click();
      await page.getByText('It does not open with this').waitFor();
      await assertAccessible(page);
      await page.getByLabel('Password', { exact: true }).fill('a password of mine');
      await page.getByRole('button', { name: 'Unlock' }).click();
      await page.getByLabel('Password for the backup').fill('password of the backup');
      await page.getByLabel('The same password again').first().fill('password of the backup');
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save backup file' }).click();
      const stream = await (await saved).createReadStream();
      for await (const chunk of stream) backup += String(chunk);

      await filesKept(page);
      await page.goto(`${world().console.url}/wallet/cards`);
      await heading(page, 'The wallet is locked').waitFor();
      world().console.setAnswering(false);
      try {
        await page.reload();
        await page.getByLabel('Password', { exact: true }).fill('a password of mine');
        await page.getByRole('button', { name: 'Unlock' }).click();
        await cards(page).nth(1).waitFor();
        await page
          .getByText(/^as of /)
          .first()
          .waitFor();
        await page.getByText(/Not connected/).waitFor();
        await assertOnlyFilesKept(page);
      } finally {
        world().console.setAnswering(true);
      }
      await page.reload();
      await forgetLocked(page);
      await heading(page, 'A wallet in this browser').waitFor();
    });
    assert.match(backup, /symbolon-vault-backup/);
    assert.ok(!/BSc Mathematics|credentialSubject/.test(backup), 'the backup is sealed');
    await visit({ path: '/wallet/cards' }, async (page) => {
      await page.getByText('Backup', { exact: true }).first().click();
      await page.getByPlaceholder('or paste its text').fill(backup);
      await page.getByLabel('Password of the file').fill('password of the backup');
      await page.getByLabel('Password', { exact: true }).fill('here it is another');
      await page.getByLabel('The same password again').fill('here it is another');
      await page.getByRole('button', { name: 'Restore' }).click();
      await heading(page, 'Mira herself’s cards').waitFor({ timeout: 60_000 });
      await cards(page).nth(1).waitFor();
      await page.goto(`${world().console.url}/`);
      await page.getByRole('navigation', { name: 'Main', exact: true }).getByText('Wallet').waitFor();
    });
  });

  test('a new wallet is called what its owner said, also signed in, in letters that can be seen', async () => {
    await visit({ path: '/wallet/cards' }, async (page) => {
      const [name, make] = [page.getByLabel('What you are called here'), { name: 'Make identity' }];
      await page.getByText(/^No passkey here: it is bound to the name of a page/).waitFor();
      const link = await page.getByRole('link', { name: 'Open it at localhost' }).getAttribute('href');
      assert.equal(link, `${world().console.url.replace('127.0.0.1', 'localhost')}/wallet/cards`);
      for (const label of ['Password', 'The same password again'])
        await page.getByLabel(label, { exact: true }).fill('a password of mine');
      await name.fill('Eve \u202edetceles si');
      await page.getByText(/^There are characters in it that cannot be seen/).waitFor();
      assert.equal(await page.getByRole('button', make).isDisabled(), true);
      await name.fill('Zed');
      await page.getByRole('button', make).click();
      await heading(page, 'Zed’s cards').waitFor({ timeout: 60_000 });
      await page.locator('.persona', { hasText: 'Zed' }).click();
      await page.getByRole('menuitem', { name: 'Sign in' }).click();
      await page.getByRole('dialog').getByText('This browser', { exact: true }).click();
      await page.getByLabel('Password of the vault').fill('a password of mine');
      await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
      await page.locator('.persona', { hasText: 'Signed in' }).filter({ hasText: 'Zed' }).waitFor();
    });
  });
});
