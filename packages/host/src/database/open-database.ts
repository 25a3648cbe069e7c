/**
 * Opens the database that an address names. The address may hold a password, so nothing of it is repeated in a
 * message except what `location` keeps.
 */
import type { Database, DatabaseOptions } from './common/database.ts';
import { DatabaseAddressWrong } from './common/database-error.ts';
import { openPostgres } from './postgres/postgres.ts';
import { openSqlite } from './sqlite/sqlite.ts';

/** `sqlite:<file>`, `sqlite::memory:` or `postgres://user:password@host:port/name`; it has answered before this returns. */
export async function openDatabase<Tables>(
  url: string,
  options: DatabaseOptions = {},
): Promise<Database<Tables>> {
  if (url.startsWith('sqlite:')) return openSqlite<Tables>(url.slice('sqlite:'.length), options);
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgres<Tables>(url, options);
  throw new DatabaseAddressWrong('a database address begins with sqlite: or postgres://');
}
