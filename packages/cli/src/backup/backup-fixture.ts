/** A service's folder, backups of it, and what somebody who can write to a backup does to it: for tests. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { openRecords } from '@symbolon/credential-service/wiring/open-records';
import { initServiceFolder, loadServiceConfig } from '@symbolon/credential-service/wiring/service-folder';
import { createLog } from '@symbolon/host/telemetry/log';
import { signerFromSeed } from '@symbolon/sdk/keys/signer';
import { type JsonObject, stringifyJson } from '@symbolon/wire/json/json';
import type { Terminal } from '../terminal/terminal.ts';
import { makeBackup } from './back-up.ts';
import { type BackupSigner, signerAs } from './maker.ts';
import { type BackupManifest, manifestJson, readManifest, writeManifest } from './manifest.ts';
import { type RestoreOrder, restoreBackup } from './restore-backup.ts';

export const terminal: Terminal = {
  print: () => undefined,
  remark: () => undefined,
  isWatched: false,
  hasColours: false,
};

export const passphrase = async () => 'correct horse battery staple';

/** Who has nothing to do with the service. */
export const stranger = async (): Promise<BackupSigner> =>
  signerAs('operator', await signerFromSeed(new Uint8Array(32).fill(7)));

/** A service's folder with a database, and backups of it into `out`. */
export async function serviceFolder(context: TestContext, settings: object = { port: 1 }) {
  const place = mkdtempSync(path.join(tmpdir(), 'symbolon-back-up-'));
  context.after(() => rmSync(place, { recursive: true, force: true }));
  const data = path.join(place, 'service');
  await initServiceFolder(data, settings);
  const config = await loadServiceConfig(data, {});
  const records = await openRecords(data, { config, log: createLog({ level: 'silent' }) });
  const { address } = records.registrarSigner;
  await records.close();
  const out = path.join(place, 'backup');
  const backUp = (ask?: () => Promise<string>, signer?: () => Promise<BackupSigner>) => {
    const order = { data, out, version: '0.1.0', terminal, env: {} };
    return makeBackup({ ...order, ...(ask && { passphrase: ask }), ...(signer && { signer }) });
  };
  const restore = (to = path.join(place, 'restored'), more: Partial<RestoreOrder> = {}) => {
    const order = { from: out, data: to, terminal, env: {}, passphrase, isConfirmed: true };
    return restoreBackup({ ...order, ...(more.madeBy === undefined && { anyMaker: true }), ...more });
  };
  return { place, data, out, address, backUp, restore };
}

/** Puts another file into a backup, with a manifest that fits it, signed by a stranger. */
export async function forge(out: string, name: string, text: string): Promise<void> {
  writeFileSync(path.join(out, name), text);
  const manifest = await readManifest(out);
  const sha256 = createHash('sha256').update(text).digest('hex');
  const others = manifest.files.filter((file) => file.path !== name);
  await rewrite(out, {
    ...manifest,
    files: [...others, { path: name, bytes: Buffer.byteLength(text), sha256 }],
  });
}

export async function rewrite(out: string, manifest: BackupManifest): Promise<void> {
  const signer = await stranger();
  await writeManifest(out, { ...manifest, maker: signer.maker }, signer);
}

/** The manifest as programs wrote it before there were signatures. */
export function writeUnsigned(out: string, { maker: _, ...manifest }: BackupManifest): void {
  const value = manifestJson({ ...manifest, symbolonBackup: 1 });
  const checksum = createHash('sha256').update(stringifyJson(value)).digest('hex');
  const text = stringifyJson({ ...value, checksum } as JsonObject, 2);
  writeFileSync(path.join(out, 'manifest.json'), `${text}\n`);
}
