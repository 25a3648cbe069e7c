/**
 * Where encrypted bytes belong, column by column: whoever encrypts and whoever decrypts must name the same context, so
 * both take it from here.
 */
import type { EncryptionContext } from './vault.ts';

const context =
  (table: EncryptionContext['table'], purpose: string) =>
  (row: string): EncryptionContext => ({ table, row, purpose });

const remarkContext = context('statusChanges', 'remark');

export const contexts = {
  /** By the id of the key. */
  vaultKey: context('vaultKeys', 'secret'),
  /** By the id of the key: its issuer, kind and number. */
  delegatedKey: context('delegatedKeys', 'secret'),
  /** By the hash of caller and idempotency key. */
  keptAnswer: context('idempotency', 'response'),
  /** By payment id. */
  paymentSubmission: context('payments', 'submission'),
  /** By the issuer's DID. */
  issuerSecret: context('issuerKeys', 'secret'),
  /** By address. */
  custodySecret: context('custodyAccounts', 'secret'),
  custodyPassword: context('custodyAccounts', 'password'),
  custodyNote: context('custodyAccounts', 'note'),
  /** By session id. */
  sessionRequest: context('verificationSessions', 'request'),
  sessionResult: context('verificationSessions', 'result'),
  /** By API key id. */
  callbackSecret: context('callbackSecrets', 'secret'),
  /** By the id of the delivery. */
  delivery: context('outbox', 'content'),
  /** By the id of the webhook. */
  webhookAddress: context('webhooks', 'address'),
  /** By the id it is kept under. */
  savedPresentation: context('savedPresentations', 'presentation'),
  /** By the id of the offer. */
  offerAttributes: context('offers', 'attributes'),
  offerReference: context('offers', 'reference'),
  /** By the dataset's id, and by that of offer and request. */
  openidDataset: context('openidDatasets', 'contents'),
  openidRejectReason: context('openidDatasets', 'rejectReason'),
  openidOfferReference: context('openidOffers', 'reference'),
  openidHolderKeys: context('openidRequests', 'holderKeys'),
  openidAnswer: context('openidRequests', 'answer'),
  /** By the id of the authorization. */
  openidClientState: context('openidAuthorizations', 'clientState'),
  /** By blob id. */
  blobPayload: context('blobs', 'payload'),
  /** By vcId, up to the remark. */
  applicationAttributes: context('applications', 'attributes'),
  applicationLabel: context('applications', 'label'),
  applicationDraft: context('applications', 'draft'),
  applicationSubmission: context('applications', 'submission'),
  rejectReason: context('applications', 'rejectReason'),
  credential: context('credentials', 'credential'),
  credentialLabel: context('credentials', 'label'),
  statusRemark: (blobId: string, vcId: string): EncryptionContext =>
    remarkContext(JSON.stringify([blobId, vcId])),
  /** By name. Last, as the vault's check value is one: a new master key has taken over when that is under it. */
  setting: context('settings', 'secret'),
} as const;
