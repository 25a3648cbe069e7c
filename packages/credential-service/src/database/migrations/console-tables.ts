/** What browsers hold at a service. */
import type { Statements } from './statements.ts';

export const browserSessions: Statements = ({ text, integer, strict }) => [
  `create table "browserSessions" (
    "id" ${text} primary key,
    "secretHash" ${text} not null,
    "way" ${text} not null check ("way" in ('signature', 'apiKey', 'custody', 'person')),
    "party" ${text} not null,
    "did" ${text},
    "keyId" ${text},
    "challenge" ${text} unique,
    "createdAt" ${integer} not null,
    "usedAt" ${integer} not null,
    "endedAt" ${integer}) ${strict}`,
  `create index "browserSessionsByParty" on "browserSessions" ("party", "createdAt", "id")`,
  `create index "browserSessionsByUse" on "browserSessions" ("usedAt")`,
  `create index "browserSessionsKeyless" on "browserSessions" ("usedAt") where "keyId" is null`,
];
