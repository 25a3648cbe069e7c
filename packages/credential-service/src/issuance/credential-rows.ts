/**
 * Issued credentials. The row stays for good, the credential itself only until the time to download it is over: a row
 * without one is what "no longer stored" (410) means. The status here is a copy; verification asks the ledger.
 */
import { numberCursor, type Page, type PageRequest, pageLimit, pageOf } from '../database/paging.ts';
import type { CredentialState, Queries, RowOf, Sealed } from '../database/schema.ts';

export type StoredCredential = RowOf<'credentials'>;
export type CredentialSummary = Omit<StoredCredential, 'credential'>;

export interface NewCredential {
  readonly vcId: string;
  readonly templateId: string;
  readonly templateVersion: string;
  readonly issuer: string;
  readonly holder: string;
  readonly digest: string;
  readonly anchorTx: string;
  readonly credential: Sealed;
  readonly downloadExpiresAt: number;
  readonly verificationMethod?: string;
  readonly now: number;
}

/** Records an anchored credential; false when it is recorded already. */
export async function addCredential(queries: Queries, given: NewCredential): Promise<boolean> {
  const { now, verificationMethod = null, ...credential } = given;
  const row = await queries
    .insertInto('credentials')
    .values({
      ...credential,
      verificationMethod,
      status: 'active',
      changeBlobId: null,
      owedChange: null,
      owedAtSeq: null,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) => conflict.column('vcId').doNothing())
    .returning('vcId')
    .executeTakeFirst();
  return row !== undefined;
}

export async function findCredential(queries: Queries, vcId: string): Promise<StoredCredential | undefined> {
  return queries.selectFrom('credentials').selectAll().where('vcId', '=', vcId).executeTakeFirst();
}

const summaryColumns = [
  'vcId',
  'templateId',
  'templateVersion',
  'issuer',
  'holder',
  'digest',
  'status',
  'anchorTx',
  'changeBlobId',
  'downloadExpiresAt',
  'verificationMethod',
  'owedChange',
  'owedAtSeq',
  'createdAt',
  'updatedAt',
] as const;

/** Several at once, in no order; those that are unknown are missing. */
export async function findCredentials(
  queries: Queries,
  vcIds: readonly string[],
): Promise<readonly CredentialSummary[]> {
  if (vcIds.length === 0) return [];
  return queries.selectFrom('credentials').select(summaryColumns).where('vcId', 'in', vcIds).execute();
}

export interface CredentialSearch extends PageRequest {
  /** Of this issuer, or of this holder, or both. */
  readonly issuer?: string;
  readonly holder?: string;
  readonly templateId?: string;
  readonly statuses?: readonly CredentialState[];
}

/** Oldest first. */
export async function listCredentials(
  queries: Queries,
  search: CredentialSearch,
): Promise<Page<CredentialSummary>> {
  const limit = pageLimit(search);
  const after = numberCursor(search);
  let query = queries.selectFrom('credentials').select(summaryColumns);
  if (search.issuer !== undefined) query = query.where('issuer', '=', search.issuer);
  if (search.holder !== undefined) query = query.where('holder', '=', search.holder);
  if (search.templateId !== undefined) query = query.where('templateId', '=', search.templateId);
  if (search.statuses) query = query.where('status', 'in', search.statuses);
  if (after)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('createdAt', 'vcId'), '>', tuple(after[0], after[1])),
    );
  const rows = await query
    .orderBy('createdAt')
    .orderBy('vcId')
    .limit(limit + 1)
    .execute();
  return pageOf(rows, limit, (row) => [row.createdAt, row.vcId]);
}
