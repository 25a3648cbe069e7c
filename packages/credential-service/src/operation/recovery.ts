/**
 * Finishes what broke off: payments, and submissions of credentials and blobs that were on their way to the ledger, as
 * soon as their process is known to be gone. Run at the start, and again and again. Beside it, blobs that their issuer
 * signed and handed to a node itself: the ledger is asked for what waits for a signature, as long as it lives and once
 * when it has lapsed. What was executed is brought to its end as if it had been submitted here, with the signature that
 * the ledger holds.
 */
import { assert } from '@symbolon/core/basics/assert';
import { parseHex } from '@symbolon/core/basics/bytes';
import { keyOfLedgerDid } from '../access/signatures.ts';
import { recoverBlobs } from '../blobs/blob-ends.ts';
import type { BlobOutcomes } from '../blobs/blob-outcomes.ts';
import { listWatchedBlobs, stopWatching, type WatchedBlob } from '../blobs/blob-rows.ts';
import { endOfBlob } from '../blobs/blob-submits.ts';
import { recoverSubmissions } from '../issuance/credential-submission.ts';
import { orFault } from '../ledger/ledger-faults.ts';
import { serviceWorkLimits } from '../limits/service-limits.ts';
import { recoverDatasets } from '../openid-issuance/datasets/datasets.ts';
import { recoverPayments } from '../payments/paid-issuance.ts';
import { recoverSettlements } from '../payments/settlement.ts';
import { statusBlobs } from '../status/status-blobs.ts';
import { templateBlobs } from '../templates/template-handlers.ts';
import type { AllParts } from '../wiring/all-parts.ts';

/** Every kind of blob that holds a transaction. */
const ledgerBlobs = [templateBlobs, ...Object.values(statusBlobs)] as unknown as BlobOutcomes<unknown>[];

export async function recoverService(parts: AllParts): Promise<void> {
  await Promise.all([
    ...ledgerBlobs.map((blobs) => recoverBlobs(parts, blobs)),
    recoverSubmissions(parts),
    recoverDatasets(parts),
    recoverPayments(parts),
    recoverSettlements(parts),
  ]);
}

/** Looks at so many of them, and goes on after those the next time. */
export function createBlobWatch(parts: AllParts): () => Promise<void> {
  let after = '';
  return async () => {
    const limit = serviceWorkLimits.watchedBlobsMax;
    const rows = await listWatchedBlobs(parts.database.kysely, { after, limit });
    after = rows.length < limit ? '' : (rows.at(-1)?.id ?? '');
    for (const row of rows) await look(parts, row);
  };
}

async function look(parts: AllParts, row: WatchedBlob): Promise<void> {
  const { clock, database, ledger } = parts;
  const hasLapsed = row.expiresAt <= clock.nowMs();
  const outcome = await ledger.outcomeOf(row.intentHash);
  if (outcome.kind === 'waiting' || outcome.kind === 'unknown') return;
  // What stands in its way here may be another change that is under way: as long as it lives it is tried again.
  if (outcome.kind === 'executed') await orFault(() => learn(parts, row));
  if (hasLapsed) await stopWatching(database.kysely, row.id);
}

async function learn(parts: AllParts, row: WatchedBlob): Promise<void> {
  const { clock, keys, ledger } = parts;
  const { id, kind, owner, intentHash, expiresAt } = row;
  const bytes = keyOfLedgerDid(owner, keys);
  const signed = await ledger.signatureOf(intentHash, keys.encodePublicKey(bytes));
  const signature = signed === undefined ? undefined : parseHex(signed);
  // Others may sign for the issuer's account; what they did is theirs to tell.
  if (!signature) return;
  const request = { blobId: id, signers: [{ signature, publicKey: { bytes } }] } as const;
  // It was signed in time: what lapsed before it was looked at is taken all the same.
  const choice = { id, kinds: [kind], now: Math.min(clock.nowMs(), expiresAt - 1) };
  const outcomes = ledgerBlobs.find(({ kinds }) => kinds.includes(kind));
  assert(outcomes, 'a blob with a transaction has outcomes');
  await endOfBlob(parts, outcomes, { found: row, choice, request });
}
