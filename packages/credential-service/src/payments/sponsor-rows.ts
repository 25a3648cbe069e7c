/**
 * The accounts from which fees of others are paid, and for which prepared payment each is held: from being prepared
 * until it lapses or is settled. Every move is one update with a condition on what was read, so that of many callers in
 * many processes one gets an account.
 */
import type { Queries, RowOf } from '../database/schema.ts';
import { addOnce, hasRow } from '../database/statements.ts';

export type SponsorAccount = RowOf<'sponsorAccounts'>;

/** Held by a payment that is on its way to the ledger: until that has come to its end, however long it takes. */
const untilItsEnd = Number.MAX_SAFE_INTEGER;

const free = { blobId: null, heldUntil: 0, payer: null, caller: null } as const;

/** Those that are not known yet are free. */
export async function addSponsorAccounts(queries: Queries, addresses: readonly string[]): Promise<void> {
  await addOnce(
    queries,
    'sponsorAccounts',
    addresses.map((address) => ({ address, uses: 0, ...free })),
  );
}

export interface AccountHold {
  /** Those to choose from. */
  readonly addresses: readonly string[];
  readonly blobId: string;
  readonly payer: string;
  readonly caller: string;
  readonly now: number;
  readonly heldUntil: number;
  /** Where none is free: takes one that is not being settled from whoever holds most. Whoever settles first has it. */
  readonly isShared: boolean;
  /** A payer for whom so many are held gets the first of these again, free ones or not. */
  readonly perPayerMax: number;
}

/** An account held for a blob, as it is from now on; undefined where none is free. */
export async function holdSponsorAccount(
  queries: Queries,
  hold: AccountHold,
): Promise<SponsorAccount | undefined> {
  const { addresses, blobId, payer, caller, heldUntil } = hold;
  for (;;) {
    const found = await queries
      .selectFrom('sponsorAccounts')
      .selectAll()
      .where('address', 'in', addresses)
      .where('heldUntil', '<', untilItsEnd)
      .orderBy('heldUntil')
      .execute();
    const chosen = chooseAccount(found, hold);
    if (!chosen) return undefined;
    const held = await queries
      .updateTable('sponsorAccounts')
      .set({ blobId, heldUntil, payer, caller, uses: chosen.uses + 1 })
      .where('address', '=', chosen.address)
      .where('uses', '=', chosen.uses)
      .where('heldUntil', '=', chosen.heldUntil)
      .returningAll()
      .executeTakeFirst();
    if (held) return held;
  }
}

/** Of accounts that are not being settled with, those that were prepared with first coming first. */
function chooseAccount(
  accounts: readonly SponsorAccount[],
  { payer, now, isShared, perPayerMax }: AccountHold,
): SponsorAccount | undefined {
  const held = accounts.filter(({ heldUntil }) => heldUntil >= now);
  const own = held.filter((account) => account.payer === payer);
  if (own.length >= perPayerMax) return own[0];
  const unheld = accounts.filter(({ heldUntil }) => heldUntil < now);
  // Any of them: many who ask at the same time would all try the first.
  if (unheld.length > 0) return unheld[Math.floor(Math.random() * unheld.length)];
  if (!isShared) return undefined;
  const heldBy = (name: 'caller' | 'payer', { [name]: holder }: SponsorAccount): number =>
    held.filter((account) => account[name] === holder).length;
  return held.toSorted(
    (left, right) =>
      heldBy('caller', right) - heldBy('caller', left) || heldBy('payer', right) - heldBy('payer', left),
  )[0];
}

/**
 * From now on the account is this blob's until the settlement ends; false when another one is being settled with it.
 */
export async function keepSponsorAccount(
  queries: Queries,
  { address, blobId }: Pick<SponsorAccount, 'address'> & { readonly blobId: string },
): Promise<boolean> {
  return hasRow(
    queries
      .updateTable('sponsorAccounts')
      .set({ blobId, heldUntil: untilItsEnd })
      .where('address', '=', address)
      .where('heldUntil', '<', untilItsEnd)
      .returning('address'),
  );
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
  await queries.updateTable('sponsorAccounts').set(free).where('blobId', '=', blobId).execute();
}
