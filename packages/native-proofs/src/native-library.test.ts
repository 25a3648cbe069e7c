/** The library is loaded when it is the recorded one, and otherwise there is a reason in words. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { loadNativeLibrary, nativeLibrary } from './native-library.ts';

const prebuilt = path.resolve(import.meta.dirname, '../prebuilt');
const name = `${process.platform}-${process.arch}`;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('the native library', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'native-library-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const record = (hash: string) =>
    writeFileSync(path.join(folder, 'hashes.json'), JSON.stringify({ binaries: { [name]: hash } }));
  const binary = () => path.join(folder, `${name}.node`);
  const reasonIn = (place = {}) => {
    const library = loadNativeLibrary({ folder, ...place });
    return library.native === undefined ? library.reason : 'it was loaded';
  };

  test('is the one of this platform, found once', () => {
    const library = nativeLibrary();
    assert.ok(library.native, 'reason' in library ? library.reason : '');
    assert.equal(library.name, name);
    assert.equal(nativeLibrary(), library);
  });

  test('has the recorded hash for every platform', () => {
    const { binaries } = JSON.parse(readFileSync(path.join(prebuilt, 'hashes.json'), 'utf8'));
    assert.deepEqual(Object.keys(binaries).sort(), ['linux-arm64', 'linux-x64']);
    for (const [platform, hash] of Object.entries(binaries))
      assert.equal(sha256(readFileSync(path.join(prebuilt, `${platform}.node`))), hash, platform);
  });

  test('is not loaded on another platform, if it is missing, or if it is another or none', () => {
    record('0'.repeat(64));
    assert.match(reasonIn({ platform: 'plan9' }), /^unsupported platform: plan9-/);
    assert.match(reasonIn({ arch: 'constructor' }), /^unsupported platform/);
    assert.match(reasonIn(), /^missing/);
    copyFileSync(path.join(prebuilt, `${name}.node`), binary());
    assert.match(reasonIn(), /^hash differs/);
    const text = Buffer.from('no library at all');
    writeFileSync(binary(), text);
    record(sha256(text));
    assert.match(reasonIn(), /^cannot be loaded/);
  });
});
