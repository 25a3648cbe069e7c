/**
 * A database in one file of this machine. The file and what SQLite puts beside it are for their owner alone; a folder
 * that does not exist is made, for its owner alone too.
 */
import { chmod, mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { databaseLimits } from '@symbolon/core/limits';
import { Kysely, sql } from 'kysely';
import type { Database, DatabaseOptions } from './database.ts';
import { DatabaseError, DatabaseUnreachable } from './database-error.ts';
import { migrate } from './migrate.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
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
  const connection = await connect(file, location);
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
    async close() {
      await kysely.destroy();
      await connection.close();
    },
  };
}

async function connect(file: string, location: string): Promise<SqliteConnection> {
  try {
    if (file === '') throw new DatabaseError('other', 'no file is named');
    if (file !== inMemory) await prepareFile(path.resolve(file));
    const { busyTimeoutMs, cachedStatementsMax } = databaseLimits;
    const connection = new SqliteConnection({
      file: file === inMemory ? file : path.resolve(file),
      busyTimeoutMs,
      cachedStatementsMax,
    });
    await connection.opened();
    return connection;
  } catch (error) {
    throw new DatabaseUnreachable(`${location} cannot be opened: ${(error as Error).message}`);
  }
}

/** SQLite would make the file readable for all; its companions take over whatever mode the file has. */
async function prepareFile(file: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(file, 'a', 0o600);
  await handle.close();
  await chmod(file, 0o600);
}
