/**
 * Datasets: made when an offer is, signed by their issuer or with the key that it has left here, and recorded on the
 * ledger once, when the first credential is made of them. The signature is durable before the ledger is called, and
 * recording the same again changes nothing, so nothing is lost or doubled whatever breaks off.
 */
import { randomBytes } from 'node:crypto';
import { assert } from '@symbolon/core/basics/assert';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { instantTextOfUnixMs, unixMsOf } from '@symbolon/core/basics/calendar';
import type { AttributeValues } from '@symbolon/core/credential/template-rules';
import type { RegistryEntryTerms, Template } from '@symbolon/core/documents/model';
import { Fault, type FaultName } from '@symbolon/core/faults/faults';
import {
  type Dataset,
  datasetCommitment,
  datasetDigest,
  datasetProofOptions,
  datasetSaltBytes,
  datasetSigningInput,
  datasetStatement,
} from '@symbolon/core/openid/standards-dataset';
import { sha256 } from '@symbolon/host/work/sha256';
import { keyOfLedgerDid, verifyEd25519 } from '../../access/signatures.ts';
import type { Actor } from '../../audit/audit-entry.ts';
import { addRecordOnly } from '../../issuance/credential-rows.ts';
import { type CredentialEntry, RegistrarFull, type RegistrarReceipt } from '../../ledger/registrar.ts';
import type { ServiceParts } from '../../parts/service-parts.ts';
import { contexts } from '../../vault/encryption-contexts.ts';
import {
  abandonRecording,
  adoptRecording,
  beginRecording,
  type DatasetRow,
  findDataset,
  finishRecording,
  listLeftRecordings,
} from './dataset-rows.ts';
import { holderOfOwn, type OwnContents, ownSigned, ownSigningReply } from './own-contents.ts';

const dayMs = 24 * 60 * 60 * 1_000;

/** What is kept of a dataset: all that signing and recording it and making credentials of it needs. */
export interface KeptDataset {
  readonly dataset: Dataset;
  /** When the issuer's proof says it was made. */
  readonly created: string;
}

/** What is kept of an offer: a dataset, or the one credential of ours that it is of. */
export type KeptContents = KeptDataset | OwnContents;

export interface DatasetOrder {
  readonly template: Template;
  readonly values: AttributeValues;
  readonly validFrom: string | undefined;
  readonly validUntil: string;
}

/** Times of these credentials are rounded down to it, so that no moment tells two of them apart or together. */
export const wholeDay = (unixMs: number): number => Math.floor(unixMs / dayMs);

/** Throws `validityInvalid`. */
export function makeDataset(
  { clock, profile }: Pick<ServiceParts, 'clock' | 'profile'>,
  { template, values, validFrom, validUntil }: DatasetOrder,
): KeptDataset {
  const now = clock.nowMs();
  const from = validFrom ?? instantTextOfUnixMs(now);
  const [begin, end] = [unixMsOf(from), unixMsOf(validUntil)];
  if (begin === undefined || end === undefined || begin > end)
    throw new Fault('validityInvalid', { detail: 'validUntil is before validFrom' });
  if (wholeDay(end) <= wholeDay(Math.max(now, begin)))
    throw new Fault('validityInvalid', {
      detail: 'Credentials hold for whole days in UTC: validUntil has to be tomorrow at the earliest',
    });
  const dataset: Dataset = {
    id: `did:${profile.didMethod}:${randomBytes(32).toString('hex')}`,
    issuer: template.issuer,
    template: template.id,
    templateVersion: template.version,
    validFrom: from,
    validUntil,
    values,
    salt: encodeHex(randomBytes(datasetSaltBytes)),
  };
  return { dataset, created: instantTextOfUnixMs(now) };
}

const signingParts = ({ dataset, created }: KeptDataset) => ({
  statement: datasetStatement(dataset, sha256),
  options: datasetProofOptions(dataset, created),
});

/** What the issuer signs, and what the ledger records. */
function signedOf(kept: KeptContents) {
  if ('draft' in kept) return ownSigned(kept);
  const { statement, options } = signingParts(kept);
  return {
    input: datasetSigningInput({ statement, options }, sha256),
    digest: encodeHex(datasetDigest(statement, sha256)),
    commitment: datasetCommitment,
    options,
  };
}

export const datasetDigestHex = (kept: KeptContents): string => signedOf(kept).digest;

/** What the issuer signs. */
export const datasetInput = (kept: KeptContents): Uint8Array => signedOf(kept).input;

/** The terms of its entry on the ledger. */
export const entryTermsOf = (kept: KeptContents): RegistryEntryTerms => signedOf(kept).options.registryEntry;

/** What the issuer signs, and what it can make that of itself. */
export function signingReply(parts: Pick<ServiceParts, 'format'>, kept: KeptContents) {
  if ('draft' in kept) return ownSigningReply(parts, kept);
  const { statement, options } = signingParts(kept);
  return {
    ed25519Blob: encodeHex(datasetInput(kept)).toUpperCase(),
    unsigned: { ...statement, values: kept.dataset.values, proofOptions: options },
  };
}

/** Throws `signerMismatch`. */
export function requireIssuerSignature(
  { keys }: Pick<ServiceParts, 'keys'>,
  { issuer }: Pick<DatasetRow, 'issuer'>,
  { kept, signature }: { readonly kept: KeptContents; readonly signature: Uint8Array },
): void {
  const issuerKey = keyOfLedgerDid(issuer, keys);
  if (!verifyEd25519(issuerKey, datasetInput(kept), signature))
    throw new Fault('signerMismatch', { detail: 'The signature does not verify with the key of the issuer' });
}

/** Throws where nothing is made of it any more. */
export async function openContents(
  { vault }: Pick<ServiceParts, 'vault'>,
  { vcId, contents }: DatasetRow,
): Promise<KeptContents> {
  if (!contents) throw new Fault('offerClosed', { detail: 'What was offered is not kept any more' });
  return vault.decryptDocument<KeptContents>(contents, contexts.openidDataset(vcId));
}

/** The same of what is known to be a dataset. */
export async function openDataset(parts: Pick<ServiceParts, 'vault'>, row: DatasetRow): Promise<KeptDataset> {
  const kept = await openContents(parts, row);
  assert('dataset' in kept, 'it is a dataset');
  return kept;
}

function entryOf({ keys }: Pick<ServiceParts, 'keys'>, row: DatasetRow, kept: KeptContents): CredentialEntry {
  const { signature } = row;
  const { digest, commitment, options } = signedOf(kept);
  assert(signature !== null && row.digest === digest, 'what is recorded was signed');
  const { registryEntry, created } = options;
  return {
    ...registryEntry,
    issuerKey: keys.encodePublicKey(keyOfLedgerDid(row.issuer, keys)),
    created,
    ...{ digest, commitment, signature },
  };
}

const pursuitOf = (vcId: string): string => `dataset ${vcId}`;

/** Faults after which the ledger certainly does not have the entry. */
const definiteFaults: readonly FaultName[] = [
  'stateForbids',
  'templateUnknown',
  'validityInvalid',
  'signatureInvalid',
  'requestMalformed',
  'issuerMismatch',
];

/**
 * Ends when the ledger has the entry; at once where it has it already. Whoever asks meanwhile waits for the same. Throws
 * `credentialRequestDenied` where the issuer has taken it back in the meantime.
 */
export const recordDataset = (parts: ServiceParts, vcId: string, actor: Actor): Promise<void> =>
  parts.pursuits.join(pursuitOf(vcId), async () => {
    const { database, clock, worker, crashPoint } = parts;
    if (await beginRecording(database.kysely, { vcId, worker, now: clock.nowMs() }))
      crashPoint('datasetSubmitting');
    // As it stands now: only what is being recorded may go to the ledger.
    const row = await findDataset(database.kysely, vcId);
    assert(row, 'a dataset that credentials are made of is there');
    if (row.state === 'issued') return;
    if (row.state !== 'submitting') throw new Fault('credentialRequestDenied');
    await recordAndFinish(parts, row, actor);
  });

async function recordAndFinish(parts: ServiceParts, row: DatasetRow, actor: Actor): Promise<void> {
  const { database, clock, registrar } = parts;
  const { vcId } = row;
  const kept = await openContents(parts, row);
  const receipt = await registrar.record(entryOf(parts, row, kept)).catch(async (error: unknown) => {
    const isRefused = error instanceof Fault && definiteFaults.includes(error.code);
    if (isRefused || error instanceof RegistrarFull)
      await abandonRecording(database.kysely, { vcId, worker: parts.worker, now: clock.nowMs() });
    throw error;
  });
  await finish(parts, { row, kept, receipt, actor });
}

interface Recorded {
  readonly row: DatasetRow;
  readonly kept: KeptContents;
  readonly receipt: RegistrarReceipt;
  readonly actor: Actor;
}

async function finish(parts: ServiceParts, { row, kept, receipt, actor }: Recorded): Promise<void> {
  const { database, clock, audit, crashPoint } = parts;
  crashPoint('datasetAnchored');
  const { vcId, issuer, templateId, templateVersion, digest } = row;
  const { validFrom, validUntil } = entryTermsOf(kept);
  const now = clock.nowMs();
  await database.transaction(async (queries) => {
    await addRecordOnly(queries, {
      ...{ vcId, issuer, templateId, templateVersion, digest, now },
      // Of what is made of a dataset nobody knows whose it is.
      holder: 'draft' in kept ? holderOfOwn(kept) : '',
      ...('draft' in kept && { verificationMethod: kept.verificationMethod }),
      anchorTx: receipt.hash,
      anchorSeq: Number(receipt.ledgerSeq),
      validFrom: unixMsOf(validFrom) ?? null,
      validUntil: unixMsOf(validUntil) ?? null,
    });
    if (!(await finishRecording(queries, { vcId, now }))) return;
    const details = { templateId, txHash: receipt.hash, issuer };
    await audit.record({ actor, action: 'credential.issue', subject: vcId, details }, queries);
  });
  crashPoint('datasetRecorded');
}

/** Finishes what a process that is gone was recording. */
export async function recoverDatasets(parts: ServiceParts): Promise<void> {
  const { database, worker, pursuits } = parts;
  const left = await listLeftRecordings(database.kysely, worker);
  await Promise.all(
    left
      .filter(({ vcId }) => !pursuits.isUnderWay(pursuitOf(vcId)))
      .map(async (row) => {
        if (row.worker !== worker) await adoptRecording(database.kysely, row.vcId, worker);
        await pursuits.resume(pursuitOf(row.vcId), () => recordAndFinish(parts, row, {}));
      }),
  );
}
