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
import type { HandInOutcome, SignedBlob } from '../ledger/hand-in.ts';
import { faultOfFailure, isVerdict, orFault } from '../ledger/ledger-faults.ts';
import type { Pursuit } from '../ledger/pursuits.ts';
import { keepSigned } from '../ledger/signed-transaction-rows.ts';
import { registryLimits } from '../limits/service-limits.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { openBlob, prepareOffer } from './blob-offers.ts';
import {
  type BegunBlob,
  type BlobEnd,
  type BlobOutcomes,
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

/** A blob that was claimed with its signature, and for whom it is brought to its end. */
export interface ClaimToEnd<Terms> {
  readonly parts: ServiceParts;
  readonly outcomes: BlobOutcomes<Terms>;
  readonly row: Blob;
  readonly document: LedgerBlob<Terms>;
  readonly actor: Actor;
}

export const pursuitOf = ({ id }: Blob): string => `blob ${id}`;

/** In the turn of its issuer, until the ledger has said what became of it. Another process may do the same. */
export function bringToEnd<Terms>(claim: ClaimToEnd<Terms>, pursuit: Pursuit): Promise<BlobEnd> {
  const { issuerLines } = claim.parts;
  const turn = turnOf(claim);
  const { signal } = pursuit;
  pursuit.setInLine(() => issuerLines.stillMs(turn.account));
  return issuerLines.inTurn({ ...turn, signal }, async () => {
    pursuit.setInLine(undefined);
    for (;;) {
      const end = await handIn(claim, pursuit);
      if (end) return end;
      await sleep(registryLimits.retryMs, undefined, { signal });
    }
  });
}

/** Whose turn it is, and for what. The purpose, not the blob, holds the turn: a new blob for the same act keeps it. */
const turnOf = <Terms>({ outcomes, row: { kind }, document: { signer, terms } }: ClaimToEnd<Terms>) => ({
  account: signer,
  purpose: `${kind} ${outcomes.about(terms)}`,
});

/** The end of it, recorded; undefined where the ledger has not said yet what became of it. */
async function handIn<Terms>(claim: ClaimToEnd<Terms>, pursuit: Pursuit): Promise<BlobEnd | undefined> {
  const { parts } = claim;
  const outcome = await parts.ledger.submitSigned(signedBlobOf(claim), pursuit.signal);
  if (outcome.kind === 'unknown') return undefined;
  parts.crashPoint('blobExecuted');
  const end = await recordOutcome(claim, outcome, pursuit.isAwaited).catch(unlessAway);
  parts.crashPoint('blobSettled');
  return end;
}

function signedBlobOf<Terms>({ parts, row, document }: ClaimToEnd<Terms>): SignedBlob {
  const { keys } = parts;
  assert(row.signature !== null, 'what is handed in is signed');
  const publicKey = keys.encodePublicKey(keyOfLedgerDid(document.signer, keys));
  return { blob: document.blob, publicKey, signature: row.signature };
}

/** Faults of a ledger that may say something else a moment later. */
const passingFaults: readonly FaultName[] = ['ledgerUnreachable', 'overloaded'];

function unlessAway(error: unknown): undefined {
  if (error instanceof Fault && passingFaults.includes(error.code)) return undefined;
  throw error;
}

/** Records the end that an outcome is; throws where it is none. */
function recordOutcome<Terms>(
  claim: ClaimToEnd<Terms>,
  outcome: Exclude<HandInOutcome, { kind: 'unknown' }>,
  isAwaited: () => boolean,
): Promise<BlobEnd> {
  switch (outcome.kind) {
    case 'executed':
      return recordExecuted(claim, outcome.hash);
    case 'failed': {
      const fault = faultOfFailure(outcome.code, outcome.description);
      return outcome.isRecorded ? recordRefused(claim, fault) : putBack(claim, fault);
    }
    case 'stale':
      return replace(claim, isAwaited);
  }
}

function begunOf<Terms>({ parts, row, document }: ClaimToEnd<Terms>): BegunBlob<Terms> {
  return { row, terms: document.terms, now: parts.clock.nowMs() };
}

/** The signed transaction is kept as well: a ledger that loses it gets it again. */
function recordExecuted<Terms>(claim: ClaimToEnd<Terms>, txHash: string): Promise<BlobEnd> {
  const { parts, outcomes, row, document, actor } = claim;
  const ended = { ...begunOf(claim), txHash };
  return conclude(claim, { kind: 'executed', reply: outcomes.reply(ended) }, async (queries) => {
    const { hash, signer: owner } = document;
    if (row.signature !== null)
      await keepSigned(queries, { hash, owner, ...signedBlobOf(claim), createdAt: ended.now });
    for (const act of await outcomes.executed(queries, ended))
      await parts.audit.record({ actor, ...act }, queries);
  });
}

const recordRefused = <Terms>(claim: ClaimToEnd<Terms>, fault: Fault): Promise<BlobEnd> =>
  conclude(claim, refusedBy(fault), (queries) => claim.outcomes.dropped(queries, begunOf(claim)));

/**
 * No end: the ledger would not take it now, because of what the account or the node is like, and may take the same bytes
 * later. Nothing stays begun, and the same request tries again.
 */
async function putBack<Terms>(claim: ClaimToEnd<Terms>, fault: Fault): Promise<never> {
  const { parts, outcomes, row } = claim;
  const begun = begunOf(claim);
  const expiresAt = begun.now + parts.settings.blobLifetimeSeconds * 1_000;
  await parts.database.transaction(async (queries) => {
    if (await releaseBlob(queries, { id: row.id, expiresAt })) await outcomes.dropped(queries, begun);
  });
  throw fault;
}

/** The same once more for the issuer to sign, saved in the step that ends the first. */
async function replace<Terms>(claim: ClaimToEnd<Terms>, isAwaited: () => boolean): Promise<BlobEnd> {
  const { parts, outcomes, row, document } = claim;
  const offer = await orFault(() => outcomes.rebuild(parts, { row, terms: document.terms }));
  if (offer instanceof Fault) {
    if (passingFaults.includes(offer.code)) throw offer;
    return isVerdict(offer) ? recordRefused(claim, offer) : putBack(claim, offer);
  }
  const { blobId, save } = await prepareOffer(parts, offer);
  if (isAwaited()) parts.issuerLines.keepTurn(turnOf(claim));
  return conclude(claim, { kind: 'replaced', blobId }, async (queries) => {
    await outcomes.dropped(queries, begunOf(claim));
    await save(queries);
  });
}

/**
 * Records an end with what goes along with it, and answers the one that stands: another process may have been faster.
 */
async function conclude<Terms>(
  { parts: { database, clock }, outcomes, row, document: { terms } }: ClaimToEnd<Terms>,
  end: BlobEnd,
  alongside: (queries: Queries) => Promise<void>,
): Promise<BlobEnd> {
  const now = clock.nowMs();
  const choice = { id: row.id, kinds: [row.kind], now };
  return database.transaction(async (queries) => {
    // Another process may have put it back while this one got it executed.
    const again = end.kind === 'executed' ? await claimBlob(queries, choice) : undefined;
    if (again) await outcomes.begin(queries, { row: again, terms, now });
    if (await useBlob(queries, row.id, { outcome: writeEnd(end), now })) {
      await alongside(queries);
      return end;
    }
    const standing = await findBlob(queries, choice);
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
  const { database, worker, ledger } = parts;
  const document = await openBlob<Terms>(parts, row);
  const claim = { parts, outcomes, row, document, actor: {} };
  if (row.signature !== null) {
    if (row.worker !== worker) await adoptBlob(database.kysely, row.id, worker);
    await parts.pursuits.resume(pursuitOf(row), (pursuit) => bringToEnd(claim, pursuit));
    return;
  }
  // Claimed by a version that did not keep the signature: only what arrived can be brought to an end.
  const outcome = await ledger.outcomeOf(document.hash);
  if (outcome.kind === 'missing')
    await database.transaction(async (queries) => {
      await outcomes.dropped(queries, begunOf(claim));
      await releaseBlob(queries, { id: row.id });
    });
  if (outcome.kind === 'executed' || outcome.kind === 'failed')
    await recordOutcome(claim, outcome, () => false);
}
