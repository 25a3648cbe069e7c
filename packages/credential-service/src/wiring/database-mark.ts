/**
 * The mark in a service's folder that its database was made. Without it a folder whose database file was lost looks
 * like one that was never started, and a service that began there again would have another registrar and know nobody.
 * The mark is written when the tables and keys are in the database, so a first start that was cut short simply begins.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertSqliteThere, sqliteLocation } from '@symbolon/host/database/sqlite/sqlite-files';
import type { ServiceConfig } from '../parts/service-config.ts';
import { databaseFile, ServiceFolderError } from './service-folder.ts';

type DatabaseSetting = Pick<ServiceConfig, 'database'>;

const markPath = (folder: string): string => join(folder, 'database.begun');

/** Whether the folder had a database file and has none any more. */
export function isDatabaseGone(folder: string, config: DatabaseSetting): boolean {
  const file = databaseFile(folder, config);
  return file !== undefined && existsSync(markPath(folder)) && !existsSync(file);
}

/** To be called before the database is opened, which makes one where there is none. */
export function assertDatabaseThere(
  folder: string,
  config: DatabaseSetting,
  { beginAgain = false }: { readonly beginAgain?: boolean | undefined },
): void {
  const file = databaseFile(folder, config);
  if (beginAgain && (file === undefined || existsSync(file)))
    throw new ServiceFolderError(`${folder} cannot begin again: its database is there. Start it as usual.`);
  // Where something of it is left, that is said.
  if (file !== undefined) assertSqliteThere(sqliteLocation(file));
  if (beginAgain || !isDatabaseGone(folder, config)) return;
  throw new ServiceFolderError(
    `${folder} had a database, and it is gone (${file}): nothing else is begun in its place.\n` +
      'Put the file back, or restore a backup into another folder: symbolon restore --from <backup> --data <folder>\n' +
      `Or, if everything in it may be lost for good: symbolon service start --data ${folder} --begin-again`,
  );
}

/** To be called when the database holds what every later start needs. */
export function markDatabaseBegun(folder: string, config: DatabaseSetting): void {
  if (databaseFile(folder, config) === undefined || existsSync(markPath(folder))) return;
  writeFileSync(
    markPath(folder),
    'The database of this folder was made. A service finds it here, or does not start.\n',
    { mode: 0o600, flush: true },
  );
}
