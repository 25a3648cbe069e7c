/** Executed transactions of issuers as they were signed, kept for good: a ledger that loses them gets them again. */
import type { Queries, RowOf } from '../database/schema.ts';
import { addOnce, behind } from '../database/statements.ts';
import { recordLimits } from '../limits/service-limits.ts';

export type SignedTransactionRow = RowOf<'signedTransactions'>;

/** Two blobs may hold the very same transaction. */
export async function keepSigned(queries: Queries, signed: SignedTransactionRow): Promise<void> {
  await addOnce(queries, 'signedTransactions', signed);
}

export interface KeptPage {
  /** Nothing from before this time. */
  readonly since: number;
  /** The last one of the page before. */
  readonly after?: Pick<SignedTransactionRow, 'createdAt' | 'hash'> | undefined;
}

/** They can never be executed any more. */
export async function forgetSigned(queries: Queries, hashes: readonly string[]): Promise<void> {
  if (hashes.length > 0) await queries.deleteFrom('signedTransactions').where('hash', 'in', hashes).execute();
}

/** Oldest first; an empty page is the last. */
export async function listSigned(
  queries: Queries,
  { since, after }: KeptPage,
): Promise<readonly SignedTransactionRow[]> {
  let query = queries.selectFrom('signedTransactions').selectAll().where('createdAt', '>=', since);
  if (after) query = query.where(behind(['createdAt', 'hash'], [after.createdAt, after.hash]));
  return query.orderBy('createdAt').orderBy('hash').limit(recordLimits.batchRowsMax).execute();
}
