import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBrowser, openerOf } from './open-browser.ts';

test('opens only where somebody looks at a screen', () => {
  assert.equal(openerOf({ platform: 'darwin', env: {} }), 'open');
  assert.equal(openerOf({ platform: 'linux', env: { DISPLAY: ':0' } }), 'xdg-open');
  assert.equal(openerOf({ platform: 'linux', env: { WAYLAND_DISPLAY: 'wayland-0' } }), 'xdg-open');
  assert.equal(openerOf({ platform: 'linux', env: {} }), undefined);
  assert.equal(
    openerOf({ platform: 'darwin', env: { SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22' } }),
    undefined,
  );
  assert.equal(openerOf({ platform: 'linux', env: { DISPLAY: ':0', CI: 'true' } }), undefined);
  assert.equal(openerOf({ platform: 'aix', env: { DISPLAY: ':0' } }), undefined);
});

test('gives the address to the program that opens pages, and survives its absence', async (context) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-open-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const seat = { platform: 'linux', env: { DISPLAY: ':0', PATH: `${folder}:/usr/bin:/bin` } } as const;
  const told = path.join(folder, 'told');
  openBrowser('http://127.0.0.1:8080', { ...seat, env: { DISPLAY: ':0', PATH: folder } });
  writeFileSync(
    path.join(folder, 'xdg-open'),
    `#!/bin/sh\nprintf %s "$1" > ${told}.part && mv ${told}.part ${told}\n`,
  );
  chmodSync(path.join(folder, 'xdg-open'), 0o755);
  openBrowser('http://127.0.0.1:8080', seat);
  for (let tries = 0; tries < 500 && !existsSync(told); tries += 1) await sleep(10);
  assert.equal(readFileSync(told, 'utf8'), 'http://127.0.0.1:8080');
});
