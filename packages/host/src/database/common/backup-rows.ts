/**
 * Tables as files, for backups of a database that has no file of its own: one table a file, one row a line. The first
 * line names table and columns, every other is a list of values: text, whole numbers, null, and bytes as
 * `{"base64": "…"}`. Reading trusts nothing: lines are bounded and values are only those that a column can have.
 */
import { createReadStream } from 'node:fs';
import { backupLimits } from '../../limits/server-limits.ts';
import type { ColumnValue } from './values.ts';

/** A line is not what such a file can hold. */
export class BackupRowsError extends Error {
  override readonly name = 'BackupRowsError';
}

export type BackupRow = Readonly<Record<string, ColumnValue>>;

/** A database at rest, whichever form its copy has. */
export interface DatabaseCopy {
  readonly tables: readonly string[];
  /** Every row, one after the other; by a column where one is named and the copy can still be sorted. */
  rows(table: string, orderBy?: string): AsyncIterable<BackupRow>;
  close(): void;
}

/** Stands at the beginning of the file of a table. */
export interface TableHead {
  readonly table: string;
  readonly columns: readonly string[];
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_]{0,62}$/.test(value);

export const headLine = ({ table, columns }: TableHead): string => `${JSON.stringify({ table, columns })}\n`;

export const rowLine = (columns: readonly string[], row: BackupRow): string =>
  `${JSON.stringify(columns.map((column) => lineValue(row[column] ?? null)))}\n`;

const lineValue = (value: ColumnValue): unknown => {
  if (value instanceof Uint8Array)
    return { base64: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') };
  return typeof value === 'bigint' ? Number(value) : value;
};

/** The table and columns of a file, and its rows as they are read. */
export async function readTableFile(
  file: string,
): Promise<{ readonly head: TableHead; readonly rows: AsyncIterable<BackupRow> }> {
  const lines = readLines(file);
  const { value: first } = await lines.next();
  const head = readHead(file, first ?? '');
  return { head, rows: readRows(file, head, lines) };
}

function readHead(file: string, line: string): TableHead {
  const { table, columns } = (parseLine(file, line) ?? {}) as Partial<TableHead>;
  const areNames = Array.isArray(columns) && columns.length > 0 && columns.every(isName);
  if (!isName(table) || !areNames || new Set(columns).size !== columns.length)
    throw new BackupRowsError(`${file} does not begin with a table and its columns`);
  return { table, columns };
}

async function* readRows(
  file: string,
  { columns }: TableHead,
  lines: AsyncIterable<string>,
): AsyncGenerator<BackupRow> {
  let number = 1;
  for await (const line of lines) {
    number += 1;
    const values = parseLine(file, line);
    const isRow = Array.isArray(values) && values.length === columns.length;
    const read = isRow ? values.map(readValue) : [];
    if (!isRow || read.includes(undefined))
      throw new BackupRowsError(`line ${number} of ${file} is not a row`);
    yield Object.fromEntries(columns.map((column, index) => [column, read[index] as ColumnValue]));
  }
}

function parseLine(file: string, line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The line may hold what is nobody's business, so nothing of it is repeated.
    throw new BackupRowsError(`${file} holds a line that is not JSON`);
  }
}

function readValue(value: unknown): ColumnValue | undefined {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  const { base64 } = value as { base64?: unknown };
  if (typeof base64 !== 'string') return undefined;
  const bytes = Buffer.from(base64, 'base64');
  return bytes.toString('base64') === base64 ? new Uint8Array(bytes) : undefined;
}

/** Lines without their ends; each must have one, so that a file that was cut short shows. */
async function* readLines(file: string): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...pieces, chunk.subarray(start, end)]).toString('utf8');
      [pieces, length, start] = [[], 0, end + 1];
    }
    pieces.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > backupLimits.lineBytesMax)
      throw new BackupRowsError(`${file} holds a line that is too long`);
  }
  if (length > 0) throw new BackupRowsError(`${file} ends in the middle of a line`);
}
