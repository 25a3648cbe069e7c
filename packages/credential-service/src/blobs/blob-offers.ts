/** Offers of transactions to sign: a blob and what its issuer meant by it, kept sealed until it is submitted. */
import { randomBytes } from 'node:crypto';
import { assert } from '@symbolon/core/basics/assert';
import type { Queries } from '../database/schema.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { places } from '../vault/places.ts';
import { openDocument, sealDocument } from '../vault/sealed-documents.ts';
import type { BlobOffer, LedgerBlob } from './blob-outcomes.ts';
import { addBlob, type Blob } from './blob-rows.ts';

const blobIdBytes = 16;

export async function prepareOffer<Terms>(
  { vault, clock, settings }: Pick<ServiceParts, 'vault' | 'clock' | 'settings'>,
  { kind, signer, transaction, terms, alongside }: BlobOffer<Terms>,
) {
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
    async save(queries: Queries): Promise<void> {
      await addBlob(queries, { id, kind, owner: signer, payload, intentHash: hash, now, expiresAt });
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

export async function openBlob<Terms>(
  { vault }: Pick<ServiceParts, 'vault'>,
  { id, payload }: Blob,
): Promise<LedgerBlob<Terms>> {
  assert(payload, 'a blob that is not used has its payload');
  return openDocument<LedgerBlob<Terms>>(vault, payload, places.blobPayload(id));
}
