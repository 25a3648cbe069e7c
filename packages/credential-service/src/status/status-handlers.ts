/**
 * Revocation, suspension and reinstatement in two steps, of one credential or many, and what the ledger says of a
 * credential (`docs/credentials.md`). Only the issuer's signature changes anything: the registry contract sees to
 * that. What a change does, step by step, is in `status-blobs.ts`.
 */
import { randomBytes } from 'node:crypto';
import type { CredentialAct } from '@symbolon/core/credential/application-states';
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
import type { Call } from '@symbolon/wire/http/service-route';
import { offerBlob } from '../blobs/blob-offers.ts';
import { submitBlob } from '../blobs/blob-submits.ts';
import { findCredential, findCredentials } from '../issuance/credential-rows.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { requireMoves } from './compare-status.ts';
import { findRecordedTemplate, readEntryAsOwed } from './ledger-facts.ts';
import { type OrderedChange, statusBlobs, statusOffer } from './status-blobs.ts';
import { statusHistory } from './status-change-rows.ts';

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
  const before = await requireMoves(parts, credentials, kind);
  return { issuer: first.issuer, ...(before && { before }) };
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
