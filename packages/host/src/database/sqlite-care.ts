/**
 * How the owner of a SQLite file looks after it while it is open: the check of its pages in the background, a beat every
 * moment, and what is known from both. Damage, and files that somebody deleted, stop writing for good.
 */
import { DatabaseSync } from 'node:sqlite';
import { databaseLimits, healthLimits } from '@symbolon/core/limits';
import type { DatabaseHealth, DatabaseOptions } from './database.ts';
import { DatabaseError, DatabaseSetBack } from './database-error.ts';
import { checkSqlite, type SqliteCheck } from './sqlite-check.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { witnessed, witnessFileOf } from './sqlite-watch.ts';

export interface SqliteCare {
  health(): DatabaseHealth;
  examine(): void;
  close(): Promise<void>;
}

/** A connection that nobody looks after: not the owner's, or one in memory. */
export const uncared = (connection: SqliteConnection): SqliteCare => ({
  health: () => ({ integrity: 'notLookedAt', failures: connection.failures }),
  examine: () => undefined,
  close: async () => undefined,
});

/** Refuses a file that has lost what was answered; then looks after it until it is closed. */
export async function careForSqlite(
  connection: SqliteConnection,
  file: string,
  { onDamage }: Pick<DatabaseOptions, 'onDamage'>,
): Promise<SqliteCare> {
  await refuseSetBack(connection, file);
  let integrity: DatabaseHealth['integrity'] = 'checking';
  let lastProblem: string | undefined;
  let beating: Promise<void> | undefined;
  const beat = (): Promise<void> => {
    beating ??= connection
      .beat()
      .then(
        () => {
          lastProblem = undefined;
        },
        (error: Error) => {
          if (connection.stopped !== undefined && lastProblem !== error.message) onDamage?.(error.message);
          lastProblem = error.message;
        },
      )
      .finally(() => {
        beating = undefined;
      });
    return beating;
  };
  await beat();
  const timer = setInterval(beat, healthLimits.databaseBeatMs).unref();
  let check: SqliteCheck | undefined;
  const judge = async (damage: string | undefined): Promise<void> => {
    // Without its log a sound file looks damaged: files that are gone are named first.
    if (damage !== undefined) await beat();
    integrity = damage === undefined ? 'ok' : 'failed';
    if (damage === undefined || connection.stopped !== undefined) return;
    onDamage?.(damage);
    await connection.stop('the database file is damaged, and nothing is written any more');
  };
  return {
    examine() {
      check ??= checkSqlite(file);
      // Whoever closes the connection before the verdict does not need it any more.
      check.verdict.then(judge).catch(() => undefined);
    },
    health: () => {
      const problem = connection.stopped ?? lastProblem;
      return { integrity, failures: connection.failures, ...(problem !== undefined && { problem }) };
    },
    async close() {
      clearInterval(timer);
      await check?.end();
      await beating;
    },
  };
}

async function refuseSetBack(connection: SqliteConnection, file: string): Promise<void> {
  const { rows } = await connection.run({ sql: 'pragma user_version', parameters: [] });
  assertNotSetBack(file, Number(rows[0]?.user_version));
}

/** For whoever is no owner: throws when the file has lost something or is damaged. Takes as long as reading all of it. */
export async function examineSqlite(file: string): Promise<void> {
  const connection = new DatabaseSync(file, { readOnly: true, timeout: databaseLimits.busyTimeoutMs });
  try {
    const [row] = connection.prepare('pragma user_version').all();
    assertNotSetBack(file, Number(row?.user_version));
  } finally {
    connection.close();
  }
  const damage = await checkSqlite(file).verdict;
  if (damage !== undefined) throw new DatabaseError('failed', `sqlite:${file} is damaged: ${damage}`);
}

function assertNotSetBack(file: string, count: number): void {
  const seen = witnessed(file);
  if (seen === undefined || seen <= count) return;
  throw new DatabaseSetBack(
    `sqlite:${file} has lost what was written to it: its write-ahead log (${file}-wal) was deleted, or it is an older copy.\n` +
      'Put the log back, or restore a backup into a new folder.\n' +
      `To go on with what is left, knowing that answered writes are gone, remove ${witnessFileOf(file)}.`,
  );
}
