/**
 * `npm run console-pictures [-- --out FOLDER] [--only NAME …]`: pictures of every screen of the console, light and dark, at
 * 1280 and 390 pixels, before a real demo. For laying them beside the mockups, and for docs/console.md.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { findChromium } from '../test/support/chromium.ts';
import { openBrowser, openConsolePage } from '../test/support/console-browser.ts';
import { screens } from '../test/support/console-screens/screens.ts';
import { takeChair } from '../test/support/console-suite.ts';
import { startConsoleWorld } from '../test/support/console-world.ts';
import { until } from '../test/support/until.ts';
import { cacheFolder } from './lib/node.mjs';
import { Complaint, main, say, step } from './lib/say.mjs';

const widths = [1280, 390];
const themes = ['light', 'dark'];

function readWords() {
  try {
    const options = { out: { type: 'string' }, only: { type: 'string', multiple: true } };
    return parseArgs({ args: process.argv.slice(2), options }).values;
  } catch (error) {
    throw new Complaint(
      `${error.message}\nUsage: npm run console-pictures [-- --out FOLDER] [--only NAME]`,
      2,
    );
  }
}

async function takePictures(owner, out, names) {
  const chromium = await findChromium();
  if ('missing' in chromium) throw new Complaint(chromium.missing);
  const world = await startConsoleWorld(owner);
  const browser = await openBrowser(owner, chromium);
  const origin = world.console.url;
  for (const name of names) {
    const { path: usual, as, prepare, seen, arrive } = screens[name];
    const place = (await prepare?.(world)) ?? usual;
    for (const width of widths) {
      const { page, faults } = await openConsolePage(browser, { origin, width });
      if (as) await takeChair(page, origin, { person: as });
      await page.goto(`${origin}${place}`);
      await page.locator(seen).first().waitFor();
      await arrive?.(page);
      await page.evaluate(() => document.fonts.ready);
      // As tall as the page, so that what sticks to an edge of the window stands at the edge of the picture.
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ width, height });
      for (const colorScheme of themes) {
        await page.emulateMedia({ colorScheme });
        // A chart of another look is another chart.
        await until('every chart', () =>
          page.evaluate("[...document.querySelectorAll('.plot')].every((plot) => plot.hasChildNodes())"),
        );
        await page.screenshot({ path: path.join(out, `${name}-${width}-${colorScheme}.png`) });
      }
      for (const fault of faults) say(`  ! ${name} ${width}: ${fault}`);
      await page.context().close();
    }
  }
}

await main(async () => {
  const words = readWords();
  const out = words.out === undefined ? path.join(cacheFolder, 'console-pictures') : path.resolve(words.out);
  const names = words.only ?? Object.keys(screens);
  const unknown = names.find((name) => !Object.hasOwn(screens, name));
  if (unknown !== undefined)
    throw new Complaint(`No screen is called so. There are: ${Object.keys(screens).join(', ')}`, 2);
  mkdirSync(out, { recursive: true });
  const ends = [];
  const owner = { after: (end) => void ends.push(end) };
  try {
    await step('take pictures', () => takePictures(owner, out, names));
    say(`  They are in ${path.relative(process.cwd(), out)}`);
  } finally {
    for (const end of ends.reverse()) await end();
  }
  return 0;
});
