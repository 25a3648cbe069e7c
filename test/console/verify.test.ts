/**
 * The verifier's desk in a real Chromium before a real service and ledger; the wallet's part is played with the SDK. Asks,
 * waits, shows what was proved and what was refused, tries to break it, checks documents with and without a connection.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  answerSession,
  degreeAnswer,
  demoDegree,
  downloadDegree,
  openDegreeSession,
  presentDegree,
} from '../support/answered-sessions.ts';
import { cannotBeChecked, check, hidesNothing, issueCourse, verdict } from '../support/checked-documents.ts';
import { consoleSuite, heading } from '../support/console-suite.ts';
import { leftOf } from '../support/placed-text.ts';
import { strangeSession } from '../support/strange-session.ts';

const { options, visit, world } = await consoleSuite();

const as = 'verifier';
const choose = (page: Page, label: string, way: string) =>
  page
    .getByRole('radiogroup', { name: `How to ask for ${label}`, exact: true })
    .getByText(way, { exact: true })
    .click();

async function chooseTemplate(page: Page, name: string): Promise<void> {
  const box = page.getByRole('combobox', { name: /^(Which credential\?|Ask for another credential too)$/ });
  await box.fill(name);
  await page.getByRole('option', { name: new RegExp(`^${name}`) }).click();
}

const sessionCount = async (): Promise<number> =>
  (await world().service.verifier.client.listVerifications({ limit: '200' })).sessions.length;

const idIn = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? '';

describe("the verifier's desk", options, () => {
  test('asks, waits with a code, and turns into the result; nothing beyond what was asked is there', async () => {
    await visit({ as, path: '/verify/ask' }, async (page) => {
      await heading(page, 'Ask a wallet').waitFor();
      const ask = page.getByRole('button', { name: 'Ask', exact: true });
      assert.equal(await ask.isDisabled(), true);
      await chooseTemplate(page, 'University degree');
      await choose(page, 'Degree', 'Show');
      await choose(page, 'Date of birth', 'Prove an age');
      await choose(page, 'Final grade', 'Prove a range');
      await page.locator('.fld-error', { hasText: 'Say where the range begins or ends.' }).waitFor();
      await page.locator('.ask-side').getByText('Final grade: Say where the range begins or ends.').waitFor();
      await page.getByText(/for proof of .*Final grade in a range that is not said yet/).waitFor();
      const graded = page.locator('.wallet-preview .asked li', { hasText: 'Final grade' });
      assert.match(await graded.innerText(), /^Proved\s/, 'what is not said yet is not asked to be shown');
      assert.equal(await ask.isDisabled(), true);
      await page.getByRole('textbox', { name: 'Final grade, to' }).fill('2.00');
      await page.getByRole('textbox', { name: 'Why you ask' }).fill('To open a <b>student</b> account');
      await page.reload();
      await page.getByText('Kept in this tab until it is asked.').waitFor();
      await page
        .getByText(
          'You ask to see Degree and for proof of Date of birth 18 years or older and Final grade at most 2, from a University degree.',
        )
        .waitFor();
      await page.getByText('Example Bank asks for three facts').waitFor();
      const before = await sessionCount();
      await ask.dblclick();
      await heading(page, 'Waiting for a wallet').waitFor();
      assert.equal((await sessionCount()) - before, 1, 'a double click asks once');
      await page.getByRole('img', { name: 'QR code of the request' }).waitFor();
      await page.getByText(/^\d+:\d\d left$/).waitFor();
      const id = idIn(page);
      await page.getByText(new RegExp(`request_uri=.*${id}$`)).waitFor();
      const own = page.locator('.own-code');
      await own.getByText('CLI', { exact: true }).click();
      await own.getByText(new RegExp(`--trust ${world().service.issuer.did} .*--minutes 10`)).waitFor();
      const links = await page.locator('.scan-links .mono').allInnerTexts();
      assert.equal(links[0], `${world().console.url}/wallet/requests/${id}`);
      const { service } = world();
      await service.stranger.fetchDefinition({ id });
      await heading(page, 'The person is deciding').waitFor();
      assert.equal(await answerSession(service, id, degreeAnswer()), true);
      await heading(page, 'Verified. Six of six checks passed.').waitFor();
      await page.getByText('One you trust').waitFor();
      await page.getByText('named by the operator of this service').waitFor();
      await verdict(page)
        .getByText(/active when checked, on the ledger since block/)
        .waitFor();
      await verdict(page)
        .getByText(/Checked on \d+ \w+ \d{4}, \d\d:\d\d UTC\./)
        .waitFor();
      await page.locator('.six').getByText('it was valid then').waitFor();
      assert.equal(await verdict(page).getByRole('alert').count(), 0, 'nothing has changed since');
      assert.equal(await page.locator('.six li.ok').count(), 6);
      assert.equal(await page.locator('.check-facts .blk').count(), 1, 'the block of the word of the ledger');
      assert.match(await page.locator('.log li', { hasText: 'FETCHED' }).innerText(), /^\d\d:\d\d:\d\d/);
      // The demo knows both sides.
      await page.getByText('Mira Example owns').waitFor();
      await page.getByText('EX-20417').waitFor();
      assert.equal(await page.locator('.halves .b .hatch').count(), 4);
      await page.getByRole('button', { name: 'Ask again' }).click();
      await heading(page, 'Waiting for a wallet').waitFor();
      assert.notEqual(idIn(page), id);
      await page.getByText('To open a <b>student</b> account', { exact: true }).waitFor();
    });
  });

  test('asks for several credentials of one holder, and cancels after asking once more', async () => {
    await visit({ as, path: '/verify/ask' }, async (page) => {
      await chooseTemplate(page, 'University degree');
      await choose(page, 'Degree', 'Show');
      await chooseTemplate(page, 'Proof of residence');
      await choose(page, 'City', 'Show');
      await page.getByText(/from a University degree and to see City, from a Proof of residence/).waitFor();
      await page.getByRole('button', { name: 'Ask', exact: true }).click();
      await heading(page, 'Waiting for a wallet').waitFor();
      await page.getByText('JSON', { exact: true }).click();
      await page.locator('.asked-json', { hasText: '"trusted_issuers"' }).waitFor();
      await page.getByRole('button', { name: 'Change the request' }).click();
      await page.getByText(/from a University degree and to see City/).waitFor();
      const from = page.locator('.wallet-preview .asked-from');
      assert.match(await from.innerText(), /University of Example/);
      await page.getByRole('button', { name: /^Do not trust/ }).click();
      await from.getByText('nobody yet: no issuer is named').waitFor();
      await page
        .getByRole('alert')
        .getByText('Name at least one issuer that you believe, or choose anybody.')
        .waitFor();
      await page
        .getByRole('textbox', { name: 'DID of another issuer' })
        .fill(`${world().service.issuer.did}#x`);
      await page.getByText('A DID of an issuer is did:zid: and 64 hex digits, in small letters.').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Add', exact: true }).isDisabled(), true);
      await page.goBack();
      await page.getByRole('button', { name: 'Cancel', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Cancel this request?' });
      await dialog.getByRole('button', { name: 'Keep it' }).click();
      await page.getByRole('button', { name: 'Cancel', exact: true }).click();
      await dialog.getByRole('button', { name: 'Cancel the request' }).click();
      await heading(page, 'You cancelled the request').waitFor();
    });
  });

  test('a request that says more than the form is not changed in it, and is asked again whole', async () => {
    const { verifier } = world().service;
    const requirements = {
      credentials: [
        {
          id: demoDegree(world().service).templateId,
          format: 'ldp_vc',
          claims: [{ path: ['credentialSubject', 'degree'], constraints: { enum: ['MSc Mathematics'] } }],
        },
      ],
    };
    const { presentationId } = await verifier.client.requestVerification({ requirements });
    await visit({ as, path: `/verify/sessions/${presentationId}` }, async (page) => {
      await page.getByRole('button', { name: 'Change the request' }).click();
      await page.getByText('This request says more than the form can').waitFor();
      await page.getByRole('button', { name: 'Ask again' }).click();
      await heading(page, 'Waiting for a wallet').waitFor();
      assert.notEqual(idIn(page), presentationId);
      const again = await verifier.client.getVerification({ id: idIn(page) });
      assert.deepEqual(again.requirements, requirements);
    });
  });

  test('a refusal says the reason first, and what was shown too much', async () => {
    const { service } = world();
    const id = await openDegreeSession(service);
    assert.equal(await answerSession(service, id, { ...degreeAnswer(), reveal: ['degree', 'name'] }), false);
    // Longer than the time of a verdict is exact: it is of when it was made, however late it is read.
    await new Promise((done) => setTimeout(done, 1_100));
    const { updatedAt, result } = await service.verifier.client.getVerification({ id });
    assert.ok(Math.abs(Date.parse(result?.timestamp ?? '') - Date.parse(updatedAt)) < 1_000);
    await visit({ as, path: `/verify/sessions/${id}` }, async (page) => {
      await heading(page, /^Not verified\. It is not what you asked for\.$/).waitFor();
      await page.getByText('More was shown than you asked for: Name. You should not keep it.').waitFor();
      assert.equal(await page.locator('.six li.bad').count(), 1);
      assert.equal(await page.getByText('Mira Example').count(), 0, 'no value of a refused answer is shown');
    });
  });

  test('values are as they were signed: what cannot be seen has a name, and long ones are shown whole', async () => {
    const id = await strangeSession(world().service);
    await visit({ as, path: `/verify/sessions/${id}` }, async (page) => {
      // It is of version 1.0.0, so nothing that came later is hidden in it.
      await page.locator('.halves-count', { hasText: '3 of 3' }).waitFor();
      assert.equal(await page.locator('.result-halves').getByText('Hidden').count(), 0);
      const seen = page.locator('.result-halves .b .got');
      await seen.first().waitFor();
      assert.equal(await seen.first().innerText(), 'MiraU+202E elpmaxE');
      assert.match((await seen.nth(1).textContent()) ?? '', /^first↵\nsecond x+…Show all 7,017 characters$/);
      await page.getByRole('button', { name: 'Show all 7,017 characters' }).click();
      assert.match((await seen.nth(1).textContent()) ?? '', /x end/);
      assert.doesNotMatch(String(await page.evaluate('document.body.innerText')), /\u202e/);
      const account = seen.nth(2);
      await account.getByText('letters of several scripts: Latin, Cyrillic', { exact: true }).waitFor();
      await account.getByText('digits beside right-to-left letters', { exact: true }).waitFor();
      // As they were signed: from left to right, where the letters would carry the digits to their other side.
      const places = await Promise.all(['12', '\u05d0', '34'].map((text) => leftOf(page, 2, text)));
      assert.deepEqual(
        places,
        places.toSorted((one, other) => one - other),
      );
    });
  });

  test('is for who verifies; sessions of others are unknown', async () => {
    const id = await openDegreeSession(world().service);
    await visit({ path: `/verify/sessions/${id}` }, async (page) => {
      await page.getByText('Nobody who verifies sits here').waitFor();
      await page.locator('main').getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('dialog', { name: 'Sign in' }).waitFor();
    });
    await visit({ as, path: '/verify/sessions/pres_1_nobody' }, (page) =>
      heading(page, 'There is no such session').waitFor(),
    );
  });

  test('history has filters in its address, opens by keyboard, and becomes a file without values', async () => {
    const { service } = world();
    const id = await openDegreeSession(service);
    await answerSession(service, id, degreeAnswer());
    await visit({ as, path: '/verify/sessions?status=VERIFIED' }, async (page) => {
      const table = page.getByRole('table', { name: 'Sessions' });
      await table.getByText('Verified').first().waitFor();
      assert.equal(await table.getByText('Not verified').count(), 0);
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save as CSV' }).click(),
      ]);
      const text = readFileSync((await file.path()) ?? '', 'utf8');
      assert.match(text, new RegExp(`^presentationId,status,.*\r\n(.*\r\n)*${id},VERIFIED`));
      assert.doesNotMatch(text, /BSc|EXPIRED|Mathematics/);
      await page.getByText('Ended', { exact: true }).click();
      await page.waitForURL(/status=ABORTED/);
      await page.getByText('All', { exact: true }).click();
      await page.waitForURL((url) => url.search === '');
      await table.waitFor();
      await page.locator('h1').click();
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/verify\/sessions\/pres_/);
    });
    await visit({ as, path: '/verify/sessions?status=NONSENSE' }, (page) =>
      page.getByRole('table', { name: 'Sessions' }).waitFor(),
    );
  });

  test('a saved request is asked with one click, and goes to another browser as a file', async () => {
    let file = Buffer.alloc(0);
    await visit({ as, path: '/verify/ask' }, async (page) => {
      await chooseTemplate(page, 'University degree');
      await choose(page, 'Date of birth', 'Prove an age');
      await page.getByRole('textbox', { name: 'Name of the saved request' }).fill('Adults');
      await page.getByRole('button', { name: 'Save the request' }).click();
      await page.getByText('Saved as “Adults” in this browser.').waitFor();
      let tell = (): void => undefined;
      const told = new Promise<void>((resolve) => {
        tell = resolve;
      });
      await page.route(/\/cred\/tds\/templates\//, (route) => told.then(() => route.continue()));
      await page.goto(`${world().console.url}/verify/saved`);
      await page.locator('.saved').getByRole('status', { name: 'Loading' }).waitFor({ state: 'attached' });
      assert.equal(await page.getByText(/is not known here/).count(), 0, 'it is read still');
      tell();
      await page.getByText(/for proof of Date of birth 18 years or older/).waitFor();
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save as a file' }).click(),
      ]);
      file = readFileSync((await saved.path()) ?? '');
      await page.getByRole('button', { name: 'Ask', exact: true }).click();
      await heading(page, 'Waiting for a wallet').waitFor();
    });
    await visit({ as, path: '/verify/saved' }, async (page) => {
      await page.getByText('No saved requests').waitFor();
      const picker = page.getByLabel('Read a file').first();
      await picker.setInputFiles({
        name: 'other.json',
        mimeType: 'application/json',
        buffer: Buffer.from('{}'),
      });
      await page.getByText(/^This is no file of saved requests/).waitFor();
      await picker.setInputFiles({ name: 'saved.json', mimeType: 'application/json', buffer: file });
      await page.locator('.saved b', { hasText: 'Adults' }).waitFor();
      await page.getByRole('button', { name: 'Take away: Adults' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Take away' }).click();
      await page.getByText('No saved requests').waitFor();
    });
  });

  test('checks a presentation for everybody: by the service, in the browser, and when nobody answers', async () => {
    const { service } = world();
    const presentation = await presentDegree(service, degreeAnswer(), 'gate-42');
    const other = await presentDegree(service, { reveal: ['faculty'] });
    await visit({ path: '/verify/check' }, async (page) => {
      await heading(page, 'Check a document').waitFor();
      await check(page, presentation);
      await verdict(page)
        .getByText(/It was made for an occasion/)
        .waitFor();
      await check(page, other);
      await verdict(page).getByText('Verified. 4 checks passed, 2 had nothing to compare.').waitFor();
      await page.getByRole('textbox', { name: 'Challenge' }).fill('gate-43');
      await check(page, presentation);
      await verdict(page).getByText('Not verified. This was made for another session').waitFor();
      assert.equal(await page.getByRole('button', { name: /^Keep for checking/ }).count(), 0);
      await page.getByRole('textbox', { name: 'Challenge' }).fill('gate-42');
      await page.getByRole('textbox', { name: 'DIDs of issuers' }).fill(service.issuer.did);
      await page.getByText('This browser', { exact: true }).click();
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await verdict(page).getByText('Verified. Six of six checks passed.').waitFor();
      await verdict(page)
        .getByText(/^Checked in this browser. Keys and status are what the ledger said then/)
        .waitFor();
      await page.getByRole('button', { name: 'Keep for checking without a connection' }).click();
      await page.getByText(/^Kept: keys of the issuer/).waitFor();
      const kept = await page.evaluate('JSON.stringify({ ...localStorage })');
      assert.doesNotMatch(String(kept), /Mathematics|1999/);
      world().console.setAnswering(false);
      try {
        await page.getByText(/^Not connected since/).waitFor();
        await page.getByText('The service does not answer, so this browser checks.').waitFor();
        await page.getByRole('button', { name: 'Check', exact: true }).click();
        await verdict(page)
          .getByText(/Revocation could not be asked/)
          .waitFor();
        await verdict(page).getByText('Verified on what was kept.').waitFor();
        await page.locator('.six').getByText('As it was kept. Whether it was revoked since then').waitFor();
        const changed = structuredClone(presentation) as unknown as {
          verifiableCredential: { id: string; credentialSubject: { degree: string } }[];
        };
        const [shown] = changed.verifiableCredential;
        assert.ok(shown);
        await check(page, {
          ...changed,
          verifiableCredential: [{ ...shown, id: `did:zid:${'0'.repeat(64)}` }],
        });
        await page.getByText('Nothing is kept about this document').waitFor();
        await check(page, await downloadDegree(world().service));
        await page.getByText('What is kept serves for presentations alone').waitFor();
        assert.equal(await page.getByText('NothingKept').count(), 0, 'no names out of the code');
        assert.equal(await verdict(page).count(), 0, 'no verdict is no verdict');
        shown.credentialSubject.degree = 'MSc Mathematics';
        await check(page, changed);
        await verdict(page)
          .getByText(/^Not verified\./)
          .waitFor();
      } finally {
        world().console.setAnswering(true);
      }
      await page.getByRole('button', { name: 'Forget' }).click();
      await page.getByText(/^Nothing is kept\./).waitFor();
    });
  });

  test('checks a whole credential in the browser, also dropped as a file and when nobody answers', async () => {
    const credential = await downloadDegree(world().service);
    const course = await issueCourse(world().service);
    await visit({ path: '/verify/check' }, async (page) => {
      await hidesNothing(page, course);
      await page.reload();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(`${request.url()} ${request.postData() ?? ''}`));
      const notGenuine = verdict(page).getByText(/^Not genuine\./);
      const buffer = Buffer.from(JSON.stringify(credential));
      const file = { name: 'vc.json', mimeType: 'application/json', buffer };
      await page.getByLabel('Choose a file').first().setInputFiles(file);
      await page.getByText(/^A whole credential\./).waitFor();
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await verdict(page).getByText('Genuine. Signed by its issuer and recorded on the ledger.').waitFor();
      // Whose it is, by whom and what it says stands there: a file beside a paper proves nothing of the paper.
      await page.locator('.result-halves').getByText('BSc Mathematics').waitFor();
      await page.locator('.issuer-facts').getByText('University of Example').waitFor();
      await page.getByText('You did not say whom you trust: this may be anybody').waitFor();
      const issuers = page.getByRole('textbox', { name: 'DIDs of issuers' });
      await issuers.fill(world().service.issuer.did.toUpperCase());
      await page.getByText(/^“DID:ZID:[0-9A-F]{64}” is no DID of an issuer/).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Check', exact: true }).isDisabled(), true);
      await issuers.fill(`did:zid:${'0'.repeat(64)}`);
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await verdict(page).getByText('Genuine, but from nobody you named.').waitFor();
      await page.getByRole('textbox', { name: 'DIDs of issuers' }).fill(world().service.issuer.did);
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await page.getByText('One you trust').waitFor();
      await page.getByRole('button', { name: 'Keep for checking without a connection' }).click();
      await page.getByText(/^Kept: keys of the issuer/).waitFor();
      world().console.setAnswering(false);
      try {
        await page.getByText(/^Not connected since/).waitFor();
        await page.getByRole('button', { name: 'Check', exact: true }).click();
        await verdict(page).getByText('Revocation could not be asked').waitFor();
        await verdict(page).getByText('Genuine on what was kept.').waitFor();
        await page.clock.setSystemTime(Date.now() + 25 * 3_600_000);
        await page.getByRole('button', { name: 'Check', exact: true }).click();
        await page.getByText('What is kept is too old').waitFor();
        await page.clock.setSystemTime(Date.now() - 3_600_000);
        await page.getByRole('button', { name: 'Check', exact: true }).click();
        await page.getByText('What is kept is of a time that this device has not reached').waitFor();
        await page.clock.setSystemTime(Date.now());
        const forged = structuredClone(credential) as { credentialSubject: Record<string, string> };
        forged.credentialSubject.degree = 'MSc Mathematics';
        await check(page, forged);
        await notGenuine.waitFor();
      } finally {
        world().console.setAnswering(true);
      }
      await page.getByText(/^Not connected since/).waitFor({ state: 'detached' });
      const askedAnew = page.waitForResponse(/\/ledger\/getAccountMetaData/);
      await check(page, { ...credential, validUntil: '2098-12-31T00:00:00Z' });
      await notGenuine.waitFor();
      // Numbers are public: a forged copy says nothing about what is kept of the genuine one.
      await askedAnew;
      await page.waitForTimeout(500);
      assert.equal(await page.getByRole('button', { name: 'Forget' }).count(), 1);
      assert.equal(await page.getByRole('button', { name: /^Keep for checking/ }).count(), 0);
      const doubled = JSON.stringify(credential).replace('{', '{"issuer":"did:zid:ee",');
      const deep = `${'['.repeat(200)}${']'.repeat(200)}`;
      for (const text of ['{', '[1]', '{"type":"Other"}', doubled, deep]) await cannotBeChecked(page, text);
      assert.deepEqual(
        asked.filter((text) => /Mathematics|EX-20417/.test(text)),
        [],
        'nobody is sent the credential',
      );
    });
  });

  // Last, because it revokes what the others show.
  test('cannot be broken: a changed letter, a replay, a revoked card', async () => {
    const { service } = world();
    const id = await openDegreeSession(service);
    await answerSession(service, id, degreeAnswer());
    await visit({ as, path: `/verify/sessions/${id}` }, async (page) => {
      await heading(page, 'Verified. Six of six checks passed.').waitFor();
      const said = page.locator('.brk-said');
      await page.getByRole('button', { name: /^Change one letter/ }).click();
      await said.getByText('A value was changed after it was signed.').waitFor();
      await page.getByRole('button', { name: /^Replay it/ }).click();
      await said.getByText('This was made for another session, so it may be a replay.').waitFor();
      await page.getByRole('button', { name: /^Revoke the card/ }).click();
      const dialog = page.getByRole('dialog', { name: 'Revoke Mira Example’s University degree?' });
      await dialog.getByRole('button', { name: 'Revoke it' }).click();
      await said.getByText('The credential was revoked.').waitFor();
      await page.getByText('Revoked on the ledger, transaction').waitFor();
      await verdict(page).getByText('After this check the credential was revoked.').waitFor();
      await page.getByRole('button', { name: /^Change one letter/ }).click();
      await said.getByText('A value was changed after it was signed.').waitFor();
      assert.equal(await said.count(), 3, 'each attempt keeps what came of it');
      const revokedPath = await page
        .getByRole('link', { name: 'See the session' })
        .last()
        .getAttribute('href');
      await page.getByRole('link', { name: 'See the session' }).first().click();
      await heading(page, 'Not verified. A value was changed after it was signed.').waitFor();
      await page.goBack();
      await heading(page, 'Verified. Six of six checks passed.').waitFor();
      await verdict(page).getByText('After this check the credential was revoked.').waitFor();
      await page.goto(`${world().console.url}${revokedPath}`);
      await heading(page, 'Not verified. The credential was revoked.').waitFor();
      await page
        .getByText(/Its issuer revoked it on .* The ledger has had this status since block/)
        .waitFor();
      await page.getByText('Only its issuer can give the holder a new one.').waitFor();
      assert.doesNotMatch(await page.locator('main').innerText(), /\d\d:\d\d:\d\dZ|in ledger/);
      // This tab is still the verifier's.
      await page
        .getByRole('complementary')
        .getByRole('button', { name: /^Example Bank/ })
        .waitFor();
    });
  });
});
