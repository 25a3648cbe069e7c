/** Every screen in both looks, on a desk and on a phone: axe finds no fault of WCAG 2.1 AA, and nothing is too wide. */
import { describe, test } from 'node:test';
import { screens } from '../support/console-screens/screens.ts';
import { assertAccessible, assertFits, consoleSuite } from '../support/console-suite.ts';

const { options, visit, world } = await consoleSuite();

describe('every screen of the console', options, () => {
  for (const [name, { path, as, prepare, seen, arrive }] of Object.entries(screens)) {
    let prepared: Promise<string | undefined> | undefined;
    for (const theme of ['light', 'dark'] as const)
      for (const width of [1280, 390])
        test(`${name}, ${theme}, ${width}`, async () => {
          prepared ??= prepare?.(world());
          const order = { path: (await prepared) ?? path, theme, width, ...(as && { as }) };
          await visit(order, async (page) => {
            await page.locator(seen).first().waitFor();
            await arrive?.(page);
            await assertAccessible(page);
            await assertFits(page);
          });
        });
  }
});
