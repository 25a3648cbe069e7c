/**
 * Rows of custody: accounts whose keys the service holds, what they signed each day, and wrong passwords by address.
 * Attempts are kept for addresses without an account too, so that being locked tells nobody which accounts exist.
 */
import type { CustodyPolicy, CustodyUse } from '@symbolon/core/custody/custody-policy';
import type { Attempts } from '@symbolon/core/custody/password-lock';
import type { NewRowOf, Queries, RowOf } from '../database/schema.ts';
import { deleteBatch, hasRow, putRow, rowBy } from '../database/statements.ts';
import { custodyWorkLimits, recordLimits } from '../limits/service-limits.ts';

export type CustodyAccountRow = RowOf<'custodyAccounts'>;

export async function addCustodyAccount(queries: Queries, row: NewRowOf<'custodyAccounts'>): Promise<void> {
  await queries.insertInto('custodyAccounts').values(row).execute();
}

export const findCustodyAccount = rowBy('custodyAccounts', 'address');

export async function changeCustodyAccount(
  queries: Queries,
  {
    address,
    now,
    ...change
  }: Partial<Pick<CustodyAccountRow, 'password' | 'policy'>> & {
    readonly address: string;
    readonly now: number;
  },
): Promise<void> {
  await queries
    .updateTable('custodyAccounts')
    .set({ ...change, updatedAt: now })
    .where('address', '=', address)
    .execute();
}

/** Policies are JSON text, with amounts as decimal text, because they reach beyond exact numbers. */
export const writePolicy = (policy: CustodyPolicy): string =>
  JSON.stringify(policy, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

export function readPolicy(text: string): CustodyPolicy {
  const stored = JSON.parse(text) as Omit<CustodyPolicy, 'dailyAmountMax' | 'dailyAssetMax'> & {
    dailyAmountMax: string | null;
    /** Older policies name no assets. */
    dailyAssetMax?: Readonly<Record<string, string>> | null;
  };
  const { dailyAmountMax, dailyAssetMax = null } = stored;
  return {
    ...stored,
    dailyAmountMax: dailyAmountMax === null ? null : BigInt(dailyAmountMax),
    dailyAssetMax:
      dailyAssetMax &&
      Object.fromEntries(Object.entries(dailyAssetMax).map(([asset, max]) => [asset, BigInt(max)])),
  };
}

type ActivationChange = Pick<CustodyAccountRow, 'address' | 'activation'> & {
  /** Left as it is, if left out. */
  readonly activationTx?: string;
  readonly now: number;
};

/** Moves an activation on that is under way; answers whether it was. */
export async function changeActivation(
  queries: Queries,
  { address, now, ...change }: ActivationChange,
): Promise<boolean> {
  return hasRow(
    queries
      .updateTable('custodyAccounts')
      .set({ ...change, updatedAt: now })
      .where('address', '=', address)
      .where('activation', '=', 'pending')
      .returning('address'),
  );
}

/** Activations that nobody has moved on for a while, oldest first. */
export async function listPendingActivations(
  queries: Queries,
  before: number,
): Promise<readonly Pick<CustodyAccountRow, 'address' | 'activationTx'>[]> {
  return queries
    .selectFrom('custodyAccounts')
    .select(['address', 'activationTx'])
    .where('activation', '=', 'pending')
    .where('updatedAt', '<=', before)
    .orderBy('updatedAt')
    .orderBy('address')
    .limit(recordLimits.batchRowsMax)
    .execute();
}

/** The subject is an address, or a name that is none, for what is counted for the whole service. */
type UseKey = Pick<RowOf<'custodyUses'>, 'subject' | 'day'>;

/** Under whose name the use of an asset is counted; no address has a space in it. */
const assetSubject = (address: string, asset: string): string => `${address} ${asset}`;

/** What was signed for an account in a day, of the named assets too; nothing, if nothing was. */
export async function readAccountUse(
  queries: Queries,
  { subject, day }: UseKey,
  assets: readonly string[],
): Promise<CustodyUse> {
  const used = await readCustodyUse(queries, { subject, day });
  const found = await Promise.all(
    assets.map(async (asset) => {
      const use = await readCustodyUse(queries, { subject: assetSubject(subject, asset), day });
      return [asset, use?.amount ?? 0n] as const;
    }),
  );
  return { amount: 0n, count: 0, ...used, assets: Object.fromEntries(found) };
}

export async function writeAccountUse(
  queries: Queries,
  { subject, day }: UseKey,
  { assets, ...use }: CustodyUse,
): Promise<void> {
  await writeCustodyUse(queries, { subject, day, ...use });
  for (const [asset, amount] of Object.entries(assets))
    await writeCustodyUse(queries, { subject: assetSubject(subject, asset), day, amount, count: 0 });
}

/** Amounts are decimal text: they reach beyond what a number column gives back exactly. */
export async function readCustodyUse(
  queries: Queries,
  { subject, day }: UseKey,
): Promise<{ readonly amount: bigint; readonly count: number } | undefined> {
  const row = await queries
    .selectFrom('custodyUses')
    .select(['amount', 'count'])
    .where('subject', '=', subject)
    .where('day', '=', day)
    .executeTakeFirst();
  return row && { amount: BigInt(row.amount), count: row.count };
}

export async function writeCustodyUse(
  queries: Queries,
  { subject, day, amount, count }: UseKey & { readonly amount: bigint; readonly count: number },
): Promise<void> {
  const row = { subject, day, amount: String(amount), count };
  await putRow(queries, 'custodyUses', ['subject', 'day'], row);
}

export const readAttempts = rowBy('custodyAttempts', 'address');

export async function writeAttempts(
  queries: Queries,
  { address, now, failures, lockedUntil }: Attempts & { readonly address: string; readonly now: number },
): Promise<void> {
  const row = { address, failures, lockedUntil, updatedAt: now };
  await putRow(queries, 'custodyAttempts', ['address'], row);
}

export async function forgetAttempts(queries: Queries, address: string): Promise<void> {
  await queries.deleteFrom('custodyAttempts').where('address', '=', address).execute();
}

/** Wrong passwords and uses of days that are long over; answers how many rows went. */
export async function sweepCustody(queries: Queries, now: number, today: number): Promise<number> {
  const attempts = await deleteBatch(queries, 'custodyAttempts', {
    key: 'address',
    first: 'updatedAt',
    where: (eb) =>
      eb.and([eb('updatedAt', '<=', now - custodyWorkLimits.attemptsKeptMs), eb('lockedUntil', '<=', now)]),
  });
  const uses = await queries
    .deleteFrom('custodyUses')
    .where('day', '<', today - custodyWorkLimits.usesKeptDays)
    .returning('subject')
    .execute();
  return attempts + uses.length;
}
