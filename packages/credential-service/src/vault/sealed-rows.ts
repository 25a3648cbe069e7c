/** All bytes in the database that the vault sealed, whatever their table: read in batches, and written back. */

import { sql } from 'kysely';
import type { Queries, ServiceSchema } from '../database/schema.ts';
import { behind } from '../database/statements.ts';
import { recordLimits } from '../limits/service-limits.ts';
import { contexts } from './encryption-contexts.ts';

/** What names a row of a table, where that is not its id. */
const rowKeys: Readonly<Partial<Record<keyof ServiceSchema, readonly string[]>>> = {
  applications: ['vcId'],
  credentials: ['vcId'],
  statusChanges: ['blobId', 'vcId'],
  payments: ['paymentId'],
  issuerKeys: ['issuer'],
  custodyAccounts: ['address'],
  callbackSecrets: ['keyId'],
  settings: ['name'],
};

interface SealedColumn {
  readonly table: keyof ServiceSchema;
  readonly column: string;
  readonly keys: readonly string[];
}

/** Every column that holds sealed bytes, and the columns that name its row. */
export const sealedColumns: readonly SealedColumn[] = Object.values(contexts).map((placeOf) => {
  const { table, purpose: column } = placeOf('', '');
  return { table, column, keys: rowKeys[table] ?? ['id'] };
});

export interface SealedRow {
  readonly key: readonly string[];
  readonly sealed: Uint8Array;
}

const columnsOf = (keys: readonly string[]) => sql.join(keys.map((name) => sql.ref(name)));

/** In the order of their keys; an empty page is the last. */
export async function listSealed(
  queries: Queries,
  { table, column, keys }: SealedColumn,
  after: readonly string[] | undefined,
): Promise<readonly SealedRow[]> {
  const key = columnsOf(keys);
  const { rows } = await sql<Record<string, string> & { sealedBytes: Uint8Array }>`
    select ${key}, ${sql.ref(column)} as ${sql.ref('sealedBytes')} from ${sql.table(table)}
    where ${sql.ref(column)} is not null${after ? sql` and ${behind(keys, after)}` : sql``}
    order by ${key} limit ${recordLimits.batchRowsMax}`.execute(queries);
  return rows.map(({ sealedBytes, ...row }) => ({
    key: keys.map((name) => row[name] as string),
    sealed: sealedBytes,
  }));
}

/** Other bytes for these; without effect where they changed meanwhile. */
export async function replaceSealed(
  queries: Queries,
  { table, column, keys }: SealedColumn,
  { key, sealed, fresh }: SealedRow & { readonly fresh: Uint8Array },
): Promise<void> {
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${fresh}
    where (${columnsOf(keys)}) = (${sql.join(key)}) and ${sql.ref(column)} = ${sealed}`.execute(queries);
}
