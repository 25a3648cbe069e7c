/** Backups of a service's folder that somebody interferes with; whole ones are tested in `test/cli/backup.test.ts`. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { openRecords } from '@symbolon/credential-service/open-records';
import { initServiceFolder, loadServiceConfig } from '@symbolon/credential-service/service-folder';
import { createLog } from '@symbolon/host/log';
import type { Terminal } from '../terminal.ts';
import { makeBackup } from './back-up.ts';
import { readManifest, writeManifest } from './manifest.ts';
import { restoreBackup } from './restore-backup.ts';
import { verifyBackup } from './verify-backup.ts';

const terminal: Terminal = {
  print: () => undefined,
  remark: () => undefined,
  isWatched: false,
  hasColours: false,
};
const passphrase = async () => 'correct horse battery staple';

/** A service's folder with a database, and backups of it into `out`. */
async function serviceFolder(context: TestContext) {
  const place = mkdtempSync(path.join(tmpdir(), 'symbolon-back-up-'));
  context.after(() => rmSync(place, { recursive: true, force: true }));
  const data = path.join(place, 'service');
  await initServiceFolder(data, { port: 1 });
  const config = await loadServiceConfig(data, {});
  const records = await openRecords(data, { config, log: createLog({ level: 'silent' }) });
  await records.close();
  const out = path.join(place, 'backup');
  const backUp = (ask?: () => Promise<string>) =>
    makeBackup({ data, out, version: '0.1.0', terminal, env: {}, ...(ask && { passphrase: ask }) });
  const restore = (to = path.join(place, 'restored')) =>
    restoreBackup({ from: out, data: to, terminal, env: {}, passphrase });
  return { place, out, backUp, restore };
}

test('what comes into the folder while the passphrase is typed is neither taken nor removed', async (context) => {
  const { out, backUp } = await serviceFolder(context);
  const meanwhile = async () => {
    mkdirSync(out);
    writeFileSync(path.join(out, 'letter.txt'), 'mine');
    return passphrase();
  };
  await assert.rejects(backUp(meanwhile), /is not empty/);
  assert.deepEqual(readdirSync(out), ['letter.txt']);
});

test('of two backups into one folder one is made, and the other leaves it alone', async (context) => {
  const { out, backUp } = await serviceFolder(context);
  const results = await Promise.allSettled([backUp(), backUp()]);
  assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  const refusal = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
  assert.match(refusal.reason.message, /is not empty/);
  await verifyBackup(out, { terminal });
});

test('secrets do not open in a backup that somebody without the passphrase has rewritten', async (context) => {
  const { place, out, backUp, restore } = await serviceFolder(context);
  await backUp(passphrase);
  await restore();
  const settings = path.join(out, 'service/service.json');
  const forged = JSON.stringify({ port: 1, masterKey: { hsm: { module: 'another.so' } } });
  writeFileSync(settings, forged);
  const manifest = await readManifest(out);
  const sha256 = createHash('sha256').update(forged).digest('hex');
  const files = manifest.files.map((file) =>
    file.path === 'service/service.json' ? { ...file, bytes: forged.length, sha256 } : file,
  );
  rmSync(path.join(out, 'manifest.json'));
  await writeManifest(out, { ...manifest, files });
  await verifyBackup(out, { terminal });
  await assert.rejects(restore(path.join(place, 'again')), /or the backup was changed/);
  assert.equal(existsSync(path.join(place, 'again')), false);
});

test('a file that the manifest does not know is found, also behind a link', async (context) => {
  const { place, out, backUp, restore } = await serviceFolder(context);
  await backUp();
  await verifyBackup(out, { terminal });
  writeFileSync(path.join(out, 'README'), 'a note of its owner is nobody else’s business');
  await verifyBackup(out, { terminal });
  const elsewhere = path.join(place, 'elsewhere');
  writeFileSync(elsewhere, 'x');
  for (const name of ['service/service.db-wal', 'service/tables/prices.jsonl', 'ledger/chain/000007.log']) {
    const file = path.join(out, name);
    mkdirSync(path.dirname(file), { recursive: true });
    for (const put of [() => writeFileSync(file, 'x'), () => symlinkSync(elsewhere, file)]) {
      put();
      await assert.rejects(verifyBackup(out, { terminal }), /is not in the manifest/, name);
      await assert.rejects(restore(), /is not in the manifest/, name);
      rmSync(file);
    }
  }
  assert.deepEqual(readFileSync(elsewhere, 'utf8'), 'x');
});
