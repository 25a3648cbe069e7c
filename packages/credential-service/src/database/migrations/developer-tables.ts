/** Names of parties, API keys that keys make, posts to webhooks, and the log of requests. */
import type { Statements } from './statements.ts';

export const developerTables: Statements = ({ text, integer, strict }) => [
  `create table "profiles" (
    "did" ${text} primary key,
    "name" ${text} not null,
    "nameKey" ${text} not null,
    "site" ${text},
    "word" ${text} not null check ("word" in ('itself', 'operator')),
    "updatedAt" ${integer} not null) ${strict}`,
  `create index "profilesByName" on "profiles" ("nameKey", "did")`,
  `alter table "apiKeys" add column "madeBy" ${text}`,
  `alter table "apiKeys" add column "family" ${text}`,
  `create index "apiKeysByAge" on "apiKeys" ("createdAt", "id")`,
  `create index "apiKeysByDid" on "apiKeys" ("did", "createdAt", "id")`,
  `create index "apiKeysByFamily" on "apiKeys" ("family", "createdAt", "id") where "family" is not null`,
  `create table "webhookDeliveries" (
    "id" ${text} primary key,
    "webhookId" ${text} not null references "webhooks" ("id") on delete cascade,
    "at" ${integer} not null,
    "firstId" ${integer} not null,
    "lastId" ${integer} not null,
    "events" ${integer} not null,
    "attempt" ${integer} not null,
    "isResent" ${integer} not null,
    "status" ${integer},
    "problem" ${text},
    "ms" ${integer} not null) ${strict}`,
  `create index "deliveriesByWebhook" on "webhookDeliveries" ("webhookId", "at", "id")`,
  `create table "requestLog" (
    "id" ${text} primary key,
    "keyId" ${text} not null,
    "at" ${integer} not null,
    "method" ${text} not null,
    "operation" ${text} not null,
    "status" ${integer} not null,
    "code" ${text} not null,
    "ms" ${integer} not null,
    "requestId" ${text} not null) ${strict}`,
  `create index "requestsByKey" on "requestLog" ("keyId", "at", "id")`,
  `create index "requestsByAge" on "requestLog" ("at")`,
];
