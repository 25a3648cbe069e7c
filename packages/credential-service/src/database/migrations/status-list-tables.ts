/** Status lists: which slot is whose, and the list as it was signed last. */
import type { Statements } from './statements.ts';

export const statusListTables: Statements = ({ text, integer, strict }) => [
  `create table "statusLists" (
    "issuer" ${text} not null,
    "list" ${integer} not null,
    "taken" ${integer} not null,
    "createdAt" ${integer} not null,
    primary key ("issuer", "list")) ${strict}`,
  `create table "statusSlots" (
    "issuer" ${text} not null,
    "list" ${integer} not null,
    "slot" ${integer} not null,
    "place" ${integer} not null,
    "vcId" ${text} not null,
    primary key ("issuer", "list", "slot")) ${strict}`,
  `create unique index "statusSlotsByPlace" on "statusSlots" ("issuer", "list", "place")`,
  `create index "statusSlotsOfCredential" on "statusSlots" ("vcId")`,
  `create table "signedStatusLists" (
    "uri" ${text} primary key,
    "seq" ${integer} not null,
    "text" ${text} not null,
    "readAt" ${integer} not null,
    "expiresAt" ${integer} not null) ${strict}`,
];
