/**
 * Where encrypted bytes belong, column by column: whoever encrypts and whoever decrypts must name the same place, so
 * both take it from here.
 */
import type { EncryptionContext } from './vault.ts';

const place =
  (table: EncryptionContext['table'], purpose: string) =>
  (row: string): EncryptionContext => ({ table, row, purpose });

const remarkPlace = place('statusChanges', 'remark');

export const contexts = {
  /** By the id of the key. */
  vaultKey: place('vaultKeys', 'secret'),
  /** By the hash of caller and idempotency key. */
  keptAnswer: place('idempotency', 'response'),
  /** By payment id. */
  paymentSubmission: place('payments', 'submission'),
  /** By the issuer's DID. */
  issuerSecret: place('issuerKeys', 'secret'),
  /** By address. */
  custodySecret: place('custodyAccounts', 'secret'),
  custodyPassword: place('custodyAccounts', 'password'),
  custodyNote: place('custodyAccounts', 'note'),
  /** By session id. */
  sessionRequest: place('verificationSessions', 'request'),
  sessionResult: place('verificationSessions', 'result'),
  /** By API key id. */
  callbackSecret: place('callbackSecrets', 'secret'),
  /** By the id of the delivery. */
  delivery: place('outbox', 'content'),
  /** By the id it is kept under. */
  savedPresentation: place('savedPresentations', 'presentation'),
  /** By blob id. */
  blobPayload: place('blobs', 'payload'),
  /** By vcId, up to the remark. */
  applicationAttributes: place('applications', 'attributes'),
  applicationDraft: place('applications', 'draft'),
  applicationSubmission: place('applications', 'submission'),
  rejectReason: place('applications', 'rejectReason'),
  credential: place('credentials', 'credential'),
  statusRemark: (blobId: string, vcId: string): EncryptionContext =>
    remarkPlace(JSON.stringify([blobId, vcId])),
  /** By name. Last, as the vault's check value is one: a new master key has taken over when that is under it. */
  setting: place('settings', 'secret'),
} as const;
