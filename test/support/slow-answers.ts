/** A service whose answers a page waits for, or never gets. */
import type { Page } from 'playwright-core';

/** Lets requests to a path wait until they are released. */
export async function holdBack(page: Page, path: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    await promise;
    // Whoever asked may be gone with the page that did.
    await route.continue().catch(() => undefined);
  });
  return resolve;
}

/** Requests to a path arrive, and what is answered to them does not. */
export const loseAnswers = (page: Page, path: string, which = '') =>
  page.route(path, async (route) => {
    if (!route.request().postData()?.includes(which)) return route.continue();
    await route.fetch();
    await route.abort();
  });
