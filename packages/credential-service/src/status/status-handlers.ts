/**
 * Revocation, suspension and reinstatement in two steps, of one credential or many, and what the ledger says of a
 * credential (`docs/credentials.md`, "Application and status"). Only the issuer's signature changes anything: the
 * registry contract sees to that. A remark stays here, sealed; the ledger gets its salted hash.
 */
import { randomBytes } from 'node:crypto';
import { assert } from '@symbolon/core/basics/assert';
import { type CredentialAct, credentialMove } from '@symbolon/core/credential/application-states';
import { remarkHash as hashOfRemark } from '@symbolon/core/credential/registry-calls';
import { addressOfDid } from '@symbolon/core/did/did';
import { Fault } from '@symbolon/core/faults/faults';
import { sha256 } from '@symbolon/host/work/sha256';
import {
  type CountingEntry,
  changedAtOf,
  recordReplyOf,
  statusWords,
} from '@symbolon/wire/credentials/registry-records';
import type {
  SignedBlobRequest,
  StatusChangeRequest,
  StatusRequest,
} from '@symbolon/wire/credentials/requests';
import type { CredentialHandlers } from '@symbolon/wire/credentials/routes';
import type { CredentialStatusWord } from '@symbolon/wire/credentials/verifier-replies';
import type { Call } from '@symbolon/wire/http/service-route';
import { addressOfIssuer } from '../access/signatures.ts';
import { offerBlob } from '../blobs/blob-offers.ts';
import type { BlobOffer, BlobOutcomes } from '../blobs/blob-outcomes.ts';
import { submitBlob } from '../blobs/blob-submits.ts';
import { type CredentialSummary, findCredential, findCredentials } from '../issuance/credential-rows.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { places } from '../vault/places.ts';
import { openDocument, sealDocument } from '../vault/sealed-documents.ts';
import { requireMove } from './compare-status.ts';
import { findRecordedTemplate, readEntryAsOwed } from './ledger-facts.ts';
import {
  beginStatusChanges,
  finishStatusChanges,
  listStatusChanges,
  prepareStatusChanges,
  releaseStatusChanges,
  statusHistory,
} from './status-change-rows.ts';

export interface StatusTerms {
  readonly vcIds: readonly string[];
}

type StatusReply = {
  readonly vcId: string;
  readonly status: CredentialStatusWord;
  readonly vcIds?: string[];
};

const statusBlobsOf = (kind: CredentialAct): BlobOutcomes<StatusTerms, StatusReply> => ({
  kinds: [kind],
  about: ({ vcIds }) => vcIds.toSorted().join(' '),
  async begin(queries, { blob, now }) {
    if (!(await beginStatusChanges(queries, { blobId: blob.id, now }))) {
      throw new Fault('statusForbids', { detail: 'The status has changed meanwhile, or is being changed' });
    }
  },
  async executed(queries, { blob, txHash, now }) {
    return (await finishStatusChanges(queries, { blobId: blob.id, txHash, now })).length > 0;
  },
  audited: ({ terms, txHash, blob }) =>
    terms.vcIds.map((subject) => ({
      action: `credential.${kind}` as const,
      subject,
      details: { txHash, blobId: blob.id },
    })),
  reply({ terms: { vcIds } }) {
    const [vcId] = vcIds as [string, ...string[]];
    return {
      vcId,
      status: statusWords[credentialMove(kind).to],
      ...(vcIds.length > 1 && { vcIds: [...vcIds] }),
    };
  },
  async dropped(queries, { blob, now }) {
    await releaseStatusChanges(queries, { blobId: blob.id, now });
  },
  async rebuild(parts, { blob, terms: { vcIds } }) {
    const { database, vault } = parts;
    const changes = await listStatusChanges(database.kysely, blob.id);
    const [first] = changes;
    assert(first, 'a blob that changes statuses says which');
    const { remark: sealed, remarkHash, vcId } = first;
    const said = sealed && (await openDocument<Remark>(vault, sealed, places.statusRemark(blob.id, vcId)));
    const remark = said && remarkHash !== null ? { ...said, hash: remarkHash } : undefined;
    const before = await owedBeforeAll(parts, kind, await findCredentials(database.kysely, vcIds));
    const order = { kind, vcIds, issuer: blob.owner, ...(remark && { remark }), ...(before && { before }) };
    return statusOffer(parts, order);
  },
});

export const statusBlobs = {
  revoke: statusBlobsOf('revoke'),
  suspend: statusBlobsOf('suspend'),
  reinstate: statusBlobsOf('reinstate'),
} as const;

export function createStatusHandlers(parts: ServiceParts) {
  const prepare =
    (kind: CredentialAct) =>
    (request: StatusChangeRequest, { caller }: Call) =>
      prepareChange(parts, kind, { ...request, caller });
  const submit = (kind: CredentialAct) => (request: SignedBlobRequest, call: Call) =>
    submitBlob(parts, statusBlobs[kind], request, call);

  return {
    createRevocationBlob: prepare('revoke'),
    createBulkRevocationBlob: prepare('revoke'),
    submitRevocation: submit('revoke'),
    createSuspensionBlob: prepare('suspend'),
    submitSuspension: submit('suspend'),
    createReinstatementBlob: prepare('reinstate'),
    submitReinstatement: submit('reinstate'),

    async getCredentialStatus(question) {
      const { entry, issuer, address } = await askLedger(parts, question);
      const found = await findCredential(parts.database.kysely, question.vcId);
      // Another issuer may have recorded something under the same id: its transactions are not known here.
      const stored = found && addressOfDid(found.issuer, parts.keys) === address ? found : undefined;
      const [change] = stored ? await statusHistory(parts.database.kysely, question.vcId) : [];
      const isLost = entry.changedInLedgerSeq === undefined;
      const template = { id: entry.template, version: entry.templateVersion };
      return {
        vcId: question.vcId,
        issuer,
        status: statusWords[entry.status],
        changedAt: changedAtOf(entry),
        txHash: isLost ? null : (change?.txHash ?? stored?.anchorTx ?? null),
        // Everything that a verifier without a network compares a presentation with.
        record: recordReplyOf(entry, await findRecordedTemplate(parts, template)),
      };
    },

    async getRevocationStatus(question) {
      const { entry } = await askLedger(parts, question);
      const isRevoked = entry.status === 'revoked';
      return { isRevoked, revokedAt: isRevoked ? changedAtOf(entry) : null };
    },
  } satisfies Partial<CredentialHandlers>;
}

/** Kept sealed; the ledger gets the hash. */
interface Remark {
  readonly remark: string;
  readonly salt: string;
}

type ChangeOrder = StatusChangeRequest & Pick<Call, 'caller'>;

async function prepareChange(parts: ServiceParts, kind: CredentialAct, order: ChangeOrder) {
  const { vcIds, remark } = order;
  const { issuer, before } = await requireIssuer(parts, kind, order);
  const salt = randomBytes(16).toString('hex');
  const said = remark === undefined ? undefined : { remark, salt, hash: hashOfRemark(salt, remark, sha256) };
  const ordered = { kind, vcIds, issuer, ...(said && { remark: said }), ...(before && { before }) };
  const offered = await offerBlob(parts, await statusOffer(parts, ordered));
  // The issuer computes the hash it signs from its own remark.
  return { ...offered, ...(said && { remarkSalt: salt }) };
}

interface OrderedChange {
  readonly kind: CredentialAct;
  readonly vcIds: readonly string[];
  readonly issuer: string;
  readonly remark?: Remark & { readonly hash: string };
  /** What the ledger has lost and has to have before. */
  readonly before?: CredentialAct;
}

/** The change as a transaction that the issuer's account can send next, tried out. */
async function statusOffer(
  { vault, clock, ledger, keys }: Pick<ServiceParts, 'vault' | 'clock' | 'ledger' | 'keys'>,
  { kind, vcIds, issuer, remark, before }: OrderedChange,
): Promise<BlobOffer<StatusTerms>> {
  const transaction = await ledger.statusTransaction({
    change: kind,
    issuerAddress: addressOfIssuer(issuer, keys),
    credentials: vcIds,
    ...(before && { before }),
    ...(remark && { remarkHashes: vcIds.map(() => remark.hash) }),
  });
  return {
    kind,
    signer: issuer,
    transaction,
    terms: { vcIds },
    async alongside(blobId) {
      const said: Remark | undefined = remark && { remark: remark.remark, salt: remark.salt };
      const credentials = await Promise.all(
        vcIds.map(async (vcId) => {
          const where = places.statusRemark(blobId, vcId);
          const sealed = said ? await sealDocument(vault, said, where) : null;
          return { vcId, remark: sealed, remarkHash: remark?.hash ?? null };
        }),
      );
      return (queries) => prepareStatusChanges(queries, { blobId, kind, credentials, now: clock.nowMs() });
    },
  };
}

/** The one issuer of all these credentials, whose address is given, and none of them in a state that forbids it. */
async function requireIssuer(
  parts: ServiceParts,
  kind: CredentialAct,
  { vcIds, issuerAddress, caller }: ChangeOrder,
): Promise<Pick<OrderedChange, 'issuer' | 'before'>> {
  const { database, keys } = parts;
  const credentials = await findCredentials(database.kysely, vcIds);
  const [first] = credentials;
  if (!first || credentials.length !== vcIds.length) {
    const unknown = vcIds.find((vcId) => !credentials.some((found) => found.vcId === vcId));
    throw new Fault('credentialUnknown', { detail: `There is no issued credential ${unknown}` });
  }
  for (const credential of credentials) {
    const isIssuer = addressOfDid(credential.issuer, keys) === issuerAddress;
    if (!isIssuer || (caller.did !== undefined && caller.did !== credential.issuer)) {
      throw new Fault('issuerMismatch');
    }
    const { vcId, changeBlobId } = credential;
    if (changeBlobId !== null)
      throw new Fault('statusForbids', { detail: `A change of ${vcId} is under way` });
  }
  const before = await owedBeforeAll(parts, kind, credentials);
  return { issuer: first.issuer, ...(before && { before }) };
}

/** Only revocations are of many at once, and nothing has to go before one. */
async function owedBeforeAll(
  parts: ServiceParts,
  kind: CredentialAct,
  credentials: readonly CredentialSummary[],
): Promise<CredentialAct | undefined> {
  const before = new Set<CredentialAct>();
  for (const credential of credentials) {
    const owed = await requireMove(parts, credential, kind);
    if (owed) before.add(owed);
  }
  assert(
    before.size === 0 || credentials.length === 1,
    'what is owed goes before the change of one credential',
  );
  return [...before][0];
}

async function askLedger(
  parts: ServiceParts,
  { vcId, issuer }: StatusRequest,
): Promise<{ entry: CountingEntry; issuer: string; address: string }> {
  const { database, keys } = parts;
  const named = issuer ?? (await findCredential(database.kysely, vcId))?.issuer;
  const address = named?.startsWith('did:') ? addressOfDid(named, keys) : named;
  if (named === undefined) throw new Fault('credentialUnknown');
  if (address === undefined || !keys.isAddress(address)) {
    throw new Fault('requestMalformed', {
      detail: '/issuer: is neither an address nor a DID of this ledger',
    });
  }
  const entry = await readEntryAsOwed(parts, { address, vcId });
  if (!entry) throw new Fault('credentialUnknown');
  return { entry, issuer: named, address };
}
