/**
 * What this browser remembers of issuing from tables: marks of rows that are issued or begun, and runs that have not ended. No
 * value of a row is kept, neither plain nor encrypted: whoever goes on gives the same table again.
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { tableLimits } from './bulk-limits.ts';
import type { ColumnUse } from './column-uses.ts';

export interface RememberedRow {
  readonly mark: string;
  /** The application that the row approves, and then its credential. */
  readonly vcId: string;
  /** False from before anything is signed until it is known what came of it. */
  readonly isIssued: boolean;
  readonly txHash?: string;
  readonly block?: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** How a table was understood: the same table is understood the same way when somebody goes on. */
export interface TableReading {
  /** What its columns are called. */
  readonly header: readonly string[];
  readonly uses: readonly ColumnUse[];
  /** Whether an empty cell leaves what the holder applied with. */
  readonly keepsApplied: boolean;
}

export interface RememberedRun {
  /** Whose, and of which template: there is one at a time. */
  readonly id: string;
  readonly issuer: string;
  readonly templateId: string;
  readonly templateName: string;
  readonly rows: number;
  readonly done: number;
  readonly reading: TableReading;
  /** The end of the last day on which the credentials are good. */
  readonly until: string;
  readonly at: number;
}

interface BulkSchema extends DBSchema {
  rows: { key: string; value: RememberedRow; indexes: { at: number } };
  runs: { key: string; value: RememberedRun };
}

const dayMs = 86_400_000;
let opening: Promise<IDBPDatabase<BulkSchema>> | undefined;

const open = (): Promise<IDBPDatabase<BulkSchema>> => {
  opening ??= openDB<BulkSchema>('symbolon-bulk', 1, {
    upgrade(database) {
      database.createObjectStore('rows', { keyPath: 'mark' }).createIndex('at', 'at');
      database.createObjectStore('runs', { keyPath: 'id' });
    },
  });
  return opening;
};

export const runIdOf = (issuer: string, templateId: string): string => `${issuer} ${templateId}`;

export const recallRow = async (mark: string): Promise<RememberedRow | undefined> =>
  (await open()).get('rows', mark);

export async function rememberRow(row: RememberedRow): Promise<void> {
  await (await open()).put('rows', row);
}

export async function rememberRun(run: RememberedRun): Promise<void> {
  await (await open()).put('runs', run);
}

export async function forgetRun(id: string): Promise<void> {
  await (await open()).delete('runs', id);
}

/** Runs of an issuer that have not ended. What is too old is forgotten on the way. */
export async function recallRuns(issuer: string): Promise<readonly RememberedRun[]> {
  const database = await open();
  const oldest = Date.now() - tableLimits.rememberedDays * dayMs;
  const changing = database.transaction('rows', 'readwrite');
  for await (const cursor of changing.store.index('at').iterate(IDBKeyRange.upperBound(oldest)))
    await cursor.delete();
  await changing.done;
  const runs = await database.getAll('runs');
  return runs.filter((run) => run.issuer === issuer && run.at > oldest);
}
