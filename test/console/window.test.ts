/** The tests' own window that is used again: as if it were new, and it tells what went wrong in it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { consoleSuite, heading } from '../support/console-suite.ts';

const { options, revisit, browser } = await consoleSuite();

const kept = `(async () => ({
  local: localStorage.length,
  session: sessionStorage.length,
  databases: (await indexedDB.databases()).length,
  caches: (await caches.keys()).length,
  cookies: document.cookie,
  width: innerWidth,
  isDark: matchMedia('(prefers-color-scheme: dark)').matches,
}))()`;

describe('a window that is used again', options, () => {
  test('holds nothing of whoever was there before', async () => {
    let fresh: unknown;
    await revisit({ path: '/icon.svg' }, async (page) => {
      fresh = await page.evaluate(kept);
      await page.evaluate(`(async () => {
        localStorage.setItem('left', 'behind');
        sessionStorage.setItem('left', 'behind');
        document.cookie = 'left=behind';
        await caches.open('left');
        await new Promise((made) => { indexedDB.open('left').onsuccess = made; });
      })()`);
      await page.setViewportSize({ width: 390, height: 900 });
      await page.emulateMedia({ colorScheme: 'dark' });
      assert.notDeepEqual(await page.evaluate(kept), fresh);
      await (await page.context().newPage()).goto('about:blank');
    });
    await revisit({ path: '/icon.svg' }, async (page) => {
      assert.deepEqual(await page.evaluate(kept), fresh);
      assert.equal(page.context().pages().length, 1);
    });
    assert.equal(browser().contexts().length, 1);
  });

  test('tells what went wrong in it, and is not used again then', async () => {
    await revisit({}, (page) => heading(page, /./).waitFor());
    const broken = revisit({}, async (page) => {
      await heading(page, /./).waitFor();
      await page.evaluate("console.error('a fault of a test')");
    });
    await assert.rejects(broken, /a fault of a test/);
    assert.equal(browser().contexts().length, 0);
    await revisit({}, (page) => heading(page, /./).waitFor());
  });
});
