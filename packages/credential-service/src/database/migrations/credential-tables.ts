/** The tables that a service began with: templates, issuance, keys, audit. */
import type { Statements } from './statements.ts';

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

const first = [templates, blobs, applications, credentials, ledger, keys, housekeeping, audit];

export const firstTables: Statements = (types) => first.flatMap((part) => part(types));
