/** The verifier's desk: building a request, waiting, verified, refused, history, saved, checking a document. */
import type { Page } from 'playwright-core';
import {
  answerSession,
  degreeAnswer,
  downloadDegree,
  openDegreeSession,
  presentDegree,
  readSession,
} from '../answered-sessions.ts';
import type { ConsoleWorld } from '../console-world.ts';
import type { Screen, Screens } from './screen.ts';

const as = 'verifier';
const sessionPath = (id: string): string => `/verify/sessions/${id}`;

async function chooseDegree(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Which credential?' }).click();
  await page.getByRole('option', { name: /^University degree/ }).click();
  await page.getByRole('radiogroup', { name: 'How to ask for Degree' }).getByText('Show').click();
  await page
    .getByRole('radiogroup', { name: 'How to ask for Date of birth' })
    .getByText('Prove an age')
    .click();
  await page
    .getByText(/18 years or older/)
    .first()
    .waitFor();
}

const pasted = (made: (world: ConsoleWorld) => Promise<object>): Pick<Screen, 'prepare' | 'arrive'> => {
  let text = '';
  return {
    prepare: async (world) => {
      text = JSON.stringify(await made(world));
      return undefined;
    },
    arrive: async (page) => {
      await page.getByRole('textbox', { name: 'Document' }).fill(text);
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await page.locator('.verdict-head').waitFor();
    },
  };
};

export const verifyScreens: Screens = {
  'verify-ask-empty': { as, path: '/verify/ask', seen: '.ask-act' },
  'verify-ask': { as, path: '/verify/ask', seen: '.ask-act', arrive: chooseDegree },
  'verify-nobody': { path: '/verify/ask', seen: '.empty' },
  'verify-waiting': {
    as,
    path: '/verify/sessions',
    prepare: async ({ service }) => {
      const id = await openDegreeSession(service);
      await readSession(service, id);
      return sessionPath(id);
    },
    seen: '.qr',
  },
  'verify-result': {
    as,
    path: '/verify/sessions',
    prepare: async ({ service }) => {
      const id = await openDegreeSession(service);
      await answerSession(service, id, degreeAnswer());
      return sessionPath(id);
    },
    seen: '.halves:not(.alone)',
  },
  'verify-refused': {
    as,
    path: '/verify/sessions',
    prepare: async ({ service }) => {
      const id = await openDegreeSession(service);
      await answerSession(service, id, { ...degreeAnswer(), reveal: ['degree', 'name'] });
      return sessionPath(id);
    },
    seen: '.excess',
  },
  'verify-sessions': {
    as,
    path: '/verify/sessions',
    prepare: async ({ service }) => {
      await openDegreeSession(service);
      return undefined;
    },
    seen: '.tr-line',
  },
  'verify-saved-empty': { as, path: '/verify/saved', seen: '.empty' },
  'verify-saved': {
    as,
    path: '/verify/ask',
    seen: '.ask-act',
    arrive: async (page) => {
      await chooseDegree(page);
      await page.getByRole('textbox', { name: 'Name of the saved request' }).fill('Student account');
      await page.getByRole('button', { name: 'Save the request' }).click();
      await page.goto(new URL('/verify/saved', page.url()).href);
      await page.locator('.saved li').waitFor();
    },
  },
  'verify-check': { path: '/verify/check', seen: '.drop' },
  'verify-check-presentation': {
    path: '/verify/check',
    seen: '.drop',
    ...pasted(({ service }) => presentDegree(service, degreeAnswer())),
  },
  'verify-check-credential': {
    path: '/verify/check',
    seen: '.drop',
    ...pasted(({ service }) => downloadDegree(service)),
  },
};
