/**
 * Payments for credentials and their states: required, settling, settled, issued, failed. Every move is one update with
 * a condition on the state before, and no two payments have the same transaction, so of many concurrent callers one
 * wins. The credential is kept here, sealed, from before it is paid until it is issued, and no longer.
 */

import type { PaymentState, Queries, RowOf, Sealed } from '../database/schema.ts';
import { isLeft } from '../database/workers.ts';
import { paymentWorkLimits, recordLimits } from '../limits/service-limits.ts';

export type Payment = RowOf<'payments'>;

export type NewPayment = Omit<
  Payment,
  'state' | 'txHash' | 'day' | 'submission' | 'failure' | 'worker' | 'createdAt' | 'updatedAt'
> & { readonly now: number };

export async function addPayment(queries: Queries, { now, ...payment }: NewPayment): Promise<Payment> {
  return queries
    .insertInto('payments')
    .values({
      ...payment,
      state: 'required',
      txHash: null,
      day: null,
      submission: null,
      failure: null,
      worker: null,
      createdAt: now,
      updatedAt: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

const paymentBy =
  (column: 'paymentId' | 'txHash' | 'vcId') =>
  (queries: Queries, value: string): Promise<Payment | undefined> =>
    queries.selectFrom('payments').selectAll().where(column, '=', value).executeTakeFirst();

export const findPayment = paymentBy('paymentId');
export const findPaymentByHash = paymentBy('txHash');
/** The one that a credential was issued for. */
export const findPaymentOf = paymentBy('vcId');

/** The newest of a holder for one text. */
export async function findPaymentFor(
  queries: Queries,
  {
    holder,
    dataHash,
    states,
  }: Pick<Payment, 'holder' | 'dataHash'> & { readonly states: readonly PaymentState[] },
): Promise<Payment | undefined> {
  return queries
    .selectFrom('payments')
    .selectAll()
    .where('holder', '=', holder)
    .where('dataHash', '=', dataHash)
    .where('state', 'in', states)
    .orderBy('createdAt', 'desc')
    .orderBy('paymentId')
    .limit(1)
    .executeTakeFirst();
}

/** Payments of a template that count for a day, whatever will become of them. */
export async function countPayments(
  queries: Queries,
  { templateId, day }: Pick<Payment, 'templateId'> & { readonly day: number },
): Promise<number> {
  const { count } = await queries
    .selectFrom('payments')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('templateId', '=', templateId)
    .where('day', '=', day)
    .where('state', '!=', 'failed')
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Credentials of the holder from the template that may be good, the newest first. */
export async function listActive(
  queries: Queries,
  { holder, templateId }: Pick<Payment, 'holder' | 'templateId'>,
): Promise<readonly Pick<RowOf<'credentials'>, 'vcId' | 'issuer'>[]> {
  return queries
    .selectFrom('credentials')
    .select(['vcId', 'issuer'])
    .where('holder', '=', holder)
    .where('templateId', '=', templateId)
    .where('status', '=', 'active')
    .orderBy('createdAt', 'desc')
    .limit(paymentWorkLimits.duplicatesChecked)
    .execute();
}

/** Another payment of the holder for the template that is under way, or was until a moment ago. */
export async function findOtherUnderWay(
  queries: Queries,
  { paymentId, holder, templateId }: Pick<Payment, 'paymentId' | 'holder' | 'templateId'>,
  since: number,
): Promise<string | undefined> {
  const row = await queries
    .selectFrom('payments')
    .select('paymentId')
    .where('holder', '=', holder)
    .where('templateId', '=', templateId)
    .where('paymentId', '!=', paymentId)
    .where((eb) =>
      eb.or([
        eb('state', 'in', ['settling', 'settled']),
        eb.and([eb('state', '=', 'issued'), eb('updatedAt', '>=', since)]),
      ]),
    )
    .executeTakeFirst();
  return row?.paymentId;
}

export interface PaymentMove {
  readonly paymentId: string;
  readonly now: number;
}

export interface PaymentStart extends PaymentMove {
  /** Nothing where nothing is to be paid. */
  readonly txHash: string | null;
  readonly day: number;
  readonly submission: Sealed;
  readonly worker: string;
}

/** Required → settling, for one caller: written before the ledger is called. */
export function beginPayment(queries: Queries, { paymentId, now, ...begun }: PaymentStart): Promise<boolean> {
  const set = { ...begun, state: 'settling', updatedAt: now } as const;
  return move(stateUpdate(queries, paymentId, 'required', set).where('expiresAt', '>', now));
}

/** Settling → settled: the ledger has executed it, or there was nothing to pay. */
export const settlePaymentRow = (queries: Queries, { paymentId, now }: PaymentMove): Promise<boolean> =>
  move(stateUpdate(queries, paymentId, 'settling', { state: 'settled', updatedAt: now }));

/** Settled → issued. */
export const finishPayment = (queries: Queries, { paymentId, now }: PaymentMove): Promise<boolean> =>
  move(stateUpdate(queries, paymentId, 'settled', { state: 'issued', submission: null, updatedAt: now }));

/** Settling → failed: the ledger has not taken the money and never will by this transaction. */
export const failPayment = (
  queries: Queries,
  { paymentId, now, failure }: PaymentMove & { readonly failure: string },
): Promise<boolean> => {
  const set = { state: 'failed', failure, submission: null, updatedAt: now } as const;
  return move(stateUpdate(queries, paymentId, 'settling', set));
};

/** Required → failed: its transaction was handed in by somebody else. */
export const closePayment = (
  queries: Queries,
  { paymentId, now, failure, txHash }: PaymentMove & { readonly failure: string; readonly txHash: string },
): Promise<boolean> =>
  move(stateUpdate(queries, paymentId, 'required', { state: 'failed', failure, txHash, updatedAt: now }));

const stateUpdate = (queries: Queries, paymentId: string, from: PaymentState, set: Partial<Payment>) =>
  queries.updateTable('payments').set(set).where('paymentId', '=', paymentId).where('state', '=', from);

/** Whether it was in the state before. */
const move = async (update: ReturnType<typeof stateUpdate>): Promise<boolean> =>
  (await update.returning('paymentId').executeTakeFirst()) !== undefined;

/** Payments that processes which are gone, and this one, began and did not end, oldest first. */
export async function listLeftPayments(queries: Queries, worker: string): Promise<readonly Payment[]> {
  return queries
    .selectFrom('payments')
    .selectAll()
    .where('state', 'in', ['settling', 'settled'])
    .where((eb) => eb.or([eb('worker', '=', worker), isLeft('payments')]))
    .orderBy('updatedAt')
    .limit(paymentWorkLimits.recoveredMax)
    .execute();
}

/** From now on this process brings it to its end; whatever becomes of that, it stands behind all others. */
export async function adoptPayment(
  queries: Queries,
  { paymentId, worker, now }: PaymentMove & { readonly worker: string },
): Promise<void> {
  await queries
    .updateTable('payments')
    .set({ worker, updatedAt: now })
    .where('paymentId', '=', paymentId)
    .where('state', 'in', ['settling', 'settled'])
    .execute();
}

/** Offers that nobody paid. */
export async function sweepPayments(queries: Queries, now: number): Promise<number> {
  const gone = await queries
    .deleteFrom('payments')
    .where('paymentId', 'in', (eb) =>
      eb
        .selectFrom('payments')
        .select('paymentId')
        .where('state', '=', 'required')
        .where('expiresAt', '<=', now)
        .orderBy('expiresAt')
        .limit(recordLimits.batchRowsMax),
    )
    .where('state', '=', 'required')
    .returning('paymentId')
    .execute();
  return gone.length;
}

// Which text a signature by the old rule came with first: such a signature fits many, and stands for that one.

/** The text that the signature stands for: the given one, unless another came before. */
export async function bindOldRuleSignature(
  queries: Queries,
  row: RowOf<'oldRuleSignatures'>,
): Promise<string | undefined> {
  await queries
    .insertInto('oldRuleSignatures')
    .values(row)
    .onConflict((conflict) => conflict.column('signatureHash').doNothing())
    .execute();
  const kept = await queries
    .selectFrom('oldRuleSignatures')
    .select('textHash')
    .where('signatureHash', '=', row.signatureHash)
    .executeTakeFirst();
  return kept?.textHash;
}

export async function sweepOldRuleSignatures(queries: Queries, now: number): Promise<number> {
  const gone = await queries
    .deleteFrom('oldRuleSignatures')
    .where('signatureHash', 'in', (eb) =>
      eb
        .selectFrom('oldRuleSignatures')
        .select('signatureHash')
        .where('expiresAt', '<=', now)
        .orderBy('expiresAt')
        .limit(recordLimits.batchRowsMax),
    )
    .returning('signatureHash')
    .execute();
  return gone.length;
}
