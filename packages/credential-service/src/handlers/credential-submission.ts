/**
 * The last step of issuance: signatures checked, the credential completed, recorded on the ledger and kept for
 * download. The signed credential is durable before the ledger is called; after a crash it is recorded again, which
 * the registry takes as the same, so no credential is lost, doubled or half issued.
 */

import { assert } from '@symbolon/core/assert';
import { parsePublicKey } from '@symbolon/core/bbs/key-text';
import { encodeHex, equalBytes, parseHex } from '@symbolon/core/bytes';
import { nextApplicationState } from '@symbolon/core/credential/application-states';
import {
  attachProofs,
  issuerDigests,
  issuerSigningInput,
} from '@symbolon/core/credential/credential-assembly';
import { parseProofValue } from '@symbolon/core/credential/credential-shapes';
import type { Credential } from '@symbolon/core/credential/model';
import { Fault, type FaultName } from '@symbolon/core/faults';
import type { SubmissionRequest } from '@symbolon/wire/credential-requests';
import type { Call } from '@symbolon/wire/service-route';
import type { AnchorEntry, AnchorReceipt } from '../ledger/registrar.ts';
import { paidBy, type ServiceParts } from '../service-parts.ts';
import {
  type Application,
  abandonSubmission,
  beginSubmission,
  findApplication,
  finishSubmission,
  listStaleSubmissions,
} from '../store/applications.ts';
import { addCredential } from '../store/credentials.ts';
import { places } from '../vault/places.ts';
import { type Actor, auditEvent } from './audit-trail.ts';
import {
  type CredentialDraft,
  draftLapsed,
  instantOf,
  publishedBbsKeys,
  readDraft,
  sha256,
  signedContents,
} from './credential-drafts.ts';
import { markOf, repeatedSubmission } from './repeated-requests.ts';
import { openDocument, sealDocument } from './sealed-documents.ts';
import { keyOfLedgerDid, refuseOtherParty, requireSignature, verifyEd25519 } from './signatures.ts';

/** All that finishing a submission needs, whoever does it. */
export interface StoredSubmission {
  readonly credential: Credential;
  readonly entry: AnchorEntry;
  readonly downloadExpiresAt: number;
}

export async function submitCredential(parts: ServiceParts, request: SubmissionRequest, call: Call) {
  const { database, vault, clock, crashPoint } = parts;
  const { vcId } = request;
  const application = await findApplication(database.kysely, vcId);
  if (!application) throw new Fault('applicationUnknown');
  refuseOtherParty(call.caller, application.issuer);
  const earlier = await repeatedSubmission(parts, application, call);
  if (earlier) return submissionReply(earlier);
  nextApplicationState(application.state, 'submit');
  const now = clock.nowMs();
  const draft = await readDraft(parts, application);
  if (!draft || !application.draft) throw draftLapsed();
  const submission = await completeSubmission(paidBy(parts, call.caller), draft, request);
  const sealed = await sealDocument(vault, submission, places.applicationSubmission(vcId));
  const submitMark = markOf('submitCredential', call);
  const begun = { vcId, draft: application.draft, submission: sealed, submitMark, now };
  if (!(await beginSubmission(database.kysely, begun))) {
    throw new Fault('stateForbids', {
      detail: 'The credential is being submitted, was submitted, or was created again',
    });
  }
  crashPoint('submissionStored');
  const receipt = await record(parts, vcId, submission.entry);
  crashPoint('credentialAnchored');
  await finish(parts, application, { submission, txHash: receipt.hash, actor: call.caller });
  crashPoint('submissionFinished');
  return submissionReply(submission);
}

const submissionReply = (issued: Pick<StoredSubmission, 'credential' | 'downloadExpiresAt'>) => ({
  vcObject: issued.credential,
  downloadExpiryDate: instantOf(issued.downloadExpiresAt),
});

/** What whoever has the issuer's keys gives for a draft. */
export type IssuerSignatures = Omit<SubmissionRequest, 'vcId'>;

/** Checks both signatures and puts the credential together. */
export async function completeSubmission(
  parts: ServiceParts,
  draft: CredentialDraft,
  request: IssuerSignatures,
): Promise<StoredSubmission> {
  const { keys } = parts;
  const { credential, options, contents } = draft;
  const expectedKey = keyOfLedgerDid(credential.issuer, keys);
  const messages = [issuerSigningInput(draft, sha256)];
  const { signature, publicKey: given } = request;
  refuseReplaced(draft, signature, expectedKey);
  requireSignature({ messages, signature, expectedKey, given }, keys);
  const verificationMethod = await checkBbsSignature(parts, draft, request);
  const downloadExpiresAt = downloadEnd(parts, request);
  const bbs = { created: options.created, verificationMethod, signature: request.bbsSignature, contents };
  return {
    credential: attachProofs(credential, { bbs, issuer: { options, signature } }),
    entry: {
      ...options.registryEntry,
      issuerKey: keys.encodePublicKey(expectedKey),
      created: options.created,
      digest: encodeHex(issuerDigests(draft, sha256).credential),
      commitment: encodeHex(parseProofValue(contents.commitment) as Uint8Array),
      signature: encodeHex(signature),
    },
    downloadExpiresAt,
  };
}

/** A good signature over a draft that another one took the place of is no wrong signature. */
function refuseReplaced(
  { replaced = [] }: CredentialDraft,
  signature: Uint8Array,
  issuerKey: Uint8Array,
): void {
  const isOver = (input: string): boolean => verifyEd25519(issuerKey, Buffer.from(input, 'hex'), signature);
  if (!replaced.some(isOver)) return;
  const detail = 'The credential was created again since: sign what the last vc/create answered';
  throw new Fault('stateForbids', { detail });
}

/** The signature must be good, by a key that the issuer publishes now. Answers which one. */
async function checkBbsSignature(
  parts: ServiceParts,
  { credential, contents, bbs }: CredentialDraft,
  { bbsPublicKey, bbsSignature }: IssuerSignatures,
): Promise<string> {
  const published = await publishedBbsKeys(parts, credential.issuer);
  const key = published.find(({ publicKey }) => equalBytes(publicKey, bbsPublicKey));
  if (!key) {
    throw new Fault('signerMismatch', { detail: "The BBS+ key is not in the issuer's DID document" });
  }
  // What the service made itself needs no second look.
  if (bbs && isSame(bbs, bbsPublicKey, bbsSignature)) return key.id;
  const isGood = await parts.proofs.verifySignature({
    interface: 'typed',
    publicKey: bbsPublicKey,
    ...signedContents(credential, contents.salt),
    signature: bbsSignature,
  });
  if (!isGood)
    throw new Fault('signatureInvalid', { detail: 'The BBS+ signature does not fit the credential' });
  return key.id;
}

function isSame(
  made: NonNullable<CredentialDraft['bbs']>,
  publicKey: Uint8Array,
  signature: Uint8Array,
): boolean {
  const [madeKey, madeSignature] = [parsePublicKey(made.publicKey), parseHex(made.signature)];
  assert(madeKey && madeSignature, 'a draft holds what the service encoded itself');
  return equalBytes(madeKey, publicKey) && equalBytes(madeSignature, signature);
}

function downloadEnd({ clock, settings }: ServiceParts, { downloadWindow }: IssuerSignatures): number {
  const now = clock.nowMs();
  const seconds = settings.downloadWindowSeconds;
  const window = downloadWindow ?? { seconds };
  const end = 'until' in window ? Date.parse(window.until) : now + window.seconds * 1_000;
  if (end <= now) throw new Fault('validityInvalid', { detail: '/keyExpiry: lies in the past' });
  return end;
}

/** Faults after which the ledger certainly does not have the entry. */
const definiteFaults: readonly FaultName[] = [
  'stateForbids',
  'templateUnknown',
  'validityInvalid',
  'signatureInvalid',
  'requestMalformed',
  'issuerMismatch',
  'overloaded',
];

async function record(parts: ServiceParts, vcId: string, entry: AnchorEntry): Promise<AnchorReceipt> {
  try {
    return await parts.registrar.anchor(entry);
  } catch (error) {
    if (error instanceof Fault && definiteFaults.includes(error.code)) {
      await abandonSubmission(parts.database.kysely, vcId, parts.clock.nowMs());
    }
    throw error;
  }
}

interface Recorded {
  readonly submission: StoredSubmission;
  readonly txHash: string;
  readonly actor: Actor;
}

async function finish(
  { database, vault, clock, audit }: ServiceParts,
  application: Application,
  { submission, txHash, actor }: Recorded,
): Promise<void> {
  const { vcId, templateId, templateVersion, issuer, holder } = application;
  const { credential, entry, downloadExpiresAt } = submission;
  const now = clock.nowMs();
  const sealed = await sealDocument(vault, credential, places.credential(vcId));
  await database.transaction(async (queries) => {
    await addCredential(queries, {
      vcId,
      templateId,
      templateVersion,
      issuer,
      holder,
      digest: entry.digest,
      anchorTx: txHash,
      credential: sealed,
      downloadExpiresAt,
      now,
    });
    // Somebody else may have been faster; then it is told already.
    if (!(await finishSubmission(queries, vcId, now))) return;
    const deed = { action: 'credential.issue', subject: vcId, details: { txHash } } as const;
    await audit.record(auditEvent(actor, deed), queries);
  });
}

/** Records what is being submitted and finishes it, whatever that takes: it stays being submitted when it fails. */
export async function issueSubmission(
  parts: ServiceParts,
  application: Application,
  submission: StoredSubmission,
): Promise<void> {
  const { hash: txHash } = await parts.registrar.anchor(submission.entry);
  parts.crashPoint('credentialAnchored');
  await finish(parts, application, { submission, txHash, actor: {} });
  parts.crashPoint('submissionFinished');
}

/** Finishes submissions that broke off, this process's own or another's that is gone. */
export async function recoverSubmissions(parts: ServiceParts, leaseMs?: number): Promise<void> {
  const { database, vault, clock } = parts;
  for (const application of await listStaleSubmissions(database.kysely, clock.nowMs(), leaseMs)) {
    const { vcId, submission: sealed } = application;
    assert(sealed, 'what is being submitted is stored');
    const submission = await openDocument<StoredSubmission>(
      vault,
      sealed,
      places.applicationSubmission(vcId),
    );
    try {
      const { hash: txHash } = await record(parts, vcId, submission.entry);
      await finish(parts, application, { submission, txHash, actor: {} });
    } catch (error) {
      // Refused for good, or the ledger is away and the next round asks again.
      if (!(error instanceof Fault)) throw error;
    }
  }
}
