/** All bytes in the database that the vault encrypted, whatever their table: read in batches, and written back. */
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
  openidDatasets: ['vcId'],
  settings: ['name'],
};

interface EncryptedColumn {
  readonly table: keyof ServiceSchema;
  readonly column: string;
  readonly keys: readonly string[];
}

/** Every column that holds encrypted bytes, and the columns that name its row. */
export const encryptedColumns: readonly EncryptedColumn[] = Object.values(contexts).map((contextOf) => {
  const { table, purpose: column } = contextOf('', '');
  return { table, column, keys: rowKeys[table] ?? ['id'] };
});

export interface EncryptedRow {
  readonly key: readonly string[];
  readonly encrypted: Uint8Array;
}

const columnsOf = (keys: readonly string[]) => sql.join(keys.map((name) => sql.ref(name)));

/** In the order of their keys; an empty page is the last. */
export async function listEncrypted(
  queries: Queries,
  { table, column, keys }: EncryptedColumn,
  after: readonly string[] | undefined,
): Promise<readonly EncryptedRow[]> {
  const key = columnsOf(keys);
  const { rows } = await sql<Record<string, string> & { encryptedBytes: Uint8Array }>`
    select ${key}, ${sql.ref(column)} as ${sql.ref('encryptedBytes')} from ${sql.table(table)}
    where ${sql.ref(column)} is not null${after ? sql` and ${behind(keys, after)}` : sql``}
    order by ${key} limit ${recordLimits.batchRowsMax}`.execute(queries);
  return rows.map(({ encryptedBytes, ...row }) => ({
    key: keys.map((name) => row[name] as string),
    encrypted: encryptedBytes,
  }));
}

/** Other bytes for these; without effect where they changed meanwhile. */
export async function replaceEncrypted(
  queries: Queries,
  { table, column, keys }: EncryptedColumn,
  { key, encrypted, fresh }: EncryptedRow & { readonly fresh: Uint8Array },
): Promise<void> {
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${fresh}
    where (${columnsOf(keys)}) = (${sql.join(key)}) and ${sql.ref(column)} = ${encrypted}`.execute(queries);
}
