/** The issuer's inbox, one application under review, several ticked, how it says no; what is issued; a credential on paper. */
import type { ConsoleWorld } from '../console-world.ts';
import { applyForDegree, issueDegree } from '../issuer-steps.ts';
import type { Screens } from './screen.ts';

/** Made once, whichever screen comes first. */
let made: Promise<{ readonly review: string; readonly issued: string }> | undefined;

async function makeAll(world: ConsoleWorld) {
  const issued = await issueDegree(world, 'Noor Example');
  for (const name of ['Aroha Example', 'Tomas Example']) await applyForDegree(world, name);
  return { review: await applyForDegree(world, 'Lena Example'), issued };
}

const ids = (world: ConsoleWorld) => {
  made ??= makeAll(world);
  return made;
};

const issuedOne = async (world: ConsoleWorld): Promise<string> =>
  `/issue/issued/${encodeURIComponent((await ids(world)).issued)}`;
const paper = async (world: ConsoleWorld): Promise<string> =>
  `/issue/certificate/${encodeURIComponent((await ids(world)).issued)}`;
const review = async (world: ConsoleWorld): Promise<string> =>
  `/issue/applications/${encodeURIComponent((await ids(world)).review)}`;
const as = 'issuer';

export const inboxScreens: Screens = {
  inbox: {
    path: '/issue/applications',
    as,
    prepare: async (world) => {
      await ids(world);
      return undefined;
    },
    seen: '.app-i',
  },
  review: { path: '/issue/applications', as, prepare: review, seen: '.fit li' },
  reject: {
    path: '/issue/applications',
    as,
    prepare: review,
    seen: '.fit li',
    arrive: async (page) => {
      await page.keyboard.press('r');
      await page.getByRole('dialog').waitFor();
    },
  },
  several: {
    path: '/issue/applications',
    as,
    prepare: async (world) => {
      await ids(world);
      return undefined;
    },
    seen: '.app-i',
    arrive: async (page) => {
      await page.getByRole('checkbox').first().check();
      await page.locator('.several li').waitFor();
    },
  },
  issued: {
    path: '/issue/issued',
    as,
    prepare: async (world) => {
      await ids(world);
      return undefined;
    },
    seen: '.tr-open',
  },
  'issued-one': { path: '/issue/issued', as, prepare: issuedOne, seen: '.history li' },
  revoke: {
    path: '/issue/issued',
    as,
    prepare: issuedOne,
    seen: '.history li',
    arrive: async (page) => {
      await page.getByRole('button', { name: 'Revoke…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  certificate: { path: '/issue/certificate', as, prepare: paper, seen: '.qr' },
  'certificate-record': { path: '/issue/certificate', prepare: paper, seen: '.facts' },
};
