/**
 * Presentations (`spec/credential-service.md`, "Presentations"): derived for a holder, completed with the holder's
 * signature, and verified with the six checks. What is right is decided by pure rules of the core; facts come from the
 * ledger, proofs from the engine. Cheap checks come first, so that proof work is done only for what may succeed.
 */
import { randomBytes } from 'node:crypto';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import { readAt } from '@symbolon/core/documents/document-shapes';
import type { Presentation, RangeMethod, UnsignedPresentation } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import { examinePresentation, parsePresentation } from '@symbolon/core/presentation/presentation-checks';
import {
  attachHolderSignature,
  buildUnsignedPresentation,
  holderSigningInput,
  planPresentation,
} from '@symbolon/core/presentation/presentation-derivation';
import type { VerificationFacts } from '@symbolon/core/presentation/presentation-facts';
import { concludeVerdict, type Verdict } from '@symbolon/core/presentation/presentation-verdict';
import type { TrustFacts } from '@symbolon/core/presentation/trust-rules';
import type { RangeParameters } from '@symbolon/core/proofs/proof-engine';
import { sha256 } from '@symbolon/host/work/sha256';
import { agesAskedOf, expectedOf } from '@symbolon/sdk/verification/age-claims';
import type {
  DerivationRequest,
  PresentationSubmission,
  VerificationRequest,
} from '@symbolon/wire/credentials/presentation-requests';
import { renderClaimed, renderPresented } from '@symbolon/wire/credentials/presented-replies';
import { statusFactOf } from '@symbolon/wire/credentials/registry-records';
import type { CredentialHandlers } from '@symbolon/wire/credentials/routes';
import type { Caller } from '@symbolon/wire/http/service-route';
import {
  givenKey,
  keyOfLedgerDid,
  refuseOtherParty,
  requireSignature,
  verifyEd25519,
} from '../access/signatures.ts';
import { auditEvent } from '../audit/audit-trail.ts';
import { addBlob, claimBlob, findPendingBlob, useBlob } from '../blobs/blob-rows.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { findEntry, findIssuerKey, findRecordedTemplate, isOfOurRegistry } from '../status/ledger-facts.ts';
import { nameFacts } from '../templates/issuer-names.ts';
import { resolveTrust } from '../trust/trust-handlers.ts';
import { places } from '../vault/places.ts';
import { openDocument, sealDocument } from '../vault/sealed-documents.ts';
import { deriveProof, isGoodProof } from './presentation-proofs.ts';
import { readSources, requireBbsSignatures, sourceOrders, workOfSources } from './presentation-sources.ts';

type PresentationHandlers = Pick<
  CredentialHandlers,
  'createPresentation' | 'submitPresentation' | 'verifyPresentation'
>;

const blobIdBytes = 16;

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
  const derived = await Promise.all(plan.disclosures.map((disclosure) => deriveProof(proofs, disclosure)));
  return offerPresentation(parts, buildUnsignedPresentation(plan, derived));
}

/** What was derived, with the holder's signature: once. */
export async function completePresentation(
  { database, vault, clock, keys, audit }: ServiceParts,
  { blobId, signature, publicKey: given }: PresentationSubmission,
  caller: Caller,
): Promise<Presentation> {
  const choice = { id: blobId, kinds: ['presentation'] as const, now: clock.nowMs() };
  const pending = await findPendingBlob(database.kysely, choice);
  if (!pending) throw new Fault('blobUnknown');
  const place = places.blobPayload(blobId);
  const presentation = await openDocument<UnsignedPresentation>(vault, pending.payload, place);
  const expectedKey = keyOfLedgerDid(presentation.holder, keys);
  const messages = [holderSigningInput(presentation)];
  requireSignature({ messages, signature, expectedKey, given }, keys);
  const { holder } = presentation;
  refuseOtherParty(caller, holder);
  await database.transaction(async (queries) => {
    const isFirst = (await claimBlob(queries, choice)) !== undefined && (await useBlob(queries, blobId));
    if (!isFirst) throw new Fault('blobUnknown');
    const deed = { action: 'presentation.complete', subject: holder, details: { blobId } } as const;
    await audit.record(auditEvent(caller, deed), queries);
  });
  return attachHolderSignature(presentation, signature);
}

export async function verifyPresentation(parts: ServiceParts, request: VerificationRequest, caller: Caller) {
  const trust = await resolveTrust(parts, request.trust, caller);
  const facts = await gatherFacts(parts, request, trust);
  const verdict = await judgePresentation(parts, { presentation: request.presentation, facts, caller });
  const { verified, vcDetails, credentials = [], errors, claimed = [] } = verdict;
  return verified
    ? { verified, vcDetails: { ...vcDetails }, credentials: credentials.map(renderPresented) }
    : { verified, errors: [...errors], claimed: claimed.map(renderClaimed) };
}

export interface Judgement {
  readonly presentation: unknown;
  readonly facts: VerificationFacts;
  /** Who sent the presentation, and pays for the proofs in it. */
  readonly caller: Caller;
}

/** All six checks, with facts that whoever asks vouches for. */
export async function judgePresentation(
  { proofDesk }: ServiceParts,
  { presentation, facts, caller }: Judgement,
): Promise<Verdict> {
  const examination = examinePresentation(presentation, facts);
  const orders = examination.proofOrders.map(({ order }) => order);
  const proofs = proofDesk.prepaid(
    caller,
    orders.map((order) => ({ kind: 'verifyProof', order })),
  );
  const results = await Promise.all(orders.map((order) => isGoodProof(proofs, order)));
  return concludeVerdict(examination, results);
}

/** Without a choice, a proof that every verifier can check: set membership convinces only who made its parameters. */
const rangeParametersOf = (
  { rangeParameters }: ServiceParts,
  method: RangeMethod = 'bulletproofs',
): RangeParameters => (method === 'set-membership' ? { method, parameters: rangeParameters } : { method });

/** Keeps the presentation until its holder signs it. */
async function offerPresentation(
  { database, vault, clock, settings }: ServiceParts,
  presentation: UnsignedPresentation,
): Promise<{ blobId: string; blob: string }> {
  const id = randomBytes(blobIdBytes).toString('hex').toUpperCase();
  const payload = await sealDocument(vault, presentation, places.blobPayload(id));
  const now = clock.nowMs();
  await addBlob(database.kysely, {
    id,
    kind: 'presentation',
    owner: presentation.holder,
    payload,
    now,
    expiresAt: now + settings.blobLifetimeSeconds * 1_000,
  });
  return { blobId: id, blob: encodeHex(holderSigningInput(presentation)).toUpperCase() };
}

/** Everything that the checks need and the presentation cannot say about itself. */
export async function gatherFacts(
  parts: ServiceParts,
  {
    presentation: document,
    place = '',
    challenge,
    domain,
    asked,
    issuerKeys: named = {},
  }: Omit<VerificationRequest, 'trust'>,
  trust: TrustFacts['asked'],
): Promise<VerificationFacts> {
  const { profile, clock, rangeParameters, keys } = parts;
  const presentation = readAt(place, () => parsePresentation(document, profile));
  const times = { created: presentation.proof.created, now: clock.nowMs() };
  const found = await Promise.all(
    presentation.verifiableCredential.map(async (credential) => {
      const entry = await findEntry(parts, credential);
      const { id, issuer, proof } = credential;
      const named = { issuer, verificationMethod: proof.verificationMethod };
      const key = await findIssuerKey(parts, named, entry);
      const template = await findRecordedTemplate(parts, credential.credentialSchema);
      const statusId = credential.credentialStatus.id;
      const status = statusFactOf(id, entry);
      const place = isOfOurRegistry(parts, credential) ? status : { ...status, isElsewhere: true as const };
      return { ...named, id, statusId, template, status: place, key };
    }),
  );
  const names = await nameFacts(parts, presentation.verifiableCredential);
  return {
    now: times.now,
    profile,
    expectedChallenge: challenge,
    expectedDomain: domain,
    request: asked && expectedOf(asked, times),
    namedKeys: {
      ...(named.bbs && { bbs: named.bbs }),
      ...(named.ed25519 && { ed25519: givenKey(named.ed25519, keys) }),
    },
    // A key that was not good for one of these credentials is good for none of them.
    issuerKeys: (issuer, verificationMethod) => {
      const ones = found.filter((it) => it.issuer === issuer && it.verificationMethod === verificationMethod);
      return ones.every(({ key }) => key) ? ones[0]?.key : undefined;
    },
    status: ({ id, issuer, credentialStatus }) =>
      found.find((it) => it.id === id && it.issuer === issuer && it.statusId === credentialStatus.id)?.status,
    template: ({ credentialSchema: { id, version } }) =>
      found.find(({ template }) => template?.id === id && template.version === version)?.template,
    verifyEd25519,
    sha256,
    ownRangeParameters: [rangeParameters],
    trust: {
      asked: trust,
      agesAskedOf: agesAskedOf(asked),
      ...names,
    },
  };
}
