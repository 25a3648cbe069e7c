/** Templates, offers, tables and keys of an issuer. */
import type { Page } from 'playwright-core';
import type { ConsoleWorld } from '../console-world.ts';
import type { Screens } from './screen.ts';

/** The demo's template of this name. */
export function templateOf({ service }: ConsoleWorld, name = 'University degree'): string {
  const found = service.demo.templates.find((template) => template.name === name);
  if (!found) throw new Error(`the demo has no template ${name}`);
  return found.templateId;
}

const stranger = `did:zid:${'0'.repeat(64)}`;

/** A table with one good row and two wrong ones, pasted. */
export async function pasteTable(page: Page, table: string): Promise<void> {
  await page.getByRole('button', { name: 'Paste', exact: true }).click();
  await page.getByLabel(/^The table as text/).fill(table);
  await page.getByRole('button', { name: 'Take it' }).click();
  await page.getByText('A look over it').waitFor();
}

/** Typed and sent; nothing is said of what comes of it. */
export async function sendOffer(page: Page, reference: string): Promise<void> {
  const values = {
    'Student number': 'EX-1',
    Credits: '180',
    Name: 'Nora Example',
  };
  for (const [label, value] of Object.entries(values))
    await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByLabel(/^Whom it is for/).fill(reference);
  await page.getByLabel(/^Ask for a further code/).check();
  await page.getByLabel(/^Give it away although/).check();
  await page.getByRole('button', { name: 'Make an offer' }).click();
}

export const offerIsShown = (page: Page): Promise<void> =>
  page.getByRole('img', { name: /^QR code of the offer/ }).waitFor();

export async function fillOffer(page: Page, reference: string): Promise<void> {
  await sendOffer(page, reference);
  await offerIsShown(page);
}

let offers = 0;

export const issueTemplateScreens: Screens = {
  templates: { path: '/issue/templates', as: 'issuer', seen: '.table-rows .tr' },
  'templates-none': { path: '/issue/templates?q=zzz', as: 'issuer', seen: '.empty' },
  template: {
    path: '/issue/templates',
    as: 'issuer',
    prepare: async (world) => `/issue/templates/${templateOf(world, 'Transcript of records')}`,
    seen: '.versions li',
    arrive: (page) => page.locator('.facts .tag').first().waitFor(),
  },
  'template-auto-issue': {
    path: '/issue/templates',
    as: 'issuer',
    prepare: async (world) => `/issue/templates/${templateOf(world)}`,
    seen: '.versions li',
    arrive: async (page) => {
      await page.getByRole('button', { name: 'Turn on' }).click();
      await page.getByLabel('Until which day').fill('2020-01-01');
    },
  },
  'template-new-version': {
    path: '/issue/templates',
    as: 'issuer',
    prepare: async (world) => `/issue/templates/${templateOf(world)}/new`,
    seen: 'li.at',
    arrive: async (page) => {
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByLabel('Name for people of attribute 8').fill('Credits');
      await page.getByLabel('Kind of Credits').selectOption('integer');
      await page.getByRole('switch', { name: 'Credits is required' }).click();
    },
  },
  'template-json': {
    path: '/issue/templates/new',
    as: 'issuer',
    seen: 'li.at',
    arrive: async (page) => {
      await page.getByText('JSON', { exact: true }).click();
      await page.locator('.json-text').fill('{\n  "templateName": "Library card",\n  "version": "x"\n}');
    },
  },
  offers: {
    path: '/issue/offers',
    as: 'issuer',
    prepare: async (world) => {
      const { client } = world.service.issuer;
      const templateId = templateOf(world, 'Transcript of records');
      const metadata = { name: 'Nora Example', studentNumber: 'EX-1', credits: 180 };
      const offer = (reference: string) =>
        client.makeOffer({ templateId, metadata, reference, waivePrice: true });
      await offer('omar@example.org');
      const { offerId } = await offer('paula@example.org');
      await client.withdrawOffer({ offerId });
      return undefined;
    },
    seen: '.table-rows .tr',
  },
  'offer-new': { path: '/issue/offers/new', as: 'issuer', seen: '.offer-values' },
  'offer-made': {
    path: '/issue/offers/new',
    as: 'issuer',
    prepare: async (world) =>
      `/issue/offers/new?template=${encodeURIComponent(templateOf(world, 'Transcript of records'))}`,
    seen: '.offer-values',
    arrive: (page) => {
      offers += 1;
      return fillOffer(page, `nora${offers}@example.org`);
    },
  },
  bulk: { path: '/issue/bulk', as: 'issuer', seen: '.drop' },
  'bulk-dry-run': {
    path: '/issue/bulk',
    as: 'issuer',
    prepare: async (world) => `/issue/bulk?template=${encodeURIComponent(templateOf(world))}`,
    seen: '.drop',
    arrive: (page) =>
      pasteTable(
        page,
        `did,Name,Date of birth,Remarks\n${stranger},Nora Example,1999-04-12,\nnobody,Nora Example,12/4/1999,\n${stranger},,1999-04-12,\n`,
      ),
  },
  'issuer-keys': { path: '/issue/keys', as: 'issuer', seen: '.key-rows li' },
  'issuer-keys-withdraw': {
    path: '/issue/keys',
    as: 'issuer',
    seen: '.key-rows li',
    arrive: async (page) => {
      await page.getByRole('button', { name: 'Withdraw', exact: true }).first().click();
      await page.getByText('Others may have its secret').click();
    },
  },
};
