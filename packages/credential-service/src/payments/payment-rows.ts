/**
 * Payments for credentials and their states. Every move is one of the table, made by one update with a condition on the
 * state before, and no two payments have the same transaction, so of many concurrent callers one wins. The credential
 * is kept here, encrypted, from before it is paid until it is issued, and no longer.
 */
import { type Moves, moveOf } from '@symbolon/core/credential/state-moves';
import type { Encrypted, PaymentState, Queries, RowOf } from '../database/schema.ts';
import { addOnce, countRows, deleteBatch, hasRow, rowBy } from '../database/statements.ts';
import { isLeft } from '../database/workers.ts';
import { paymentWorkLimits } from '../limits/service-limits.ts';

export type PaymentRow = RowOf<'payments'>;

type PaymentAct = 'begin' | 'settle' | 'issue' | 'fail' | 'close';

const moves: Moves<PaymentState, PaymentAct> = {
  required: { begin: 'settling', close: 'failed' },
  settling: { settle: 'settled', fail: 'failed' },
  settled: { issue: 'issued' },
  issued: {},
  failed: {},
};

const underWay: readonly PaymentState[] = ['settling', 'settled'];

type NewPayment = Omit<
  PaymentRow,
  'state' | 'txHash' | 'day' | 'submission' | 'failure' | 'worker' | 'createdAt' | 'updatedAt'
> & { readonly now: number };

export async function addPayment(queries: Queries, { now, ...payment }: NewPayment): Promise<PaymentRow> {
  return queries
    .insertInto('payments')
    .values({ ...payment, state: 'required', createdAt: now, updatedAt: now })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export const findPayment = rowBy('payments', 'paymentId');
export const findPaymentByHash = rowBy('payments', 'txHash');
/** The one that a credential was issued for. */
export const findPaymentOf = rowBy('payments', 'vcId');

/** What credentials were paid for with, by their ids, whatever has become of the money. */
export async function listPaymentsOf(
  queries: Queries,
  vcIds: readonly string[],
): Promise<readonly Pick<PaymentRow, 'vcId' | 'asset' | 'amount' | 'txHash' | 'state'>[]> {
  if (vcIds.length === 0) return [];
  return queries
    .selectFrom('payments')
    .select(['vcId', 'asset', 'amount', 'txHash', 'state'])
    .where('vcId', 'in', vcIds)
    .execute();
}

/** The newest of a holder for one text. */
export async function findPaymentFor(
  queries: Queries,
  {
    holder,
    dataHash,
    states,
  }: Pick<PaymentRow, 'holder' | 'dataHash'> & { readonly states: readonly PaymentState[] },
): Promise<PaymentRow | undefined> {
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
export const countPayments = (
  queries: Queries,
  { templateId, day }: Pick<PaymentRow, 'templateId'> & { readonly day: number },
): Promise<number> =>
  countRows(
    queries
      .selectFrom('payments')
      .where('templateId', '=', templateId)
      .where('day', '=', day)
      .where('state', '!=', 'failed'),
  );

/** Another payment of the holder for the template that is under way, or was until a moment ago. */
export async function findOtherUnderWay(
  queries: Queries,
  { paymentId, holder, templateId }: Pick<PaymentRow, 'paymentId' | 'holder' | 'templateId'>,
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
        eb('state', 'in', underWay),
        eb.and([eb('state', '=', 'issued'), eb('updatedAt', '>=', since)]),
      ]),
    )
    .executeTakeFirst();
  return row?.paymentId;
}

interface PaymentMove {
  readonly paymentId: string;
  readonly now: number;
}

/** A move of the table, for whoever comes first: no row where the payment is in another state. */
function move(queries: Queries, act: PaymentAct, { paymentId, now }: PaymentMove) {
  const { from, to } = moveOf(moves, act);
  return queries
    .updateTable('payments')
    .set({ state: to, updatedAt: now })
    .where('paymentId', '=', paymentId)
    .where('state', 'in', from)
    .returning('paymentId');
}

interface PaymentStart extends PaymentMove {
  /** Nothing where nothing is to be paid. */
  readonly txHash: string | null;
  readonly day: number;
  readonly submission: Encrypted;
  readonly worker: string;
}

/** Required → settling, for one caller: written before the ledger is called. */
export const beginPayment = (
  queries: Queries,
  { paymentId, now, ...begun }: PaymentStart,
): Promise<boolean> =>
  hasRow(move(queries, 'begin', { paymentId, now }).set(begun).where('expiresAt', '>', now));

/** Settling → settled: the ledger has executed it, or there was nothing to pay. */
export const settlePaymentRow = (queries: Queries, payment: PaymentMove): Promise<boolean> =>
  hasRow(move(queries, 'settle', payment));

/** Settled → issued. */
export const finishPayment = (queries: Queries, payment: PaymentMove): Promise<boolean> =>
  hasRow(move(queries, 'issue', payment).set({ submission: null }));

/** Settling → failed: the ledger has not taken the money and never will by this transaction. */
export const failPayment = (
  queries: Queries,
  { failure, ...payment }: PaymentMove & { readonly failure: string },
): Promise<boolean> => hasRow(move(queries, 'fail', payment).set({ failure, submission: null }));

/** Required → failed: its transaction was handed in by somebody else. */
export const closePayment = (
  queries: Queries,
  { failure, txHash, ...payment }: PaymentMove & { readonly failure: string; readonly txHash: string },
): Promise<boolean> => hasRow(move(queries, 'close', payment).set({ failure, txHash }));

/** Payments that processes which are gone, and this one, began and did not end, oldest first. */
export async function listLeftPayments(queries: Queries, worker: string): Promise<readonly PaymentRow[]> {
  return queries
    .selectFrom('payments')
    .selectAll()
    .where('state', 'in', underWay)
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
    .where('state', 'in', underWay)
    .execute();
}

/** Offers that nobody paid. */
export const sweepPayments = (queries: Queries, now: number): Promise<number> =>
  deleteBatch(queries, 'payments', {
    key: 'paymentId',
    first: 'expiresAt',
    where: (eb) => eb.and([eb('state', '=', 'required'), eb('expiresAt', '<=', now)]),
  });

// Which text a signature by the old rule came with first: such a signature fits many, and stands for that one.

/** The text that the signature stands for: the given one, unless another came before. */
export async function bindOldRuleSignature(
  queries: Queries,
  row: RowOf<'oldRuleSignatures'>,
): Promise<string | undefined> {
  await addOnce(queries, 'oldRuleSignatures', row);
  return (await findOldRuleSignature(queries, row.signatureHash))?.textHash;
}

const findOldRuleSignature = rowBy('oldRuleSignatures', 'signatureHash');

export const sweepOldRuleSignatures = (queries: Queries, now: number): Promise<number> =>
  deleteBatch(queries, 'oldRuleSignatures', {
    key: 'signatureHash',
    first: 'expiresAt',
    where: (eb) => eb('expiresAt', '<=', now),
  });
