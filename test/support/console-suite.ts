/**
 * What every test of the console begins with: the console before a real service and ledger, a real Chromium, and visits
 * in which nothing may happen that must not. Used once in a file, at its top.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { before } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { findChromium } from './chromium.ts';
import {
  forgetVisit,
  openBrowser,
  openConsolePage,
  type PageOrder,
  type WatchedPage,
} from './console-browser.ts';
import { type ConsoleWorld, startConsoleWorld } from './console-world.ts';
import { ownerOfSuite } from './owner.ts';
import type { ServiceOrder } from './running-service.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What the element with the focus says; nothing where nothing has it. */
export const focusedText = async (page: Page): Promise<string> =>
  String(
    await page.evaluate(
      'document.activeElement === document.body ? "" : document.activeElement?.innerText ?? ""',
    ),
  );

/** Roles of the demo, by which its people are signed in. */
export type DemoRole = 'issuer' | 'holder' | 'holder2' | 'verifier';

interface Seat {
  readonly path?: string;
  /** In whose chair the tab sits before the path is opened; nobody's if left out. */
  readonly as?: DemoRole;
  /** Who signs in with an API key instead, before the path is opened. */
  readonly apiKey?: string;
}

export type Visit = Seat & Omit<PageOrder, 'origin'>;

export interface ConsoleSuite {
  /** Options of `describe`: skipped without a browser, which is a failure in CI. */
  readonly options: { readonly skip: string | false; readonly timeout: number };
  /** Only inside of tests. */
  readonly world: () => ConsoleWorld;
  readonly browser: () => Browser;
  /** Opens a page, does something there, and looks whether anything happened that must not. */
  readonly visit: (visit: Visit, work: (page: Page) => Promise<void>) => Promise<void>;
  /**
   * The same in a window in which somebody was before, of the usual width: with the files that it has loaded, without
   * anything that was stored. Costs half, and is no test of a first load. One after the other.
   */
  readonly revisit: (seat: Seat, work: (page: Page) => Promise<void>) => Promise<void>;
}

/** Of all tests of a file; a busy machine takes its time for each. */
const timeout = 600_000;

/** `order`: what is different about the service than in the demo. */
export async function consoleSuite(order: ServiceOrder = {}): Promise<ConsoleSuite> {
  const owner = ownerOfSuite();
  const chromium = await findChromium();
  let world: ConsoleWorld;
  let browser: Browser;
  before(
    async () => {
      if ('missing' in chromium) return;
      [world, browser] = await Promise.all([startConsoleWorld(owner, order), openBrowser(owner, chromium)]);
    },
    { timeout },
  );
  const work = async ({ page, faults }: WatchedPage, seat: Seat, act: (page: Page) => Promise<void>) => {
    const origin = world.console.url;
    const { path = '/', as, apiKey } = seat;
    try {
      if (as) await takeChair(page, origin, { person: as });
      if (apiKey) await takeChair(page, origin, { apiKey });
      await page.goto(`${origin}${path}`);
      await act(page);
      assert.deepEqual(faults, []);
    } finally {
      // An answer that is being changed on its way to a page that goes is nobody's failure.
      if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' });
    }
  };
  let used: WatchedPage | undefined;
  return {
    options: { skip: 'missing' in chromium ? chromium.missing : false, timeout },
    world: () => world,
    browser: () => browser,
    async visit({ path, as, apiKey, ...order }, act) {
      const seat = { ...(path && { path }), ...(as && { as }), ...(apiKey && { apiKey }) };
      const watched = await openConsolePage(browser, { origin: world.console.url, ...order });
      await work(watched, seat, act).finally(() => watched.page.context().close());
    },
    async revisit(seat, act) {
      const origin = world.console.url;
      const watched = used ?? (await openConsolePage(browser, { origin }));
      // Whatever a visit that failed leaves behind is nobody's.
      used = undefined;
      try {
        await work(watched, seat, act);
        await forgetVisit(watched, origin);
      } catch (error) {
        await watched.page.context().close();
        throw error;
      }
      used = watched;
    },
  };
}

/** Signs this tab in, as the person switch and the dialog do. */
export async function takeChair(
  page: Page,
  origin: string,
  order: { readonly person: DemoRole } | { readonly apiKey: string },
): Promise<void> {
  // A small file of the same origin: no page of the console has to be loaded for it.
  await page.goto(`${origin}/icon.svg`);
  await page.evaluate(async (body) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch('/console/session', { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`sign-in was answered with ${answer.status}`);
    const { session } = (await answer.json()) as { session: string };
    sessionStorage.setItem('symbolon-session', session);
  }, JSON.stringify(order));
}

/** The title of a page. */
export const heading = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('heading', { level: 1, name });

interface AxeFault {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

/** WCAG 2.1 AA. axe is put in by the driver, past the policy that holds for the page. */
export async function assertAccessible(page: Page): Promise<void> {
  // A page that was looked at before has it.
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe);
  const found = (await page.evaluate(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'], resultTypes: ['violations'] }).then((r) => r.violations)",
  )) as readonly AxeFault[];
  const told = found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}\n${failureSummary}`),
  );
  assert.deepEqual(told, []);
}

/** Nothing is wider than the window, once what draws itself by the width it has has done so. */
export async function assertFits(page: Page): Promise<void> {
  let wide = 1;
  for (let looks = 0; wide > 0 && looks < 50; looks++) {
    wide = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
    if (wide > 0) await page.waitForTimeout(100);
  }
  assert.ok(wide <= 0, `${wide} pixels too wide`);
}
