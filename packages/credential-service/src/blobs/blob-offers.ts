/** What waits for a signature: a blob and what its owner meant by it, kept encrypted until it is submitted. */
import { randomBytes } from 'node:crypto';
import { assert } from '@symbolon/core/basics/assert';
import type { Queries } from '../database/schema.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import type { BlobOffer, LedgerBlob } from './blob-outcomes.ts';
import { addBlob, type Blob, type NewBlob } from './blob-rows.ts';

const blobIdBytes = 16;

type BlobParts = Pick<ServiceParts, 'vault' | 'clock' | 'settings'>;

/** A blob under a new id, not saved yet. */
export async function newBlob(
  { vault, clock, settings }: BlobParts,
  order: Pick<NewBlob, 'kind' | 'owner' | 'intentHash'>,
  document: unknown,
): Promise<NewBlob> {
  const id = randomBytes(blobIdBytes).toString('hex').toUpperCase();
  const payload = await vault.encryptDocument(document, contexts.blobPayload(id));
  const now = clock.nowMs();
  return { ...order, id, payload, now, expiresAt: now + settings.blobLifetimeSeconds * 1_000 };
}

export async function prepareOffer<Terms>(
  parts: BlobParts,
  { kind, signer, transaction, terms, alongside }: BlobOffer<Terms>,
) {
  const { blob, hash } = transaction;
  const document: LedgerBlob<Terms> = { blob, hash, signer, terms };
  const row = await newBlob(parts, { kind, owner: signer, intentHash: hash }, document);
  const saveAlongside = await alongside?.(row.id);
  return {
    blobId: row.id,
    blob: blob.toUpperCase(),
    async save(queries: Queries): Promise<void> {
      await addBlob(queries, row);
      await saveAlongside?.(queries);
    },
  };
}

export async function offerBlob<Terms>(
  parts: BlobParts & Pick<ServiceParts, 'database' | 'crashPoint'>,
  offer: BlobOffer<Terms>,
): Promise<{ blobId: string; blob: string }> {
  const { blobId, blob, save } = await prepareOffer(parts, offer);
  await parts.database.transaction(save);
  parts.crashPoint('blobStored');
  return { blobId, blob };
}

export async function openBlob<Terms>(
  { vault }: Pick<ServiceParts, 'vault'>,
  { id, payload }: Blob,
): Promise<LedgerBlob<Terms>> {
  assert(payload, 'a blob that is not used has its payload');
  return vault.decryptDocument<LedgerBlob<Terms>>(payload, contexts.blobPayload(id));
}
