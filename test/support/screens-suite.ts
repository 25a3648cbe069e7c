/** Some screens, on a desk and on a phone, in both looks: axe finds no fault of WCAG 2.1 AA, and nothing is too wide, in German neither. */
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Screens } from './console-screens/screen.ts';
import { assertAccessible, assertFits, consoleSuite } from './console-suite.ts';

/** There are many of them, and a busy machine takes its time for each. */
const timeout = 850_000;
const height = 900;
const narrow = 390;

interface Look {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
}
/** Every third of them is at each width and in each scheme. */
export const looks: readonly Look[] = [1280, narrow].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

/** German words are longer. A tab follows the language that is chosen in another one. */
async function readGerman(page: Page): Promise<void> {
  const told = "{ key: 'symbolon-language', newValue: 'de' }";
  await page.evaluate(`dispatchEvent(new StorageEvent('storage', ${told}))`);
  await page.locator('html[lang=de]').waitFor({ state: 'attached' });
}

/** Used once in a file, at its top. */
export async function screensSuite(whose: string, screens: Screens, seenIn: readonly Look[]): Promise<void> {
  const { options, revisit, world } = await consoleSuite();
  describe(`screens of ${whose}`, { ...options, timeout }, () => {
    for (const [name, { path, as, prepare, seen, arrive }] of Object.entries(screens))
      test(name, async () => {
        const place = (await prepare?.(world())) ?? path;
        await revisit({ path: place, ...(as && { as }) }, async (page) => {
          await page.locator(seen).first().waitFor();
          await arrive?.(page);
          // Neither width nor look needs another load: a window is made narrow, and a system turned dark, while it is open.
          for (const { width, colorScheme } of seenIn) {
            await page.setViewportSize({ width, height });
            await assertFits(page);
            await page.emulateMedia({ colorScheme });
            const look = page.locator(`html[data-mantine-color-scheme=${colorScheme}]`);
            await look.waitFor({ state: 'attached' });
            await assertAccessible(page);
          }
          await readGerman(page);
          await page.setViewportSize({ width: narrow, height });
          await assertFits(page);
        });
      });
  });
}
