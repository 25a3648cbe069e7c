/**
 * A database in one file of this machine. The file and what SQLite puts beside it are for their owner alone; a folder
 * that does not exist is made, for its owner alone too.
 */
import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { databaseLimits } from '@symbolon/core/limits';
import { Kysely, sql } from 'kysely';
import type { Database, DatabaseOptions } from './database.ts';
import { DatabaseError, DatabaseUnreachable } from './database-error.ts';
import { migrate } from './migrate.ts';
import { careForSqlite, type SqliteCare, uncared } from './sqlite-care.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { makeOwnFile, ownSqlite } from './sqlite-owner.ts';
import type { ColumnTypes } from './values.ts';

const sqliteTypes: ColumnTypes = {
  text: 'text',
  integer: 'integer',
  bytes: 'blob',
  serial: 'integer primary key autoincrement',
  strict: 'strict',
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

interface Connected {
  readonly connection: SqliteConnection;
  readonly care: SqliteCare;
  /** Ends the ownership, where there is one. */
  readonly letGo: () => void;
}

async function connect(
  file: string,
  location: string,
  { isOwner = false, ...options }: DatabaseOptions,
): Promise<Connected> {
  const isFile = file !== inMemory;
  const place = isFile ? path.resolve(file) : file;
  let letGo = (): void => undefined;
  let connection: SqliteConnection | undefined;
  try {
    if (file === '') throw new DatabaseError('other', 'no file is named');
    if (isFile) await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
    if (isFile && isOwner) letGo = ownSqlite(place, location);
    if (isFile) await prepareFile(place);
    const { busyTimeoutMs, cachedStatementsMax } = databaseLimits;
    connection = new SqliteConnection({ file: place, busyTimeoutMs, cachedStatementsMax });
    await connection.opened();
    const care = isFile && isOwner ? await careForSqlite(connection, place, options) : uncared(connection);
    return { connection, care, letGo };
  } catch (error) {
    await connection?.close();
    letGo();
    if (error instanceof DatabaseUnreachable) throw error;
    throw new DatabaseUnreachable(`${location} cannot be opened: ${(error as Error).message}`);
  }
}

/** SQLite would make the file readable for all; its companions take over whatever mode the file has. */
async function prepareFile(file: string): Promise<void> {
  makeOwnFile(file);
  await chmod(file, 0o600);
}
