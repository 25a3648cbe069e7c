/**
 * Makes a folder from a backup, as it was. Everything is put together beside the target and takes its name at the very
 * end: before that there is nothing that a node or a service would start from. A service whose database is a server is
 * restored into an empty database there, in one transaction, just before.
 */
import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { backupLimits } from '@symbolon/core/limits';
import { restoreDatabase } from '@symbolon/credential-service/backup/service-backup';
import { joinSettings, type SettingsTree } from '@symbolon/credential-service/backup/service-settings';
import { settingsPath } from '@symbolon/credential-service/service-folder';
import { openLedger } from '@symbolon/ledger-node/backup-ledger';
import { CommandFailure, exitCodes } from '../failure.ts';
import type { Terminal } from '../terminal.ts';
import { type BackupParts, partsOf, placeOf, progressOf } from './backup-parts.ts';
import { hashFile, isFree, makeFolder, syncFolder, syncFolders } from './durable-files.ts';
import { type BackupManifest, contentHash, readManifest, secretsName } from './manifest.ts';
import { type BackupSecrets, openSecrets } from './sealed-secrets.ts';
import { checkLedger, checkService, damagedBackup, fileProblem, unlistedFiles } from './verify-backup.ts';

export interface RestoreOrder {
  readonly from: string;
  /** A folder that is new or empty. */
  readonly data: string;
  /** Asked for only when the backup has secrets. */
  readonly passphrase: () => Promise<string>;
  readonly terminal: Terminal;
  readonly env: NodeJS.ProcessEnv;
}

const noSecrets: BackupSecrets = { files: {}, settings: {} };

export async function restoreBackup(order: RestoreOrder): Promise<BackupManifest> {
  const { from, env } = order;
  const data = path.resolve(order.data);
  const manifest = await readManifest(from);
  await assertFree(data);
  const unlisted = await unlistedFiles(from, manifest);
  if (unlisted.length > 0) throw damagedBackup(from, unlisted);
  const secrets = manifest.secrets.isIncluded
    ? await readSecrets(from, { manifest, passphrase: order.passphrase })
    : noSecrets;
  const database = databaseOf(manifest, secrets, env);
  const building = `${data}.restoring-${randomBytes(4).toString('hex')}`;
  const parts = partsOf(building, manifest.kind);
  await makeFolder(building);
  try {
    await copyFiles(order, { manifest, building, parts });
    await checkParts(order, { manifest, parts });
    await writeSecrets(withDatabase(secrets, database), { building, parts });
    if (database !== undefined) await fillDatabase(order, { manifest, database });
    await syncFolders(building);
    await takePlace(building, data);
  } catch (error) {
    await rm(building, { recursive: true, force: true });
    throw error;
  }
  await syncFolder(path.dirname(data));
  return manifest;
}

async function assertFree(data: string): Promise<void> {
  if (await isFree(data)) return;
  throw new CommandFailure(
    `${data} is not empty: a restore would mix what is there with the backup.\nName a folder that is new or empty.`,
    exitCodes.usage,
  );
}

async function readSecrets(
  from: string,
  { manifest, passphrase }: { manifest: BackupManifest; passphrase: () => Promise<string> },
): Promise<BackupSecrets> {
  const listed = manifest.files.find((file) => file.path === secretsName);
  const file = path.join(from, secretsName);
  const isSmall = listed !== undefined && listed.bytes <= backupLimits.secretsBytesMax;
  const problem = isSmall
    ? await fileProblem(listed, () => hashFile(file))
    : `${secretsName} is not in the manifest, or too large`;
  if (problem !== undefined) throw damagedBackup(from, [problem]);
  return openSecrets(await readFile(file, 'utf8'), {
    passphrase: await passphrase(),
    contentHash: contentHash(manifest),
  });
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
  throw new CommandFailure(
    'The backup is of a service on PostgreSQL and does not say where its rows shall go.\n' +
      'Make an empty database and name it in SYMBOLON_DATABASE (postgres://user:password@host:port/name).',
    exitCodes.usage,
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
    throw new CommandFailure(
      `${data} is the root of a file system and cannot be replaced.\nName a folder inside of it.`,
      exitCodes.usage,
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

async function copyFiles(
  { from, terminal }: RestoreOrder,
  { manifest, parts, building }: Building & { building: string },
): Promise<void> {
  const files = manifest.files
    .filter((file) => file.path !== secretsName)
    .sort((left, right) => Number(completing.has(left.path)) - Number(completing.has(right.path)));
  const progress = progressOf(terminal, 'files restored');
  for (const [index, file] of files.entries()) {
    const isForServer = file.path.startsWith('service/tables/');
    const target = placeOf(parts, building, file.path);
    if (!isForServer) await makeFolder(path.dirname(target));
    const read = () => hashFile(path.join(from, file.path), isForServer ? {} : { copyTo: target });
    const problem = await fileProblem(file, read);
    if (problem !== undefined) throw damagedBackup(from, [problem]);
    progress.advance(index + 1, files.length);
  }
  progress.end();
}

/** What was copied is what the manifest says, also in what it means. */
async function checkParts({ from }: RestoreOrder, { manifest, parts }: Building): Promise<void> {
  const isOnServer = manifest.service?.database === 'postgres';
  const service = isOnServer ? path.join(from, 'service') : (parts.service ?? '');
  await checkService(service, manifest, from);
  await checkLedger(manifest, from, () => openLedger(parts.ledger ?? ''));
}

async function writeSecrets(
  { files, settings }: BackupSecrets,
  { building, parts }: { building: string; parts: BackupParts },
): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const place = placeOf(parts, building, name);
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
  { from, terminal }: RestoreOrder,
  { manifest, database }: { manifest: BackupManifest; database: string },
): Promise<void> {
  const facts = manifest.service;
  if (!facts) return;
  const total = Object.values(facts.rows).reduce((sum, rows) => sum + rows, 0);
  const progress = progressOf(terminal, 'rows restored');
  try {
    await restoreDatabase(database, path.join(from, 'service'), {
      facts,
      onProgress: (done) => progress.advance(done, total),
    });
  } catch (error) {
    if ((error as Error).name !== 'DatabaseError') throw error;
    throw new CommandFailure(
      `The rows cannot be put into the database: ${(error as Error).message}.\nNothing was kept of them.`,
    );
  } finally {
    progress.end();
  }
}
