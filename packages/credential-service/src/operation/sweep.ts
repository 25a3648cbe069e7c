/**
 * Forgetting: what has lapsed is removed in bounded batches, so that no sweep holds the database for long. Claimed
 * blobs, those that the ledger was not asked about, and open intents stay whatever their age: somebody must ask the ledger about them first.
 */

import { sweepIdempotency } from '../access/idempotency.ts';
import { sweepBlobs } from '../blobs/blob-rows.ts';
import type { Queries } from '../database/schema.ts';
import { sweepDownloads } from '../issuance/credential-rows.ts';
import { recordLimits } from '../limits/service-limits.ts';
import { sweepOldRuleSignatures } from '../payments/payment-rows.ts';
import { sweepSavedPresentations } from '../presentations/saved-presentation-rows.ts';
import { sweepDeliveries } from '../sessions/outbox-rows.ts';
import { sweepSessions } from '../sessions/session-rows.ts';
import { sweepStatusChanges } from '../status/status-change-rows.ts';
import { sweepSealKeys } from '../vault/vault-key-rows.ts';

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
