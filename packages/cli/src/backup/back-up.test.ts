/** Backups of a service's folder that somebody interferes with; whole ones are tested in `test/cli/backup.test.ts`. */
import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { forge, passphrase, serviceFolder, stranger, terminal } from './backup-fixture.ts';
import { verifyBackup } from './verify-backup.ts';

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
  const settings = { port: 1, masterKey: { hsm: { module: 'another.so' } } };
  await forge(out, 'service/service.json', JSON.stringify(settings));
  await verifyBackup(out, { terminal });
  await assert.rejects(restore(path.join(place, 'again')), /or the backup was changed/);
  assert.equal(existsSync(path.join(place, 'again')), false);
});

test('a file that the manifest does not know is found, also behind a link', async (context) => {
  const { place, out, backUp, restore } = await serviceFolder(context);
  await backUp();
  await verifyBackup(out, { terminal });
  const note = path.join(out, 'README');
  writeFileSync(note, 'a note of its owner lies beside a backup, not in it');
  await assert.rejects(verifyBackup(out, { terminal }), /README is not in the manifest/);
  rmSync(note);
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

test('without the master key a backup is signed by whoever says so, and no key is made', async (context) => {
  const { place, out, data, backUp, restore } = await serviceFolder(context);
  const key = path.join(data, 'master.key');
  renameSync(key, path.join(place, 'master.key'));
  await assert.rejects(backUp(), /cannot be signed[\s\S]*There is no master key in[\s\S]*--key/);
  writeFileSync(key, 'ab'.repeat(16) + 'cd'.repeat(16), { mode: 0o600 });
  await assert.rejects(backUp(), /cannot be signed[\s\S]*needs master key[\s\S]*--key/);
  rmSync(key);
  const { maker, secrets } = await backUp(undefined, stranger);
  assert.equal(maker?.as, 'operator');
  assert.deepEqual(secrets.elsewhere, ['the master key: not in the folder of the service']);
  assert.equal(existsSync(key), false);
  await verifyBackup(out, { terminal, madeBy: `did:zid:${maker?.publicKey}` });
  await restore();
});
