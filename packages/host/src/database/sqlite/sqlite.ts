/**
 * A database in one file of this machine. The file and what SQLite puts beside it are for their owner alone; a folder
 * that does not exist is made, for its owner alone too.
 */
import { existsSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Kysely, sql } from 'kysely';
import { databaseLimits } from '../../limits/server-limits.ts';
import type { Database, DatabaseOptions } from '../common/database.ts';
import { DatabaseAddressWrong, DatabaseUnreachable } from '../common/database-error.ts';
import { migrate } from '../common/migrate.ts';
import type { ColumnTypes } from '../common/values.ts';
import { careForSqlite, uncared } from './sqlite-care.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import {
  assertNotStopped,
  assertSqliteThere,
  lockFileOf,
  makeOwnFile,
  ownSqlite,
  sqliteLocation,
} from './sqlite-files.ts';

const sqliteTypes: ColumnTypes = {
  text: 'text',
  integer: 'integer',
  bytes: 'blob',
  serial: 'integer primary key autoincrement',
  strict: 'strict',
  unlogged: '',
};

const inMemory = ':memory:';
const migrationTimeoutMs = 3_600_000;

export async function openSqlite<Tables>(file: string, options: DatabaseOptions): Promise<Database<Tables>> {
  const location = `sqlite:${file}`;
  const { connection, care, letGo } = await connect(file, location, options);
  const timeoutMs = options.transactionTimeoutMs ?? databaseLimits.transactionTimeoutMs;
  const kysely = new Kysely<Tables>({ dialect: sqliteDialect(connection, timeoutMs) });
  // A large table may take longer than any request should.
  const patient = new Kysely<Tables>({ dialect: sqliteDialect(connection, migrationTimeoutMs) });
  return {
    kysely,
    // There is one connection in any case, and it is in this process.
    ownConnection: kysely,
    dialect: 'sqlite',
    signals: undefined,
    location,
    transaction: (work) => kysely.transaction().execute(work),
    migrate: (migrations) => migrate(patient, migrations, { types: sqliteTypes, location }),
    async ping() {
      await sql`select 1`.execute(kysely);
    },
    health: care.health,
    examine: care.examine,
    async close() {
      await care.close();
      await kysely.destroy();
      await connection.close();
      letGo();
    },
  };
}

async function connect(file: string, location: string, { isOwner = false, ...options }: DatabaseOptions) {
  const isFile = file !== inMemory;
  /** Ends the ownership, where there is one. */
  let letGo = (): void => undefined;
  let connection: SqliteConnection | undefined;
  try {
    if (file === '') throw new DatabaseAddressWrong('a SQLite address names a file: sqlite:service.db');
    const place = isFile ? sqliteLocation(file) : file;
    if (isFile) {
      await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
      if (isOwner) letGo = takePlace(place, location);
      else assertUsable(place);
      // SQLite would make the file readable for all; its companions take over whatever mode the file has.
      makeOwnFile(place);
      await chmod(place, 0o600);
    }
    const { busyTimeoutMs, cachedStatementsMax } = databaseLimits;
    const isOwned = isFile && isOwner;
    connection = new SqliteConnection({ file: place, isOwned, busyTimeoutMs, cachedStatementsMax });
    await connection.opened();
    const care = isOwned ? await careForSqlite(connection, place, options) : uncared(connection);
    return { connection, care, letGo };
  } catch (error) {
    await connection?.close();
    letGo();
    if (error instanceof DatabaseUnreachable) throw error;
    throw new DatabaseUnreachable(`${location} cannot be opened: ${(error as Error).message}`);
  }
}

/**
 * Nothing is made before all that is there was looked at; but what another process owns is in use, whatever else it is.
 */
function takePlace(place: string, location: string): () => void {
  if (!existsSync(lockFileOf(place))) {
    assertSqliteThere(place);
    return ownSqlite(place, location);
  }
  const letGo = ownSqlite(place, location);
  try {
    assertSqliteThere(place);
    return letGo;
  } catch (error) {
    letGo();
    throw error;
  }
}

function assertUsable(place: string): void {
  assertSqliteThere(place);
  assertNotStopped(place);
}
