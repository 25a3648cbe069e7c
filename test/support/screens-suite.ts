/** Some screens in both looks, on a desk and on a phone: axe finds no fault of WCAG 2.1 AA, and nothing is too wide. */
import { describe, test } from 'node:test';
import type { Screens } from './console-screens/screen.ts';
import { assertAccessible, assertFits, consoleSuite } from './console-suite.ts';

/** There are many of them, and a busy machine takes its time for each. */
const timeout = 850_000;
const height = 900;

/** Used once in a file, at its top. */
export async function screensSuite(whose: string, screens: Screens): Promise<void> {
  const { options, visit, world } = await consoleSuite();
  describe(`screens of ${whose}`, { ...options, timeout }, () => {
    for (const [name, { path, as, prepare, seen, arrive }] of Object.entries(screens))
      test(name, async () => {
        const place = (await prepare?.(world())) ?? path;
        await visit({ path: place, ...(as && { as }) }, async (page) => {
          await page.locator(seen).first().waitFor();
          await arrive?.(page);
          // Neither width nor look needs another load: a window is made narrow, and a system turned dark, while it is open.
          for (const width of [1280, 390]) {
            await page.setViewportSize({ width, height });
            await assertFits(page);
            for (const colorScheme of ['light', 'dark'] as const) {
              await page.emulateMedia({ colorScheme });
              await page
                .locator(`html[data-mantine-color-scheme=${colorScheme}]`)
                .waitFor({ state: 'attached' });
              await assertAccessible(page);
            }
          }
        });
      });
  });
}
