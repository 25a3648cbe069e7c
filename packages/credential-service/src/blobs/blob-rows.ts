/**
 * Blobs that wait for a signature: made once, claimed by one caller, used once. A claim is one conditional update, so
 * of many concurrent callers one wins; the end empties the blob. What became of it is kept until a caller has received
 * it; from then on a used, a lapsed and an unknown blob are the same to callers, as the interface document wants it.
 */
import { submitLimits } from '@symbolon/core/limits/waiting';
import type { BlobKind, Encrypted, Queries, RowOf } from '../database/schema.ts';
import { deleteBatch, hasRow } from '../database/statements.ts';
import { isLeft } from '../database/workers.ts';
import { recordLimits } from '../limits/service-limits.ts';

export type Blob = RowOf<'blobs'>;
export type ClaimedBlob = Blob & { readonly payload: Encrypted };

export type NewBlob = Pick<Blob, 'id' | 'kind' | 'owner' | 'expiresAt'> & {
  readonly payload: Encrypted;
  /** Of the ledger transaction it holds: its issuer may hand it in elsewhere. */
  readonly intentHash?: string;
  readonly now: number;
};

export async function addBlob(queries: Queries, { now, ...blob }: NewBlob): Promise<void> {
  await queries
    .insertInto('blobs')
    .values({ ...blob, state: 'pending', createdAt: now })
    .execute();
}

export interface BlobChoice {
  readonly id: string;
  readonly kinds: readonly BlobKind[];
  readonly now: number;
}

const blobNamed = (queries: Queries, { id, kinds }: BlobChoice) =>
  queries.selectFrom('blobs').selectAll().where('id', '=', id).where('kind', 'in', kinds);

/** A blob that can still be claimed, without claiming it: to check a signature first. */
export async function findPendingBlob(
  queries: Queries,
  choice: BlobChoice,
): Promise<ClaimedBlob | undefined> {
  const row = await blobNamed(queries, choice)
    .where('state', '=', 'pending')
    .where('expiresAt', '>', choice.now)
    .executeTakeFirst();
  return row as ClaimedBlob | undefined;
}

/** A blob that there is still something to say about: one to claim, one under way, one whose end nobody received. */
export async function findBlob(queries: Queries, choice: BlobChoice): Promise<Blob | undefined> {
  return blobNamed(queries, choice)
    .where((eb) =>
      eb.or([
        eb('state', '=', 'claimed'),
        eb.and([eb('state', '=', 'pending'), eb('expiresAt', '>', choice.now)]),
        eb.and([eb('state', '=', 'used'), eb('outcome', 'is not', null)]),
      ]),
    )
    .executeTakeFirst();
}

/** Blobs of an owner that are under way or whose end nobody received, the newest first. */
export async function listUnansweredBlobs(
  queries: Queries,
  { owner, kind }: Pick<Blob, 'owner' | 'kind'>,
): Promise<readonly Blob[]> {
  return queries
    .selectFrom('blobs')
    .selectAll()
    .where('owner', '=', owner)
    .where('kind', '=', kind)
    .where((eb) =>
      eb.or([eb('state', '=', 'claimed'), eb.and([eb('state', '=', 'used'), eb('outcome', 'is not', null)])]),
    )
    .orderBy('claimedAt', 'desc')
    .limit(recordLimits.batchRowsMax)
    .execute();
}

/** What a claim leaves for whoever has to finish it. */
export interface ClaimedWith {
  readonly worker: string;
  /** Hex. */
  readonly signature: string;
  /** Of the ledger transaction: after a crash the ledger is asked for it. */
  readonly intentHash: string;
}

/** The blob, for whoever asked first. */
export async function claimBlob(
  queries: Queries,
  { id, kinds, now }: BlobChoice,
  claimedWith?: ClaimedWith,
): Promise<ClaimedBlob | undefined> {
  const row = await queries
    .updateTable('blobs')
    .set({ state: 'claimed', claimedAt: now, ...claimedWith })
    .where('id', '=', id)
    .where('kind', 'in', kinds)
    .where('state', '=', 'pending')
    .where('expiresAt', '>', now)
    .returningAll()
    .executeTakeFirst();
  return row as ClaimedBlob | undefined;
}

/** Whether a claimed blob waits for this transaction. */
export async function isIntended(queries: Queries, intentHash: string): Promise<boolean> {
  return hasRow(
    queries
      .selectFrom('blobs')
      .select('id')
      .where('state', '=', 'claimed')
      .where('intentHash', '=', intentHash),
  );
}

/** Changes a claimed blob; no row where nobody has claimed it. */
const changeClaimed = (queries: Queries, id: string) =>
  queries.updateTable('blobs').where('id', '=', id).where('state', '=', 'claimed').returning('id');

/** Gives a claimed blob back, for so much longer: what it was claimed for did not happen. */
export async function releaseBlob(
  queries: Queries,
  { id, expiresAt }: Pick<Blob, 'id'> & { readonly expiresAt?: number },
): Promise<boolean> {
  const given = { state: 'pending', claimedAt: null, signature: null, worker: null } as const;
  return hasRow(changeClaimed(queries, id).set({ ...given, ...(expiresAt !== undefined && { expiresAt }) }));
}

/** A blob whose transaction may be executed without having been submitted here. */
export type WatchedBlob = ClaimedBlob & { readonly intentHash: string };

export async function listWatchedBlobs(
  queries: Queries,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly WatchedBlob[]> {
  const rows = await queries
    .selectFrom('blobs')
    .selectAll()
    .where('state', '=', 'pending')
    .where('intentHash', 'is not', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows as WatchedBlob[];
}

/** Its time is over, and the ledger was asked for it. */
export async function stopWatching(queries: Queries, id: string): Promise<void> {
  await queries
    .updateTable('blobs')
    .set({ intentHash: null })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .execute();
}

/** The end of a blob; what it held is gone, what became of it stays for a while. */
export async function useBlob(
  queries: Queries,
  id: string,
  ended?: { readonly outcome: string; readonly now: number },
): Promise<boolean> {
  const kept = ended && { outcome: ended.outcome, expiresAt: ended.now + submitLimits.outcomeKeptMs };
  return hasRow(changeClaimed(queries, id).set({ state: 'used', payload: null, ...kept }));
}

/** A caller has received what became of it: from now on it is used and nothing else. */
export async function forgetBlobOutcome(queries: Queries, id: string): Promise<void> {
  await queries
    .updateTable('blobs')
    .set({ outcome: null, signature: null })
    .where('id', '=', id)
    .where('state', '=', 'used')
    .execute();
}

/** Claims of processes that are gone and of this one, oldest first: each is brought to its end. */
export async function listLeftClaims(queries: Queries, worker: string): Promise<readonly ClaimedBlob[]> {
  const rows = await queries
    .selectFrom('blobs')
    .selectAll()
    .where('state', '=', 'claimed')
    .where((eb) => eb.or([eb('worker', '=', worker), isLeft('blobs')]))
    .orderBy('claimedAt')
    .limit(recordLimits.batchRowsMax)
    .execute();
  return rows as ClaimedBlob[];
}

/** From now on this process brings it to its end. */
export async function adoptBlob(queries: Queries, id: string, worker: string): Promise<void> {
  await changeClaimed(queries, id).set({ worker }).execute();
}

/** Forgets blobs that lapsed, used or not, and answers how many. What the ledger was not asked about stays. */
export async function sweepBlobs(queries: Queries, now: number): Promise<number> {
  return deleteBatch(queries, 'blobs', {
    key: 'id',
    first: 'expiresAt',
    where: (eb) =>
      eb.and([
        eb('expiresAt', '<=', now),
        eb('state', '!=', 'claimed'),
        eb.or([eb('state', '!=', 'pending'), eb('intentHash', 'is', null)]),
      ]),
  });
}
