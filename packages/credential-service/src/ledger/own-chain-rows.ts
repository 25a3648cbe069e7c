/**
 * The chain that the service records to, and the newest block of it that any of its processes has seen. The block only
 * ever rises, from one that the ledger was just seen to have; only an operator's word (`acceptChain`) lowers it.
 */
import type { Queries, RowOf } from '../database/schema.ts';
import { addOnce } from '../database/statements.ts';

export type KnownChain = Pick<RowOf<'ownChain'>, 'genesis' | 'seq' | 'hash' | 'since'>;
export type KnownBlock = Pick<KnownChain, 'seq' | 'hash'>;

const id = 1;

export async function readKnownChain(queries: Queries): Promise<KnownChain | undefined> {
  return queries
    .selectFrom('ownChain')
    .select(['genesis', 'seq', 'hash', 'since'])
    .where('id', '=', id)
    .executeTakeFirst();
}

interface NewlyKnown {
  readonly genesis: string;
  readonly block: KnownBlock;
  readonly now: number;
}

/** The chain of a service that has seen none. */
export async function adoptChain(queries: Queries, { genesis, block, now }: NewlyKnown): Promise<void> {
  await addOnce(queries, 'ownChain', { id, genesis, ...block, since: 0, updatedAt: now });
}

/** From the block that the ledger was seen to have still to a newer one; false if another process was faster. */
export async function raiseKnownBlock(
  queries: Queries,
  { from, to, now }: { readonly from: KnownBlock; readonly to: KnownBlock; readonly now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('ownChain')
    .set({ ...to, updatedAt: now })
    .where('id', '=', id)
    .where('seq', '=', from.seq)
    .where('hash', '=', from.hash)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Takes the ledger as it is now, whatever was known of it. `since` where it is another chain. */
export async function acceptChain(
  queries: Queries,
  { genesis, block, now, since }: NewlyKnown & { readonly since?: number },
): Promise<void> {
  await adoptChain(queries, { genesis, block, now });
  await queries
    .updateTable('ownChain')
    .set({ genesis, ...block, updatedAt: now, ...(since !== undefined && { since }) })
    .where('id', '=', id)
    .execute();
}
