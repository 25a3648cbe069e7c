/**
 * Blobs that wait for a signature: made once, claimed by one caller, used once. A claim is one conditional update, so
 * of many concurrent callers one wins; a failure gives the blob back, a success empties it. To callers a used, a
 * lapsed and an unknown blob are the same (`spec/credential-service.md`, "Blob").
 */
import { recordLimits } from '@symbolon/core/limits';
import type { BlobKind, Queries, RowOf, Sealed } from './schema.ts';

export type Blob = RowOf<'blobs'>;
export type ClaimedBlob = Blob & { readonly payload: Sealed };

export interface NewBlob {
  readonly id: string;
  readonly kind: BlobKind;
  readonly owner: string;
  readonly payload: Sealed;
  readonly now: number;
  readonly expiresAt: number;
}

export async function addBlob(queries: Queries, { now, ...blob }: NewBlob): Promise<void> {
  await queries
    .insertInto('blobs')
    .values({ ...blob, state: 'pending', intentHash: null, createdAt: now, claimedAt: null })
    .execute();
}

/** A blob that can still be claimed, without claiming it: to check a signature first. */
export async function findPendingBlob(
  queries: Queries,
  { id, kinds, now }: BlobChoice,
): Promise<ClaimedBlob | undefined> {
  const row = await queries
    .selectFrom('blobs')
    .selectAll()
    .where('id', '=', id)
    .where('kind', 'in', kinds)
    .where('state', '=', 'pending')
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  return row as ClaimedBlob | undefined;
}

export interface BlobChoice {
  readonly id: string;
  readonly kinds: readonly BlobKind[];
  readonly now: number;
}

/** The blob, for whoever asked first. */
export async function claimBlob(
  queries: Queries,
  { id, kinds, now }: BlobChoice,
): Promise<ClaimedBlob | undefined> {
  const row = await queries
    .updateTable('blobs')
    .set({ state: 'claimed', claimedAt: now })
    .where('id', '=', id)
    .where('kind', 'in', kinds)
    .where('state', '=', 'pending')
    .where('expiresAt', '>', now)
    .returningAll()
    .executeTakeFirst();
  return row as ClaimedBlob | undefined;
}

/** Written before the ledger is called: after a crash the ledger is asked for this hash. */
export async function setBlobIntent(queries: Queries, id: string, intentHash: string): Promise<boolean> {
  const row = await queries
    .updateTable('blobs')
    .set({ intentHash })
    .where('id', '=', id)
    .where('state', '=', 'claimed')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Gives a claimed blob back: what it was claimed for did not happen. */
export async function releaseBlob(queries: Queries, id: string): Promise<boolean> {
  const row = await queries
    .updateTable('blobs')
    .set({ state: 'pending', claimedAt: null, intentHash: null })
    .where('id', '=', id)
    .where('state', '=', 'claimed')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The end of a blob; what it held is gone. */
export async function useBlob(queries: Queries, id: string): Promise<boolean> {
  const row = await queries
    .updateTable('blobs')
    .set({ state: 'used', payload: null })
    .where('id', '=', id)
    .where('state', '=', 'claimed')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Claims of processes that are gone, oldest first: each is asked for at the ledger if it has an intent, and then used
 * or released. `leaseMs` 0 takes all, for a service that is known to run alone.
 */
export async function listStaleClaims(
  queries: Queries,
  now: number,
  leaseMs: number = recordLimits.claimLeaseMs,
): Promise<readonly ClaimedBlob[]> {
  const rows = await queries
    .selectFrom('blobs')
    .selectAll()
    .where('state', '=', 'claimed')
    .where('claimedAt', '<=', now - leaseMs)
    .orderBy('claimedAt')
    .limit(recordLimits.batchRowsMax)
    .execute();
  return rows as ClaimedBlob[];
}
