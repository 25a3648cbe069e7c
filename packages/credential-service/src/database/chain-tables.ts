/**
 * What the service keeps to know its ledger again, and to bring back what the ledger may lose: the newest block that it
 * has seen, and what issuers have signed. All of it is public on the ledger.
 */
import type { ColumnTypes } from '@symbolon/host/database/common/values';

/** One row: the chain that the service records to, and how far it has seen it. */
export interface OwnChainTable {
  id: number;
  /** The hash of the first block. */
  genesis: string;
  seq: number;
  hash: string;
  /** What was recorded before belongs to another chain. */
  since: number;
  updatedAt: number;
}

/** A transaction of an issuer that the ledger has executed: the very bytes, which are good again if it loses them. */
export interface SignedTransactionsTable {
  hash: string;
  /** The DID that signed. */
  owner: string;
  /** Hex; the key encoded. */
  blob: string;
  publicKey: string;
  signature: string;
  createdAt: number;
}

/** A version of a template that the ledger has lost for good: its issuer has to register it again. */
export interface OwedTemplatesTable {
  templateId: string;
  version: string;
  name: string;
  /** The issuer's DID. */
  owner: string;
  createdAt: number;
}

export const owedRecords = ({ text, integer, strict }: ColumnTypes): string[] => [
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

export const chainTables = ({ text, integer, strict }: ColumnTypes): string[] => [
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
