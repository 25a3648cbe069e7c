/**
 * Table files, read as a whole or where something of them is asked for. What cannot be read is damaged, unless it is the
 * process that lacks what reading takes: that says nothing of the table, and is thrown.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type TableSource, tableDamage } from './level-table.ts';

/** A table that is to be read through. */
export interface TableToCheck {
  readonly number: number;
  readonly path: string;
  /** How long the manifest says that it is; undefined when no manifest names it any more. */
  readonly bytes: number | undefined;
}

/** What is wrong with a table that is not there. */
export const missingTable = 'is missing';

/** Descriptors of the process or of the system, and memory. */
const wants: readonly (string | undefined)[] = ['EMFILE', 'ENFILE', 'ENOMEM'];

/** Whether reading failed for want of something that there may be a moment later. */
export const isWant = (error: unknown): boolean => wants.includes((error as NodeJS.ErrnoException).code);

/** What `look` finds wrong with a table, or that it is not there as it should be; undefined when nothing is wrong. */
export function withTable(
  { path, bytes }: Omit<TableToCheck, 'number'>,
  look: (source: TableSource) => string | undefined,
): string | undefined {
  let file: number | undefined;
  try {
    const opened = openSync(path, 'r');
    file = opened;
    const { size } = fstatSync(opened);
    if (bytes !== undefined && size !== bytes) return `has ${size} bytes instead of ${bytes}`;
    return look({ length: size, read: (offset, length) => readPart(opened, offset, length) });
  } catch (error) {
    if (isWant(error)) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? missingTable : `cannot be read (${code ?? message})`;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** What is wrong with a table, from its first byte to its last. */
export const tableFileDamage = (order: Omit<TableToCheck, 'number'>): string | undefined =>
  withTable(order, (source) => tableDamage(source.read(0, source.length)));

/** Bytes of an open file; throws when there are fewer. */
export function readPart(file: number, offset: number, length: number): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let at = 0; at < length; ) {
    const read = readSync(file, bytes, at, length - at, offset + at);
    if (read === 0) throw new Error(`it ends at byte ${offset + at}`);
    at += read;
  }
  return bytes;
}
