/**
 * Rows of the audit log. Events come to the inbox by one insert, in the transaction of what they tell of if there is
 * one; from there they are moved to the chain in batches. The chain's sequence numbers are its primary key: two
 * replicas that move at the same time collide, and the slower one starts again from the new end.
 */
import { numberCursor, type Page, type PageRequest, pageLimit, pageOf } from '../database/paging.ts';
import type { Queries, RowOf } from '../database/schema.ts';
import { addOnce } from '../database/statements.ts';
import { recordLimits } from '../limits/service-limits.ts';
import type { AuditEntry, AuditHead } from './audit-entry.ts';

type AuditInboxRow = RowOf<'auditInbox'>;
export type AuditAnchor = RowOf<'auditAnchors'>;

export async function addToAuditInbox(queries: Queries, row: AuditInboxRow): Promise<void> {
  await queries.insertInto('auditInbox').values(row).execute();
}

export async function readAuditInbox(queries: Queries): Promise<readonly AuditInboxRow[]> {
  return queries
    .selectFrom('auditInbox')
    .selectAll()
    .orderBy('at')
    .orderBy('id')
    .limit(recordLimits.batchRowsMax)
    .execute();
}

/** Moves inbox rows to the chain; the caller sees to it that both happen or neither. */
export async function appendAuditEntries(
  queries: Queries,
  entries: readonly AuditEntry[],
  inboxIds: readonly string[],
): Promise<void> {
  await queries.deleteFrom('auditInbox').where('id', 'in', inboxIds).execute();
  // Both databases bound the parameters of one statement.
  for (let start = 0; start < entries.length; start += insertedRowsMax) {
    await queries
      .insertInto('auditEntries')
      .values(entries.slice(start, start + insertedRowsMax))
      .execute();
  }
}

const insertedRowsMax = 100;

export async function readAuditHead(queries: Queries): Promise<AuditHead | undefined> {
  return queries
    .selectFrom('auditEntries')
    .select(['sequence', 'hash'])
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export interface AuditSearch extends PageRequest {
  readonly action?: string;
  readonly subject?: string;
}

/** Newest first. */
export async function pageAuditEntries(queries: Queries, search: AuditSearch): Promise<Page<AuditEntry>> {
  const limit = pageLimit(search);
  const before = numberCursor(search);
  let query = queries.selectFrom('auditEntries').selectAll();
  if (search.action !== undefined) query = query.where('action', '=', search.action);
  if (search.subject !== undefined) query = query.where('subject', '=', search.subject);
  if (before) query = query.where('sequence', '<', before[0]);
  const rows = await query
    .orderBy('sequence', 'desc')
    .limit(limit + 1)
    .execute();
  return pageOf(rows, limit, (row) => [row.sequence, '']);
}

/** A batch in the chain's order, for checking it. */
export async function readAuditEntries(
  queries: Queries,
  afterSequence: number,
): Promise<readonly AuditEntry[]> {
  return queries
    .selectFrom('auditEntries')
    .selectAll()
    .where('sequence', '>', afterSequence)
    .orderBy('sequence')
    .limit(recordLimits.batchRowsMax)
    .execute();
}

export async function latestAuditAnchor(queries: Queries): Promise<AuditAnchor | undefined> {
  return queries
    .selectFrom('auditAnchors')
    .selectAll()
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function addAuditAnchor(queries: Queries, anchor: AuditAnchor): Promise<void> {
  await addOnce(queries, 'auditAnchors', anchor);
}

/** Anchors of entries in a batch. */
export async function readAuditAnchors(
  queries: Queries,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly AuditAnchor[]> {
  return queries
    .selectFrom('auditAnchors')
    .selectAll()
    .where('sequence', '>=', from)
    .where('sequence', '<=', to)
    .execute();
}

/** The entries from one to another, no more than so many. */
export async function readAuditRange(
  queries: Queries,
  { from, to, limit }: { readonly from: number; readonly to: number; readonly limit: number },
): Promise<readonly AuditEntry[]> {
  return queries
    .selectFrom('auditEntries')
    .selectAll()
    .where('sequence', '>=', from)
    .where('sequence', '<=', to)
    .orderBy('sequence')
    .limit(limit)
    .execute();
}

/** The first anchor of this entry or a later one. */
export const findCoveringAnchor = (queries: Queries, sequence: number): Promise<AuditAnchor | undefined> =>
  queries
    .selectFrom('auditAnchors')
    .selectAll()
    .where('sequence', '>=', sequence)
    .orderBy('sequence')
    .limit(1)
    .executeTakeFirst();
