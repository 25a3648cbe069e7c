/**
 * Payments on their way to the ledger, by the hash of their transaction: stored before the ledger sees them, so that
 * none is handed in by two callers and none is forgotten by a crash. Rows stay: a transaction that was settled once is
 * refused for good.
 */
import type { ExpressionBuilder } from 'kysely';
import type { NewRowOf, Queries, RowOf, ServiceSchema } from '../database/schema.ts';
import { addOnce, hasRow } from '../database/statements.ts';
import { isLeft } from '../database/workers.ts';
import { paymentWorkLimits } from '../limits/service-limits.ts';

export type Settlement = RowOf<'settlements'>;
export type NewSettlement = Omit<
  NewRowOf<'settlements'>,
  'state' | 'failure' | 'teller' | 'toldAt' | 'createdAt' | 'updatedAt'
> & {
  readonly now: number;
};

/** False when this transaction, or this prepared blob, is settled or being settled already. */
export const addSettlement = (queries: Queries, { now, ...given }: NewSettlement): Promise<boolean> =>
  addOnce(queries, 'settlements', { ...given, state: 'pending', createdAt: now, updatedAt: now });

/** By the hash of the transaction, or the id of the prepared blob. */
export async function findSettlement(queries: Queries, id: string): Promise<Settlement | undefined> {
  return queries
    .selectFrom('settlements')
    .selectAll()
    .where((eb) => eb.or([eb('hash', '=', id), eb('blobId', '=', id)]))
    .executeTakeFirst();
}

interface SettlementEnd {
  readonly hash: string;
  readonly state: 'executed' | 'failed';
  readonly failure?: string;
  readonly now: number;
}

/** Pending → its end; undefined when somebody else was faster. */
export async function endSettlement(
  queries: Queries,
  { hash, state, failure, now }: SettlementEnd,
): Promise<Pick<Settlement, 'blobId'> | undefined> {
  return queries
    .updateTable('settlements')
    .set({ state, failure: failure ?? null, updatedAt: now })
    .where('hash', '=', hash)
    .where('state', '=', 'pending')
    .returning('blobId')
    .executeTakeFirst();
}

/**
 * Settlements that belong to no payment for a credential and have not ended, of processes that are gone and of this one,
 * oldest first.
 */
export async function listLeftSettlements(queries: Queries, worker: string): Promise<readonly Settlement[]> {
  return queries
    .selectFrom('settlements')
    .selectAll()
    .where('state', '=', 'pending')
    .where('paymentId', 'is', null)
    .where((eb) => eb.or([eb('worker', '=', worker), isLeft('settlements')]))
    .orderBy('updatedAt')
    .limit(paymentWorkLimits.recoveredMax)
    .execute();
}

/** Executed for the facilitator, and no caller has received the complete answer. */
const isUndelivered = (eb: ExpressionBuilder<ServiceSchema, 'settlements'>, hash: string) =>
  eb.and([
    eb('hash', '=', hash),
    eb('state', '=', 'executed'),
    eb('paymentId', 'is', null),
    eb('toldAt', 'is', null),
  ]);

/** What the next caller may be told; `telling` while somebody else is, who may hang up. */
type DeliveryClaim = 'free' | 'telling' | 'told';

export async function findDeliveryClaim(queries: Queries, hash: string): Promise<DeliveryClaim> {
  const row = await queries
    .selectFrom('settlements')
    .select(isLeft('settlements', 'teller').as('isFree'))
    .where((eb) => isUndelivered(eb, hash))
    .executeTakeFirst();
  if (!row) return 'told';
  return row.isFree ? 'free' : 'telling';
}

interface Deliverer {
  readonly hash: string;
  readonly worker: string;
}

/** Of many who are to be told of a settlement one gets true, until that one has hung up, or its process is gone. */
export const claimDelivery = (queries: Queries, { hash, worker }: Deliverer): Promise<boolean> =>
  hasRow(
    queries
      .updateTable('settlements')
      .set({ teller: worker })
      .where((eb) => isUndelivered(eb, hash))
      .where(isLeft('settlements', 'teller'))
      .returning('hash'),
  );

/** The caller was told whole, or, without a time, has hung up: then the next one is told. */
export async function endDelivery(
  queries: Queries,
  { hash, worker }: Deliverer,
  now?: number,
): Promise<void> {
  await queries
    .updateTable('settlements')
    .set({ teller: null, toldAt: now ?? null })
    .where((eb) => isUndelivered(eb, hash))
    .where('teller', '=', worker)
    .execute();
}

/** From now on this process brings it to its end. */
export async function adoptSettlement(queries: Queries, hash: string, worker: string): Promise<void> {
  await queries
    .updateTable('settlements')
    .set({ worker })
    .where('hash', '=', hash)
    .where('state', '=', 'pending')
    .execute();
}

/** What the sponsor may have paid on the day, for everybody, and how often for the one address. */
export async function sumSponsored(
  queries: Queries,
  { day, payer }: Pick<Settlement, 'day' | 'payer'>,
): Promise<{ readonly fees: number; readonly times: number }> {
  const rows = await queries
    .selectFrom('settlements')
    .select((eb) => [
      'payer',
      eb.fn.sum<number | string | null>('sponsoredFee').as('fees'),
      eb.fn.countAll<number | string>().as('times'),
    ])
    .where('day', '=', day)
    .where('sponsoredFee', 'is not', null)
    .groupBy('payer')
    .execute();
  const fees = rows.reduce((sum, row) => sum + Number(row.fees ?? 0), 0);
  return { fees, times: Number(rows.find((row) => row.payer === payer)?.times ?? 0) };
}
