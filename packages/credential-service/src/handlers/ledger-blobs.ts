/**
 * Ledger transactions in two steps (`spec/credential-service.md`, "Blob"): the service offers a blob, the issuer signs
 * it, the service hands it to the ledger. A claimed blob is always brought to its end, by whoever comes by: what was
 * signed is durable before the ledger is called, the same bytes never run twice, and each end is recorded once. So a
 * crash leaves nothing half done, and the same request may be sent again at any time.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { assert } from '@symbolon/core/assert';
import { encodeHex, equalTexts, parseHex } from '@symbolon/core/bytes';
import { Fault, type FaultName } from '@symbolon/core/faults';
import { registryLimits } from '@symbolon/core/limits';
import type { SignedBlobRequest } from '@symbolon/wire/credential-requests';
import type { JsonObject } from '@symbolon/wire/json';
import type { Call } from '@symbolon/wire/service-route';
import { faultOfFailure, isVerdict } from '../ledger/ledger-faults.ts';
import type { SubmitOutcome } from '../ledger/submissions.ts';
import type { Pursuit } from '../pursuits.ts';
import type { ServiceParts } from '../service-parts.ts';
import {
  addBlob,
  adoptBlob,
  type Blob,
  type BlobChoice,
  type ClaimedBlob,
  type ClaimedWith,
  claimBlob,
  findBlob,
  findPendingBlob,
  forgetBlobOutcome,
  isIntended,
  listLeftClaims,
  releaseBlob,
  useBlob,
} from '../store/blobs.ts';
import type { BlobKind, Queries } from '../store/schema.ts';
import { keepSigned, type SignedTransaction } from '../store/signed-transactions.ts';
import { places } from '../vault/places.ts';
import { type Actor, auditEvent } from './audit-trail.ts';
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
import { openDocument, sealDocument } from './sealed-documents.ts';
import { givenKey, keyOfLedgerDid, refuseOtherParty, requireSignature } from './signatures.ts';

const blobIdBytes = 16;
const ledgerBlobKinds = ['template', 'revoke', 'suspend', 'reinstate'] as const satisfies BlobKind[];

interface PreparedOffer {
  readonly blobId: string;
  readonly blob: string;
  save(queries: Queries): Promise<void>;
}

async function prepareOffer<Terms>(
  { vault, clock, settings }: ServiceParts,
  { kind, signer, transaction, terms, alongside }: BlobOffer<Terms>,
): Promise<PreparedOffer> {
  const id = randomBytes(blobIdBytes).toString('hex').toUpperCase();
  const { blob, hash } = transaction;
  const document: LedgerBlob<Terms> = { blob, hash, signer, terms };
  const payload = await sealDocument(vault, document, places.blobPayload(id));
  const now = clock.nowMs();
  const expiresAt = now + settings.blobLifetimeSeconds * 1_000;
  const saveAlongside = await alongside?.(id);
  return {
    blobId: id,
    blob: blob.toUpperCase(),
    async save(queries) {
      await addBlob(queries, { id, kind, owner: signer, payload, now, expiresAt });
      await saveAlongside?.(queries);
    },
  };
}

export async function offerBlob<Terms>(
  parts: ServiceParts,
  offer: BlobOffer<Terms>,
): Promise<{ blobId: string; blob: string }> {
  const { blobId, blob, save } = await prepareOffer(parts, offer);
  await parts.database.transaction(save);
  parts.crashPoint('blobStored');
  return { blobId, blob };
}

/** Checks the signature, hands the transaction in and answers what became of it; the same request again does the same. */
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
      : await endOf(parts, outcomes, { found, choice, request, caller });
  const reply = (await replyOf(parts, end)) as Reply;
  // Until then the answer may have been lost, and the same request gets it again.
  whenAnswered?.(() => forgetBlobOutcome(database.kysely, blobId));
  return reply;
}

/** What the submitter is told of an end. */
async function replyOf(parts: ServiceParts, end: BlobEnd): Promise<JsonObject> {
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
  { keys }: ServiceParts,
  { owner, outcome, signature: stored }: Blob,
  { signers: [{ signature, publicKey: given }] }: SignedBlobRequest,
  caller: Call['caller'],
): BlobEnd {
  const isSame = stored !== null && equalTexts(stored, encodeHex(signature));
  if (!isSame || outcome === null) throw new Fault('blobUnknown');
  if (given) requireKey(givenKey(given, keys), keyOfLedgerDid(owner, keys));
  refuseOtherParty(caller, owner);
  return readEnd(outcome);
}

function requireKey(given: Uint8Array, expected: Uint8Array): void {
  if (!equalTexts(encodeHex(given), encodeHex(expected)))
    throw new Fault('signerMismatch', { detail: 'The public key is not the expected one' });
}

interface FoundBlob {
  readonly found: Blob;
  readonly choice: BlobChoice;
  readonly request: SignedBlobRequest;
  readonly caller: Call['caller'];
}

async function endOf<Terms, Reply extends JsonObject>(
  parts: ServiceParts,
  outcomes: BlobOutcomes<Terms, Reply>,
  { found, choice, request, caller }: FoundBlob,
): Promise<BlobEnd> {
  const { database, keys, worker } = parts;
  const document = await openBlob<Terms>(parts, found);
  const { blob, hash, signer, terms } = document;
  const bytes = parseHex(blob);
  assert(bytes, 'a stored blob is hex');
  const [{ signature, publicKey: given }] = request.signers;
  requireSignature({ messages: [bytes], signature, expectedKey: keyOfLedgerDid(signer, keys), given }, keys);
  refuseOtherParty(caller, signer);
  const claimedWith = { worker, signature: encodeHex(signature), intentHash: hash };
  if (found.state === 'pending') {
    const begun = database.transaction(async (queries) => {
      const row = await claimBlob(queries, choice, claimedWith);
      // Somebody with the same blob was faster: what follows is the same for both.
      if (row) await outcomes.begin(queries, { blob: row, terms, now: choice.now });
    });
    const refusal = await begun.then(() => undefined, asRefusal);
    if (refusal) return endOfTwin(parts, outcomes, { found, document, choice, claimedWith, refusal });
    parts.crashPoint('blobClaimed');
  }
  const claim = { row: { ...found, ...claimedWith }, document, actor: caller };
  return parts.pursuits.join(pursuitOf(found), toItsEnd(parts, outcomes, claim));
}

function asRefusal(error: unknown): Fault {
  if (error instanceof Fault) return error;
  throw error;
}

interface RefusedBlob<Terms> {
  readonly found: Blob;
  readonly document: LedgerBlob<Terms>;
  readonly choice: BlobChoice;
  readonly claimedWith: ClaimedWith;
  readonly refusal: Fault;
}

/**
 * What stands in the way of a blob may be its own bytes: another blob holds the very same transaction, and was faster.
 * Then both end with it, and it is recorded once; else the refusal stands.
 */
async function endOfTwin<Terms, Reply extends JsonObject>(
  { database, ledger, pursuits, clock }: ServiceParts,
  outcomes: BlobOutcomes<Terms, Reply>,
  { found, document: { hash, terms }, choice, claimedWith, refusal }: RefusedBlob<Terms>,
): Promise<BlobEnd> {
  return pursuits.join(`${pursuitOf(found)} as another`, async ({ signal }) => {
    for (;;) {
      const isUnderWay = await isIntended(database.kysely, hash);
      const outcome = await ledger.outcomeOf(hash);
      if (outcome.kind === 'executed') break;
      if (outcome.kind === 'failed' || (outcome.kind === 'missing' && !isUnderWay)) throw refusal;
      await sleep(registryLimits.retryMs, undefined, { signal });
    }
    const now = clock.nowMs();
    const end: BlobEnd = {
      kind: 'executed',
      reply: outcomes.reply({ blob: found, terms, txHash: hash, now }),
    };
    await database.transaction(async (queries) => {
      if (await claimBlob(queries, choice, claimedWith))
        await useBlob(queries, found.id, { outcome: writeEnd(end), now });
    });
    return end;
  });
}

interface ClaimToEnd<Terms> {
  readonly row: Blob;
  readonly document: LedgerBlob<Terms>;
  readonly actor: Actor;
}

const pursuitOf = ({ id }: Blob): string => `blob ${id}`;

/** Brings a claimed blob to its end, in its issuer's turn. Another process may do the same. */
const toItsEnd =
  <Terms, Reply extends JsonObject>(
    parts: ServiceParts,
    outcomes: BlobOutcomes<Terms, Reply>,
    claim: ClaimToEnd<Terms>,
  ) =>
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
const turnOf = <Terms, Reply extends JsonObject>(
  outcomes: BlobOutcomes<Terms, Reply>,
  { kind }: Blob,
  { signer, terms }: LedgerBlob<Terms>,
) => ({ account: signer, purpose: `${kind} ${outcomes.about(terms)}` });

interface Chase<Terms> extends ClaimToEnd<Terms> {
  readonly pursuit: Pursuit;
}

/** Hands in and asks until the ledger has said what became of it, and that is recorded. */
async function chase<Terms, Reply extends JsonObject>(
  parts: ServiceParts,
  outcomes: BlobOutcomes<Terms, Reply>,
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
async function settle<Terms, Reply extends JsonObject>(
  parts: ServiceParts,
  outcomes: BlobOutcomes<Terms, Reply>,
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
        for (const deed of outcomes.deeds(ended)) await audit.record(auditEvent(actor, deed), queries);
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
async function putBack<Terms, Reply extends JsonObject>(
  { database, clock, settings }: ServiceParts,
  outcomes: BlobOutcomes<Terms, Reply>,
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
async function claimAgain<Terms, Reply extends JsonObject>(
  queries: Queries,
  outcomes: BlobOutcomes<Terms, Reply>,
  { blob: { id, kind }, terms, now }: EndedBlob<Terms>,
): Promise<void> {
  const row = await claimBlob(queries, { id, kinds: [kind], now });
  if (row) await outcomes.begin(queries, { blob: row, terms, now });
}

/** A ledger that loses it gets it again. */
function keptOf(
  { keys, clock }: ServiceParts,
  { blob, hash, signer: owner }: LedgerBlob<unknown>,
  signature: string,
): SignedTransaction {
  const publicKey = keys.encodePublicKey(keyOfLedgerDid(owner, keys));
  return { hash, owner, blob, publicKey, signature, createdAt: clock.nowMs() };
}

/** The same once more for the issuer to sign, saved in the step that ends the first. */
async function replace<Terms, Reply extends JsonObject>(
  parts: ServiceParts,
  outcomes: BlobOutcomes<Terms, Reply>,
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
  { database, clock }: ServiceParts,
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
export async function recoverBlobs<Terms, Reply extends JsonObject>(
  parts: ServiceParts,
  outcomes: BlobOutcomes<Terms, Reply>,
): Promise<void> {
  const { database, worker, pursuits } = parts;
  const claims = await listLeftClaims(database.kysely, worker);
  const left = claims.filter(
    (row) => outcomes.kinds.includes(row.kind) && !pursuits.isUnderWay(pursuitOf(row)),
  );
  await Promise.all(left.map((row) => recoverBlob(parts, outcomes, row)));
}

async function recoverBlob<Terms, Reply extends JsonObject>(
  parts: ServiceParts,
  outcomes: BlobOutcomes<Terms, Reply>,
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

export async function openBlob<Terms>(
  { vault }: Pick<ServiceParts, 'vault'>,
  { id, payload }: Blob,
): Promise<LedgerBlob<Terms>> {
  assert(payload, 'a blob that is not used has its payload');
  return openDocument<LedgerBlob<Terms>>(vault, payload, places.blobPayload(id));
}
