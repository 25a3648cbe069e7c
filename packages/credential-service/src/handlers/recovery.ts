/**
 * Finishes what broke off: submissions of credentials, and blobs that were on their way to the ledger. Run at the start
 * with every claim (nobody else is working on them), and from time to time with those that outlived their lease.
 */

import { recoverPayments } from '../payments/paid-issuance.ts';
import { recoverSettlements } from '../payments/settlement.ts';
import type { ServiceParts } from '../service-parts.ts';
import { recoverSubmissions } from './credential-submission.ts';
import { recoverBlobs } from './ledger-blobs.ts';
import { statusBlobs } from './status-handlers.ts';
import { templateBlobs } from './template-handlers.ts';

/** `leaseMs` 0 takes all. */
export async function recoverService(parts: ServiceParts, leaseMs?: number): Promise<void> {
  await recoverBlobs(parts, templateBlobs, leaseMs);
  for (const blobs of Object.values(statusBlobs)) await recoverBlobs(parts, blobs, leaseMs);
  await recoverSubmissions(parts, leaseMs);
  await recoverPayments(parts, leaseMs);
  await recoverSettlements(parts, leaseMs);
}
