/**
 * Where sealed bytes belong, column by column: whoever seals and whoever opens must name the same place, so both take
 * it from here. Places of the vault's own keys stand beside those keys.
 */
import type { SealContext } from './vault.ts';

const place =
  (table: SealContext['table'], purpose: string) =>
  (row: string): SealContext => ({ table, row, purpose });

const remarkPlace = place('statusChanges', 'remark');

export const places = {
  /** By blob id. */
  blobPayload: place('blobs', 'payload'),
  /** By vcId, like all that follow but the last. */
  applicationAttributes: place('applications', 'attributes'),
  applicationDraft: place('applications', 'draft'),
  applicationSubmission: place('applications', 'submission'),
  rejectReason: place('applications', 'rejectReason'),
  credential: place('credentials', 'credential'),
  statusRemark: (blobId: string, vcId: string): SealContext => remarkPlace(JSON.stringify([blobId, vcId])),
} as const;
