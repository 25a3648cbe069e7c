import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { cometPart, hasJoined, ownFile, readOwn, recordSigner } from './member.ts';

const place = mkdtempSync(path.join(os.tmpdir(), 'symbolon-member-'));
after(() => rmSync(place, { recursive: true, force: true }));

test("a validator's folder says where its signer calls once the key was moved, and no other folder does", async () => {
  const ports = { http: 1, socket: 2, abci: 3, rpc: 4, p2p: 5 };
  writeFileSync(ownFile(place), JSON.stringify({ ports, snapshotEvery: 7 }));
  await recordSigner(path.join(place, 'elsewhere'), 'unix:///run/a/b.sock');
  assert.equal((await readOwn(place)).signer, undefined);
  await recordSigner(cometPart(place), 'unix:///run/a/b.sock');
  assert.deepEqual(await readOwn(place), { ports, snapshotEvery: 7, signer: 'unix:///run/a/b.sock' });
  await recordSigner(path.join(place, 'none', 'cometbft'), 'unix:///run/a/b.sock');
});

test('a validator has joined when its CometBFT has settings', () => {
  assert.equal(hasJoined(place), false);
  mkdirSync(path.join(cometPart(place), 'config'), { recursive: true });
  writeFileSync(path.join(cometPart(place), 'config/config.toml'), '');
  assert.equal(hasJoined(place), true);
});
