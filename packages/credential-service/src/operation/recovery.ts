/**
 * Finishes what broke off: payments, and submissions of credentials and blobs that were on their way to the ledger, as
 * soon as their process is known to be gone. Run at the start, and again and again.
 */

import { recoverBlobs } from '../blobs/blob-ends.ts';
import { recoverSubmissions } from '../issuance/credential-submission.ts';
import { recoverPayments } from '../payments/paid-issuance.ts';
import { recoverSettlements } from '../payments/settlement.ts';
import { statusBlobs } from '../status/status-handlers.ts';
import { templateBlobs } from '../templates/template-handlers.ts';
import type { AllParts } from '../wiring/all-parts.ts';

export async function recoverService(parts: AllParts): Promise<void> {
  await Promise.all([
    recoverBlobs(parts, templateBlobs),
    ...Object.values(statusBlobs).map((blobs) => recoverBlobs(parts, blobs)),
    recoverSubmissions(parts),
    recoverPayments(parts),
    recoverSettlements(parts),
  ]);
}
