/** The wallet: Mira's cards, one of them, applying, a bank's request, activity, backup, and a browser without a wallet. */
import type { JsonObject } from '@symbolon/wire/json/json';
import type { Page } from 'playwright-core';
import type { ConsoleWorld } from '../console-world.ts';
import { templateOf } from './issue-templates.ts';
import type { Screens } from './screen.ts';

/** What the bank of the demo asks Mira for: one value, two ranges. */
export async function askMira({ service }: ConsoleWorld): Promise<string> {
  const { presentationId } = await service.verifier.client.requestVerification({
    requirements: {
      credentials: [
        {
          id: 'degree',
          format: 'ldp_vc',
          meta: { type_values: [['University degree']] },
          claims: [
            { path: ['credentialSubject', 'degree'] },
            { path: ['credentialSubject', 'birthDate'], constraints: { maximum: yearsAgo(18) } },
            { path: ['credentialSubject', 'grade'], constraints: { maximum: '2.0' } },
          ],
        },
      ],
    },
    purpose: 'Opening a student account',
    expirationMinutes: 5,
  });
  return presentationId;
}

const claim = (key: string, constraints: JsonObject = {}) => ({
  path: ['credentialSubject', key],
  constraints,
});
const card = (id: string, type: string, claims: ReturnType<typeof claim>[]) => ({
  ...{ id, format: 'ldp_vc', meta: { type_values: [[type]] }, claims },
});

/** A day of birth; and besides, not needed: a value of the card, the same day of another card, and a card that nobody has. */
export async function askForMore({ service }: ConsoleWorld): Promise<string> {
  const { presentationId } = await service.verifier.client.requestVerification({
    requirements: {
      credentials: [
        card('degree', 'University degree', [
          claim('birthDate', { maximum: '1999-04-14' }),
          claim('faculty', { required: false }),
        ]),
        card('home', 'Proof of residence', [claim('birthDate', { minimum: '1999-04-10' })]),
        card('passport', 'Passport', []),
      ],
      credential_sets: [
        { options: [['degree']] },
        ...['home', 'passport'].map((id) => ({ options: [[id]], required: false })),
      ],
    },
  });
  return presentationId;
}

/** Degree and residence, or residence alone; and besides a card that nobody has, by its template or by its attribute. */
export async function askForEither(world: ConsoleWorld): Promise<string> {
  const number = claim('number');
  const id = templateOf(world, 'Transcript of records');
  const { presentationId } = await world.service.verifier.client.requestVerification({
    requirements: {
      credentials: [
        card('degree', 'University degree', [claim('birthDate', { maximum: '1999-04-14' })]),
        card('home', 'Proof of residence', [claim('birthDate', { maximum: '1999-04-14' })]),
        { id, format: 'ldp_vc', claims: [number] },
        { id: 'number', format: 'ldp_vc', claims: [number] },
      ],
      credential_sets: [
        { options: [['degree', 'home'], ['home']] },
        { options: [[id], ['number']], required: false },
      ],
    },
  });
  return presentationId;
}

/** A bound of one fact of a degree. */
export async function askForRange(
  { service }: ConsoleWorld,
  key: string,
  constraints: JsonObject,
): Promise<string> {
  const { presentationId } = await service.verifier.client.requestVerification({
    requirements: { credentials: [card('degree', 'University degree', [claim(key, constraints)])] },
  });
  return presentationId;
}

/** The last day of birth of whoever is so old today. */
export function yearsAgo(years: number): string {
  const day = new Date();
  day.setUTCFullYear(day.getUTCFullYear() - years);
  return day.toISOString().slice(0, 10);
}

/** The demo's cards come by themselves, verified one after the other. */
const withCards = (page: Page): Promise<void> => page.locator('.card-wall li').nth(1).waitFor();

export const walletScreens: Screens = {
  'wallet-cards': { path: '/wallet/cards', as: 'holder', seen: '.card-wall .vc', arrive: withCards },
  'wallet-card': {
    path: '/wallet/cards',
    as: 'holder',
    seen: '.card-wall .vc',
    arrive: async (page) => {
      await withCards(page);
      await page.getByRole('img', { name: /University degree/ }).click();
      await page.getByRole('heading', { name: 'On the ledger' }).waitFor();
    },
  },
  'wallet-revoked': { path: '/wallet/cards', as: 'holder2', seen: '.vc.broken' },
  'wallet-apply': { path: '/wallet/apply', as: 'holder', seen: '.wallet-row .vc' },
  'wallet-request': {
    path: '/wallet/requests',
    as: 'holder',
    prepare: async (world) => `/wallet/requests/${await askMira(world)}`,
    seen: '.halves',
  },
  'wallet-door': { path: '/wallet/requests', as: 'holder', seen: '.wallet-paste' },
  'wallet-activity': { path: '/wallet/activity', as: 'holder', seen: '.empty' },
  'wallet-backup': { path: '/wallet/backup', as: 'holder', seen: '.wallet-note' },
  'wallet-new': { path: '/wallet/cards', seen: '.wallet-narrow form' },
};
