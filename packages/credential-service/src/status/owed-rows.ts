/**
 * What the ledger has lost of the records of this service and cannot be given again, because the account that signed it
 * has used its number otherwise: whoever signed owes it to the ledger, until it has made it anew.
 */
import {
  type CredentialAct,
  credentialActs,
  type RecordedStatus,
} from '@symbolon/core/credential/application-states';
import type { Queries, RowOf } from '../database/schema.ts';
import { addOnce, countRows } from '../database/statements.ts';
import { recordLimits } from '../limits/service-limits.ts';

export type OwedTemplate = RowOf<'owedTemplates'>;

interface OwedChanges {
  readonly vcIds: readonly string[];
  readonly kind: CredentialAct;
}

/** The issuer has acted, and that is its last word. A revocation that is owed ends only by revoking again. */
export async function payOwedChanges(queries: Queries, { vcIds, kind }: OwedChanges): Promise<void> {
  if (vcIds.length === 0) return;
  const paid = credentialActs.filter((owed) => kind === 'revoke' || owed !== 'revoke');
  await queries
    .updateTable('credentials')
    .set({ owedChange: null, owedAtSeq: null })
    .where('vcId', 'in', vcIds)
    .where('owedChange', 'in', paid)
    .execute();
}

/** The ledger's word, where it is newer than what the service knows, or has what was owed. */
export async function takeStatus(
  queries: Queries,
  { vcId, status }: { readonly vcId: string; readonly status: RecordedStatus },
): Promise<void> {
  await queries
    .updateTable('credentials')
    .set({ status, owedChange: null, owedAtSeq: null })
    .where('vcId', '=', vcId)
    // What is under way says itself what becomes of it.
    .where('changeBlobId', 'is', null)
    .execute();
}

interface NewlyOwed extends OwedChanges {
  /** What the ledger says meanwhile. */
  readonly status: RecordedStatus;
  /** The ledger's newest block. */
  readonly seq: number;
}

/** The ledger has lost this change, and cannot be given it again: its issuer has to make it anew. */
export async function oweChange(queries: Queries, { vcIds, kind, status, seq }: NewlyOwed): Promise<void> {
  await queries
    .updateTable('credentials')
    .set({ owedChange: kind, owedAtSeq: seq, status })
    .where('vcId', 'in', vcIds)
    .execute();
}

export async function oweTemplate(queries: Queries, owed: OwedTemplate): Promise<void> {
  await addOnce(queries, 'owedTemplates', owed);
}

export async function payOwedTemplate(
  queries: Queries,
  { templateId, version }: Pick<OwedTemplate, 'templateId' | 'version'>,
): Promise<void> {
  await queries
    .deleteFrom('owedTemplates')
    .where('templateId', '=', templateId)
    .where('version', '=', version)
    .execute();
}

/** In the order of their ids; an empty page is the last. */
export async function listOwedChanges(queries: Queries, after = ''): Promise<readonly string[]> {
  const rows = await queries
    .selectFrom('credentials')
    .select('vcId')
    .where('owedChange', 'is not', null)
    .where('vcId', '>', after)
    .orderBy('vcId')
    .limit(recordLimits.pageRowsMax)
    .execute();
  return rows.map(({ vcId }) => vcId);
}

/** In the order in which they came to be owed; an empty page is the last. */
export async function listOwedTemplates(queries: Queries, offset: number): Promise<readonly OwedTemplate[]> {
  return queries
    .selectFrom('owedTemplates')
    .selectAll()
    .orderBy('createdAt')
    .orderBy('templateId')
    .orderBy('version')
    .limit(recordLimits.batchRowsMax)
    .offset(offset)
    .execute();
}

export interface OwedCounts {
  readonly statuses: number;
  readonly templates: number;
}

export const countOwed = async (queries: Queries): Promise<OwedCounts> => ({
  statuses: await countRows(queries.selectFrom('credentials').where('owedChange', 'is not', null)),
  templates: await countRows(queries.selectFrom('owedTemplates')),
});
