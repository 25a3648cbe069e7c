/** What the SQLite thread and its owner say to each other. Plain data: it is copied between threads. */
import type { ColumnValue } from '../common/values.ts';

export interface SqliteStatement {
  readonly sql: string;
  readonly parameters: readonly ColumnValue[];
}

/** `together`: each statement is its own write, but all wait for the disk once. `inside`: one transaction's. */
export type SqliteRequest =
  | { readonly mode: 'together' | 'inside'; readonly statements: readonly SqliteStatement[] }
  /** The owner's sign of life. */
  | { readonly mode: 'beat' }
  /** Nothing is to be written any more. */
  | { readonly mode: 'stop'; readonly problem: string };

export interface SqliteFailure {
  readonly message: string;
  /** SQLite's extended result code. */
  readonly code: number;
  /** Why nothing is written any more, when that is so from now on. */
  readonly stopped?: string;
}

export type SqliteOutcome =
  | { readonly rows: Record<string, unknown>[]; readonly changes?: number }
  | { readonly failure: SqliteFailure };

/** First comes one of these, telling whether the file could be opened; then a list of outcomes for each request. */
export type SqliteOpened = { readonly opened: true } | { readonly failure: SqliteFailure };

export interface SqliteThreadSettings {
  readonly file: string;
  /** Whether the process has the file as its own, and looks after it. */
  readonly isOwned: boolean;
  readonly busyTimeoutMs: number;
  readonly cachedStatementsMax: number;
}
