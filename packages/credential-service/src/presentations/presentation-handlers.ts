/**
 * Presentations (`docs/credentials.md`, "Presentations"): derived for a holder, completed with the holder's signature,
 * and verified with the six checks. What is right is decided by pure rules of the core; facts come from the ledger,
 * proofs from the engine. Cheap checks come first, so that proof work is done only for what may succeed.
 */
import { encodeHex } from '@symbolon/core/basics/bytes';
import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import { readAt } from '@symbolon/core/documents/document-shapes';
import type { Presentation, RangeMethod, UnsignedPresentation } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import { tellChecks } from '@symbolon/core/presentation/check-words';
import {
  attachHolderSignature,
  buildUnsignedPresentation,
  holderSigningInput,
  planPresentation,
} from '@symbolon/core/presentation/presentation-derivation';
import type { RangeParameters } from '@symbolon/core/proofs/proof-engine';
import { sha256 } from '@symbolon/host/work/sha256';
import type {
  DerivationRequest,
  PresentationSignature,
  VerificationRequest,
} from '@symbolon/wire/credentials/presentation-requests';
import { renderChecks, renderPresented } from '@symbolon/wire/credentials/presented-replies';
import type { CredentialHandlers } from '@symbolon/wire/credentials/routes';
import type { Caller } from '@symbolon/wire/http/service-route';
import { keyOfLedgerDid, refuseOtherParty, requireSignature } from '../access/signatures.ts';
import { newBlob } from '../blobs/blob-offers.ts';
import { addBlob, claimBlob, findPendingBlob, useBlob } from '../blobs/blob-rows.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { resolveTrust } from '../trust/trust-handlers.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import { judgePresentation } from './presentation-judging.ts';
import { readSources, requireBbsSignatures, sourceOrders, workOfSources } from './presentation-sources.ts';

type PresentationHandlers = Pick<
  CredentialHandlers,
  'createPresentation' | 'submitPresentation' | 'verifyPresentation'
>;

export const createPresentationHandlers = (parts: ServiceParts): PresentationHandlers => ({
  createPresentation: (request, { caller }) => deriveForHolder(parts, request, caller),
  submitPresentation: async (request, { caller }) => ({
    vpObject: await completePresentation(parts, request, caller),
  }),
  verifyPresentation: (request, { caller }) => verifyPresentation(parts, request, caller),
});

/** A presentation with its proofs, which waits for the holder's signature. */
export async function deriveForHolder(
  parts: ServiceParts,
  { credentials, challenge, domain, rangeMethod }: DerivationRequest,
  caller: Caller,
): Promise<{ blobId: string; blob: string }> {
  const { clock, proofDesk } = parts;
  const sources = await readSources(parts, credentials, caller);
  const binding = {
    challenge,
    domain,
    created: instantTextOfUnixMs(clock.nowMs()),
    rangeParameters: rangeParametersOf(parts, rangeMethod),
  };
  const plan = planPresentation(sources, binding, sha256);
  const checked = sourceOrders(sources);
  const proofs = proofDesk.prepaid(caller, [
    ...workOfSources(checked),
    ...plan.disclosures.map(({ order }) => ({ kind: 'derive', order }) as const),
  ]);
  await requireBbsSignatures(proofs, checked);
  const derived = await Promise.all(plan.disclosures.map(({ order }) => proofs.derive(order)));
  const presentation = buildUnsignedPresentation(plan, derived);
  // Kept until its holder signs it.
  const row = await newBlob(parts, { kind: 'presentation', owner: presentation.holder }, presentation);
  await addBlob(parts.database.kysely, row);
  return { blobId: row.id, blob: encodeHex(holderSigningInput(presentation)).toUpperCase() };
}

/** What was derived, with the holder's signature: once. */
export async function completePresentation(
  {
    database,
    vault,
    clock,
    keys,
    audit,
  }: Pick<ServiceParts, 'database' | 'vault' | 'clock' | 'keys' | 'audit'>,
  { blobId, signature, publicKey: given }: PresentationSignature,
  caller: Caller,
): Promise<Presentation> {
  const choice = { id: blobId, kinds: ['presentation'] as const, now: clock.nowMs() };
  const pending = await findPendingBlob(database.kysely, choice);
  if (!pending) throw new Fault('blobUnknown');
  const context = contexts.blobPayload(blobId);
  const presentation = await vault.decryptDocument<UnsignedPresentation>(pending.payload, context);
  const expectedKey = keyOfLedgerDid(presentation.holder, keys);
  const messages = [holderSigningInput(presentation)];
  requireSignature({ messages, signature, expectedKey, given }, keys);
  const { holder } = presentation;
  refuseOtherParty(caller, holder);
  await database.transaction(async (queries) => {
    const isFirst = (await claimBlob(queries, choice)) !== undefined && (await useBlob(queries, blobId));
    if (!isFirst) throw new Fault('blobUnknown');
    const act = { action: 'presentation.complete', subject: holder, details: { blobId } } as const;
    await audit.record({ actor: caller, ...act }, queries);
  });
  return attachHolderSignature(presentation, signature);
}

export async function verifyPresentation(
  parts: ServiceParts,
  { presentation, place = '', trust: trusted, ...expected }: VerificationRequest,
  caller: Caller,
) {
  const begunAt = performance.now();
  const trust = await resolveTrust(parts, trusted, caller);
  const parsed = readAt(place, () => parts.format.parsePresentation(presentation, parts.profile));
  const verdict = await judgePresentation(parts, parsed, { ...expected, trust }, caller);
  const { verified, vcDetails, credentials = [], errors, claimed = [] } = verdict;
  const checks = renderChecks(
    tellChecks(verdict, {
      asked: expected.asked ? 'contents' : trust.issuers || trust.templates ? 'origin' : 'nothing',
      hasChallenge: parsed.presentation.proof.challenge !== undefined,
    }),
  );
  const told = { checks, tookMs: Math.round(performance.now() - begunAt) };
  return verified
    ? { verified, vcDetails: { ...vcDetails }, credentials: credentials.map(renderPresented), ...told }
    : { verified, errors: [...errors], claimed: [...claimed], ...told };
}

/** Without a choice, a proof that every verifier can check: set membership convinces only who made its parameters. */
const rangeParametersOf = (
  { rangeParameters }: Pick<ServiceParts, 'rangeParameters'>,
  method: RangeMethod = 'bulletproofs',
): RangeParameters => (method === 'set-membership' ? { method, parameters: rangeParameters } : { method });
