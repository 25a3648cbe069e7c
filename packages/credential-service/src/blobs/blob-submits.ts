/**
 * Ledger transactions in two steps: the service offers a blob, the issuer signs it, the service hands it to the ledger.
 * The same request may be sent again at any time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { assert } from '@symbolon/core/basics/assert';
import { encodeHex, equalTexts, parseHex } from '@symbolon/core/basics/bytes';
import { Fault } from '@symbolon/core/faults/faults';
import type { SignedBlobRequest } from '@symbolon/wire/credentials/requests';
import type { Call } from '@symbolon/wire/http/service-route';
import type { JsonObject } from '@symbolon/wire/json/json';
import { keyOfLedgerDid, refuseOtherParty, requireKey, requireSignature } from '../access/signatures.ts';
import type { BlobKind } from '../database/schema.ts';
import { orFault } from '../ledger/ledger-faults.ts';
import { registryLimits } from '../limits/service-limits.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { bringToEnd, type ClaimToEnd, pursuitOf } from './blob-ends.ts';
import { openBlob } from './blob-offers.ts';
import { type BlobEnd, type BlobOutcomes, readEnd, writeEnd } from './blob-outcomes.ts';
import {
  type Blob,
  type BlobChoice,
  type ClaimedWith,
  claimBlob,
  findBlob,
  findPendingBlob,
  forgetBlobOutcome,
  isIntended,
  useBlob,
} from './blob-rows.ts';

const ledgerBlobKinds = ['template', 'revoke', 'suspend', 'reinstate'] as const satisfies BlobKind[];

/**
 * Checks the signature, hands the transaction in and answers what became of it; the same request again does the same.
 */
export async function submitBlob<Terms, Reply extends JsonObject>(
  parts: ServiceParts,
  outcomes: BlobOutcomes<Terms, Reply>,
  request: SignedBlobRequest,
  { caller, whenAnswered }: Call,
): Promise<Reply> {
  const { database, clock } = parts;
  const { blobId } = request;
  const choice = { id: blobId, kinds: outcomes.kinds, now: clock.nowMs() };
  const found = await findBlob(database.kysely, choice);
  if (!found) throw new Fault('blobUnknown');
  const end =
    found.state === 'used'
      ? knownEnd(parts, found, request, caller)
      : await endOfBlob(parts, outcomes, { found, choice, request, caller });
  const reply = (await replyOf(parts, end)) as Reply;
  // Until then the answer may have been lost, and the same request gets it again.
  whenAnswered?.(() => forgetBlobOutcome(database.kysely, blobId));
  return reply;
}

/** What the submitter is told of an end. */
async function replyOf(
  parts: Pick<ServiceParts, 'database' | 'vault' | 'clock'>,
  end: BlobEnd,
): Promise<JsonObject> {
  switch (end.kind) {
    case 'executed':
      return end.reply;
    case 'refused':
      throw new Fault(end.fault, { detail: end.detail, cause: end.cause });
    case 'replaced': {
      const { blobId: id } = end;
      const choice = { id, kinds: ledgerBlobKinds, now: parts.clock.nowMs() };
      const next = await findPendingBlob(parts.database.kysely, choice);
      if (!next)
        throw new Fault('blobUnknown', { detail: `The blob was replaced by ${id}, which is used too` });
      const { blob } = await openBlob(parts, next);
      throw new Fault('blobReplaced', { facts: { blobId: id, blob: blob.toUpperCase() } });
    }
  }
}

/** The end of a blob that nobody was told of, for whoever has what it was submitted with. */
function knownEnd(
  { keys }: Pick<ServiceParts, 'keys'>,
  { owner, outcome, signature: stored }: Blob,
  { signers: [{ signature, publicKey: given }] }: SignedBlobRequest,
  caller: Call['caller'],
): BlobEnd {
  const isSame = stored !== null && equalTexts(stored, encodeHex(signature));
  if (!isSame || outcome === null) throw new Fault('blobUnknown');
  if (given) requireKey(given, keyOfLedgerDid(owner, keys), keys);
  refuseOtherParty(caller, owner);
  return readEnd(outcome);
}

interface FoundBlob {
  readonly found: Blob;
  readonly choice: BlobChoice;
  readonly request: SignedBlobRequest;
  readonly caller?: Call['caller'];
}

/** Without a caller it was handed in elsewhere. */
export async function endOfBlob<Terms>(
  parts: ServiceParts,
  outcomes: BlobOutcomes<Terms>,
  { found, choice, request, caller }: FoundBlob,
): Promise<BlobEnd> {
  const { database, keys, worker } = parts;
  const document = await openBlob<Terms>(parts, found);
  const { blob, hash, signer, terms } = document;
  const bytes = parseHex(blob);
  assert(bytes, 'a stored blob is hex');
  const [{ signature, publicKey: given }] = request.signers;
  requireSignature({ messages: [bytes], signature, expectedKey: keyOfLedgerDid(signer, keys), given }, keys);
  if (caller) refuseOtherParty(caller, signer);
  const claimedWith = { worker, signature: encodeHex(signature), intentHash: hash };
  const claim = { parts, outcomes, row: { ...found, ...claimedWith }, document, actor: caller ?? {} };
  if (found.state === 'pending') {
    const refusal = await orFault(() =>
      database.transaction(async (queries) => {
        const row = await claimBlob(queries, choice, claimedWith);
        // Somebody with the same blob was faster: what follows is the same for both.
        if (row) await outcomes.begin(queries, { row, terms, now: choice.now });
      }),
    );
    if (refusal) return endOfTwin(claim, { choice, claimedWith, refusal });
    parts.crashPoint('blobClaimed');
  }
  return parts.pursuits.join(pursuitOf(found), (pursuit) => bringToEnd(claim, pursuit));
}

interface RefusedClaim {
  readonly choice: BlobChoice;
  readonly claimedWith: ClaimedWith;
  readonly refusal: Fault;
}

/**
 * What stands in the way of a blob may be its own bytes: another blob holds the very same transaction, and was faster.
 * Then both end with it, and it is recorded once; else the refusal stands.
 */
async function endOfTwin<Terms>(
  { parts, outcomes, row, document: { hash, terms } }: ClaimToEnd<Terms>,
  { choice, claimedWith, refusal }: RefusedClaim,
): Promise<BlobEnd> {
  const { database, ledger, clock } = parts;
  return parts.pursuits.join(`${pursuitOf(row)} as another`, async ({ signal }) => {
    for (;;) {
      const isUnderWay = await isIntended(database.kysely, hash);
      const outcome = await ledger.outcomeOf(hash);
      if (outcome.kind === 'executed') break;
      if (outcome.kind === 'failed' || (outcome.kind === 'missing' && !isUnderWay)) throw refusal;
      await sleep(registryLimits.retryMs, undefined, { signal });
    }
    const now = clock.nowMs();
    const end: BlobEnd = { kind: 'executed', reply: outcomes.reply({ row, terms, txHash: hash, now }) };
    await database.transaction(async (queries) => {
      if (await claimBlob(queries, choice, claimedWith))
        await useBlob(queries, row.id, { outcome: writeEnd(end), now });
    });
    return end;
  });
}
