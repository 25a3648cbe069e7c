/**
 * Tables of verification sessions, of the callbacks that tell how they ended, and of presentations that are kept under
 * an id: as types and as the SQL that makes them. What holds for all tables is said in `schema.ts` and `migrations.ts`.
 */
import type { VerificationState } from '@symbolon/core/presentation/verification-states';
import type { ColumnTypes } from '@symbolon/host/database/common/values';
import type { Sealed } from './schema.ts';

export interface VerificationSessionsTable {
  id: string;
  /** The API key that asked. */
  keyId: string;
  /** What the relying service knows the session by. */
  stateId: string;
  nonce: string;
  state: VerificationState;
  /** The query and the callback address. */
  request: Sealed;
  /** How it ended. */
  result: Sealed | null;
  /** Of the submission that is being decided. */
  claim: string | null;
  claimedAt: number | null;
  createdAt: number;
  updatedAt: number;
  expiresAt: number;
}

/** The secret that results are signed with for an API key. */
export interface CallbackSecretsTable {
  keyId: string;
  secret: Sealed;
  createdAt: number;
}

export type DeliveryState = 'waiting' | 'delivered' | 'abandoned';

/** A callback that is to be delivered, written together with what it tells of. */
export interface OutboxTable {
  id: string;
  sessionId: string;
  keyId: string;
  state: DeliveryState;
  /** Address and body; emptied at the end. */
  content: Sealed | null;
  attempts: number;
  nextAttemptAt: number;
  /** Why the last attempt failed, in a few words. */
  problem: string | null;
  createdAt: number;
  updatedAt: number;
}

export interface SavedPresentationsTable {
  id: string;
  presentation: Sealed;
  createdAt: number;
  expiresAt: number;
}

export const exchangeTables = ({ text, integer, bytes, strict }: ColumnTypes): string[] => [
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
