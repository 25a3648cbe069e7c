/** Sessions, trust, presence, offers and events: what parties exchange through the service. */
import type { Statements } from './statements.ts';

export const exchangeTables: Statements = ({ text, integer, bytes, strict }) => [
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

/** Who ended a session without an answer: the verifier that asked, or a wallet. */
export const abortedSessions: Statements = ({ text }) => [
  `alter table "verificationSessions" add column "abortedBy" ${text}
    check ("abortedBy" in ('verifier', 'wallet'))`,
];

export const wrongAnswers: Statements = ({ integer }) => [
  `alter table "verificationSessions" add column "wrongAnswers" ${integer} not null default 0`,
];

export const presence: Statements = ({ text, integer, strict }) => [
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

export const trustTables: Statements = ({ text, integer, strict }) => [
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

export const submitTables: Statements = ({ text, integer, strict }) => [
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

/** What issuers offer to whoever has a code, of which only the hash is kept. */
export const offerTables: Statements = ({ text, integer, bytes, strict }) => [
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
export const eventTables: Statements = ({ text, integer, bytes, strict }) => [
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
