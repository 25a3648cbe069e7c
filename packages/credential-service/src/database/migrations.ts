/**
 * How the tables come to be, as SQL that SQLite and PostgreSQL both read; what differs is the spelling of column
 * types. A migration that was ever released never changes; what is new comes behind it.
 */
import type { Migration } from '@symbolon/host/database/common/migrate';
import type { ColumnTypes } from '@symbolon/host/database/common/values';

type Statements = (types: ColumnTypes) => string[];

const templates: Statements = ({ text, integer, strict }) => [
  `create table "templates" (
    "id" ${text} primary key,
    "name" ${text} not null,
    "nameKey" ${text} not null unique,
    "issuer" ${text} not null,
    "latestVersion" ${text},
    "latestVersionKey" ${text},
    "createdAt" ${integer} not null,
    "updatedAt" ${integer} not null) ${strict}`,
  `create index "templatesByIssuer" on "templates" ("issuer", "nameKey")`,
  `create table "templateVersions" (
    "templateId" ${text} not null references "templates" ("id"),
    "version" ${text} not null,
    "versionKey" ${text} not null,
    "document" ${text} not null,
    "txHash" ${text} not null,
    "registeredAt" ${integer} not null,
    primary key ("templateId", "versionKey")) ${strict}`,
];

const blobs: Statements = ({ text, integer, bytes, strict }) => [
  `create table "blobs" (
    "id" ${text} primary key,
    "kind" ${text} not null,
    "owner" ${text} not null,
    "state" ${text} not null check ("state" in ('pending', 'claimed', 'used')),
    "payload" ${bytes},
    "intentHash" ${text},
    "createdAt" ${integer} not null,
    "expiresAt" ${integer} not null,
    "claimedAt" ${integer}) ${strict}`,
  `create index "blobsByExpiry" on "blobs" ("expiresAt")`,
  `create index "blobsClaimed" on "blobs" ("claimedAt") where "state" = 'claimed'`,
];

const applications: Statements = ({ text, integer, bytes, strict }) => [
  `create table "applications" (
    "vcId" ${text} primary key,
    "templateId" ${text} not null,
    "templateVersion" ${text} not null,
    "issuer" ${text} not null,
    "holder" ${text} not null,
    "state" ${text} not null check ("state" in ('pending', 'approved', 'submitting', 'issued', 'rejected')),
    "attributes" ${bytes},
    "draft" ${bytes},
    "draftExpiresAt" ${integer},
    "submission" ${bytes},
    "rejectReason" ${bytes},
    "createdAt" ${integer} not null,
    "updatedAt" ${integer} not null) ${strict}`,
  `create unique index "applicationsPendingOnce" on "applications" ("holder", "templateId")
    where "state" = 'pending'`,
  `create index "applicationsByIssuer" on "applications" ("issuer", "createdAt", "vcId")`,
  `create index "applicationsSubmitting" on "applications" ("updatedAt") where "state" = 'submitting'`,
];

const credentials: Statements = ({ text, integer, bytes, strict }) => [
  `create table "credentials" (
    "vcId" ${text} primary key,
    "templateId" ${text} not null,
    "templateVersion" ${text} not null,
    "issuer" ${text} not null,
    "holder" ${text} not null,
    "digest" ${text} not null,
    "status" ${text} not null check ("status" in ('active', 'suspended', 'revoked')),
    "anchorTx" ${text} not null,
    "changeBlobId" ${text},
    "credential" ${bytes},
    "downloadExpiresAt" ${integer} not null,
    "createdAt" ${integer} not null,
    "updatedAt" ${integer} not null) ${strict}`,
  `create index "credentialsByIssuer" on "credentials" ("issuer", "createdAt", "vcId")`,
  `create index "credentialsByHolder" on "credentials" ("holder", "createdAt", "vcId")`,
  `create index "credentialsStored" on "credentials" ("downloadExpiresAt") where "credential" is not null`,
  `create table "statusChanges" (
    "blobId" ${text} not null,
    "vcId" ${text} not null references "credentials" ("vcId"),
    "kind" ${text} not null check ("kind" in ('revoke', 'suspend', 'reinstate')),
    "state" ${text} not null check ("state" in ('prepared', 'done')),
    "remark" ${bytes},
    "remarkHash" ${text},
    "txHash" ${text},
    "createdAt" ${integer} not null,
    "updatedAt" ${integer} not null,
    primary key ("blobId", "vcId")) ${strict}`,
  `create index "statusChangesByCredential" on "statusChanges" ("vcId", "createdAt")`,
  `create index "statusChangesPrepared" on "statusChanges" ("createdAt") where "state" = 'prepared'`,
];

const ledger: Statements = ({ text, integer, bytes, strict }) => [
  `create table "anchorIntents" (
    "hash" ${text} primary key,
    "blob" ${bytes} not null,
    "entries" ${text} not null,
    "state" ${text} not null check ("state" in ('open', 'settled')),
    "outcome" ${text},
    "createdAt" ${integer} not null,
    "settledAt" ${integer}) ${strict}`,
  `create index "anchorIntentsOpen" on "anchorIntents" ("createdAt") where "state" = 'open'`,
];

const keys: Statements = ({ text, integer, bytes, strict }) => [
  `create table "apiKeys" (
    "id" ${text} primary key,
    "secretHash" ${text} not null,
    "label" ${text} not null,
    "did" ${text},
    "scopes" ${text} not null,
    "createdAt" ${integer} not null,
    "expiresAt" ${integer},
    "revokedAt" ${integer},
    "lastUsedAt" ${integer}) ${strict}`,
  `create table "vaultKeys" (
    "id" ${text} primary key,
    "kind" ${text} not null check ("kind" in ('bbs', 'registrar', 'seal')),
    "owner" ${text} not null,
    "publicKey" ${text} not null,
    "secret" ${bytes} not null,
    "createdAt" ${integer} not null,
    "validFrom" ${integer} not null,
    "validUntil" ${integer},
    unique ("kind", "owner", "publicKey")) ${strict}`,
];

const housekeeping: Statements = ({ text, integer, bytes, strict }) => [
  `create table "idempotency" (
    "id" ${text} primary key,
    "fingerprint" ${text} not null,
    "state" ${text} not null check ("state" in ('running', 'done')),
    "claim" ${text} not null,
    "leaseUntil" ${integer} not null,
    "response" ${bytes},
    "createdAt" ${integer} not null,
    "expiresAt" ${integer} not null) ${strict}`,
  `create index "idempotencyByExpiry" on "idempotency" ("expiresAt")`,
  `create table "settings" (
    "name" ${text} primary key,
    "text" ${text},
    "secret" ${bytes},
    "updatedAt" ${integer} not null) ${strict}`,
];

const audit: Statements = ({ text, integer, strict }) => [
  `create table "auditEntries" (
    "sequence" ${integer} primary key,
    "at" ${integer} not null,
    "actorKey" ${text},
    "actorDid" ${text},
    "action" ${text} not null,
    "subject" ${text},
    "outcome" ${text} not null,
    "details" ${text} not null,
    "previous" ${text} not null,
    "hash" ${text} not null) ${strict}`,
  `create table "auditInbox" (
    "id" ${text} primary key,
    "at" ${integer} not null,
    "entry" ${text} not null) ${strict}`,
  `create table "auditAnchors" (
    "sequence" ${integer} primary key,
    "hash" ${text} not null,
    "txHash" ${text} not null,
    "at" ${integer} not null) ${strict}`,
];

const payments: Statements = ({ text, integer, bytes, strict }) => [
  `create table "prices" (
    "templateId" ${text} primary key,
    "issuer" ${text} not null,
    "amount" ${text} not null,
    "asset" ${text} not null,
    "symbol" ${text} not null,
    "decimals" ${integer} not null,
    "payTo" ${text} not null,
    "updatedAt" ${integer} not null) ${strict}`,
  `create table "issuerKeys" (
    "issuer" ${text} primary key,
    "secret" ${bytes} not null,
    "createdAt" ${integer} not null) ${strict}`,
  `create table "autoIssue" (
    "templateId" ${text} primary key,
    "issuer" ${text} not null,
    "isEnabled" ${integer} not null,
    "holders" ${text},
    "perDayMax" ${integer} not null,
    "until" ${integer} not null,
    "validSeconds" ${integer} not null,
    "allowReissue" ${integer} not null,
    "updatedAt" ${integer} not null) ${strict}`,
  `create table "payments" (
    "paymentId" ${text} primary key,
    "state" ${text} not null check ("state" in ('required', 'settling', 'settled', 'issued', 'failed')),
    "templateId" ${text} not null,
    "templateVersion" ${text} not null,
    "issuer" ${text} not null,
    "holder" ${text} not null,
    "dataHash" ${text} not null,
    "asset" ${text} not null,
    "amount" ${text} not null,
    "payTo" ${text} not null,
    "vcId" ${text} not null unique,
    "txHash" ${text} unique,
    "day" ${integer},
    "submission" ${bytes},
    "failure" ${text},
    "createdAt" ${integer} not null,
    "expiresAt" ${integer} not null,
    "updatedAt" ${integer} not null) ${strict}`,
  `create index "paymentsByHolder" on "payments" ("holder", "dataHash", "createdAt")`,
  `create index "paymentsOfTemplate" on "payments" ("templateId", "day")`,
  `create index "paymentsOffered" on "payments" ("expiresAt") where "state" = 'required'`,
  `create index "paymentsUnderWay" on "payments" ("updatedAt") where "state" in ('settling', 'settled')`,
  `create table "settlements" (
    "hash" ${text} primary key,
    "state" ${text} not null check ("state" in ('pending', 'executed', 'failed')),
    "signed" ${text} not null,
    "validBefore" ${integer} not null,
    "payer" ${text} not null,
    "payTo" ${text} not null,
    "asset" ${text} not null,
    "amount" ${text} not null,
    "paymentId" ${text},
    "blobId" ${text} unique,
    "sponsoredFee" ${integer},
    "day" ${integer} not null,
    "failure" ${text},
    "createdAt" ${integer} not null,
    "updatedAt" ${integer} not null) ${strict}`,
  `create index "settlementsPending" on "settlements" ("updatedAt") where "state" = 'pending'`,
  `create index "settlementsSponsored" on "settlements" ("day") where "sponsoredFee" is not null`,
];

const custody: Statements = ({ text, integer, bytes, strict }) => [
  `create table "custodyAccounts" (
    "address" ${text} primary key,
    "publicKey" ${text} not null,
    "backend" ${text} not null check ("backend" in ('vault', 'token')),
    "keyId" ${text} not null,
    "secret" ${bytes},
    "password" ${bytes} not null,
    "note" ${bytes},
    "policy" ${text} not null,
    "activation" ${text} not null check ("activation" in ('none', 'pending', 'done')),
    "activationTx" ${text},
    "createdAt" ${integer} not null,
    "updatedAt" ${integer} not null) ${strict}`,
  `create index "custodyActivations" on "custodyAccounts" ("updatedAt") where "activation" = 'pending'`,
  `create table "custodyUses" (
    "subject" ${text} not null,
    "day" ${integer} not null,
    "amount" ${text} not null,
    "count" ${integer} not null,
    primary key ("subject", "day")) ${strict}`,
  `create table "custodyAttempts" (
    "address" ${text} primary key,
    "failures" ${integer} not null,
    "lockedUntil" ${integer} not null,
    "updatedAt" ${integer} not null) ${strict}`,
];

const presence: Statements = ({ text, integer, strict }) => [
  `alter table "applications" add column "signatureHash" ${text}`,
  `alter table "applications" add column "applyMark" ${text}`,
  `alter table "applications" add column "submitMark" ${text}`,
  `create index "applicationsBySignature" on "applications" ("holder", "templateId", "signatureHash")`,
  `create table "oldRuleSignatures" (
    "signatureHash" ${text} primary key,
    "textHash" ${text} not null,
    "expiresAt" ${integer} not null) ${strict}`,
  `create index "oldRuleSignaturesByExpiry" on "oldRuleSignatures" ("expiresAt")`,
];

const exchangeTables: Statements = ({ text, integer, bytes, strict }) => [
  `create table "verificationSessions" (
    "id" ${text} primary key,
    "keyId" ${text} not null,
    "stateId" ${text} not null,
    "nonce" ${text} not null,
    "state" ${text} not null
      check ("state" in ('CREATED', 'FETCHED', 'VERIFIED', 'FAILED', 'ABORTED', 'EXPIRED')),
    "request" ${bytes} not null,
    "result" ${bytes},
    "claim" ${text},
    "claimedAt" ${integer},
    "createdAt" ${integer} not null,
    "updatedAt" ${integer} not null,
    "expiresAt" ${integer} not null) ${strict}`,
  `create index "sessionsOpen" on "verificationSessions" ("expiresAt") where "state" in ('CREATED', 'FETCHED')`,
  `create index "sessionsOpenByKey" on "verificationSessions" ("keyId") where "state" in ('CREATED', 'FETCHED')`,
  `create index "sessionsEnded" on "verificationSessions" ("updatedAt")
    where "state" in ('VERIFIED', 'FAILED', 'ABORTED', 'EXPIRED')`,
  `create table "callbackSecrets" (
    "keyId" ${text} primary key,
    "secret" ${bytes} not null,
    "createdAt" ${integer} not null) ${strict}`,
  `create table "outbox" (
    "id" ${text} primary key,
    "sessionId" ${text} not null,
    "keyId" ${text} not null,
    "state" ${text} not null check ("state" in ('waiting', 'delivered', 'abandoned')),
    "content" ${bytes},
    "attempts" ${integer} not null,
    "nextAttemptAt" ${integer} not null,
    "problem" ${text},
    "createdAt" ${integer} not null,
    "updatedAt" ${integer} not null) ${strict}`,
  `create index "outboxWaiting" on "outbox" ("nextAttemptAt") where "state" = 'waiting'`,
  `create index "outboxEnded" on "outbox" ("updatedAt") where "state" in ('delivered', 'abandoned')`,
  `create table "savedPresentations" (
    "id" ${text} primary key,
    "presentation" ${bytes} not null,
    "createdAt" ${integer} not null,
    "expiresAt" ${integer} not null) ${strict}`,
  `create index "savedPresentationsByExpiry" on "savedPresentations" ("expiresAt")`,
];

const trustTables: Statements = ({ text, integer, strict }) => [
  `create table "trustedIssuers" (
    "owner" ${text} not null,
    "list" ${text} not null,
    "did" ${text} not null,
    "name" ${text},
    "templates" ${text},
    "updatedAt" ${integer} not null,
    primary key ("owner", "list", "did")) ${strict}`,
  `create table "nameForms" (
    "form" ${text} primary key,
    "issuer" ${text} not null,
    "subject" ${text} not null) ${strict}`,
  `create index "nameFormsBySubject" on "nameForms" ("subject")`,
];

const submitTables: Statements = ({ text, integer, strict }) => [
  `create table "workers" (
    "id" ${text} primary key,
    "aliveUntil" ${integer} not null,
    "session" ${integer}) ${strict}`,
  `alter table "blobs" add column "worker" ${text}`,
  `alter table "blobs" add column "signature" ${text}`,
  `alter table "blobs" add column "outcome" ${text}`,
  `alter table "applications" add column "worker" ${text}`,
  `alter table "applications" add column "submitAnsweredAt" ${integer}`,
  `alter table "idempotency" add column "worker" ${text}`,
  `alter table "idempotency" drop column "leaseUntil"`,
];

const paymentTables: Statements = ({ text, integer, strict }) => [
  `alter table "payments" add column "worker" ${text}`,
  `alter table "settlements" add column "worker" ${text}`,
  `create table "sponsorAccounts" (
    "address" ${text} primary key,
    "blobId" ${text},
    "heldUntil" ${integer} not null,
    "uses" ${integer} not null) ${strict}`,
];

/** For whom the accounts of the sponsor are held. */
const sponsorHolders: Statements = ({ text }) =>
  ['payer', 'caller'].map((name) => `alter table "sponsorAccounts" add column "${name}" ${text}`);

/** Who is told that a settlement is executed; of those that have ended before, whoever was not asked to come again was. */
const toldSettlements: Statements = ({ text, integer }) => [
  `alter table "settlements" add column "teller" ${text}`,
  `alter table "settlements" add column "toldAt" ${integer}`,
  `update "settlements" set "toldAt" = "updatedAt" where "leftAt" is null and "state" <> 'pending'`,
  `alter table "settlements" drop column "leftAt"`,
];

/** Settlements whose caller was asked to come again. */
const leftSettlements: Statements = ({ integer }) => [
  `alter table "settlements" add column "leftAt" ${integer}`,
];

const owedRecords: Statements = ({ text, integer, strict }) => [
  `create table "owedTemplates" (
    "templateId" ${text} not null,
    "version" ${text} not null,
    "name" ${text} not null,
    "owner" ${text} not null,
    "createdAt" ${integer} not null,
    primary key ("templateId", "version")) ${strict}`,
  `alter table "credentials" add column "owedAtSeq" ${integer}`,
  `create index "credentialsOwed" on "credentials" ("vcId") where "owedChange" is not null`,
];

const chainTables: Statements = ({ text, integer, strict }) => [
  `create table "ownChain" (
    "id" ${integer} primary key check ("id" = 1),
    "genesis" ${text} not null,
    "seq" ${integer} not null,
    "hash" ${text} not null,
    "since" ${integer} not null,
    "updatedAt" ${integer} not null) ${strict}`,
  `create table "signedTransactions" (
    "hash" ${text} primary key,
    "owner" ${text} not null,
    "blob" ${text} not null,
    "publicKey" ${text} not null,
    "signature" ${text} not null,
    "createdAt" ${integer} not null) ${strict}`,
  `create index "signedTransactionsByTime" on "signedTransactions" ("createdAt", "hash")`,
  `alter table "credentials" add column "verificationMethod" ${text}`,
  `alter table "credentials" add column "owedChange" ${text}`,
];

/** What issuers offer to whoever has a code, of which only the hash is kept. */
const offerTables: Statements = ({ text, integer, bytes, strict }) => [
  `create table "offers" (
    "id" ${text} primary key,
    "codeHash" ${text} not null unique,
    "issuer" ${text} not null,
    "templateId" ${text} not null,
    "templateVersion" ${text} not null,
    "state" ${text} not null
      check ("state" in ('open', 'accepted', 'issued', 'rejected', 'withdrawn', 'expired', 'locked')),
    "attributes" ${bytes},
    "reference" ${bytes},
    "referenceMark" ${text},
    "txCodeMark" ${text},
    "hasTxCode" ${integer} not null,
    "wrongTxCodes" ${integer} not null,
    "holder" ${text},
    "vcId" ${text} unique,
    "createdAt" ${integer} not null,
    "updatedAt" ${integer} not null,
    "expiresAt" ${integer} not null) ${strict}`,
  `create unique index "offersStandingOnce" on "offers" ("issuer", "templateId", "referenceMark")
    where "state" in ('open', 'accepted')`,
  `create index "offersByIssuer" on "offers" ("issuer", "createdAt", "id")`,
  `create index "offersOpen" on "offers" ("expiresAt") where "state" = 'open'`,
  `create index "offersEnded" on "offers" ("updatedAt")
    where "state" in ('issued', 'rejected', 'withdrawn', 'expired', 'locked')`,
  `alter table "applications" add column "offerId" ${text}`,
];

/** Whose event an entry of the audit log is, and where events are posted to. */
const eventTables: Statements = ({ text, integer, bytes, strict }) => [
  `alter table "auditEntries" add column "owner" ${text}`,
  `create index "auditEventsByOwner" on "auditEntries" ("owner", "sequence") where "owner" is not null`,
  `create index "auditEvents" on "auditEntries" ("sequence") where "owner" is not null`,
  `create table "webhooks" (
    "id" ${text} primary key,
    "keyId" ${text} not null,
    "name" ${text} not null,
    "address" ${bytes} not null,
    "issuerOwner" ${text},
    "verifierOwner" ${text},
    "isAll" ${integer} not null,
    "cursor" ${integer} not null,
    "state" ${text} not null check ("state" in ('active', 'paused')),
    "attempts" ${integer} not null,
    "nextAttemptAt" ${integer} not null,
    "failingSince" ${integer},
    "problem" ${text},
    "deliveredAt" ${integer},
    "createdAt" ${integer} not null,
    "updatedAt" ${integer} not null,
    unique ("keyId", "name")) ${strict}`,
  `create index "webhooksActive" on "webhooks" ("nextAttemptAt") where "state" = 'active'`,
  `create index "webhooksPaused" on "webhooks" ("updatedAt") where "state" = 'paused'`,
];

export const serviceMigrations: readonly Migration[] = [
  {
    name: '0001-first-tables',
    statements: (types) =>
      [templates, blobs, applications, credentials, ledger, keys, housekeeping, audit].flatMap((part) =>
        part(types),
      ),
  },
  { name: '0002-exchange', statements: exchangeTables },
  { name: '0003-payments', statements: payments },
  { name: '0004-custody', statements: custody },
  { name: '0005-presence', statements: presence },
  { name: '0006-trust', statements: trustTables },
  { name: '0007-submits', statements: submitTables },
  { name: '0008-payments', statements: paymentTables },
  { name: '0009-own-chain', statements: chainTables },
  { name: '0010-left-settlements', statements: leftSettlements },
  { name: '0011-sponsor-holders', statements: sponsorHolders },
  { name: '0012-told-settlements', statements: toldSettlements },
  { name: '0013-owed-records', statements: owedRecords },
  { name: '0014-offers', statements: offerTables },
  { name: '0015-events', statements: eventTables },
];
