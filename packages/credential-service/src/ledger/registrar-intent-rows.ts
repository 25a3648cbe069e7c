/**
 * Transactions of the registrar, stored before the ledger sees them: after a crash the very same bytes are asked for
 * and, where needed, sent again. What is in them is public on the ledger anyway.
 */
import type { Clock } from '@symbolon/host/work/clock';
import type { Queries } from '../database/schema.ts';
import { addOnce } from '../database/statements.ts';
import { recordLimits } from '../limits/service-limits.ts';
import type { RegistrarIntents } from './registrar-account.ts';

export function createRegistrarIntents(queries: Queries, clock: Clock): RegistrarIntents {
  return {
    async save(intent) {
      await addOnce(queries, 'anchorIntents', { ...intent, state: 'open', createdAt: clock.nowMs() });
    },
    async settled(hash, outcome) {
      await queries
        .updateTable('anchorIntents')
        .set({ state: 'settled', outcome, settledAt: clock.nowMs() })
        .where('hash', '=', hash)
        .where('state', '=', 'open')
        .execute();
    },
    async unsettled() {
      return queries
        .selectFrom('anchorIntents')
        .select(['hash', 'blob', 'entries'])
        .where('state', '=', 'open')
        .orderBy('createdAt')
        .orderBy('hash')
        .limit(recordLimits.batchRowsMax)
        .execute();
    },
  };
}
