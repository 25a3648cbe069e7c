import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { assertChainThere, markBegun } from './chain-mark.ts';
import { storePath } from './node-folder.ts';

const place = mkdtempSync(path.join(os.tmpdir(), 'symbolon-mark-'));
after(() => rmSync(place, { recursive: true, force: true }));
let folder: string;
let made = 0;
beforeEach(() => {
  folder = path.join(place, `node-${++made}`);
  mkdirSync(folder);
});

describe('a folder whose chain has begun', () => {
  test('begins again only when that is said, and not where the chain is', async () => {
    assertChainThere(folder, {});
    await markBegun(folder);
    assert.throws(() => assertChainThere(folder, {}), /the chain is gone.*--begin-again/s);
    assertChainThere(folder, { beginAgain: true });
    mkdirSync(storePath(folder), { recursive: true });
    writeFileSync(path.join(storePath(folder), 'CURRENT'), '');
    assertChainThere(folder, {});
    assert.throws(() => assertChainThere(folder, { beginAgain: true }), /its chain is there/);
  });

  test('with a snapshot does not begin again with the first block', async () => {
    await markBegun(folder);
    await markBegun(folder, 120n);
    const words = /began with a snapshot of block 120.*symbolon network join I --yes/s;
    assert.throws(() => assertChainThere(folder, { beginAgain: true }), words);
    // With a later one it is that one, and after the first block again none.
    await markBegun(folder, 240n);
    assert.throws(() => assertChainThere(folder, { beginAgain: true }), /block 240/);
    await markBegun(folder);
    assertChainThere(folder, { beginAgain: true });
  });
});
