/** What people do in the wallet's pages, for tests of them. */
import type { Page } from 'playwright-core';

/** Makes a wallet of Mira's own, with the key of a file and behind a password. */
export async function bringKey(page: Page, keyFile: string): Promise<void> {
  await page.getByText('Key file', { exact: true }).first().click();
  await page.getByPlaceholder('or paste its text').fill(keyFile);
  await page.getByLabel('Password of the file').fill('password of the file');
  await page.getByLabel('What you are called here').fill('Mira herself');
  await page.getByLabel('Password', { exact: true }).fill('a password of mine');
  await page.getByLabel('The same password again').fill('a password of mine');
  await page.getByRole('button', { name: 'Import key' }).click();
}

/** As whoever lost its password does. */
export async function forgetLocked(page: Page): Promise<void> {
  const [forget, dialog] = [{ name: 'Forget this wallet' }, page.getByRole('dialog')];
  await page.getByRole('button', forget).click();
  await dialog.getByRole('button', forget).click();
  await dialog.getByText('This is not the word “forget”. Nothing was done.').waitFor();
  await dialog.getByLabel('Type “forget” to do it').fill('Forget');
  await dialog.getByRole('button', forget).click();
}

/** Fills what Oren or Mira want to have in a transcript, which costs something. */
export async function orderTranscript(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: /Transcript of records/ }).click();
  await page.getByText('It costs 2.5 EXC.').waitFor();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Student number', { exact: true }).fill('EX-20417');
  await page.getByLabel('Credits', { exact: true }).fill('180');
  await page.getByRole('button', { name: 'Sign and apply' }).click();
  await page.getByText(/Nothing was paid yet/).waitFor();
  await page.getByText(/a transaction that pays 2.5 EXC to ZTX/).waitFor();
}
