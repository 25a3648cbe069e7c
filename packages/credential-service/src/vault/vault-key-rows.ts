/**
 * Rows of keys that the vault keeps: BBS keys of callers, the registrar's key, key pairs of the sealed layer. A key's
 * id names it for good; adding one that is there changes nothing. What the secrets are is said in `service-keys.ts` and
 * `caller-keys.ts`.
 */
import type { NewRowOf, Queries, RowOf } from '../database/schema.ts';
import { addOnce, countRows, deleteBatch, rowBy } from '../database/statements.ts';
import { recordLimits } from '../limits/service-limits.ts';

export type VaultKeyRow = RowOf<'vaultKeys'>;

export async function addVaultKey(queries: Queries, row: NewRowOf<'vaultKeys'>): Promise<void> {
  await addOnce(queries, 'vaultKeys', row);
}

export const findVaultKey = rowBy('vaultKeys', 'id');

interface VaultKeyChoice extends Pick<VaultKeyRow, 'kind' | 'owner'> {
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
export const sweepSealKeys = (queries: Queries, now: number): Promise<number> =>
  deleteBatch(queries, 'vaultKeys', {
    key: 'id',
    first: 'validUntil',
    where: (eb) => eb.and([eb('kind', '=', 'seal'), eb('validUntil', '<=', now)]),
  });
