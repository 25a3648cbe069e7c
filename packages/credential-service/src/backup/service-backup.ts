/**
 * A service's part of a backup: its database, copied while the service may be running, and its open settings. Keys and
 * secret settings are read apart (`readServiceSecrets`), because they are kept apart. The way back fills a folder, and
 * where the database is a server an empty database there.
 */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from '@symbolon/host/database/common/database';
import { openDatabase } from '@symbolon/host/database/open-database';
import { dumpTables, loadTables } from '@symbolon/host/database/postgres/backup-postgres';
import { copySqlite } from '@symbolon/host/database/sqlite/backup-sqlite';
import { backupLimits } from '@symbolon/host/limits/server-limits';
import { serviceMigrations } from '../database/migrations.ts';
import type { ServiceSchema } from '../database/schema.ts';
import { hasAnyRow } from '../database/statements.ts';
import type { ServiceConfig } from '../parts/service-config.ts';
import { decryptRegistrarSeed } from '../vault/service-keys.ts';
import { createVault } from '../vault/vault.ts';
import { databaseUrl, readMasterKeys, ServiceFolderError, settingsPath } from '../wiring/service-folder.ts';
import {
  assertKnown,
  examineServiceCopy,
  openServiceCopy,
  type ServiceFacts,
  sqliteCopyPath,
  tableFilesPath,
  tablesInOrder,
  tablesToCopy,
} from './service-copy.ts';
import { readSettings, type SettingsTree, splitSettings } from './service-settings.ts';

interface ServiceBackupOptions {
  readonly config: ServiceConfig;
  onProgress(done: number, total: number): void;
}

const patient = {
  statementTimeoutMs: backupLimits.statementMs,
  transactionTimeoutMs: backupLimits.statementMs,
  poolConnectionsMax: 2,
};

/** Copies database and open settings into a new folder and answers what the copy holds; it has been read through. */
export async function backUpService(
  folder: string,
  out: string,
  { config, onProgress }: ServiceBackupOptions,
): Promise<ServiceFacts> {
  const url = databaseUrl(folder, config);
  if (url === 'sqlite::memory:')
    throw new ServiceFolderError(
      'The database of this service is in memory only: there is nothing to back up.',
    );
  await mkdir(out, { recursive: true, mode: 0o700 });
  if (url.startsWith('sqlite:'))
    await copySqlite(url.slice('sqlite:'.length), sqliteCopyPath(out), onProgress);
  else await dumpDatabase(url, tableFilesPath(out), onProgress);
  const { open } = splitSettings(await readSettings(folder));
  await writeFile(settingsPath(out), `${JSON.stringify(open, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
  return examineServiceCopy(out);
}

async function dumpDatabase(
  url: string,
  out: string,
  onProgress: ServiceBackupOptions['onProgress'],
): Promise<void> {
  await mkdir(out, { mode: 0o700 });
  const database = await openDatabase<ServiceSchema>(url, patient);
  try {
    await dumpTables(database, out, { tables: tablesToCopy, onProgress });
  } finally {
    await database.close();
  }
}

interface ServiceSecrets {
  /** The text of the key file. */
  readonly masterKey?: string;
  /** Why it is not here although the service has one. */
  readonly masterKeyElsewhere?: string;
  readonly settings: SettingsTree;
  readonly settingNames: readonly string[];
}

/** What a service needs besides its database: for whoever keeps it safe. */
export async function readServiceSecrets(
  folder: string,
  { masterKey }: ServiceConfig,
): Promise<ServiceSecrets> {
  const { secret: settings, secretNames: settingNames } = splitSettings(await readSettings(folder));
  const isInSettings = settingNames.includes('masterKey.value');
  if (masterKey.hsm)
    return { settings, settingNames, masterKeyElsewhere: 'in the hardware module, which has its own backup' };
  if (masterKey.value !== undefined)
    return {
      settings,
      settingNames,
      ...(!isInSettings && { masterKeyElsewhere: 'in the environment of the service' }),
    };
  const file = path.resolve(folder, masterKey.file);
  const facts = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!facts) return { settings, settingNames, masterKeyElsewhere: 'not in the folder of the service' };
  if (facts.size > backupLimits.secretFileBytesMax)
    throw new ServiceFolderError(`${file} is not a master key file.`);
  return { masterKey: await readFile(file, 'utf8'), settings, settingNames };
}

/**
 * The seed of the key that a service signs its backups with: its registrar's, in a copy of its database. Nothing is made
 * on the way, neither a key file nor a key in a hardware module; undefined when it has none.
 */
export async function readServiceKey(
  folder: string,
  { copy: copyFolder, config }: { readonly copy: string; readonly config: ServiceConfig },
): Promise<Uint8Array | undefined> {
  const copy = await openServiceCopy(copyFolder);
  try {
    for await (const row of copy.rows('vaultKeys')) {
      if (row.kind !== 'registrar' || !(row.secret instanceof Uint8Array)) continue;
      const masterKeys = await readMasterKeys(folder, config, { isMade: false });
      try {
        return await decryptRegistrarSeed(createVault(masterKeys), row.secret);
      } finally {
        await masterKeys.close();
      }
    }
    return undefined;
  } finally {
    copy.close();
  }
}

/** Makes the tables as they were in the backup and puts all rows into them; the database must have none of its own. */
export async function restoreDatabase(
  url: string,
  copy: string,
  { facts, onProgress }: { facts: ServiceFacts; onProgress(done: number): void },
): Promise<void> {
  assertKnown(facts.migrations);
  const database = await openDatabase<ServiceSchema>(url, patient);
  try {
    await assertUnused(database);
    // Not the newest form: the service brings the tables up to date itself, with the rows in them.
    await database.migrate(serviceMigrations.filter(({ name }) => facts.migrations.includes(name)));
    await loadTables(database, tableFilesPath(copy), {
      tables: tablesInOrder.filter((name) => Object.hasOwn(facts.rows, name)),
      onProgress,
    });
  } finally {
    await database.close();
  }
}

/** Looked at before tables are made: what belongs to somebody must not even be brought up to date. */
async function assertUnused({ kysely, location }: Database<ServiceSchema>): Promise<void> {
  const present = new Set((await kysely.introspection.getTables()).map(({ name }) => name));
  for (const name of tablesInOrder.filter((table) => present.has(table)))
    if (await hasAnyRow(kysely, name as keyof ServiceSchema))
      throw new ServiceFolderError(
        `${location} is not empty: there are rows in ${name}. Make an empty database and name that one.`,
      );
}
