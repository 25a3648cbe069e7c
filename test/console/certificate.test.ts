/**
 * Certificates before a real service and ledger: the file is read back, its attachment is the credential to the byte, its
 * code decodes to the page that says what the ledger says, for everybody. Nothing of it breaks the policy of the page.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { downloadUnverified } from '@symbolon/sdk/flows/holder-flows';
import { reinstateCredential, revokeCredential, suspendCredential } from '@symbolon/sdk/flows/issuer-flows';
import { stringifyJson } from '@symbolon/wire/json/json';
import type { Page } from 'playwright-core';
import { consoleSuite, heading } from '../support/console-suite.ts';
import { issueDegree } from '../support/issuer-steps.ts';
import { attachedFiles, drawnCode, pdfStreams } from '../support/pdf-streams.ts';

const { options, visit, world } = await consoleSuite();

const pathOf = (vcId: string): string => `/issue/certificate/${encodeURIComponent(vcId)}`;

async function savedPdf(page: Page): Promise<Buffer> {
  const saving = page.waitForEvent('download', { timeout: 60_000 });
  await page.getByRole('button', { name: 'Save the PDF' }).click();
  const file = readFileSync(await (await saving).path());
  await page.getByText(/^Saved as [0-9a-f]{12}\.pdf, \d+ kB\./).waitFor();
  return file;
}

/** The page that checks documents takes the file that is attached, and says that the print is not looked at. */
async function readsTheAttachment(page: Page, written: Buffer): Promise<void> {
  const choose = (name: string, buffer: Buffer) =>
    page.getByLabel('Choose a file').first().setInputFiles({ name, mimeType: 'application/pdf', buffer });
  const field = page.getByRole('textbox', { name: 'Document' });
  await heading(page, 'Check a document').waitFor();
  await choose('other.pdf', Buffer.from('%PDF-1.3\n%%EOF\n'));
  await page.getByText(/^This is a PDF, and no document that is attached/).waitFor();
  assert.equal(await field.inputValue(), '', 'nothing of it stands there');
  await choose('certificate.pdf', written);
  await page.getByText(/^A whole credential\./).waitFor();
  assert.match(await field.inputValue(), /Математика/);
  const note = page.getByText(/^This is the credential attached to the PDF\. What is printed/);
  await note.waitFor();
  // What is typed is no attachment.
  await field.press('End');
  await field.press('Space');
  await note.waitFor({ state: 'detached' });
}

describe('a certificate', options, () => {
  test('has the credential attached to the byte, and a code that leads to the ledger’s word', async () => {
    // Latin with marks, Greek, Cyrillic, and two scripts that no font of ours has.
    const vcId = await issueDegree(world(), 'Łukasz Ωmega', { degree: 'Математика', faculty: '数学 שלום' });
    let written: Buffer = Buffer.alloc(0);
    await visit({ as: 'issuer', path: pathOf(vcId) }, async (page) => {
      await heading(page, 'University degree of Łukasz Ωmega, on paper').waitFor();
      assert.doesNotMatch(await page.title(), /ukasz/, 'no value is in the title of a window');
      const file = await savedPdf(page);
      assert.equal(file.subarray(0, 5).toString(), '%PDF-');
      const { client, signer } = world().service.issuer;
      const credential = await downloadUnverified(client, { signer, vcId, isIssuer: true });
      const [attached, ...others] = attachedFiles(file);
      assert.equal(attached?.toString(), stringifyJson(credential));
      assert.equal(others.length, 0);
      written = file;
      const address = drawnCode(file, 3);
      assert.equal(address, `${world().service.url}${pathOf(vcId)}`);
      assert.doesNotMatch(address, /ukasz|mega/i, 'the code holds nothing personal');
      const fonts = new Set(file.toString('latin1').match(/\/BaseFont \/\S+/g));
      assert.ok(fonts.size >= 4, `${[...fonts]}`);
      assert.ok(
        pdfStreams(file).some(({ about }) => about.includes('/Subtype /Image')),
        'what no font has is a picture',
      );
      await page.getByRole('checkbox', { name: 'Attach the credential as a file' }).uncheck();
      assert.deepEqual(attachedFiles(await savedPdf(page)), []);
    });
    await visit({ path: '/verify/check' }, (page) => readsTheAttachment(page, written));
    await visit({ path: pathOf(vcId) }, async (page) => {
      await heading(page, 'What the ledger says of a credential').waitFor();
      await page.getByText('Active', { exact: true }).waitFor();
      await page.getByText('University of Example').first().waitFor();
      assert.equal(await page.getByText('Łukasz').count(), 0, 'nobody is told whose it is');
    });
    const { client, signer } = world().service.issuer;
    await visit({ as: 'issuer', path: pathOf(vcId) }, async (page) => {
      const save = page.getByRole('button', { name: 'Save the PDF' });
      await save.isEnabled();
      await suspendCredential(client, { signer, vcId });
      await save.click();
      await page.getByText('A suspended credential gets no certificate until it is reinstated.').waitFor();
      assert.ok(await save.isDisabled());
    });
    await reinstateCredential(client, { signer, vcId });
    await visit({ path: '/verify/check' }, async (page) => {
      await page
        .getByLabel('Choose a file')
        .first()
        .setInputFiles({ name: 'certificate.pdf', mimeType: 'application/pdf', buffer: written });
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await page.getByText('Genuine. Signed by its issuer and recorded on the ledger.').waitFor();
      await revokeCredential(client, { signer, vcId });
      // A verdict that stays open does not outlive what it says.
      await page.getByText('After this check the credential was revoked.').waitFor();
    });
    await visit({ path: pathOf(vcId) }, (page) => page.getByText('Revoked', { exact: true }).waitFor());
    await visit({ as: 'issuer', path: pathOf(vcId) }, async (page) => {
      await page.getByText('A revoked credential gets no certificate.').waitFor();
      assert.ok(await page.getByRole('button', { name: 'Save the PDF' }).isDisabled());
    });
  });

  test('of a time to come is not valid yet, for everybody and for its issuer', async () => {
    const vcId = await issueDegree(world(), 'Juno Example', {}, '2099-12-31', '2098-01-01T00:00:00Z');
    const isEarly = (page: Page) => page.locator('.st.warn').getByText('Not valid yet').first().waitFor();
    await visit({ path: pathOf(vcId) }, isEarly);
    await visit({ as: 'issuer', path: pathOf(vcId) }, async (page) => {
      await isEarly(page);
      await page.goto(`${world().console.url}/issue/issued/${encodeURIComponent(vcId)}`);
      await isEarly(page);
      await page.getByRole('button', { name: /^Suspend/ }).waitFor();
      await page.goto(`${world().console.url}/issue/issued`);
      await isEarly(page);
    });
  });

  test('of a number that nobody recorded there is none, and it says what that means', async () => {
    await visit({ as: 'issuer', path: pathOf(`did:zid:${'0'.repeat(64)}`) }, async (page) => {
      await heading(page, 'The ledger has no credential of this number').waitFor();
      await page.getByText('A paper that leads here proves nothing.').first().waitFor();
    });
  });
});
