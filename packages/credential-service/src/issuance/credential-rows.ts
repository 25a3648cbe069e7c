/**
 * Issued credentials. The row stays for good, the credential itself only until the time to download it is over: a row
 * without one is what "no longer stored" (410) means. The status here is a copy; verification asks the ledger.
 */
import type { RecordedStatus } from '@symbolon/core/credential/application-states';
import { sql } from 'kysely';
import { type MadeBetween, type Page, type PageRequest, pageInOrder } from '../database/paging.ts';
import type { Encrypted, Queries, RowOf } from '../database/schema.ts';
import { addOnce, onlyCompared, rowBy } from '../database/statements.ts';
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
  | 'anchorSeq'
  | 'validFrom'
  | 'validUntil'
  | 'label'
  | 'downloadExpiresAt'
> & { readonly credential: Encrypted; readonly verificationMethod?: string; readonly now: number };

/** Keeps a credential that the ledger has; false when it is kept already. */
export const addCredential = (queries: Queries, { now, ...given }: NewCredential): Promise<boolean> =>
  addOnce(queries, 'credentials', { ...given, status: 'active', createdAt: now, updatedAt: now });

/** The record of one whose text is never kept: credentials of it were handed over when they were made. */
export const addRecordOnly = (
  queries: Queries,
  { now, ...given }: Omit<NewCredential, 'credential' | 'label' | 'downloadExpiresAt'>,
): Promise<boolean> =>
  addOnce(queries, 'credentials', {
    ...given,
    status: 'active',
    downloadExpiresAt: now,
    createdAt: now,
    updatedAt: now,
  });

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
  'anchorSeq',
  'validFrom',
  'validUntil',
  'label',
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

interface CredentialSearch extends PageRequest, MadeBetween {
  /** Of this issuer, or of this holder, or both. */
  readonly issuer?: string;
  readonly holder?: string;
  readonly templateId?: string;
  readonly status?: RecordedStatus;
  /** Only those whose validity has ended by then and that are not revoked, or only those whose has not. */
  readonly validity?: { readonly hasEnded: boolean; readonly at: number };
}

/** Of one holder there are few, so by the holder they are found. */
export async function listCredentials(
  queries: Queries,
  { issuer, holder, templateId, status, validity, from, before, ...page }: CredentialSearch,
): Promise<Page<CredentialSummary>> {
  let query = queries.selectFrom('credentials').select(summaryColumns);
  const column = (name: 'status' | 'templateId') =>
    holder === undefined ? sql.ref(name) : onlyCompared(name);
  if (issuer !== undefined) query = query.where('issuer', '=', issuer);
  if (holder !== undefined) query = query.where('holder', '=', holder);
  if (templateId !== undefined) query = query.where(column('templateId'), '=', templateId);
  if (status !== undefined) query = query.where(column('status'), '=', status);
  if (from !== undefined) query = query.where('createdAt', '>=', from);
  if (before !== undefined) query = query.where('createdAt', '<', before);
  if (validity?.hasEnded)
    query = query.where('validUntil', '<=', validity.at).where('status', '!=', 'revoked');
  // Of an older row it is not known until the ledger was asked.
  else if (validity)
    query = query.where((eb) => eb.or([eb('validUntil', '>', validity.at), eb('validUntil', 'is', null)]));
  return pageInOrder(query, page, ['createdAt', 'vcId']);
}

/** How many credentials of an issuer have a status, and of how many of these the validity has ended. */
export interface StatusCount {
  readonly status: RecordedStatus;
  readonly count: number;
  readonly ended: number;
}

export async function countCredentials(
  queries: Queries,
  issuer: string,
  now: number,
): Promise<readonly StatusCount[]> {
  const rows = await queries
    .selectFrom('credentials')
    .select([
      'status',
      (eb) => eb.fn.countAll<number | string>().as('count'),
      (eb) => eb.fn.countAll<number | string>().filterWhere('validUntil', '<=', now).as('ended'),
    ])
    .where('issuer', '=', issuer)
    .groupBy('status')
    .execute();
  return rows.map(({ status, count, ended }) => ({ status, count: Number(count), ended: Number(ended) }));
}

type LedgersWord = Pick<StoredCredential, 'vcId' | 'status' | 'validFrom' | 'validUntil'> & {
  /** As it was read before the ledger was asked: what changed since is newer than the answer. */
  readonly from: RecordedStatus;
};

/** Status and validity as the ledger has them. What is under way or owed says itself what becomes of it. */
export async function keepLedgersWord(queries: Queries, { vcId, from, ...word }: LedgersWord): Promise<void> {
  await queries
    .updateTable('credentials')
    .set(word)
    .where('vcId', '=', vcId)
    .where('status', '=', from)
    .where('changeBlobId', 'is', null)
    .where('owedChange', 'is', null)
    .execute();
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
    .set({ credential: null, label: null })
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
