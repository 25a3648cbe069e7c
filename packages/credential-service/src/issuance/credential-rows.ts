/**
 * Issued credentials. The row stays for good, the credential itself only until the time to download it is over: a row
 * without one is what "no longer stored" (410) means. The status here is a copy; verification asks the ledger.
 */
import type { RecordedStatus } from '@symbolon/core/credential/application-states';
import { type Page, type PageRequest, pageInOrder } from '../database/paging.ts';
import type { Encrypted, Queries, RowOf } from '../database/schema.ts';
import { addOnce, rowBy } from '../database/statements.ts';
import { paymentWorkLimits, recordLimits } from '../limits/service-limits.ts';

export type StoredCredential = RowOf<'credentials'>;
export type CredentialSummary = Omit<StoredCredential, 'credential'>;

export type NewCredential = Pick<
  StoredCredential,
  | 'vcId'
  | 'templateId'
  | 'templateVersion'
  | 'issuer'
  | 'holder'
  | 'digest'
  | 'anchorTx'
  | 'downloadExpiresAt'
> & { readonly credential: Encrypted; readonly verificationMethod?: string; readonly now: number };

/** Keeps a credential that the ledger has; false when it is kept already. */
export const addCredential = (queries: Queries, { now, ...given }: NewCredential): Promise<boolean> =>
  addOnce(queries, 'credentials', { ...given, status: 'active', createdAt: now, updatedAt: now });

export const findCredential = rowBy('credentials', 'vcId');

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

interface CredentialSearch extends PageRequest {
  /** Of this issuer, or of this holder, or both. */
  readonly issuer?: string;
  readonly holder?: string;
  readonly templateId?: string;
  readonly statuses?: readonly RecordedStatus[];
}

/** Oldest first. */
export async function listCredentials(
  queries: Queries,
  search: CredentialSearch,
): Promise<Page<CredentialSummary>> {
  let query = queries.selectFrom('credentials').select(summaryColumns);
  if (search.issuer !== undefined) query = query.where('issuer', '=', search.issuer);
  if (search.holder !== undefined) query = query.where('holder', '=', search.holder);
  if (search.templateId !== undefined) query = query.where('templateId', '=', search.templateId);
  if (search.statuses) query = query.where('status', 'in', search.statuses);
  return pageInOrder(query, search, ['createdAt', 'vcId']);
}

/** Credentials of the holder from the template that may be good, the newest first. */
export async function listActive(
  queries: Queries,
  { holder, templateId }: Pick<StoredCredential, 'holder' | 'templateId'>,
): Promise<readonly Pick<StoredCredential, 'vcId' | 'issuer'>[]> {
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

/** Credentials whose time to download is over: the text goes, the row stays. */
export async function sweepDownloads(queries: Queries, now: number): Promise<number> {
  const emptied = await queries
    .updateTable('credentials')
    .set({ credential: null })
    .where('vcId', 'in', (eb) =>
      eb
        .selectFrom('credentials')
        .select('vcId')
        .where('credential', 'is not', null)
        .where('downloadExpiresAt', '<=', now)
        .orderBy('downloadExpiresAt')
        .limit(recordLimits.batchRowsMax),
    )
    .returning('vcId')
    .execute();
  return emptied.length;
}
