/** The address of a PostgreSQL database, taken apart. It may hold a password, so no message repeats more than `locationOf`. */
import { DatabaseUnreachable } from './database-error.ts';

/** Host, port, name and user; a password may also hide in the query, so nothing of that is shown. */
export function locationOf(url: string): string {
  const { username, host, pathname } = URL.parse(url) ?? {};
  if (host === undefined || pathname === undefined)
    throw new DatabaseUnreachable('the database address is not postgres://user:password@host:port/name');
  return `postgres://${username ? `${username}@` : ''}${host}${pathname}`;
}
