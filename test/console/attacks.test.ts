/**
 * Texts of strangers that want to be code, on every page that shows them: they are seen as the texts they are, and
 * nothing of them runs. What other pages and sites can do to the console is in `test/browser`.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { consoleSuite, type Visit } from '../support/console-suite.ts';
import { until } from '../support/until.ts';
import { type HostileWorld, makeHostileWorld } from './hostile-world.ts';

const { options, revisit, world } = await consoleSuite();
let made: HostileWorld;

interface HostilePage {
  readonly as?: Visit['as'];
  readonly path: () => string;
  /** Which of the texts stand there, by what they say of themselves. */
  readonly shows: readonly string[];
  /** What is pressed before they do. */
  readonly press?: readonly string[];
}

const pages: Readonly<Record<string, HostilePage>> = {
  home: { path: () => '/', shows: ['template name'] },
  inbox: { as: 'issuer', path: () => '/issue/applications', shows: ['template name'] },
  review: {
    as: 'issuer',
    path: () => `/issue/applications/${made.pending}`,
    shows: ['template name', 'attribute label', 'attribute value'],
  },
  'issued list': { as: 'issuer', path: () => '/issue/issued', shows: ['template name'] },
  'issued credential': {
    as: 'issuer',
    path: () => `/issue/issued/${made.issued}`,
    shows: ['template name'],
  },
  templates: { as: 'issuer', path: () => '/issue/templates', shows: ['template name'] },
  template: {
    as: 'issuer',
    path: () => `/issue/templates/${made.templateId}`,
    shows: ['template name', 'attribute label'],
  },
  'form of a wallet': {
    as: 'holder',
    path: () => `/wallet/apply/${made.templateId}`,
    shows: ['template name', 'attribute label'],
  },
  cards: { as: 'holder', path: () => '/wallet/cards', shows: ['template name'] },
  card: {
    as: 'holder',
    path: () => `/wallet/cards/${made.issued}`,
    shows: ['template name', 'attribute label', 'attribute value'],
  },
  'certificate on paper': {
    as: 'issuer',
    path: () => `/issue/certificate/${made.issued}`,
    shows: ['template name'],
  },
  consent: {
    as: 'holder',
    path: () => `/wallet/requests/${made.sessionId}`,
    shows: ['purpose', 'template name', 'attribute label', 'attribute value'],
  },
  sessions: { as: 'verifier', path: () => '/verify/sessions', shows: ['purpose'] },
  session: { as: 'verifier', path: () => `/verify/sessions/${made.sessionId}`, shows: ['purpose'] },
  account: {
    path: () => `/ledger/accounts/${made.account}?tab=keeps`,
    shows: ['metadata key', 'metadata value'],
  },
  contract: { path: () => `/ledger/accounts/${made.contract}?tab=contract`, shows: ['contract code'] },
  'transaction with metadata': {
    path: () => `/ledger/tx/${made.transactions[0]}`,
    shows: ['metadata key', 'metadata value'],
  },
  'transaction with code': { path: () => `/ledger/tx/${made.transactions[1]}`, shows: ['contract code'] },
  'transaction with a log': { path: () => `/ledger/tx/${made.transactions[2]}`, shows: ['log topic'] },
  'keys of the API': { as: 'issuer', path: () => '/dev/keys', shows: ['label of a key'] },
  webhooks: { as: 'verifier', path: () => '/dev/webhooks', shows: [] },
  requests: { as: 'issuer', path: () => '/dev/requests', shows: [] },
};

/** All that the page waits for has come; streams never end, and nobody waits for them. */
const noQuestionOpen = (page: Page) =>
  until('every answer', async () => (await page.locator('.bones, [aria-busy="true"]').count()) === 0);

/** Elements that only a text which became markup could have made, and addresses that no page may lead to. */
const foundInPage = `(() => {
  const made = document.querySelectorAll('img[src="x"], [onerror], script:not([src])').length;
  const odd = [...document.querySelectorAll('[href], [src], [action], [formaction]')]
    .flatMap((one) => ['href', 'src', 'action', 'formaction'].map((name) => one.getAttribute(name)))
    .filter((text) => text !== null && /^\\s*(javascript|vbscript|data:text)/i.test(text));
  // What can be corrected stands in its field as it is, with a note of what cannot be seen in it.
  const isNoted = (one) => one.localName === 'textarea' && one.closest('.vr')?.querySelector('.hidden-note');
  const turned = [...document.querySelectorAll('main *')]
    .filter((one) => !isNoted(one))
    .flatMap((one) => [...one.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE))
    .filter(({ data }) => /[\\u200b\\u202e\\u2066]/.test(data))
    .map(({ data }) => data);
  return { made, odd, turned, title: document.title };
})()`;

async function assertOnlyText(page: Page): Promise<void> {
  const { title, ...found } = (await page.evaluate(foundInPage)) as {
    made: number;
    odd: readonly string[];
    turned: readonly string[];
    title: string;
  };
  assert.deepEqual(
    { ...found, isTaken: title === 'taken' },
    { made: 0, odd: [], turned: [], isTaken: false },
  );
  assert.doesNotMatch(title, /gnihtemos|attribute value/, 'no value stands in the history of the browser');
}

describe('texts of strangers', options, () => {
  before(async () => {
    made = await makeHostileWorld(world());
  });

  for (const [name, { as, path, shows, press = [] }] of Object.entries(pages))
    test(`are texts: ${name}`, async () => {
      await revisit({ path: path(), ...(as && { as }) }, async (page) => {
        await page.locator('main h1').waitFor();
        for (const button of press) await page.getByRole('button', { name: button }).first().click();
        for (const text of shows)
          await page.getByText(`{{${text}}}`, { exact: false }).first().waitFor({ state: 'attached' });
        await noQuestionOpen(page);
        await assertOnlyText(page);
      });
    });
});
