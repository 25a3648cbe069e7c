/**
 * A copy of tables in PostgreSQL as files (`backup-rows.ts`), and the way back. The copy is one read-only transaction
 * that sees one moment, whatever others write; rows come through cursors, a batch at a time. The way back is one
 * transaction too: all rows are there, or none.
 */
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { type Kysely, sql, type Transaction } from 'kysely';
import { backupLimits } from '../../limits/server-limits.ts';
import {
  type BackupRow,
  BackupRowsError,
  type DatabaseCopy,
  headLine,
  readTableFile,
  rowLine,
} from '../common/backup-rows.ts';
import type { Database } from '../common/database.ts';
import { DatabaseError } from '../common/database-error.ts';

const extension = '.jsonl';

export interface TableToCopy {
  readonly name: string;
  readonly orderBy?: string;
}

/** Writes the tables that there are of those that are named, one file each; answers how many rows there were. */
export async function dumpTables<Tables>(
  { kysely }: Database<Tables>,
  folder: string,
  { tables, onProgress }: { tables: readonly TableToCopy[]; onProgress(done: number, total: number): void },
): Promise<number> {
  return kysely
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (transaction) => {
      const existing = new Map(
        (await transaction.introspection.getTables({ withInternalKyselyTables: true })).map(
          ({ name, columns }) => [name, columns.map((column) => column.name)],
        ),
      );
      const present = tables.filter(({ name }) => existing.has(name));
      let total = 0;
      for (const { name } of present) total += await countRows(transaction, name);
      let done = 0;
      for (const table of present) {
        await dumpTable(transaction, folder, {
          table,
          columns: existing.get(table.name) as string[],
          onRows: (count) => {
            done += count;
            onProgress(done, total);
          },
        });
      }
      return total;
    });
}

async function countRows<Tables>(queries: Kysely<Tables>, table: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(queries);
  return rows[0]?.n ?? 0;
}

interface TableDump {
  readonly table: TableToCopy;
  readonly columns: readonly string[];
  onRows(count: number): void;
}

async function dumpTable<Tables>(
  transaction: Transaction<Tables>,
  folder: string,
  { table: { name, orderBy }, columns, onRows }: TableDump,
): Promise<void> {
  const cursor = sql.ref('symbolonBackup');
  const selected = sql.join(columns.map((column) => sql.ref(column)));
  const order = orderBy === undefined ? sql`` : sql` order by ${sql.ref(orderBy)}`;
  await sql`declare ${cursor} no scroll cursor for select ${selected} from ${sql.table(name)}${order}`.execute(
    transaction,
  );
  const file = await open(path.join(folder, `${name}${extension}`), 'wx', 0o600);
  try {
    await file.appendFile(headLine({ table: name, columns }));
    for (;;) {
      const { rows } = await sql<BackupRow>`fetch ${sql.lit(backupLimits.batchRows)} from ${cursor}`.execute(
        transaction,
      );
      if (rows.length === 0) break;
      await file.appendFile(rows.map((row) => rowLine(columns, row)).join(''));
      onRows(rows.length);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  await sql`close ${cursor}`.execute(transaction);
}

/** The files of a folder as the tables they hold. */
export async function openTableFiles(folder: string): Promise<DatabaseCopy> {
  const tables = (await readdir(folder))
    .filter((name) => name.endsWith(extension))
    .map((name) => name.slice(0, -extension.length))
    .sort();
  return { tables, rows: (table) => rowsOfFile(folder, table), close: () => undefined };
}

async function* rowsOfFile(folder: string, table: string): AsyncGenerator<BackupRow> {
  const file = path.join(folder, `${table}${extension}`);
  const { head, rows } = await readTableFile(file);
  if (head.table !== table) throw new BackupRowsError(`${file} holds the table ${head.table}`);
  yield* rows;
}

/** Puts rows into tables that exist and are empty: all of them in one transaction. */
export async function loadTables<Tables>(
  { kysely, location }: Database<Tables>,
  folder: string,
  { tables, onProgress }: { tables: readonly string[]; onProgress(done: number): void },
): Promise<void> {
  let done = 0;
  await kysely.transaction().execute(async (transaction) => {
    for (const table of tables) {
      if ((await countRows(transaction, table)) > 0)
        throw new DatabaseError('other', `${location} is not empty: there are rows in ${table}`);
    }
    for (const table of tables) {
      for await (const rows of batches(rowsOfFile(folder, table))) {
        await insertRows(transaction, table, rows);
        done += rows.length;
        onProgress(done);
      }
    }
  });
}

async function insertRows<Tables>(
  transaction: Transaction<Tables>,
  table: string,
  rows: readonly BackupRow[],
): Promise<void> {
  const columns = Object.keys(rows[0] as BackupRow);
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const values = sql.join(
    rows.map((row) => sql`(${sql.join(columns.map((column) => sql`${row[column]}`))})`),
  );
  await sql`insert into ${sql.table(table)} (${names}) values ${values}`.execute(transaction);
}

/** Rows in groups that are bounded in number and in size. */
async function* batches(rows: AsyncIterable<BackupRow>): AsyncGenerator<BackupRow[]> {
  let batch: BackupRow[] = [];
  let bytes = 0;
  for await (const row of rows) {
    batch.push(row);
    for (const value of Object.values(row))
      if (typeof value === 'string' || value instanceof Uint8Array) bytes += value.length;
    if (batch.length < backupLimits.batchRows && bytes < backupLimits.batchBytes) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
