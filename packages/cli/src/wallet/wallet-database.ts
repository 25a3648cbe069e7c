/**
 * The one file of a wallet, `wallet.db` in a folder of its own: what was paid, what was proved, and the credentials,
 * encrypted. SQLite, so that it is whole after any crash and two servers of the same wallet wait for each other. Nobody
 * but the owner can read it. What is in the tables is the business of `spending.ts`, `proved-ranges.ts` and
 * `kept-credentials.ts`, and of credentials of the field `kept-fields.ts`.
 */
import { chmod, mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databaseLimits } from '@symbolon/host/limits/server-limits';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';

/** By which a wallet came to its present form, one after the other. */
const steps = [
  `
  create table payment (
    hash text primary key, day text not null, nonce text not null, asset text not null,
    amount text not null, fee text not null, payee text not null, state text not null
  ) strict;
  create index payment_day on payment (day);
  create table proved_range (
    day text not null, attribute text not null, bounds text not null,
    primary key (day, attribute, bounds)
  ) strict;
  create table credential (name text primary key, sealed blob not null) strict;
`,
  // Of payments from before, no chain is known: they count beside those of every chain.
  `alter table payment add column chain text not null default ''`,
  `create table field_credential (name text primary key, sealed blob not null) strict`,
] as const;

export async function openWalletDatabase(folder: string): Promise<DatabaseSync> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const file = path.join(folder, 'wallet.db');
  // Made here, because SQLite would make it readable for everybody; its journal takes the mode of the file.
  const handle = await open(file, 'a', 0o600);
  await handle.chmod(0o600);
  await handle.close();
  const database = new DatabaseSync(file, { timeout: databaseLimits.busyTimeoutMs });
  try {
    database.exec('pragma synchronous = full; pragma secure_delete = on');
    inTransaction(database, () => prepareTables(database, file));
    return database;
  } catch (error) {
    database.close();
    if (error instanceof CommandFailure) throw error;
    const advice = 'Put it back from a backup, or move it away: credentials can be downloaded again.';
    throw new CommandFailure(`The wallet ${file} cannot be opened.\n${advice}`, exitCodes.damaged);
  }
}

function prepareTables(database: DatabaseSync, file: string): void {
  const { user_version: found } = database.prepare('pragma user_version').get() as { user_version: number };
  if (found === steps.length) return;
  if (found > steps.length)
    throw new CommandFailure(
      `The wallet ${file} was written by a newer version.\nUpdate this one.`,
      exitCodes.config,
    );
  database.exec(`${steps.slice(found).join(';')}; pragma user_version = ${steps.length}`);
}

/** Everything or nothing, with the file locked from the first read on. */
export function inTransaction<Value>(database: DatabaseSync, act: () => Value): Value {
  database.exec('begin immediate');
  try {
    const value = act();
    database.exec('commit');
    return value;
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
}

/** The day in UTC. It never goes back: a clock that does would give the day's money a second time. */
export function walletDay(database: DatabaseSync, nowMs: number): string {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const row = database.prepare('select max(day) as last from payment').get() as { last: string | null };
  return row.last !== null && row.last > today ? row.last : today;
}
