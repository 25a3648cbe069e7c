/** What tests of `/verify/check` do again and again: a document is put in, checked, and looked at. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { RunningService } from './running-service.ts';
import { attribute } from './service-steps.ts';
import { worldOf } from './service-world.ts';

export const verdict = (page: Page) => page.locator('.verdict-head');

const document = (page: Page) => page.getByRole('textbox', { name: 'Document' });
const checkButton = (page: Page) => page.getByRole('button', { name: 'Check', exact: true });

/** Puts a document in and has it checked. */
export async function check(page: Page, given: object): Promise<void> {
  await document(page).fill(JSON.stringify(given));
  await checkButton(page).click();
}

/** Such a text is refused before anything is asked. */
export async function cannotBeChecked(page: Page, text: string): Promise<void> {
  await document(page).fill(text);
  await page.locator('.drop .fld-error').waitFor();
  assert.equal(await checkButton(page).isDisabled(), true);
}

/** A credential with one of its two values left empty. */
export async function issueCourse(service: RunningService): Promise<object> {
  const { steps, issuer, holder } = worldOf(service);
  const { templateId } = await steps.registerTemplate(issuer, {
    templateName: 'Course',
    attributes: [attribute('course', 'string', 1), attribute('credits', 'integer', 3, false)],
  });
  return (await steps.issue({ issuer, holder }, templateId as string, { course: 'Logic' })).vc;
}

/** A whole credential has what it has; what it lacks is empty. */
export async function hidesNothing(page: Page, course: object): Promise<void> {
  await check(page, course);
  const parts = page.locator('.result-halves');
  await parts.getByText('Left empty', { exact: true }).waitFor();
  assert.equal(await parts.locator('.halves-count').innerText(), '1 of 1');
  assert.equal(await parts.getByText('Hidden').count(), 0, 'a whole credential hides nothing');
}
