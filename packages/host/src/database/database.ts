/**
 * What a relational database is to a service: SQLite in a file by default, PostgreSQL by URL, the same repository code on
 * both. What is promised here holds for both and is kept by one suite (`database.conformance.ts`): transactions are
 * serializable, an answered write is durable, integers come back as numbers and bytes as Uint8Array, and errors carry
 * a kind instead of a vendor's code. Tables are the business of whoever opens it.
 */
import type { Kysely, Transaction } from 'kysely';
import type { Migration } from './migrate.ts';

export type DialectName = 'sqlite' | 'postgres';

export interface Database<Tables> {
  readonly kysely: Kysely<Tables>;
  /**
   * The same tables over a connection that nobody else uses, for what must not wait behind others. It is kept as long as
   * it works; one that is silent for too long is given up, and the next statement opens another.
   */
  readonly ownConnection: Kysely<Tables>;
  readonly dialect: DialectName;
  /** Where it is, without password: for logs and messages. */
  readonly location: string;
  /**
   * Runs work that sees and changes the database alone. It may run several times before one run is kept, so it must
   * touch nothing but the database; while it runs on SQLite nobody else writes, so it waits for nothing else either.
   */
  transaction<Result>(work: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result>;
  /** Brings the tables up to date and answers the names of the migrations that ran. */
  migrate(migrations: readonly Migration[]): Promise<readonly string[]>;
  /** Throws when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Told of connections that broke while nobody used them. */
  readonly onIdleError?: (error: Error) => void;
  readonly poolConnectionsMax?: number;
  readonly statementTimeoutMs?: number;
  readonly transactionTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
}
