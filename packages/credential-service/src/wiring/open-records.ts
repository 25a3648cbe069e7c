/**
 * What the service keeps, opened: database with its tables, vault, the registrar's key, API keys, audit log. Enough
 * for commands that look after keys while the service may be running; the service itself adds the rest
 * (`open-foundation.ts`).
 */

import type { Database, DatabaseOptions } from '@symbolon/host/database/common/database';
import { openDatabase } from '@symbolon/host/database/open-database';
import { examineSqlite } from '@symbolon/host/database/sqlite/sqlite-care';
import type { Log } from '@symbolon/host/telemetry/log';
import { type Clock, systemClock } from '@symbolon/host/work/clock';
import { type Signer, signerFromSeed } from '@symbolon/sdk/keys/signer';
import { type ApiKeys, createApiKeys } from '../access/api-keys.ts';
import { type AuditLog, createAuditLog } from '../audit/audit-log.ts';
import { serviceMigrations } from '../database/migrations.ts';
import type { ServiceSchema } from '../database/schema.ts';
import { readSetting } from '../database/settings.ts';
import type { ServiceConfig } from '../parts/service-config.ts';
import { adoptTemplateNames } from '../templates/name-form-rows.ts';
import { openVault } from '../vault/open-vault.ts';
import { registrarKey } from '../vault/service-keys.ts';
import type { KeyVault } from '../vault/vault.ts';
import { assertDatabaseThere, markDatabaseBegun } from './database-mark.ts';
import { databaseUrl, isServiceFolder, readMasterKeys, sqliteFileOf } from './service-folder.ts';

export interface Records {
  readonly database: Database<ServiceSchema>;
  /** Whether the database had the records of a service before it was opened here. */
  readonly hadService: boolean;
  readonly vault: KeyVault;
  /** Whether records may still be encrypted under a master key of the past. */
  readonly hasPreviousKeys: boolean;
  /** Pays for what the service itself records. */
  readonly registrarSigner: Signer;
  readonly apiKeys: ApiKeys;
  readonly audit: AuditLog;
  close(): Promise<void>;
}

export interface RecordsOptions {
  readonly config: ServiceConfig;
  readonly log: Log;
  readonly clock?: Clock;
  /** Whether a database that is gone is made again, empty. */
  readonly beginAgain?: boolean | undefined;
}

export interface RecordsUse {
  /** Whether this process is the service itself, which no second one may be on the same file. */
  readonly isOwner?: boolean;
  /** Whether the master key is made if there is none: by whoever makes the service, and nobody later. */
  readonly isNew?: boolean;
}

/** The service has its file read through while it runs; whoever writes beside it does so before. */
async function openChecked(url: string, options: DatabaseOptions): Promise<Database<ServiceSchema>> {
  const file = sqliteFileOf(url);
  if (options.isOwner !== true && file !== undefined) await examineSqlite(file);
  return openDatabase<ServiceSchema>(url, options);
}

export async function openRecords(
  folder: string,
  { config, log, clock = systemClock, isOwner = false, isNew, beginAgain }: RecordsOptions & RecordsUse,
): Promise<Records> {
  assertDatabaseThere(folder, config, { beginAgain });
  // A folder with settings is complete, so a key that is not there is lost: another one would open nothing.
  const isMade = isNew ?? !(await isServiceFolder(folder));
  const masterKeys = await readMasterKeys(folder, config, { isMade, isMadeInToken: true });
  const database = await openChecked(databaseUrl(folder, config), {
    isOwner,
    onIdleError: (err) => log.warn({ err }, 'a connection to the database broke'),
    onDamage: (damage) => log.fatal({ damage }, 'the database is not in order, and is not written any more'),
  }).catch(async (error: unknown) => {
    await masterKeys.close();
    throw error;
  });
  const close = async () => {
    await database.close();
    await masterKeys.close();
  };
  try {
    const migrations = await database.migrate(serviceMigrations);
    if (migrations.length > 0) log.info({ migrations, database: database.location }, 'tables are up to date');
    const now = clock.nowMs();
    await adoptTemplateNames(database, now);
    const hadService = (await readSetting(database.kysely, 'vault.check')) !== undefined;
    const vault = await openVault(database.kysely, masterKeys, now);
    const { seed } = await registrarKey(database.kysely, vault, now);
    const registrarSigner = await signerFromSeed(seed);
    seed.fill(0);
    markDatabaseBegun(folder, config);
    const apiKeys = createApiKeys(database.kysely, clock, database.signals);
    return {
      database,
      hadService,
      vault,
      hasPreviousKeys: masterKeys.previous.length > 0,
      registrarSigner,
      apiKeys,
      audit: createAuditLog(database, clock),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
