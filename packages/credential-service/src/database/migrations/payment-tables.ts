/** Paid issuance, custody, and what the service knows of the chain it records to. */
import type { Statements } from './statements.ts';

export const payments: Statements = ({ text, integer, bytes, strict }) => [
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

export const custody: Statements = ({ text, integer, bytes, strict }) => [
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

export const paymentTables: Statements = ({ text, integer, strict }) => [
  `alter table "payments" add column "worker" ${text}`,
  `alter table "settlements" add column "worker" ${text}`,
  `create table "sponsorAccounts" (
    "address" ${text} primary key,
    "blobId" ${text},
    "heldUntil" ${integer} not null,
    "uses" ${integer} not null) ${strict}`,
];

export const chainTables: Statements = ({ text, integer, strict }) => [
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

/** Settlements whose caller was asked to come again. */
export const leftSettlements: Statements = ({ integer }) => [
  `alter table "settlements" add column "leftAt" ${integer}`,
];

/** For whom the accounts of the sponsor are held. */
export const sponsorHolders: Statements = ({ text }) =>
  ['payer', 'caller'].map((name) => `alter table "sponsorAccounts" add column "${name}" ${text}`);

/** Who is told that a settlement is executed; of those that have ended before, whoever was not asked to come again was. */
export const toldSettlements: Statements = ({ text, integer }) => [
  `alter table "settlements" add column "teller" ${text}`,
  `alter table "settlements" add column "toldAt" ${integer}`,
  `update "settlements" set "toldAt" = "updatedAt" where "leftAt" is null and "state" <> 'pending'`,
  `alter table "settlements" drop column "leftAt"`,
];

export const owedRecords: Statements = ({ text, integer, strict }) => [
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
