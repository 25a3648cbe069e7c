import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { HardwareToken } from './hardware-token.ts';
import { Pkcs11Error } from './pkcs11-error.ts';
import { openPkcs11Module, readTokenLabel } from './pkcs11-module.ts';

const isUnusable = (error: unknown) => error instanceof Pkcs11Error && error.code === 'moduleUnusable';

test('what is no PKCS#11 module is refused with its path', async (context) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-pkcs11-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const text = path.join(folder, 'module.so');
  writeFileSync(text, 'no library');
  // A library, but of another kind: the one that calls modules.
  const require = createRequire(import.meta.url);
  const platform = `${process.platform}-${process.arch}`;
  const other = require.resolve(`@koromix/koffi-${platform}/${platform.replace('-', '_')}/koffi.node`);
  for (const file of ['libsofthsm2.so', path.join(folder, 'none.so'), folder, text, other]) {
    await assert.rejects(
      openPkcs11Module(file),
      (error: Error) => isUnusable(error) && error.message.includes(file),
    );
    // Once refused is not half open.
    await assert.rejects(openPkcs11Module(file), isUnusable);
  }
});

test('a PIN is bounded and told nowhere', async () => {
  const pin = 'a-long-pin-'.repeat(30);
  for (const wrong of ['', pin]) {
    const error = await HardwareToken.open({ module: '/none.so', tokenLabel: 'x', pin: wrong }).catch(
      (caught) => caught,
    );
    assert.ok(error instanceof Pkcs11Error && error.code === 'argumentInvalid');
    assert.doesNotMatch(error.message, /a-long-pin/);
  }
});

test('the label of a token ends before what fills it up', () => {
  const info = (label: string, filler = ' ') =>
    Buffer.from(label.padEnd(32, filler) + 'maker'.padEnd(176), 'latin1');
  assert.equal(readTokenLabel(info('vault one')), 'vault one');
  assert.equal(readTokenLabel(info('vault', '\0')), 'vault');
  assert.equal(readTokenLabel(info('')), '');
  assert.equal(readTokenLabel(info('x'.repeat(32))), 'x'.repeat(32));
});
