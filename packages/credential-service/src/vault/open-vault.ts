/**
 * The vault of one database. A check value, sealed on the first start, tells at every later one whether the master key
 * is the right one: a wrong key stops the start with words instead of showing up as unreadable rows later. After a
 * change of the master key `rewrapAll` brings every record under the new one, a bounded batch at a time; it can be
 * stopped and started again, and the old key must stay at hand until it says that nothing is left.
 */

import { sql } from 'kysely';
import type { Queries, ServiceSchema } from '../database/schema.ts';
import { putSettingOnce, readSetting } from '../database/settings.ts';
import { recordLimits } from '../limits/service-limits.ts';
import { places } from './places.ts';
import { createVault, type KeyVault, type MasterKeys } from './vault.ts';
import { VaultError } from './vault-error.ts';

const checkPlace = places.setting('vault.check');
const checkText = 'symbolon vault';

export async function openVault(queries: Queries, masterKeys: MasterKeys, now: number): Promise<KeyVault> {
  const vault = createVault(masterKeys);
  // Most starts find a value; only the first has to make one, and two first starts agree on the one that won.
  const stored =
    (await readSetting(queries, 'vault.check')) ??
    (await putSettingOnce(queries, {
      name: 'vault.check',
      secret: await vault.sealText(checkText, checkPlace),
      now,
    }));
  const opened = stored.secret && (await vault.openText(stored.secret, checkPlace).catch(wrongKey));
  if (opened !== checkText) throw wrongKey();
  return vault;
}

function wrongKey(cause?: unknown): never {
  throw new VaultError(
    'wrongMasterKey',
    'The master key does not fit this database: its records were sealed under another one. ' +
      'Give the service the key it had before, or name that key as a previous one.',
    { cause },
  );
}

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
export const sealedColumns: readonly SealedColumn[] = Object.values(places).map((placeOf) => {
  const { table, purpose: column } = placeOf('', '');
  return { table, column, keys: rowKeys[table] ?? ['id'] };
});

/** Brings every record under the current master key and answers how many were under another. */
export async function rewrapAll(queries: Queries, vault: KeyVault): Promise<number> {
  let rewrapped = 0;
  for (const sealedColumn of sealedColumns) {
    let after: readonly string[] | undefined;
    do {
      const batch: RewrapBatch = await rewrapBatch(queries, vault, { sealedColumn, after });
      rewrapped += batch.rewrapped;
      after = batch.last;
    } while (after);
  }
  return rewrapped;
}

interface RewrapBatch {
  readonly rewrapped: number;
  /** Where to go on; absent after the last batch. */
  readonly last?: readonly string[];
}

interface RewrapPosition {
  readonly sealedColumn: SealedColumn;
  readonly after: readonly string[] | undefined;
}

async function rewrapBatch(
  queries: Queries,
  vault: KeyVault,
  { sealedColumn: { table, keys, column }, after }: RewrapPosition,
): Promise<RewrapBatch> {
  const from = sql.table(table);
  const sealed = sql.ref(column);
  const key = sql.join(keys.map((name) => sql.ref(name)));
  const values = (parts: readonly string[]) => sql.join(parts.map((part) => sql`${part}`));
  const behind = after ? sql` and (${key}) > (${values(after)})` : sql``;
  const { rows } = await sql<Record<string, string> & { sealedBytes: Uint8Array }>`
    select ${key}, ${sealed} as ${sql.ref('sealedBytes')} from ${from}
    where ${sealed} is not null${behind} order by ${key} limit ${recordLimits.batchRowsMax}`.execute(queries);
  let rewrapped = 0;
  for (const { sealedBytes, ...row } of rows) {
    const fresh = await vault.rewrap(sealedBytes);
    if (!fresh) continue;
    const own = keys.map((name) => row[name] as string);
    // A record that changed meanwhile is under the current key already.
    await sql`update ${from} set ${sealed} = ${fresh}
      where (${key}) = (${values(own)}) and ${sealed} = ${sealedBytes}`.execute(queries);
    rewrapped += 1;
  }
  const last = rows.at(-1);
  return rows.length < recordLimits.batchRowsMax || !last
    ? { rewrapped }
    : { rewrapped, last: keys.map((name) => last[name] as string) };
}
