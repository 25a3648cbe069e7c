/**
 * Forgetting: what has lapsed is removed in bounded batches, so that no sweep holds the database for long. Claimed
 * blobs and open intents stay whatever their age, until the ledger was asked about them.
 */
import { sweepApiKeys } from '../access/api-key-rows.ts';
import { sweepBrowserSessions } from '../access/browser-session-rows.ts';
import { sweepIdempotency } from '../access/idempotency-rows.ts';
import { sweepRates } from '../access/rate-rows.ts';
import { sweepRequests } from '../access/request-log-rows.ts';
import { sweepBlobs } from '../blobs/blob-rows.ts';
import type { Queries } from '../database/schema.ts';
import { sweepWebhooks } from '../events/webhook-rows.ts';
import { sweepDownloads } from '../issuance/credential-rows.ts';
import { recordLimits } from '../limits/service-limits.ts';
import { expireOffers, sweepOffers } from '../offers/offer-rows.ts';
import { sweepAuthorizations } from '../openid-issuance/authorizations/authorization-rows.ts';
import { sweepGrants } from '../openid-issuance/grants/grant-rows.ts';
import { sweepSeenProofs } from '../openid-issuance/grants/seen-proofs.ts';
import {
  emptyDatasets,
  expireStandardsOffers,
  sweepStandardsOffers,
} from '../openid-issuance/offers/standards-offer-rows.ts';
import { sweepOldRuleSignatures, sweepPayments } from '../payments/payment-rows.ts';
import { sweepSavedPresentations } from '../presentations/saved-presentation-rows.ts';
import { sweepDeliveries } from '../sessions/outbox-rows.ts';
import { sweepSessions } from '../sessions/session-rows.ts';
import { sweepStatusChanges } from '../status/status-change-rows.ts';
import { sweepSealKeys } from '../vault/vault-key-rows.ts';

const sweeps = {
  blobs: sweepBlobs,
  downloads: sweepDownloads,
  idempotency: sweepIdempotency,
  statusChanges: sweepStatusChanges,
  sealKeys: sweepSealKeys,
  payments: sweepPayments,
  sessions: sweepSessions,
  deliveries: sweepDeliveries,
  lapsedOffers: expireOffers,
  offers: sweepOffers,
  webhooks: sweepWebhooks,
  apiKeys: sweepApiKeys,
  requests: sweepRequests,
  savedPresentations: sweepSavedPresentations,
  oldRuleSignatures: sweepOldRuleSignatures,
  browserSessions: sweepBrowserSessions,
  rates: sweepRates,
  openidSeenProofs: sweepSeenProofs,
  openidAuthorizations: sweepAuthorizations,
  openidLapsedOffers: expireStandardsOffers,
  openidGrants: sweepGrants,
  openidDatasets: emptyDatasets,
  openidOffers: sweepStandardsOffers,
};

/** How many rows were forgotten, by what they were of. */
type Swept = Record<keyof typeof sweeps, number>;

/** One round of everything. */
export async function sweepAll(queries: Queries, now: number): Promise<Swept> {
  const swept: Partial<Swept> = {};
  for (const [name, sweep] of Object.entries(sweeps)) swept[name as keyof Swept] = await sweep(queries, now);
  return swept as Swept;
}

/** Whether a batch was full, so that there may be more at once. */
export const isMoreToSweep = (swept: Swept): boolean =>
  Object.values(swept).some((count) => count >= recordLimits.batchRowsMax);
