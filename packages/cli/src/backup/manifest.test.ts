import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { signerFromSeed } from '@symbolon/sdk/keys/signer';
import fc from 'fast-check';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import { stranger, writeUnsigned } from './backup-fixture.ts';
import { signerAs } from './maker.ts';
import {
  type BackupManifest,
  isBackupFolder,
  manifestName,
  readManifest,
  unfinishedName,
  writeManifest,
} from './manifest.ts';

function temporaryFolder(context: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-manifest-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const signer = await stranger();
const write = (folder: string, one: BackupManifest) => writeManifest(folder, one, signer);

const manifest: BackupManifest = {
  symbolonBackup: 2,
  id: 'ab'.repeat(16),
  createdAt: '2030-01-31T12:00:00.000Z',
  version: '0.1.0',
  kind: 'demo',
  maker: signer.maker,
  ledger: {
    chainId: 2n ** 62n + 1n,
    height: 9n,
    blockHash: 'cd'.repeat(32),
    stateRoot: 'ef'.repeat(32),
    transactions: 8n,
    accounts: 7n,
  },
  service: {
    database: 'sqlite',
    migrations: ['0001-first-tables'],
    rows: { templates: 2 },
    audit: { sequence: 0, hash: '' },
    masterKeys: ['0123456789abcdef'],
  },
  secrets: { isIncluded: false, names: ['service/master.key'], elsewhere: [] },
  files: [{ path: 'ledger/chain/000005.ldb', bytes: 4, sha256: '01'.repeat(32) }],
};

const damaged = (error: unknown) => error instanceof CommandFailure && error.exitCode === exitCodes.damaged;

test('a manifest is read as it was written, integers exact', async (context) => {
  const folder = temporaryFolder(context);
  assert.equal(await isBackupFolder(folder), false);
  await write(folder, manifest);
  assert.equal(await isBackupFolder(folder), true);
  assert.deepEqual(await readManifest(folder), manifest);
  await assert.rejects(write(path.join(folder, 'nowhere'), manifest));
});

test('no manifest, an unfinished backup and a newer format are told apart', async (context) => {
  const folder = temporaryFolder(context);
  await assert.rejects(readManifest(folder), /has no manifest\.json/);
  await assert.rejects(readManifest(path.join(folder, 'nowhere')), damaged);
  writeFileSync(path.join(folder, unfinishedName), '');
  assert.equal(await isBackupFolder(folder), true);
  await assert.rejects(readManifest(folder), /is incomplete: it was interrupted/);
  writeFileSync(path.join(folder, manifestName), '{"symbolonBackup":3,"other":true}');
  await assert.rejects(readManifest(folder), /newer program \(format 3/);
});

test('any changed byte of a manifest is noticed', async (context) => {
  const folder = temporaryFolder(context);
  await write(folder, manifest);
  const file = path.join(folder, manifestName);
  const whole = readFileSync(file);
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 7 }), async (at, bit) => {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] as number) ^ (1 << bit);
      writeFileSync(file, changed);
      // Blanks between the parts mean nothing, and some may change into others.
      const isBlank = /\s/.test(String.fromCharCode(whole[at] as number));
      const read = await readManifest(folder).catch((error: unknown) => error);
      if (isBlank && !(read instanceof Error)) assert.deepEqual(read, manifest);
      else assert.ok(read instanceof CommandFailure, String(read));
    }),
    { numRuns: 300 },
  );
  writeFileSync(file, whole.subarray(0, -20));
  await assert.rejects(readManifest(folder), damaged);
});

test('a manifest is believed only with the signature of whoever it names', async (context) => {
  const folder = temporaryFolder(context);
  const other = signerAs('validator', await signerFromSeed(new Uint8Array(32).fill(8)));
  await writeManifest(folder, manifest, other);
  await assert.rejects(readManifest(folder), /its signature is not of its maker/);
  const { maker: _, ...nobody } = manifest;
  await writeManifest(folder, nobody, signer);
  await assert.rejects(readManifest(folder), /its signature is missing/);
  await writeManifest(folder, { ...manifest, symbolonBackup: 1 }, signer);
  await assert.rejects(readManifest(folder), /a format without signatures has one/);
  writeUnsigned(folder, manifest);
  assert.equal((await readManifest(folder)).maker, undefined);
});

test('a manifest that says nothing of what it is about is refused', async (context) => {
  const folder = temporaryFolder(context);
  const { ledger, service, ...bare } = manifest;
  const bad: BackupManifest[] = [
    bare,
    { ...bare, ledger },
    { ...bare, service },
    { ...bare, kind: 'node', service },
    { ...manifest, kind: 'node' },
    { ...manifest, kind: 'service' },
  ];
  for (const one of bad) {
    await write(folder, one);
    await assert.rejects(readManifest(folder), damaged, JSON.stringify(Object.keys(one)));
  }
});

test('paths that lead out of the backup, and files named twice, are refused', async (context) => {
  const folder = temporaryFolder(context);
  const entry = manifest.files[0] as BackupManifest['files'][number];
  const bad = [
    '../x',
    '/etc/passwd',
    'ledger/../../x',
    'ledger/.hidden',
    'service/tables/../x',
    'demo.json',
    '',
  ];
  for (const place of [...bad, 'ledger//x', 'ledger/a/b/c', 'other/x', 'ledger/x\0']) {
    await write(folder, { ...manifest, files: [{ ...entry, path: place }] });
    await assert.rejects(readManifest(folder), damaged, place);
  }
  const genesis = { ...entry, path: 'ledger/genesis.json', bytes: 2 ** 40 };
  await write(folder, { ...manifest, files: [genesis] });
  await assert.rejects(readManifest(folder), /ledger\/genesis\.json is too large/);
  await write(folder, { ...manifest, files: [entry, entry] });
  await assert.rejects(readManifest(folder), /names a file twice/);
  const elsewhere = path.join(folder, 'elsewhere.json');
  await write(folder, manifest);
  writeFileSync(elsewhere, readFileSync(path.join(folder, manifestName)));
  rmSync(path.join(folder, manifestName));
  symlinkSync(elsewhere, path.join(folder, manifestName));
  await assert.rejects(readManifest(folder), /is no plain file/);
});
