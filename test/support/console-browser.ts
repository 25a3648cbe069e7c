/**
 * A real Chromium that a test drives, and pages in it that are watched: a request to another origin, a breach of the
 * policy, or an error in the page fails whoever looks at the faults.
 */
import { type Browser, chromium as driver, type Page } from 'playwright-core';
import type { Chromium } from './chromium.ts';
import type { Owner } from './owner.ts';

export interface WatchedPage {
  readonly page: Page;
  /** What must not happen, as it happened. */
  readonly faults: string[];
}

export interface PageOrder {
  readonly origin: string;
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
  readonly language?: string;
}

export async function openBrowser(owner: Owner, { program, libraryFolders }: Chromium): Promise<Browser> {
  const libraries = libraryFolders.length > 0 ? { LD_LIBRARY_PATH: libraryFolders.join(':') } : {};
  const browser = await driver.launch({
    executablePath: program,
    env: { ...process.env, ...libraries } as Record<string, string>,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none'],
  });
  owner.after(() => browser.close());
  return browser;
}

/** Runs in the page, before anything of the page's own. */
const tellBreaches = `document.addEventListener('securitypolicyviolation', (event) => {
  console.error('policy: ' + [event.violatedDirective, event.blockedURI, event.sourceFile, event.lineNumber].join(' '));
});`;

const usual = { width: 1280, height: 900, theme: 'light', language: 'en-GB' } as const;

export async function openConsolePage(browser: Browser, order: PageOrder): Promise<WatchedPage> {
  const { origin, width, height, theme, language } = { ...usual, ...order };
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    locale: language,
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    deviceScaleFactor: 1,
  });
  await context.addInitScript({ content: tellBreaches });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && url.protocol !== 'data:' && url.protocol !== 'blob:')
      faults.push(`asked ${url.origin}`);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // A refused request is said by the browser, too; what the page makes of it is what is tested.
    const isPolicy = message.text().includes('Permissions-Policy');
    if (isPolicy || (message.type() === 'error' && !message.text().startsWith('Failed to load resource')))
      faults.push(`console: ${message.text()}`);
  });
  return { page, faults };
}

/** A usual page is as if it were new: whatever pages have stored is gone. What its browser has loaded stays. */
export async function forgetVisit({ page, faults }: WatchedPage, origin: string): Promise<void> {
  const others = page
    .context()
    .pages()
    .filter((open) => open !== page);
  await Promise.all(others.map((other) => other.close()));
  await page.evaluate('sessionStorage.clear()');
  // A page that is still there could store something afterwards.
  await page.goto('about:blank');
  const driver = await page.context().newCDPSession(page);
  await driver.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await driver.detach();
  await page.mouse.move(0, 0);
  await page.setViewportSize(usual);
  await page.emulateMedia({ colorScheme: usual.theme });
  faults.length = 0;
}
