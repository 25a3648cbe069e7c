/** The explorer: overview, lists, a block, transactions that were executed, failed or are unknown, accounts, proofs. */
import type { Page } from 'playwright-core';
import type { ConsoleWorld } from '../console-world.ts';
import { failingPayment, someCall } from '../explorer-story.ts';
import type { Screens } from './screen.ts';

const prove = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Prove it' }).first().click();
  await page.locator('.prove-verdict').waitFor();
};

const registryOf = async ({ service }: ConsoleWorld): Promise<string> =>
  (await service.stranger.getConsoleConfig()).network.credentialRegistry;

export const explorerScreens: Screens = {
  explorer: { path: '/ledger', seen: '.plot-box canvas' },
  'explorer-search': {
    path: '/ledger',
    seen: '.plot-box canvas',
    arrive: async (page) => {
      await page.getByRole('searchbox').fill('University');
      await page.locator('.found li').first().waitFor();
    },
  },
  blocks: { path: '/ledger/blocks', seen: '.tr-line' },
  block: { path: '/ledger/blocks/2', seen: '.tr-line' },
  'block-to-come': { path: '/ledger/blocks/999999999', seen: '.empty' },
  transactions: { path: '/ledger/tx', seen: '.tr-line' },
  transaction: {
    path: '/ledger/tx',
    prepare: async (world) => `/ledger/tx/${await someCall(world)}`,
    seen: '.changes li',
    arrive: prove,
  },
  'transaction-failed': {
    path: '/ledger/tx',
    prepare: async (world) => `/ledger/tx/${await failingPayment(world)}`,
    seen: '.changes li',
  },
  'transaction-unknown': { path: `/ledger/tx/${'ab'.repeat(32)}`, seen: '.empty' },
  accounts: { path: '/ledger/accounts', seen: '.tr-line' },
  account: {
    path: '/ledger/accounts',
    prepare: async ({ service }) => `/ledger/accounts/${service.issuer.address}`,
    seen: '.tr-line',
    arrive: prove,
  },
  contract: {
    path: '/ledger/accounts',
    prepare: async (world) => `/ledger/accounts/${await registryOf(world)}?tab=contract`,
    seen: '.code-lines',
  },
  pending: { path: '/ledger/pending', seen: '.empty' },
  validators: { path: '/ledger/validators', seen: '.validators li' },
};
