/**
 * The accounts from which fees of others are paid, and for which prepared payment each is held: from being prepared
 * until it lapses or is settled. Every move is one update with a condition on what was read, so that of many callers in
 * many processes one gets an account.
 */
import type { Queries, RowOf } from './schema.ts';

export type SponsorAccount = RowOf<'sponsorAccounts'>;

/** Held by a payment that is on its way to the ledger: until that has come to its end, however long it takes. */
const untilItsEnd = Number.MAX_SAFE_INTEGER;

/** Those that are not known yet are free. */
export async function addSponsorAccounts(queries: Queries, addresses: readonly string[]): Promise<void> {
  await queries
    .insertInto('sponsorAccounts')
    .values(addresses.map((address) => ({ address, blobId: null, heldUntil: 0, uses: 0 })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export interface AccountHold {
  /** Those to choose from. */
  readonly addresses: readonly string[];
  readonly blobId: string;
  readonly now: number;
  readonly heldUntil: number;
  /** Where none is free: takes the one that was held first and is not being settled. Whoever settles first has it. */
  readonly isShared: boolean;
}

/** An account held for a blob, as it is from now on; undefined where none is free. */
export async function holdSponsorAccount(
  queries: Queries,
  { addresses, blobId, now, heldUntil, isShared }: AccountHold,
): Promise<SponsorAccount | undefined> {
  for (;;) {
    const found = await queries
      .selectFrom('sponsorAccounts')
      .selectAll()
      .where('address', 'in', addresses)
      .where('heldUntil', '<', isShared ? untilItsEnd : now)
      .orderBy('heldUntil')
      .execute();
    const free = found.filter((account) => account.heldUntil < now);
    // Any of the free ones: many who ask at the same time would all try the first.
    const chosen = free[Math.floor(Math.random() * free.length)] ?? found[0];
    if (!chosen) return undefined;
    const { address, uses } = chosen;
    const held = await queries
      .updateTable('sponsorAccounts')
      .set({ blobId, heldUntil, uses: uses + 1 })
      .where('address', '=', address)
      .where('uses', '=', uses)
      .where('heldUntil', '=', chosen.heldUntil)
      .returningAll()
      .executeTakeFirst();
    if (held) return held;
  }
}

/** From now on the account is this blob's until the settlement ends; false when another one is being settled with it. */
export async function keepSponsorAccount(
  queries: Queries,
  { address, blobId }: Pick<SponsorAccount, 'address'> & { readonly blobId: string },
): Promise<boolean> {
  const row = await queries
    .updateTable('sponsorAccounts')
    .set({ blobId, heldUntil: untilItsEnd })
    .where('address', '=', address)
    .where('heldUntil', '<', untilItsEnd)
    .returning('address')
    .executeTakeFirst();
  return row !== undefined;
}

/** Which blob is being settled with the account. */
export async function findSettling(queries: Queries, address: string): Promise<string | undefined> {
  const row = await queries
    .selectFrom('sponsorAccounts')
    .select('blobId')
    .where('address', '=', address)
    .where('heldUntil', '=', untilItsEnd)
    .executeTakeFirst();
  return row?.blobId ?? undefined;
}

/** The account that a blob holds is free. */
export async function freeSponsorAccount(queries: Queries, blobId: string): Promise<void> {
  await queries
    .updateTable('sponsorAccounts')
    .set({ blobId: null, heldUntil: 0 })
    .where('blobId', '=', blobId)
    .execute();
}
