/** Which text a signature by the old rule came with first: such a signature fits many, and stands for that one. */
import { recordLimits } from '@symbolon/core/limits/limits';
import type { Queries, RowOf } from '../database/schema.ts';

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
