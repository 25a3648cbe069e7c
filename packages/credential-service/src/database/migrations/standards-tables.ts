/** What the standards plane keeps: keys that the service signs with for issuers. */
import type { Statements } from './statements.ts';

export const standardsTables: Statements = ({ text, integer, bytes, strict }) => [
  `create table "delegatedKeys" (
    "id" ${text} primary key,
    "issuer" ${text} not null,
    "kind" ${text} not null check ("kind" in ('es256', 'ed25519', 'bbs2023')),
    "number" ${integer} not null,
    "publicKey" ${text} not null,
    "secret" ${bytes},
    "createdAt" ${integer} not null,
    "endedAt" ${integer}) ${strict}`,
  `create index "delegatedKeysByIssuer" on "delegatedKeys" ("issuer", "kind", "number")`,
];
