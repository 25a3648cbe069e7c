/**
 * Makes a folder from a backup, as it was. Everything is put together beside the target and takes its name at the very
 * end: before that there is nothing that a node or a service would start from. A service whose database is a server is
 * restored into an empty database there, in one transaction, just before.
 */
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { restoreDatabase } from '@symbolon/credential-service/backup/service-backup';
import { examineServiceCopy, tableFilesPath } from '@symbolon/credential-service/backup/service-copy';
import {
  joinSettings,
  type SettingsTree,
  settingNames,
} from '@symbolon/credential-service/backup/service-settings';
import { settingsPath } from '@symbolon/credential-service/wiring/service-folder';
import { DatabaseError } from '@symbolon/host/database/common/database-error';
import { locationOf } from '@symbolon/host/database/postgres/postgres-address';
import { backupLimits } from '@symbolon/host/limits/server-limits';
import { syncFolder } from '@symbolon/host/work/sync-folder';
import { openLedger } from '@symbolon/ledger-node/operation/backup-ledger';
import { hashFile, isFree, makeFolder, syncFolders } from '../machine/durable-files.ts';
import { CommandFailure, usageFailure } from '../terminal/failure.ts';
import { ifInterrupted, removeIfInterrupted } from '../terminal/interruption.ts';
import { damagedBackup, fileProblem, readListed } from './backup-damage.ts';
import { type BackupParts, partsOf, pathOf, withProgress } from './backup-parts.ts';
import { assertConsent, assertMaker, type ConsentOrder } from './consent.ts';
import { type BackupSecrets, openSecrets } from './encrypted-secrets.ts';
import { type BackupManifest, contentHash, readManifest, secretsName } from './manifest.ts';
import { assertNoLinks, treeProblems } from './plain-tree.ts';
import { readOpenSettings, settingsLines } from './settings-shown.ts';
import { checkPart } from './verify-backup.ts';

export interface RestoreOrder extends ConsentOrder {
  /** A folder that is new or empty. */
  readonly data: string;
  /** Asked for only when the backup has secrets. */
  readonly passphrase: () => Promise<string>;
  readonly env: NodeJS.ProcessEnv;
}

const noSecrets: BackupSecrets = { files: {}, settings: {} };

export async function restoreBackup(order: RestoreOrder): Promise<BackupManifest> {
  const { from, env } = order;
  const data = path.resolve(order.data);
  const manifest = await readManifest(from);
  assertMaker(from, manifest, order);
  await assertNoLinks(data);
  await assertFree(data);
  const problems = await treeProblems(from, manifest);
  if (problems.length > 0) throw damagedBackup(from, problems);
  const { isIncluded } = manifest.secrets;
  const secrets = isIncluded
    ? await readSecrets(from, { manifest, passphrase: order.passphrase })
    : noSecrets;
  const database = databaseOf(manifest, secrets, env);
  const contents = await contentsOf(from, { manifest, secrets, database });
  await assertConsent(order, { manifest, isOpened: isIncluded, contents });
  await makeFolder(path.dirname(data));
  const building = await mkdtemp(`${data}.restoring-`);
  const parts = partsOf(building, manifest.kind);
  const whole = removeIfInterrupted(building);
  ifInterrupted([
    `Interrupted. Nothing was restored: ${order.data} is as it was, and what was begun is removed.`,
    'Give the same command again.',
  ]);
  try {
    await copyFiles(order, { manifest, building, parts });
    await checkParts(order, { manifest, parts });
    await writeSecrets(withDatabase(secrets, database), { building, parts });
    if (database !== undefined) await fillDatabase(order, { manifest, parts, database });
    await syncFolders(building);
    await takePlace(building, data);
    whole();
  } catch (error) {
    await rm(building, { recursive: true, force: true });
    throw error;
  }
  await syncFolder(path.dirname(data));
  return manifest;
}

async function assertFree(data: string): Promise<void> {
  if (await isFree(data)) return;
  throw usageFailure(
    `${data} is not empty: a restore would mix what is there with the backup.\nName a folder that is new or empty.`,
  );
}

async function readSecrets(
  from: string,
  { manifest, passphrase }: { manifest: BackupManifest; passphrase: () => Promise<string> },
): Promise<BackupSecrets> {
  const listed = manifest.files.find((file) => file.path === secretsName);
  if (!listed) throw damagedBackup(from, [`${secretsName} is not in the manifest`]);
  const encrypted = await readListed(from, listed, backupLimits.secretsBytesMax);
  return openSecrets(encrypted.toString('utf8'), {
    passphrase: await passphrase(),
    contentHash: contentHash(manifest),
  });
}

/** What the restored folder would load and talk to, in lines. */
async function contentsOf(
  from: string,
  {
    manifest,
    secrets,
    database,
  }: { manifest: BackupManifest; secrets: BackupSecrets; database?: string | undefined },
): Promise<readonly string[]> {
  const lines = settingsLines(await readOpenSettings(from, manifest), settingNames(secrets.settings));
  return database === undefined ? lines : [...lines, `  rows go to ${locationOf(database)}`];
}

/** The server that the rows go to: of the environment, which a service would follow too, or of the secret settings. */
function databaseOf(
  { service }: BackupManifest,
  { settings }: BackupSecrets,
  env: NodeJS.ProcessEnv,
): string | undefined {
  if (service?.database !== 'postgres') return undefined;
  const url = env.SYMBOLON_DATABASE ?? settings.database;
  if (typeof url === 'string' && /^postgres(ql)?:\/\//.test(url)) return url;
  throw usageFailure(
    'The backup is of a service on PostgreSQL and does not say where its rows shall go.\n' +
      'Make an empty database and name it in SYMBOLON_DATABASE (postgres://user:password@host:port/name).',
  );
}

/** Into a place that is free, or nowhere. */
async function takePlace(building: string, data: string): Promise<void> {
  try {
    await rename(building, data);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Something has come to be there meanwhile.
    if (code === 'ENOTEMPTY' || code === 'EEXIST') await assertFree(data);
    if (code !== 'EXDEV' && code !== 'EBUSY') throw error;
    throw usageFailure(
      `${data} is the root of a file system and cannot be replaced.\nName a folder inside of it.`,
    );
  }
}

/** Settings that name a server name the one that the rows are in now. */
function withDatabase({ files, settings }: BackupSecrets, database: string | undefined): BackupSecrets {
  const isNamed = database !== undefined && settings.database !== undefined;
  return { files, settings: isNamed ? { ...settings, database } : settings };
}

interface Building {
  readonly manifest: BackupManifest;
  readonly parts: BackupParts;
}

/** Files that make a folder one of a node or a service come last. */
const completing = new Set(['ledger/genesis.json', 'service/service.json']);

/** Tables that go to a server are copied too, so that what is checked is what is read; they do not stay. */
async function copyFiles(
  { from, terminal }: RestoreOrder,
  { manifest, parts, building }: Building & { building: string },
): Promise<void> {
  const files = manifest.files
    .filter((file) => file.path !== secretsName)
    .sort((left, right) => Number(completing.has(left.path)) - Number(completing.has(right.path)));
  await withProgress(terminal, 'files restored', async (advance) => {
    for (const [index, file] of files.entries()) {
      const target = pathOf(parts, building, file.path);
      await makeFolder(path.dirname(target));
      const order = { bytes: file.bytes, copyTo: target };
      const problem = await fileProblem(file, () => hashFile(path.join(from, file.path), order));
      if (problem !== undefined) throw damagedBackup(from, [problem]);
      advance(index + 1, files.length);
    }
  });
}

/** What was copied is what the manifest says, also in what it means. */
async function checkParts({ from }: RestoreOrder, { manifest, parts }: Building): Promise<void> {
  await checkPart(from, manifest, {
    part: 'service',
    examine: () => examineServiceCopy(parts.service ?? ''),
  });
  await checkPart(from, manifest, { part: 'ledger', examine: () => openLedger(parts.ledger ?? '') });
}

async function writeSecrets(
  { files, settings }: BackupSecrets,
  { building, parts }: { building: string; parts: BackupParts },
): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const place = pathOf(parts, building, name);
    await makeFolder(path.dirname(place));
    await writeFile(place, text, { mode: 0o600, flag: 'wx', flush: true });
  }
  if (parts.service === undefined) return;
  const file = settingsPath(parts.service);
  const open = JSON.parse(await readFile(file, 'utf8')) as SettingsTree;
  const text = `${JSON.stringify(joinSettings(open, settings), undefined, 2)}\n`;
  await writeFile(file, text, { mode: 0o600, flush: true });
}

async function fillDatabase(
  { terminal }: RestoreOrder,
  { manifest, parts, database }: Building & { database: string },
): Promise<void> {
  const [facts, folder] = [manifest.service, parts.service];
  if (!facts || folder === undefined) return;
  const total = Object.values(facts.rows).reduce((sum, rows) => sum + rows, 0);
  try {
    await withProgress(terminal, 'rows restored', (advance) =>
      restoreDatabase(database, folder, { facts, onProgress: (done) => advance(done, total) }),
    );
    await rm(tableFilesPath(folder), { recursive: true });
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    throw new CommandFailure(
      `The rows cannot be put into the database: ${error.message}.\nNothing was kept of them.`,
    );
  }
}
