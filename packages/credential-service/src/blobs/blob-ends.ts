/**
 * A claimed blob is always brought to its end, by whoever comes by: what was signed is durable before the ledger is
 * called, the same bytes never run twice, and each end is recorded once. So a crash leaves nothing half done.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { assert } from '@symbolon/core/basics/assert';
import { Fault, type FaultName } from '@symbolon/core/faults/faults';
import { keyOfLedgerDid } from '../access/signatures.ts';
import type { Actor } from '../audit/audit-entry.ts';
import type { Queries } from '../database/schema.ts';
import { faultOfFailure, isVerdict } from '../ledger/ledger-faults.ts';
import type { Pursuit } from '../ledger/pursuits.ts';
import { keepSigned, type SignedTransaction } from '../ledger/signed-transaction-rows.ts';
import type { SubmitOutcome } from '../ledger/submissions.ts';
import { registryLimits } from '../limits/service-limits.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { openBlob, prepareOffer } from './blob-offers.ts';
import {
  type BlobEnd,
  type BlobOffer,
  type BlobOutcomes,
  type EndedBlob,
  type LedgerBlob,
  readEnd,
  refusedBy,
  writeEnd,
} from './blob-outcomes.ts';
import {
  adoptBlob,
  type Blob,
  type ClaimedBlob,
  claimBlob,
  findBlob,
  listLeftClaims,
  releaseBlob,
  useBlob,
} from './blob-rows.ts';

export interface ClaimToEnd<Terms> {
  readonly row: Blob;
  readonly document: LedgerBlob<Terms>;
  readonly actor: Actor;
}

export const pursuitOf = ({ id }: Blob): string => `blob ${id}`;

/** Brings a claimed blob to its end, in its issuer's turn. Another process may do the same. */
export const toItsEnd =
  <Terms>(parts: ServiceParts, outcomes: BlobOutcomes<Terms>, claim: ClaimToEnd<Terms>) =>
  (pursuit: Pursuit): Promise<BlobEnd> => {
    const { row, document } = claim;
    const place = { ...turnOf(outcomes, row, document), signal: pursuit.signal };
    pursuit.setInLine(() => parts.issuerLines.stillMs(place.account));
    return parts.issuerLines.inTurn(place, () => {
      pursuit.setInLine(undefined);
      return chase(parts, outcomes, { ...claim, pursuit });
    });
  };

/** Whose turn it is, and for what: whoever has to sign anew may sign the blob it is given, or ask for another. */
const turnOf = <Terms>(
  outcomes: BlobOutcomes<Terms>,
  { kind }: Blob,
  { signer, terms }: LedgerBlob<Terms>,
) => ({ account: signer, purpose: `${kind} ${outcomes.about(terms)}` });

interface Chase<Terms> extends ClaimToEnd<Terms> {
  readonly pursuit: Pursuit;
}

/** Hands in and asks until the ledger has said what became of it, and that is recorded. */
async function chase<Terms>(
  parts: ServiceParts,
  outcomes: BlobOutcomes<Terms>,
  chased: Chase<Terms>,
): Promise<BlobEnd> {
  const { keys, ledger } = parts;
  const { row, document, pursuit } = chased;
  const { signature } = row;
  assert(signature !== null, 'what is handed in is signed');
  const publicKey = keys.encodePublicKey(keyOfLedgerDid(document.signer, keys));
  for (;;) {
    const outcome = await ledger.submitSigned({ blob: document.blob, publicKey, signature }, pursuit.signal);
    if (outcome.kind !== 'unknown') {
      parts.crashPoint('blobExecuted');
      const end = await settle(parts, outcomes, { ...chased, outcome }).catch(unlessAway);
      parts.crashPoint('blobSettled');
      if (end) return end;
    }
    await sleep(registryLimits.retryMs, undefined, { signal: pursuit.signal });
  }
}

/** Faults of a ledger that may say something else a moment later. */
const passingFaults: readonly FaultName[] = ['ledgerUnreachable', 'overloaded'];

function unlessAway(error: unknown): undefined {
  if (error instanceof Fault && passingFaults.includes(error.code)) return undefined;
  throw error;
}

interface Settlement<Terms> extends Chase<Terms> {
  readonly outcome: Exclude<SubmitOutcome, { kind: 'unknown' }>;
}

/** Records the end that an outcome is; throws where it is none. */
async function settle<Terms>(
  parts: ServiceParts,
  outcomes: BlobOutcomes<Terms>,
  settled: Settlement<Terms>,
): Promise<BlobEnd> {
  const { outcome, row, document, actor } = settled;
  const { audit, clock } = parts;
  const ended = { blob: row, terms: document.terms, txHash: outcome.hash, now: clock.nowMs() };
  switch (outcome.kind) {
    case 'executed': {
      const end: BlobEnd = { kind: 'executed', reply: outcomes.reply(ended) };
      const first = (queries: Queries) => claimAgain(queries, outcomes, ended);
      return conclude(parts, { row, end, first }, async (queries) => {
        if (row.signature !== null) await keepSigned(queries, keptOf(parts, document, row.signature));
        if (!(await outcomes.executed(queries, ended))) return;
        for (const act of outcomes.audited(ended)) await audit.record({ actor, ...act }, queries);
      });
    }
    case 'failed': {
      const fault = faultOfFailure(outcome.code, outcome.description);
      if (!outcome.isRecorded) return putBack(parts, outcomes, settled, fault);
      const end = refusedBy(fault);
      return conclude(parts, { row, end }, (queries) => outcomes.dropped(queries, ended));
    }
    case 'stale':
      return replace(parts, outcomes, settled);
  }
}

/**
 * No end: the ledger would not take it now, because of what the account or the node is like, and may take the same bytes
 * later. Nothing stays begun, and the same request tries again.
 */
async function putBack<Terms>(
  { database, clock, settings }: Pick<ServiceParts, 'database' | 'clock' | 'settings'>,
  outcomes: BlobOutcomes<Terms>,
  { row, document: { terms } }: Settlement<Terms>,
  fault: Fault,
): Promise<never> {
  const now = clock.nowMs();
  const expiresAt = now + settings.blobLifetimeSeconds * 1_000;
  await database.transaction(async (queries) => {
    if (await releaseBlob(queries, { id: row.id, expiresAt }))
      await outcomes.dropped(queries, { blob: row, terms, now });
  });
  throw fault;
}

/** Another process may have put it back while this one got it executed. */
async function claimAgain<Terms>(
  queries: Queries,
  outcomes: BlobOutcomes<Terms>,
  { blob: { id, kind }, terms, now }: EndedBlob<Terms>,
): Promise<void> {
  const row = await claimBlob(queries, { id, kinds: [kind], now });
  if (row) await outcomes.begin(queries, { blob: row, terms, now });
}

/** A ledger that loses it gets it again. */
function keptOf(
  { keys, clock }: Pick<ServiceParts, 'keys' | 'clock'>,
  { blob, hash, signer: owner }: LedgerBlob<unknown>,
  signature: string,
): SignedTransaction {
  const publicKey = keys.encodePublicKey(keyOfLedgerDid(owner, keys));
  return { hash, owner, blob, publicKey, signature, createdAt: clock.nowMs() };
}

/** The same once more for the issuer to sign, saved in the step that ends the first. */
async function replace<Terms>(
  parts: ServiceParts,
  outcomes: BlobOutcomes<Terms>,
  settled: Settlement<Terms>,
): Promise<BlobEnd> {
  const { row, document, pursuit } = settled;
  const { terms } = document;
  const now = parts.clock.nowMs();
  const drop = (queries: Queries) => outcomes.dropped(queries, { blob: row, terms, now });
  let offer: BlobOffer<Terms>;
  try {
    offer = await outcomes.rebuild(parts, { blob: row, terms });
  } catch (error) {
    if (!(error instanceof Fault) || passingFaults.includes(error.code)) throw error;
    if (!isVerdict(error)) return putBack(parts, outcomes, settled, error);
    return conclude(parts, { row, end: refusedBy(error) }, drop);
  }
  const { blobId, save } = await prepareOffer(parts, offer);
  if (pursuit.isAwaited()) parts.issuerLines.keepTurn(turnOf(outcomes, row, document));
  return conclude(parts, { row, end: { kind: 'replaced', blobId } }, async (queries) => {
    await drop(queries);
    await save(queries);
  });
}

interface Conclusion {
  readonly row: Blob;
  readonly end: BlobEnd;
  readonly first?: (queries: Queries) => Promise<void>;
}

/** Records an end with what goes along with it, and answers the one that stands: another process may have been faster. */
async function conclude(
  { database, clock }: Pick<ServiceParts, 'database' | 'clock'>,
  { row, end, first }: Conclusion,
  alongside: (queries: Queries) => Promise<void>,
): Promise<BlobEnd> {
  const { id, kind } = row;
  const now = clock.nowMs();
  return database.transaction(async (queries) => {
    await first?.(queries);
    if (await useBlob(queries, id, { outcome: writeEnd(end), now })) {
      await alongside(queries);
      return end;
    }
    const standing = await findBlob(queries, { id, kinds: [kind], now });
    return standing?.outcome ? readEnd(standing.outcome) : end;
  });
}

/** Brings blobs to their end whose process is gone, and those of this one that nobody is at. */
export async function recoverBlobs<Terms>(parts: ServiceParts, outcomes: BlobOutcomes<Terms>): Promise<void> {
  const { database, worker, pursuits } = parts;
  const claims = await listLeftClaims(database.kysely, worker);
  const left = claims.filter(
    (row) => outcomes.kinds.includes(row.kind) && !pursuits.isUnderWay(pursuitOf(row)),
  );
  await Promise.all(left.map((row) => recoverBlob(parts, outcomes, row)));
}

async function recoverBlob<Terms>(
  parts: ServiceParts,
  outcomes: BlobOutcomes<Terms>,
  row: ClaimedBlob,
): Promise<void> {
  const { database, clock, worker, ledger } = parts;
  const document = await openBlob<Terms>(parts, row);
  if (row.signature !== null) {
    if (row.worker !== worker) await adoptBlob(database.kysely, row.id, worker);
    const claim = { row, document, actor: {} };
    await parts.pursuits.resume(pursuitOf(row), toItsEnd(parts, outcomes, claim));
    return;
  }
  // Claimed by a version that did not keep the signature: only what arrived can be brought to an end.
  const outcome = await ledger.outcomeOf(document.hash);
  if (outcome.kind === 'missing')
    await database.transaction(async (queries) => {
      await outcomes.dropped(queries, { blob: row, terms: document.terms, now: clock.nowMs() });
      await releaseBlob(queries, { id: row.id });
    });
  if (outcome.kind !== 'executed' && outcome.kind !== 'failed') return;
  const pursuit = {
    signal: new AbortController().signal,
    isAwaited: () => false,
    setInLine: () => undefined,
  };
  await settle(parts, outcomes, { row, document, actor: {}, pursuit, outcome });
}
