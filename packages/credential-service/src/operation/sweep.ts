/**
 * Forgetting: what has lapsed is removed in bounded batches, so that no sweep holds the database for long. Claimed
 * blobs, those that the ledger was not asked about, and open intents stay whatever their age: somebody must ask the ledger about them first.
 */
import { recordLimits } from '@symbolon/core/limits/limits';
import type { Queries } from '../database/schema.ts';
import { sweepOldRuleSignatures } from '../payments/payment-rows.ts';
import { sweepSavedPresentations } from '../presentations/saved-presentation-rows.ts';
import { sweepDeliveries } from '../sessions/outbox-rows.ts';
import { sweepSessions } from '../sessions/session-rows.ts';

/** Blobs that lapsed, used or not. Answers how many. */
export async function sweepBlobs(queries: Queries, now: number): Promise<number> {
  const gone = await queries
    .deleteFrom('blobs')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('blobs')
        .select('id')
        .where('expiresAt', '<=', now)
        .where('state', '!=', 'claimed')
        .where((blob) => blob.or([blob('state', '!=', 'pending'), blob('intentHash', 'is', null)]))
        .orderBy('expiresAt')
        .limit(recordLimits.batchRowsMax),
    )
    .where('state', '!=', 'claimed')
    .returning('id')
    .execute();
  return gone.length;
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

export async function sweepIdempotency(queries: Queries, now: number): Promise<number> {
  const gone = await queries
    .deleteFrom('idempotency')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('idempotency')
        .select('id')
        .where('expiresAt', '<=', now)
        .orderBy('expiresAt')
        .limit(recordLimits.batchRowsMax),
    )
    .where('expiresAt', '<=', now)
    .returning('id')
    .execute();
  return gone.length;
}

/** Keys of the sealed layer that no request may use any more: what was sealed for them stays closed for good. */
export async function sweepSealKeys(queries: Queries, now: number): Promise<number> {
  const gone = await queries
    .deleteFrom('vaultKeys')
    .where('kind', '=', 'seal')
    .where('validUntil', '<=', now)
    .returning('id')
    .execute();
  return gone.length;
}

/** Status changes that were prepared and whose blob is gone. */
export async function sweepStatusChanges(queries: Queries, now: number): Promise<number> {
  const gone = await queries
    .deleteFrom('statusChanges')
    .where('blobId', 'in', (eb) =>
      eb
        .selectFrom('statusChanges')
        .leftJoin('blobs', 'blobs.id', 'statusChanges.blobId')
        .select('statusChanges.blobId')
        .where('statusChanges.state', '=', 'prepared')
        .where('statusChanges.createdAt', '<=', now - recordLimits.lapsedKeptMs)
        .where('blobs.id', 'is', null)
        .limit(recordLimits.batchRowsMax),
    )
    .where('state', '=', 'prepared')
    .returning('blobId')
    .execute();
  return gone.length;
}

export interface Swept {
  readonly blobs: number;
  readonly downloads: number;
  readonly idempotency: number;
  readonly statusChanges: number;
  readonly sealKeys: number;
  /** Verification sessions, deliveries, kept presentations and what signatures by the old rule stand for. */
  readonly exchanges: number;
  /** A batch was full: there may be more at once. */
  readonly isMore: boolean;
}

/** One round of everything. */
export async function sweepAll(queries: Queries, now: number): Promise<Swept> {
  const blobs = await sweepBlobs(queries, now);
  const downloads = await sweepDownloads(queries, now);
  const idempotency = await sweepIdempotency(queries, now);
  const statusChanges = await sweepStatusChanges(queries, now);
  const sealKeys = await sweepSealKeys(queries, now);
  const gone = [
    await sweepSessions(queries, now),
    await sweepDeliveries(queries, now),
    await sweepSavedPresentations(queries, now),
    await sweepOldRuleSignatures(queries, now),
  ];
  const exchanges = gone.reduce((sum, count) => sum + count, 0);
  const isMore = [blobs, downloads, idempotency, ...gone].some((count) => count >= recordLimits.batchRowsMax);
  return { blobs, downloads, idempotency, statusChanges, sealKeys, exchanges, isMore };
}
