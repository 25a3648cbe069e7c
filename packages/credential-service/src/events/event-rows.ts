/**
 * Events as rows of the audit log, in the order of its sequence numbers. These have no holes and are committed one after
 * the other, so nothing ever appears before what was read.
 */
import type { AuditEntry } from '../audit/audit-entry.ts';
import type { Queries } from '../database/schema.ts';
import { type EventView, ownersOf } from './event-view.ts';

interface EventRange {
  readonly after: number;
  /** The last one, if there is to be one. */
  readonly upTo?: number;
  readonly limit: number;
}

export async function readEvents(
  queries: Queries,
  view: EventView,
  { after, upTo = Number.MAX_SAFE_INTEGER, limit }: EventRange,
): Promise<readonly AuditEntry[]> {
  const events = queries
    .selectFrom('auditEntries')
    .selectAll()
    .where('owner', 'is not', null)
    .where('sequence', '>', after)
    .where('sequence', '<=', upTo)
    .orderBy('sequence')
    .limit(limit);
  if (view.isAll) return events.execute();
  const [first, second] = ownersOf(view).map((owner) => events.where('owner', '=', owner));
  if (!first || !second) return first?.execute() ?? [];
  // One statement, so that both are of the same moment; apart, so that each walks along the index of its owner.
  return queries
    .selectFrom(first.as('first'))
    .selectAll()
    .unionAll(queries.selectFrom(second.as('second')).selectAll())
    .orderBy('sequence')
    .limit(limit)
    .execute();
}

/** Whom events concern that lie behind one place and not behind another; no more than so many. */
export async function readOwners(
  queries: Queries,
  { after, upTo, limit }: { readonly after: number; readonly upTo: number; readonly limit: number },
): Promise<ReadonlySet<string>> {
  const rows = await queries
    .selectFrom('auditEntries')
    .select('owner')
    .distinct()
    .where('owner', 'is not', null)
    .where('sequence', '>', after)
    .where('sequence', '<=', upTo)
    .limit(limit)
    .execute();
  return new Set(rows.map(({ owner }) => owner as string));
}
