/** The lab: a draft and what becomes of it, a decoded blob, a called contract. */
import type { Page } from 'playwright-core';
import { draftPath, labFacts, nobodyYet, payment, website } from '../lab-drafts.ts';
import type { Screens } from './screen.ts';

const sign = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Sign as/ }).click();
  await page.getByText('It is fixed as it stands').waitFor();
};

/** Narrow screens only read. */
const isWide = (page: Page): boolean => (page.viewportSize()?.width ?? 0) > 480;

export const labScreens: Screens = {
  lab: {
    path: '/lab/build',
    as: 'issuer',
    async prepare(world) {
      const { issuer, holder } = await labFacts(world);
      return draftPath(issuer.address, payment(holder.address, '2500000'), website);
    },
    seen: '.lab-hex',
  },
  'lab-empty': { path: '/lab/build', seen: '.lab-op' },
  'lab-refused': {
    path: '/lab/build',
    as: 'issuer',
    async prepare(world) {
      const { issuer } = await labFacts(world);
      return draftPath(issuer.address, payment(nobodyYet, '9000000000000000000'));
    },
    seen: '.lab-refusal',
  },
  'lab-json': {
    path: '/lab/build',
    as: 'issuer',
    async prepare(world) {
      const { issuer, holder } = await labFacts(world);
      return draftPath(issuer.address, payment(holder.address, '2500000'));
    },
    seen: '.lab-hex',
    arrive: (page) => page.getByText('JSON', { exact: true }).click(),
  },
  'lab-elsewhere': {
    path: '/lab/build',
    as: 'issuer',
    async prepare(world) {
      const { issuer, holder } = await labFacts(world);
      return draftPath(issuer.address, payment(holder.address, '2500000'));
    },
    seen: '.lab-hex',
    async arrive(page) {
      if (!isWide(page)) return;
      await page.getByRole('button', { name: 'Elsewhere' }).click();
      await page.getByRole('button', { name: 'Save the file' }).waitFor();
    },
  },
  'lab-done': {
    path: '/lab/build',
    as: 'issuer',
    async prepare(world) {
      const { issuer, holder } = await labFacts(world);
      return draftPath(issuer.address, payment(holder.address, '1000000'));
    },
    seen: '.lab-hex',
    async arrive(page) {
      if (!isWide(page)) return;
      await sign(page);
      await page.getByRole('button', { name: 'Hand it in' }).click();
      await page.locator('.lab-done').waitFor();
    },
  },
  decode: {
    path: '/lab/decode',
    seen: 'textarea',
    async arrive(page) {
      const draft = { source_address: nobodyYet, nonce: 7, fee_limit: 1_000, operations: [website] };
      await page.getByRole('textbox').fill(JSON.stringify(draft));
      await page.locator('.lab-json').waitFor();
    },
  },
  'decode-unknown': {
    path: '/lab/decode',
    seen: 'textarea',
    async arrive(page) {
      await page.getByRole('textbox').fill('what is this');
      await page.locator('.empty').waitFor();
    },
  },
  call: {
    path: '/lab/call',
    async prepare(world) {
      const { credentialRegistry } = await labFacts(world);
      const input = JSON.stringify({ method: 'getStatus', params: { issuer: nobodyYet, vcId: 'x' } });
      return `/lab/call?contract=${credentialRegistry}&input=${encodeURIComponent(JSON.stringify(input))}`;
    },
    seen: '.lab-stack',
    async arrive(page) {
      await page.getByRole('button', { name: 'Run' }).click();
      await page.locator('.lab-json').first().waitFor();
    },
  },
  'call-failed': {
    path: '/lab/call',
    async prepare(world) {
      const { credentialRegistry } = await labFacts(world);
      return `/lab/call?contract=${credentialRegistry}&input=nothing`;
    },
    seen: '.lab-stack',
    async arrive(page) {
      await page.getByRole('button', { name: 'Run' }).click();
      await page.locator('.lab-refusal').first().waitFor();
    },
  },
};
