import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { lockFile } from './file-lock.ts';

const place = mkdtempSync(path.join(os.tmpdir(), 'symbolon-lock-'));
after(() => rmSync(place, { recursive: true, force: true }));

test('the lock of a file is held by one at a time', async () => {
  const file = path.join(place, 'LOCK');
  const letGo = await lockFile(file);
  assert.ok(letGo);
  assert.equal(await lockFile(file), undefined);
  await letGo();
  await (await lockFile(file))?.();
  await assert.rejects(lockFile(path.join(place, 'none', 'LOCK')), /ENOENT/);
});
