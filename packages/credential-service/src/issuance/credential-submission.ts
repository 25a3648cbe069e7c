/**
 * The last step of issuance: signatures checked, the credential completed, recorded on the ledger and kept for
 * download. The signed credential is durable before the ledger is called; after a crash it is recorded again, which
 * the registry takes as the same, so no credential is lost, doubled or half issued.
 */

import { assert } from '@symbolon/core/basics/assert';
import { encodeHex, equalBytes } from '@symbolon/core/basics/bytes';
import { instantTextOfUnixMs, unixMsOf } from '@symbolon/core/basics/calendar';
import { nextApplicationState } from '@symbolon/core/credential/application-states';
import { issuerDigests, issuerSigningInput } from '@symbolon/core/credential/credential-assembly';
import { parseProofValue } from '@symbolon/core/credential/credential-shapes';
import { tellingLabel } from '@symbolon/core/credential/telling-label';
import { encodeBbsPublicKey } from '@symbolon/core/did/did';
import type { Credential } from '@symbolon/core/documents/model';
import { Fault, type FaultName } from '@symbolon/core/faults/faults';
import { sha256 } from '@symbolon/host/work/sha256';
import type { SubmissionRequest } from '@symbolon/wire/credentials/requests';
import type { Call } from '@symbolon/wire/http/service-route';
import { keyOfLedgerDid, refuseOtherParty, requireSignature, verifyEd25519 } from '../access/signatures.ts';
import type { Actor } from '../audit/audit-entry.ts';
import { type CredentialEntry, RegistrarFull, type RegistrarReceipt } from '../ledger/registrar.ts';
import { paidBy, type ServiceParts } from '../parts/service-parts.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import {
  type ApplicationRow,
  abandonSubmission,
  adoptSubmission,
  beginSubmission,
  decideOffer,
  findApplication,
  finishSubmission,
  listLeftSubmissions,
  markSubmitAnswered,
} from './application-rows.ts';
import {
  type CredentialDraft,
  draftLapsed,
  publishedBbsKeys,
  readDraft,
  signingTask,
} from './credential-drafts.ts';
import { addCredential } from './credential-rows.ts';
import { encryptLabel } from './labels.ts';
import { isSameMark, repeatedSubmission, submitMarkOf } from './repeated-requests.ts';

/** All that finishing a submission needs, whoever does it. */
export interface StoredSubmission {
  readonly credential: Credential;
  readonly entry: CredentialEntry;
  readonly downloadExpiresAt: number;
}

export async function submitCredential(parts: ServiceParts, request: SubmissionRequest, call: Call) {
  const { vcId } = request;
  const application = await findApplication(parts.database.kysely, vcId);
  if (!application) throw new Fault('applicationUnknown');
  refuseOtherParty(call.caller, application.issuer);
  const issued =
    (await repeatedSubmission(parts, application, call)) ??
    (await submitted(parts, application, request, call));
  // Until then the answer may have been lost, and the same request gets it again.
  call.whenAnswered?.(() => markSubmitAnswered(parts.database.kysely, vcId, parts.clock.nowMs()));
  const { credential, downloadExpiresAt } = issued;
  return { vcObject: credential, downloadExpiryDate: instantTextOfUnixMs(downloadExpiresAt) };
}

/** A submission that is stored: all that bringing it to its end needs. */
interface BegunSubmission {
  readonly application: ApplicationRow;
  readonly submission: StoredSubmission;
}

/** The credential of a submission that begins now, or of this very one that is under way. */
async function submitted(
  parts: ServiceParts,
  application: ApplicationRow,
  request: SubmissionRequest,
  call: Call,
): Promise<StoredSubmission> {
  const submitMark = submitMarkOf(call);
  const isUnderWay = application.state === 'submitting' && isSameMark(application.submitMark, submitMark);
  const begun = isUnderWay
    ? await openSubmission(parts, application)
    : await begin(parts, application, { request, call, submitMark });
  await parts.pursuits.join(pursuitOf(application), () => recordAndFinish(parts, begun, call.caller));
  return begun.submission;
}

interface Beginning {
  readonly request: SubmissionRequest;
  readonly call: Call;
  readonly submitMark: string | null;
}

/** Checks everything and makes it durable, before the ledger is called. */
async function begin(
  parts: ServiceParts,
  application: ApplicationRow,
  { request, call, submitMark }: Beginning,
): Promise<BegunSubmission> {
  const { database, vault, clock, worker, crashPoint } = parts;
  const { vcId } = application;
  nextApplicationState(application.state, 'submit');
  const now = clock.nowMs();
  const draft = await readDraft(parts, application);
  if (!draft || !application.draft) throw draftLapsed();
  const submission = await completeSubmission(paidBy(parts, call.caller), draft, request);
  const encrypted = await vault.encryptDocument(submission, contexts.applicationSubmission(vcId));
  const begun = { vcId, draft: application.draft, submission: encrypted, submitMark, worker, now };
  if (await beginSubmission(database.kysely, begun)) {
    crashPoint('submissionStored');
    return { application: { ...application, submission: encrypted }, submission };
  }
  // The same request may have been faster.
  const current = await findApplication(database.kysely, vcId);
  if (current?.state === 'submitting' && isSameMark(current.submitMark, submitMark))
    return openSubmission(parts, current);
  throw new Fault('stateForbids', {
    detail: 'The credential is being submitted, was submitted, or was created again',
  });
}

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
    credential: parts.format.attachProofs(credential, { bbs, issuer: { options, signature } }),
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

/** A valid signature over an older draft gets an error of its own. */
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
  parts: Pick<ServiceParts, 'format' | 'proofs' | 'resolver'>,
  draft: CredentialDraft,
  { bbsPublicKey, bbsSignature }: IssuerSignatures,
): Promise<string> {
  const { credential, bbs } = draft;
  const published = await publishedBbsKeys(parts, credential.issuer);
  const key = published.find(({ publicKey }) => equalBytes(publicKey, bbsPublicKey));
  if (!key) {
    throw new Fault('signerMismatch', { detail: "The BBS+ key is not in the issuer's DID document" });
  }
  // What the service made itself needs no second look.
  if (bbs?.publicKey === encodeBbsPublicKey(bbsPublicKey) && bbs.signature === encodeHex(bbsSignature))
    return key.id;
  const signed = { publicKey: bbsPublicKey, signature: bbsSignature };
  const isGood = await parts.proofs.verifySignature({ ...signingTask(parts, draft), ...signed });
  if (!isGood)
    throw new Fault('signatureInvalid', { detail: 'The BBS+ signature does not fit the credential' });
  return key.id;
}

function downloadEnd(
  { clock, settings }: Pick<ServiceParts, 'clock' | 'settings'>,
  { downloadWindow }: IssuerSignatures,
): number {
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
];

const pursuitOf = ({ vcId }: ApplicationRow): string => `credential ${vcId}`;

/** Another process may do the same. */
async function recordAndFinish(parts: ServiceParts, begun: BegunSubmission, actor: Actor): Promise<void> {
  const receipt = await parts.registrar
    .record(begun.submission.entry)
    .catch((error: unknown) => abandonIfRefused(parts, begun.application, error));
  await finish(parts, begun, { receipt, actor });
}

async function abandonIfRefused(
  { database, clock }: Pick<ServiceParts, 'database' | 'clock'>,
  { vcId, submission }: ApplicationRow,
  error: unknown,
): Promise<never> {
  const isRefused = error instanceof Fault && definiteFaults.includes(error.code);
  if ((isRefused || error instanceof RegistrarFull) && submission)
    await abandonSubmission(database.kysely, { vcId, submission, now: clock.nowMs() });
  throw error;
}

/** The ledger has the entry: the credential is kept for download. */
async function finish(
  {
    database,
    vault,
    clock,
    audit,
    crashPoint,
  }: Pick<ServiceParts, 'database' | 'vault' | 'clock' | 'audit' | 'crashPoint'>,
  { application, submission }: BegunSubmission,
  { receipt, actor }: { readonly receipt: RegistrarReceipt; readonly actor: Actor },
): Promise<void> {
  crashPoint('credentialAnchored');
  const { vcId, templateId, templateVersion, issuer, holder } = application;
  const { credential, entry, downloadExpiresAt } = submission;
  const { hash: txHash, ledgerSeq } = receipt;
  const now = clock.nowMs();
  const encrypted = await vault.encryptDocument(credential, contexts.credential(vcId));
  const { credentialSchema, credentialSubject, validFrom, validUntil } = credential;
  const label = tellingLabel(credentialSchema.attributes, credentialSubject);
  await database.transaction(async (queries) => {
    await addCredential(queries, {
      vcId,
      templateId,
      templateVersion,
      issuer,
      holder,
      digest: entry.digest,
      anchorTx: txHash,
      anchorSeq: Number(ledgerSeq),
      validFrom: unixMsOf(validFrom) ?? null,
      validUntil: unixMsOf(validUntil) ?? null,
      credential: encrypted,
      label: await encryptLabel(vault, label, contexts.credentialLabel(vcId)),
      downloadExpiresAt,
      verificationMethod: credential.proof[0].verificationMethod,
      now,
    });
    // Somebody else may have been faster; then it is in the audit log already.
    if (!(await finishSubmission(queries, vcId, now))) return;
    if (application.offerId !== null) await decideOffer(queries, { vcId, state: 'issued', now });
    const details = { templateId, txHash, issuer };
    const act = { action: 'credential.issue', subject: vcId, details } as const;
    await audit.record({ actor, ...act }, queries);
  });
  crashPoint('submissionFinished');
}

/** Records what is being submitted and finishes it, whatever that takes: it stays being submitted when it fails. */
export async function issueSubmission(
  parts: ServiceParts,
  application: ApplicationRow,
  submission: StoredSubmission,
): Promise<void> {
  const receipt = await parts.registrar.recordInTime(submission.entry);
  await finish(parts, { application, submission }, { receipt, actor: {} });
}

/** Finishes submissions whose process is gone, and those of this one that nobody is at. */
export async function recoverSubmissions(parts: ServiceParts): Promise<void> {
  const { database, worker, pursuits } = parts;
  const found = await listLeftSubmissions(database.kysely, worker);
  const left = found.filter((application) => !pursuits.isUnderWay(pursuitOf(application)));
  await Promise.all(left.map((application) => recoverSubmission(parts, application)));
}

async function recoverSubmission(parts: ServiceParts, application: ApplicationRow): Promise<void> {
  const { database, worker } = parts;
  const begun = await openSubmission(parts, application);
  if (application.worker !== worker) await adoptSubmission(database.kysely, application.vcId, worker);
  await parts.pursuits.resume(pursuitOf(application), () => recordAndFinish(parts, begun, {}));
}

async function openSubmission(
  { vault }: Pick<ServiceParts, 'vault'>,
  application: ApplicationRow,
): Promise<BegunSubmission> {
  const { vcId, submission: encrypted } = application;
  assert(encrypted, 'what is being submitted is stored');
  const context = contexts.applicationSubmission(vcId);
  const submission = await vault.decryptDocument<StoredSubmission>(encrypted, context);
  assert(submission.credential.id === vcId, 'what is stored is what was submitted');
  return { application, submission };
}
