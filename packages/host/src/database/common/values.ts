/**
 * Values as both databases keep them. Columns hold text, whole numbers, bytes or nothing: truth is 1 or 0, a
 * structure is JSON text, a time is milliseconds since 1970. What goes in is checked here, because the databases
 * would each bend a wrong value in their own way.
 */
import { int64Max, int64Min } from '@symbolon/core/limits/consensus';
import { isStorable, unstorableText } from '@symbolon/wire/json/storable-text';
import { DatabaseError } from './database-error.ts';

export type ColumnValue = string | number | bigint | Uint8Array | null;

/** The spelling of column types in migrations. */
export interface ColumnTypes {
  readonly text: string;
  /** 64 bits, signed; read as a number, so within 2^53. */
  readonly integer: string;
  readonly bytes: string;
  /** A number that the database gives to each new row, as its primary key. */
  readonly serial: string;
  /** Stands behind the closing bracket of `create table`: columns take nothing but their type. */
  readonly strict: string;
  /** Stands before `table` in `create`: its rows may be gone after a crash. */
  readonly unlogged: string;
}

function isColumnValue(value: unknown): value is ColumnValue {
  switch (typeof value) {
    case 'string':
      return true;
    case 'number':
      return Number.isSafeInteger(value);
    case 'bigint':
      return value <= int64Max && value >= int64Min;
    default:
      return value === null || value instanceof Uint8Array;
  }
}

/** A parameter of a statement, ready to leave this thread: bytes are copied out of whatever they are a view of. */
export function checkedParameter(value: unknown): ColumnValue {
  if (typeof value === 'string' && !isStorable(value))
    throw new DatabaseError('text', `a parameter is a text that ${unstorableText}`);
  if (!isColumnValue(value))
    throw new DatabaseError('other', `a parameter is no text, whole number or bytes but ${kindOf(value)}`);
  return value instanceof Uint8Array ? new Uint8Array(value) : value;
}

function kindOf(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return 'a number beyond its range';
  return typeof value;
}
