/**
 * Blobs that change the status of credentials: the transaction that an issuer is offered, and what each step of it does
 * to the changes that are kept here. A remark stays here, encrypted; the ledger gets its salted hash.
 */
import { assert } from '@symbolon/core/basics/assert';
import { type CredentialAct, credentialMove } from '@symbolon/core/credential/application-states';
import { Fault } from '@symbolon/core/faults/faults';
import { statusWords } from '@symbolon/wire/credentials/registry-records';
import type { CredentialStatusWord } from '@symbolon/wire/credentials/verifier-replies';
import { addressOfIssuer } from '../access/signatures.ts';
import type { BlobOffer, BlobOutcomes } from '../blobs/blob-outcomes.ts';
import { findCredentials } from '../issuance/credential-rows.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import { requireMoves } from './compare-status.ts';
import {
  beginStatusChanges,
  finishStatusChanges,
  listStatusChanges,
  prepareStatusChanges,
  releaseStatusChanges,
} from './status-change-rows.ts';

interface Remark {
  readonly remark: string;
  readonly salt: string;
}

export interface OrderedChange {
  readonly kind: CredentialAct;
  readonly vcIds: readonly string[];
  readonly issuer: string;
  readonly remark?: Remark & { readonly hash: string };
  /** What the ledger has lost and has to have before. */
  readonly before?: CredentialAct;
}

/** The change as a transaction that the issuer's account can send next, tried out. */
export async function statusOffer(
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
          const where = contexts.statusRemark(blobId, vcId);
          const encrypted = said ? await vault.encryptDocument(said, where) : null;
          return { vcId, remark: encrypted, remarkHash: remark?.hash ?? null };
        }),
      );
      return (queries) => prepareStatusChanges(queries, { blobId, kind, credentials, now: clock.nowMs() });
    },
  };
}

interface StatusTerms {
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
  async begin(queries, { row, now }) {
    if (!(await beginStatusChanges(queries, { blobId: row.id, now }))) {
      throw new Fault('statusForbids', { detail: 'The status has changed meanwhile, or is being changed' });
    }
  },
  async executed(queries, { row, terms: { vcIds }, txHash, now }) {
    const done = { txHash, blobId: row.id };
    const changed = await finishStatusChanges(queries, { ...done, now });
    if (changed.length === 0) return [];
    const known = new Map((await findCredentials(queries, vcIds)).map((one) => [one.vcId, one.templateId]));
    return vcIds.map((subject) => {
      const templateId = known.get(subject);
      const details = { ...(templateId !== undefined && { templateId }), ...done, issuer: row.owner };
      return { action: `credential.${kind}`, subject, details };
    });
  },
  reply({ terms: { vcIds } }) {
    const [vcId] = vcIds as [string, ...string[]];
    return {
      vcId,
      status: statusWords[credentialMove(kind).to],
      ...(vcIds.length > 1 && { vcIds: [...vcIds] }),
    };
  },
  async dropped(queries, { row, now }) {
    await releaseStatusChanges(queries, { blobId: row.id, now });
  },
  async rebuild(parts, { row, terms: { vcIds } }) {
    const { database, vault } = parts;
    const [first] = await listStatusChanges(database.kysely, row.id);
    assert(first, 'a blob that changes statuses says which');
    const { remark: encrypted, remarkHash, vcId } = first;
    const said =
      encrypted && (await vault.decryptDocument<Remark>(encrypted, contexts.statusRemark(row.id, vcId)));
    const remark = said && remarkHash !== null ? { ...said, hash: remarkHash } : undefined;
    const before = await requireMoves(parts, await findCredentials(database.kysely, vcIds), kind);
    const order = { kind, vcIds, issuer: row.owner, ...(remark && { remark }), ...(before && { before }) };
    return statusOffer(parts, order);
  },
});

export const statusBlobs = {
  revoke: statusBlobsOf('revoke'),
  suspend: statusBlobsOf('suspend'),
  reinstate: statusBlobsOf('reinstate'),
} as const;
