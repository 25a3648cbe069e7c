/**
 * A copy of a SQLite database that may be in use: SQLite's own online backup, from a read transaction that is held to
 * the end, so that writers neither wait for it nor make it begin again, and what is copied is of one moment. The copy
 * is one plain file without a write-ahead log; it can be read where nothing can be written.
 */
import { chmod, open } from 'node:fs/promises';
import { backup, DatabaseSync } from 'node:sqlite';
import { backupLimits, databaseLimits } from '../../limits/server-limits.ts';
import type { BackupRow, DatabaseCopy } from '../common/backup-rows.ts';
import { DatabaseError, DatabaseUnreachable } from '../common/database-error.ts';
import type { ColumnValue } from '../common/values.ts';
import { assertSqliteThere, sqliteLocation } from './sqlite-files.ts';

/** Copies the database of a file into a new file, for its owner alone. */
export async function copySqlite(
  file: string,
  target: string,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<void> {
  // A copy has no witness: of a file that has lost something it would hide the loss.
  assertSqliteThere(sqliteLocation(file));
  await (await open(target, 'wx', 0o600)).close();
  const source = openExisting(file);
  try {
    // A read transaction begins with the first read.
    source.exec('begin; select count(*) from sqlite_schema');
    await backup(source, target, {
      rate: backupLimits.databasePages,
      progress: ({ totalPages, remainingPages }) => onProgress(totalPages - remainingPages, totalPages),
    });
    source.exec('commit');
  } catch (error) {
    throw new DatabaseError('other', `sqlite:${file} cannot be copied: ${(error as Error).message}`);
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(target);
  copy.exec('pragma journal_mode = delete');
  copy.close();
  await chmod(target, 0o600);
}

function openExisting(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { readOnly: true, timeout: databaseLimits.busyTimeoutMs });
  } catch (error) {
    throw new DatabaseUnreachable(`sqlite:${file} cannot be opened: ${(error as Error).message}`);
  }
}

/** Opens a copy for reading; throws when SQLite finds anything wrong with it. */
export function openSqliteCopy(file: string): DatabaseCopy {
  const connection = openExisting(file);
  try {
    connection.enableDefensive(true);
    connection.exec('pragma trusted_schema = off');
    const [verdict] = connection.prepare('pragma integrity_check(1)').all();
    if (verdict?.integrity_check !== 'ok') throw new Error('its pages do not fit together');
    const named = connection
      .prepare(`select name from sqlite_schema where type = 'table' order by name`)
      .all();
    const tables = named.map(({ name }) => String(name)).filter((name) => !name.startsWith('sqlite_'));
    return {
      tables,
      rows: (table, orderBy) => rowsOf(connection, { table, orderBy }),
      close: () => connection.close(),
    };
  } catch (error) {
    connection.close();
    throw new DatabaseError('other', `sqlite:${file} is damaged: ${(error as Error).message}`);
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

async function* rowsOf(
  connection: DatabaseSync,
  { table, orderBy }: { table: string; orderBy: string | undefined },
): AsyncGenerator<BackupRow> {
  const order = orderBy === undefined ? '' : ` order by ${quoted(orderBy)}`;
  const statement = connection.prepare(`select * from ${quoted(table)}${order}`);
  for (const row of statement.iterate()) yield row as Record<string, ColumnValue>;
}
