/**
 * Rows of keys that the vault keeps: BBS keys of callers, the registrar's key, key pairs of the sealed layer. A key's
 * id names it for good; adding one that is there changes nothing. What the secrets are is `vault/`'s business.
 */

import type { NewRowOf, Queries, RowOf, VaultKeyKind } from '../database/schema.ts';
import { countRows } from '../database/statements.ts';
import { recordLimits } from '../limits/service-limits.ts';

export type VaultKeyRow = RowOf<'vaultKeys'>;

export async function addVaultKey(queries: Queries, row: NewRowOf<'vaultKeys'>): Promise<void> {
  await queries
    .insertInto('vaultKeys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function findVaultKey(queries: Queries, id: string): Promise<VaultKeyRow | undefined> {
  return queries.selectFrom('vaultKeys').selectAll().where('id', '=', id).executeTakeFirst();
}

export interface VaultKeyChoice {
  readonly kind: VaultKeyKind;
  readonly owner: string;
  /** Only keys that are valid then. */
  readonly at?: number;
  readonly limit?: number;
}

/** Newest first. */
export async function listVaultKeys(
  queries: Queries,
  { kind, owner, at, limit = recordLimits.pageRowsMax }: VaultKeyChoice,
): Promise<readonly VaultKeyRow[]> {
  let query = queries.selectFrom('vaultKeys').selectAll().where('kind', '=', kind).where('owner', '=', owner);
  if (at !== undefined)
    query = query
      .where('validFrom', '<=', at)
      .where((eb) => eb.or([eb('validUntil', 'is', null), eb('validUntil', '>', at)]));
  return query.orderBy('validFrom', 'desc').orderBy('id').limit(limit).execute();
}

export const countVaultKeys = (
  queries: Queries,
  { kind, owner }: Pick<VaultKeyChoice, 'kind' | 'owner'>,
): Promise<number> =>
  countRows(queries.selectFrom('vaultKeys').where('kind', '=', kind).where('owner', '=', owner));

/** Keys of the sealed layer that no request may use any more: what was sealed for them stays closed for good. */
export async function sweepSealKeys(queries: Queries, now: number): Promise<number> {
  const gone = await queries
    .deleteFrom('vaultKeys')
    .where('kind', '=', 'seal')
    .where('validUntil', '<=', now)
    .returning('id')
    .execute();
  return gone.length;
}
