import type { ColumnTypes } from '@symbolon/host/database/common/values';

/** SQL that SQLite and PostgreSQL both read; what differs is the spelling of column types. */
export type Statements = (types: ColumnTypes) => string[];
