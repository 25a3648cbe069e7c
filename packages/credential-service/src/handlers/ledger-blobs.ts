/**
 * Ledger transactions in two steps (`spec/credential-service.md`, "Blob"): the service offers a blob, the issuer signs
 * it, the service hands it to the ledger. Written so that a crash at any point leaves nothing half done: the intent is
 * durable before the ledger is called, and an outcome that is not known is found out later by asking the ledger
 * (`recover`), never guessed.
 */
import { randomBytes } from 'node:crypto';
import { assert } from '@symbolon/core/assert';
import { encodeHex, parseHex } from '@symbolon/core/bytes';
import { Fault } from '@symbolon/core/faults';
import type { SignedBlobRequest } from '@symbolon/wire/credential-requests';
import type { Caller } from '@symbolon/wire/service-route';
import type { UnsignedTransaction } from '../ledger/issuer-transactions.ts';
import { faultOfFailure } from '../ledger/ledger-faults.ts';
import type { LookedUpOutcome, SubmitOutcome } from '../ledger/submissions.ts';
import type { ServiceParts } from '../service-parts.ts';
import {
  addBlob,
  type Blob,
  claimBlob,
  findPendingBlob,
  listStaleClaims,
  releaseBlob,
  setBlobIntent,
  useBlob,
} from '../store/blobs.ts';
import type { BlobKind, Queries } from '../store/schema.ts';
import { places } from '../vault/places.ts';
import { type Actor, auditEvent, type Deed } from './audit-trail.ts';
import { openDocument, sealDocument } from './sealed-documents.ts';
import { keyOfLedgerDid, refuseOtherParty, requireSignature } from './signatures.ts';

/** What a blob waits with: the transaction, whose signature it needs, and what its kind needs to go on. */
export interface LedgerBlob<Terms> {
  readonly blob: string;
  readonly hash: string;
  /** The DID whose key signs. */
  readonly signer: string;
  readonly terms: Terms;
}

/** One kind of blob: what happens in the same durable step as its end. */
export interface BlobOutcomes<Terms> {
  readonly kinds: readonly BlobKind[];
  /** Before the ledger is called, after the blob is claimed; throws to refuse. */
  begin(queries: Queries, beginning: Omit<EndedBlob<Terms>, 'txHash'>): Promise<void>;
  executed(queries: Queries, ended: EndedBlob<Terms>): Promise<void>;
  /** What was done then, for the audit log. */
  deeds(ended: EndedBlob<Terms>): readonly Deed[];
  /** The ledger has not taken it and never will. */
  dropped(queries: Queries, ended: Omit<EndedBlob<Terms>, 'txHash'>): Promise<void>;
}

export interface EndedBlob<Terms> {
  readonly blob: Blob;
  readonly terms: Terms;
  readonly txHash: string;
  readonly now: number;
}

const blobIdBytes = 16;

export interface BlobOffer<Terms> {
  readonly kind: BlobKind;
  readonly signer: string;
  readonly transaction: UnsignedTransaction;
  readonly terms: Terms;
  /** Prepares what is saved together with the blob. */
  readonly alongside?: (blobId: string) => Promise<(queries: Queries) => Promise<void>>;
}

export async function offerBlob<Terms>(
  { database, vault, clock, settings, crashPoint }: ServiceParts,
  offer: BlobOffer<Terms>,
): Promise<{ blobId: string; blob: string }> {
  const { kind, signer, transaction, terms, alongside } = offer;
  const id = randomBytes(blobIdBytes).toString('hex').toUpperCase();
  const { blob, hash } = transaction;
  const document: LedgerBlob<Terms> = { blob, hash, signer, terms };
  const payload = await sealDocument(vault, document, places.blobPayload(id));
  const now = clock.nowMs();
  const expiresAt = now + settings.blobLifetimeSeconds * 1_000;
  const saveAlongside = await alongside?.(id);
  await database.transaction(async (queries) => {
    await addBlob(queries, { id, kind, owner: signer, payload, now, expiresAt });
    await saveAlongside?.(queries);
  });
  crashPoint('blobStored');
  return { blobId: id, blob: blob.toUpperCase() };
}

/** Checks the signature, hands the transaction in and records what became of it; resolves when it is executed. */
export async function submitBlob<Terms>(
  parts: ServiceParts,
  outcomes: BlobOutcomes<Terms>,
  { blobId, signers, actor }: SignedBlobRequest & { readonly actor: Caller },
): Promise<EndedBlob<Terms>> {
  const { database, clock, keys, ledger, crashPoint } = parts;
  const choice = { id: blobId, kinds: outcomes.kinds, now: clock.nowMs() };
  const pending = await findPendingBlob(database.kysely, choice);
  if (!pending) throw new Fault('blobUnknown');
  const { blob, hash, signer, terms } = await openBlob<Terms>(parts, pending);
  const bytes = parseHex(blob);
  assert(bytes, 'a stored blob is hex');
  const expectedKey = keyOfLedgerDid(signer, keys);
  const [{ signature, publicKey: given }] = signers;
  requireSignature({ messages: [bytes], signature, expectedKey, given }, keys);
  refuseOtherParty(actor, signer);

  const claimed = await database.transaction(async (queries) => {
    const row = await claimBlob(queries, choice);
    if (!row) return undefined;
    await outcomes.begin(queries, { blob: row, terms, now: choice.now });
    await setBlobIntent(queries, blobId, hash);
    return row;
  });
  if (!claimed) throw new Fault('blobUnknown');
  crashPoint('blobClaimed');
  const publicKey = keys.encodePublicKey(expectedKey);
  const outcome = await ledger.submitSigned({ blob, publicKey, signature: encodeHex(signature) });
  crashPoint('blobExecuted');
  const ended = await settle(parts, outcomes, { row: claimed, terms, outcome, actor });
  crashPoint('blobSettled');
  return ended;
}

interface Settlement<Terms> {
  readonly row: Blob;
  readonly terms: Terms;
  readonly outcome: SubmitOutcome;
  readonly actor: Actor;
}

async function settle<Terms>(
  { database, clock, audit }: ServiceParts,
  outcomes: BlobOutcomes<Terms>,
  { row, terms, outcome, actor }: Settlement<Terms>,
): Promise<EndedBlob<Terms>> {
  const now = clock.nowMs();
  const ended = { blob: row, terms, txHash: outcome.hash, now };
  switch (outcome.kind) {
    case 'executed':
      await database.transaction(async (queries) => {
        await outcomes.executed(queries, ended);
        // Somebody else may have been faster; then it is told already.
        if (!(await useBlob(queries, row.id))) return;
        for (const deed of outcomes.deeds(ended)) await audit.record(auditEvent(actor, deed), queries);
      });
      return ended;
    case 'unknown':
      // The blob stays claimed: recovery asks the ledger for its hash.
      throw new Fault('ledgerFailed', { detail: 'The ledger has not confirmed the transaction yet' });
    case 'stale':
    case 'failed': {
      await database.transaction(async (queries) => {
        await outcomes.dropped(queries, ended);
        await useBlob(queries, row.id);
      });
      if (outcome.kind === 'failed') throw faultOfFailure(outcome.code, outcome.description);
      throw new Fault('blobUnknown', {
        detail: "The issuer's account has sent another transaction since: create a new blob",
      });
    }
  }
}

/** Settles blobs whose submission broke off, this process's own or another's that is gone. */
export async function recoverBlobs<Terms>(
  parts: ServiceParts,
  outcomes: BlobOutcomes<Terms>,
  leaseMs?: number,
): Promise<void> {
  const { database, clock, ledger } = parts;
  const claims = await listStaleClaims(database.kysely, clock.nowMs(), leaseMs);
  for (const row of claims.filter(({ kind }) => outcomes.kinds.includes(kind))) {
    const { hash, terms } = await openBlob<Terms>(parts, row);
    const outcome = await ledger.outcomeOf(hash);
    if (outcome.kind === 'missing') {
      // Never arrived, so the issuer may hand it in again.
      await database.transaction(async (queries) => {
        await outcomes.dropped(queries, { blob: row, terms, now: clock.nowMs() });
        await releaseBlob(queries, row.id);
      });
    } else if (isSettled(outcome)) {
      await settle(parts, outcomes, { row, terms, outcome, actor: {} }).catch((error) => {
        if (!(error instanceof Fault)) throw error;
      });
    }
  }
}

const isSettled = (outcome: LookedUpOutcome): outcome is LookedUpOutcome & SubmitOutcome =>
  outcome.kind === 'executed' || outcome.kind === 'failed';

async function openBlob<Terms>({ vault }: ServiceParts, { id, payload }: Blob): Promise<LedgerBlob<Terms>> {
  assert(payload, 'a blob that is not used has its payload');
  return openDocument<LedgerBlob<Terms>>(vault, payload, places.blobPayload(id));
}
