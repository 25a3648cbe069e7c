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
  /** Words to the other processes on it; there is none where one process has it alone. */
  readonly signals: DatabaseSignals | undefined;
  health(): DatabaseHealth;
  /** Begins to look, in the background, whether the pages of a file of one's own fit together; `health` tells. */
  examine(): void;
  close(): Promise<void>;
}

/** Words between the processes on a database. They may get lost: then what they would have woken wakes by itself, later. */
export interface DatabaseSignals {
  /** Tells whoever listens here at once, and the others in a moment. A word is short and has no line ends. */
  say(word: string): void;
  /** Told every word that is said, here or, once it is open, elsewhere. */
  listen(hear: (word: string) => void): void;
  /** Begins to hear what others say. */
  open(): void;
}

/** What is known of a database at this moment, without asking it. */
export interface DatabaseHealth {
  /** Whether its pages fit together: of a file that this process owns, and of no other. */
  readonly integrity: 'checking' | 'ok' | 'failed' | 'notLookedAt';
  /** Why it cannot be written; nothing while it can, as far as is known. */
  readonly problem?: string | undefined;
  /** How often it was itself to blame that something was not done, since it was opened. */
  readonly failures: number;
}

export interface DatabaseOptions {
  /**
   * Whether this process has the file of a SQLite database as its own: a second owner is refused, and the file is
   * looked after as long as it is open.
   */
  readonly isOwner?: boolean;
  /** Told what was found wrong with a file of one's own. */
  readonly onDamage?: (damage: string) => void;
  /** Told of connections that broke while nobody used them. */
  readonly onIdleError?: (error: Error) => void;
  readonly poolConnectionsMax?: number;
  readonly statementTimeoutMs?: number;
  readonly transactionTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
}
