/**
 * What can go wrong with a database, in one vocabulary for both of them. Messages name tables and constraints, never
 * values and never a password: errors are logged, and rows hold what people want kept to themselves.
 */
import { SetupError } from '@symbolon/core/faults/operator-errors';

export type DatabaseErrorKind =
  | 'unique'
  | 'foreignKey'
  | 'notNull'
  | 'check'
  /** A text that no database keeps. */
  | 'text'
  /** Somebody else was faster, too often. */
  | 'contention'
  | 'timeout'
  | 'closed'
  /** It does not work: no room, no access, damage, nobody there. */
  | 'failed'
  | 'other';

export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly kind: DatabaseErrorKind;
  /** The database's own code, for operators. */
  readonly code: string | undefined;

  constructor(kind: DatabaseErrorKind, message: string, code?: string) {
    super(message);
    this.kind = kind;
    this.code = code;
  }
}

/** The database cannot be reached or opened; the message is for the operator who configured it. */
export class DatabaseUnreachable extends Error {
  override readonly name: string = 'DatabaseUnreachable';
}

/** Another process owns the file; the message says what to do. */
export class DatabaseInUse extends DatabaseUnreachable {
  override readonly name = 'DatabaseInUse';
}

/** The file holds less than was answered before: its log was deleted, or an older copy was put in its place. */
export class DatabaseSetBack extends DatabaseUnreachable {
  override readonly name = 'DatabaseSetBack';
}

/** The tables were made by a newer program than this one. */
export class DatabaseTooNew extends SetupError {
  override readonly name = 'DatabaseTooNew';
}

const failingKinds: ReadonlySet<DatabaseErrorKind> = new Set(['failed', 'closed', 'timeout']);

/** Whether the database itself is to blame, and not what was asked of it. */
export const isDatabaseFailing = (error: unknown): boolean =>
  error instanceof DatabaseError && failingKinds.has(error.kind);

export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof DatabaseError && error.kind === 'unique';

/** The address itself cannot be used, whoever answers there: a setting to correct. */
export class DatabaseAddressWrong extends DatabaseUnreachable {
  override readonly name = 'DatabaseAddressWrong';
}
