/**
 * What a copy of the service's database says of itself: which program made its tables, how many rows each has, where
 * the audit log ends, and which master keys its encrypted records need. Everything is read once, a row at a time;
 * nothing is opened with a key, so nothing personal is seen. The copy is a SQLite file or a folder of table files.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseCopy } from '@symbolon/host/database/common/backup-rows';
import type { DialectName } from '@symbolon/host/database/common/database';
import { DatabaseTooNew } from '@symbolon/host/database/common/database-error';
import { migrationTable } from '@symbolon/host/database/common/migrate';
import { openTableFiles, type TableToCopy } from '@symbolon/host/database/postgres/backup-postgres';
import { openSqliteCopy } from '@symbolon/host/database/sqlite/backup-sqlite';
import { type AuditEntry, type AuditHead, emptyHead } from '../audit/audit-entry.ts';
import { entryProblem } from '../audit/audit-log.ts';
import { serviceMigrations } from '../database/migrations.ts';
import { encryptedColumns } from '../vault/encrypted-rows.ts';

/** Only names are read: types have no spelling here. */
const anyTypes = { text: '', integer: '', bytes: '', serial: '', strict: '', unlogged: '' };

/** Every table, in the order in which they are made: those first that others refer to. */
export const tablesInOrder: readonly string[] = serviceMigrations
  .flatMap(({ statements }) => statements(anyTypes))
  .flatMap((statement) => /^create table "(\w+)"/.exec(statement)?.[1] ?? []);

/** The chain of the audit log is checked as it is read, so its entries come in their order. */
const orders: Readonly<Record<string, string>> = { auditEntries: 'sequence', [migrationTable]: 'name' };

export const tablesToCopy: readonly TableToCopy[] = [...tablesInOrder, migrationTable].map((name) => ({
  name,
  ...(Object.hasOwn(orders, name) && { orderBy: orders[name] as string }),
}));

/** The copy is damaged, or is not one of a service's database. */
export class ServiceCopyError extends Error {
  override readonly name = 'ServiceCopyError';
}

export interface ServiceFacts {
  readonly database: DialectName;
  /** Of the program that made the tables. */
  readonly migrations: readonly string[];
  readonly rows: Readonly<Record<string, number>>;
  readonly audit: AuditHead;
  /** Ids of the master keys that its records are encrypted under. */
  readonly masterKeys: readonly string[];
}

export const sqliteCopyPath = (folder: string): string => path.join(folder, 'service.db');
export const tableFilesPath = (folder: string): string => path.join(folder, 'tables');

export async function openServiceCopy(folder: string): Promise<DatabaseCopy & { dialect: DialectName }> {
  if (existsSync(sqliteCopyPath(folder)))
    return { ...openSqliteCopy(sqliteCopyPath(folder)), dialect: 'sqlite' };
  if (existsSync(tableFilesPath(folder)))
    return { ...(await openTableFiles(tableFilesPath(folder))), dialect: 'postgres' };
  throw new ServiceCopyError(`${folder} holds no database`);
}

export async function examineServiceCopy(folder: string): Promise<ServiceFacts> {
  const copy = await openServiceCopy(folder);
  try {
    const migrations = await readMigrations(copy);
    const present = tablesInOrder.filter((name) => copy.tables.includes(name));
    const { rows, masterKeys } = await readRows(copy, present);
    const audit = await readAudit(copy);
    return { database: copy.dialect, migrations, rows, audit, masterKeys };
  } finally {
    copy.close();
  }
}

async function readMigrations(copy: DatabaseCopy): Promise<string[]> {
  if (!copy.tables.includes(migrationTable))
    throw new ServiceCopyError('the database holds no tables of a credential service');
  const names: string[] = [];
  for await (const { name } of copy.rows(migrationTable, 'name')) names.push(String(name));
  assertKnown(names);
  return names.sort();
}

/** Tables of a newer program may hold what this one would drop or misread. */
export function assertKnown(names: readonly string[]): void {
  const known = new Set(serviceMigrations.map(({ name }) => name));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new DatabaseTooNew(
      `The database was made by a newer program: this one does not know ${unknown.slice(0, 3).join(', ')}. ` +
        'Use the program that the service runs with.',
    );
}

/** Encrypted bytes: version (1), id of the master key (8), and more. */
const keyIdStart = 1;
const keyIdEnd = 9;

async function readRows(
  copy: DatabaseCopy,
  tables: readonly string[],
): Promise<Pick<ServiceFacts, 'rows' | 'masterKeys'>> {
  const rows: Record<string, number> = {};
  const masterKeys = new Set<string>();
  for (const table of tables) {
    const encrypted: readonly string[] = encryptedColumns
      .filter((column) => column.table === table)
      .map(({ column }) => column);
    let count = 0;
    for await (const row of copy.rows(table)) {
      count += 1;
      for (const column of encrypted) {
        const bytes = row[column];
        if (bytes instanceof Uint8Array && bytes.length >= keyIdEnd)
          masterKeys.add(Buffer.from(bytes.subarray(keyIdStart, keyIdEnd)).toString('hex'));
      }
    }
    rows[table] = count;
  }
  return { rows, masterKeys: [...masterKeys].sort() };
}

async function readAudit(copy: DatabaseCopy): Promise<AuditHead> {
  const anchors = new Map<unknown, string>();
  for await (const { sequence, hash } of copy.rows('auditAnchors')) anchors.set(sequence, String(hash));
  let head = emptyHead;
  for await (const row of copy.rows('auditEntries', 'sequence')) {
    const entry = row as unknown as AuditEntry;
    const problem = entryProblem(entry, head, anchors.get(entry.sequence));
    if (problem)
      throw new ServiceCopyError(`the audit log is broken at entry ${head.sequence + 1}: ${problem}`);
    head = { sequence: entry.sequence, hash: entry.hash };
    anchors.delete(entry.sequence);
  }
  if (anchors.size > 0)
    throw new ServiceCopyError('the audit log is broken: entries that were anchored are missing');
  return head;
}
