/**
 * How the owner of a SQLite file looks after it while it is open: the check of its pages in the background, a beat
 * every moment, and what is known from both. Damage, and files that somebody deleted, stop writing for good.
 */
import { existsSync } from 'node:fs';
import { healthLimits } from '../../limits/server-limits.ts';
import type { DatabaseHealth, DatabaseOptions } from '../common/database.ts';
import { DatabaseError } from '../common/database-error.ts';
import { checkSqlite, type SqliteCheck } from './sqlite-check.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { assertNotStopped, assertSqliteThere, sqliteLocation, unmarkStopped } from './sqlite-files.ts';
import { damagedWords } from './sqlite-watch.ts';

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

/** Looks after a file until it is closed. */
export async function careForSqlite(
  connection: SqliteConnection,
  file: string,
  { onDamage }: Pick<DatabaseOptions, 'onDamage'>,
): Promise<SqliteCare> {
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
  if (connection.stopped === undefined) unmarkStopped(file);
  const timer = setInterval(beat, healthLimits.databaseBeatMs).unref();
  let check: SqliteCheck | undefined;
  const judge = async (damage: string | undefined): Promise<void> => {
    // Without its log a sound file looks damaged: files that are gone are named first.
    if (damage !== undefined) await beat();
    integrity = damage === undefined ? 'ok' : 'failed';
    if (damage === undefined || connection.stopped !== undefined) return;
    onDamage?.(damage);
    await connection.stop(damagedWords);
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

/**
 * For whoever is no owner: throws when the file has lost something or is damaged, and answers whether there is one. Takes as
 * long as reading all of it.
 */
export async function examineSqlite(file: string): Promise<boolean> {
  const place = sqliteLocation(file);
  assertSqliteThere(place);
  assertNotStopped(place);
  if (!existsSync(place)) return false;
  const damage = await checkSqlite(place).verdict;
  if (damage !== undefined) throw new DatabaseError('failed', `sqlite:${file} is damaged: ${damage}`);
  return true;
}
